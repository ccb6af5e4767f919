#include "design/reader.h"

#include <algorithm>
#include <map>

#include "design/product_form.h"
#include "specs/spec_error.h"
#include "verifier/exact/expression.h"
#include "verifier/model/domain.h"
#include "verifier/notions/table.h"

namespace oddsbound::designs {

DesignOutputs read_design_outputs(const Fields& fields, const Domain& domain) {
  DesignOutputs outputs;
  if (const auto listed = fields.find("outputs")) {
    if (const auto release = fields.find("release")) release->fail("'release' and 'outputs' both say what comes out");
    for (const JsonView label : read_array(*listed, "output labels")) {
      outputs.labels.push_back(read_string(label, "an output label"));
      if (std::count(outputs.labels.begin(), outputs.labels.end(), outputs.labels.back()) > 1) {
        label.fail("the output '" + printable(outputs.labels.back()) + "' is there twice");
      }
    }
    if (outputs.labels.empty()) listed->fail("expected an output at least");
    return outputs;
  }
  outputs.released = every_coordinate(domain);
  if (const auto release = fields.find("release")) outputs.released = read_attributes(*release, domain);
  const Domain released = domain.restricted_to(outputs.released);
  for (std::uint64_t y = 0; y < released.inputs(); ++y) {
    outputs.values.push_back(released.tuple(y));
  }
  outputs.labels = joined_lists(outputs.values, ",");
  return outputs;
}

namespace {

void require_rational(JsonView value, const Model& model) {
  for (std::uint64_t x = 0; x < model.domain.inputs(); ++x) {
    if (!model.prior->probability(x).is_rational()) value.fail("a mechanism is designed for rational probabilities");
  }
}

void require_linear(const Claim& claim, JsonView value) {
  if (claim.arguments.has("delta") && !claim.arguments.get<Number>("delta").is_rational()) {
    value.fail("a mechanism is designed for a rational delta");
  }
  if (depends_on_mechanism(claim)) value.fail(kDependsOnMechanism);
  if (claim.notion->define && claim.arguments.has_roots()) {
    value.fail("a mechanism cannot be designed for levels with square roots");
  }
  if (!limits_mechanisms(claim)) value.fail("a mechanism cannot be designed for a claim about " + claim.notion->name);
  if (claim.tight || !claim.expect_holds) value.fail("what is asked for is to hold: it is not 'tight' or 'refuted'");
}

Number read_rational_exponential(JsonView value, ReadingContext& context) {
  const Level level = read_level(value, context);
  if (level.is_infinite() || level.surd() != nullptr || !level.exponential().is_rational()) {
    value.fail("found " + printable(value.text(), 40) + ", expected the logarithm of a rational number");
  }
  return level.exponential();
}

bool has_infinite_level(const Claim& claim, const Model& model) {
  const Definition definition = claim.notion->define(model, claim.arguments, InputSubset(model.domain));
  return std::any_of(definition.begin(), definition.end(),
                     [](const Comparison& comparison) { return comparison.level.is_infinite(); });
}

constexpr std::int64_t kMostOnCurve = 1'000'000'000'000;  // keeps the steps well within 64 bits

AskedCurve read_curve(JsonView value, const std::vector<Claim>& constraints, const Model& model,
                      ReadingContext& context) {
  const Fields fields(value, {"constraints", "from", "to"}, "a curve");
  for (const Claim& claim : constraints) {
    if (claim.arguments.has(kForAll)) value.fail("a curve does not go with constraints over sets of priors");
  }
  AskedCurve curve;
  for (const JsonView one : read_array(fields.require("constraints"), "numbers of constraints, the first is 1")) {
    const auto number = static_cast<std::size_t>(
        read_integer(one, "the number of a constraint", 1, static_cast<std::int64_t>(constraints.size())));
    const Claim& claim = constraints[number - 1];
    if (!claim.notion->define) {
      one.fail("a curve is drawn for limits between probabilities under the prior: constraint " +
               std::to_string(number) + " is another kind");
    }
    if (has_infinite_level(claim, model)) {
      one.fail("constraint " + std::to_string(number) + " sets no limit somewhere ('inf'): the curve would set one");
    }
    if (std::count(curve.constraints.begin(), curve.constraints.end(), number - 1) > 0) one.fail("it is there twice");
    curve.constraints.push_back(number - 1);
  }
  if (curve.constraints.empty()) value.fail("expected the number of a constraint at least");
  curve.from = read_rational_exponential(fields.require("from"), context);
  const JsonView to = fields.require("to");
  curve.to = read_rational_exponential(to, context);
  if (curve.to > Number(kMostOnCurve)) {
    to.fail("found " + printable(to.text(), 40) + ", expected log(" + std::to_string(kMostOnCurve) + ") at most");
  }
  if (curve.to <= curve.from) to.fail("found " + printable(to.text(), 40) + ", expected more than 'from'");
  return curve;
}

// Stores the prior that sets of priors may refer to.
void know_prior(JsonView value, const Model& model, bool values_from_prior, ReadingContext& context) {
  const std::string type = read_type(value, "a prior");
  context.priors.center = &*model.prior;
  context.priors.counted = type == "counts" || type == "csv";
  context.priors.confidential = context.remarks.confidential_tables > 0;
  context.priors.values_confidential = context.priors.confidential && values_from_prior;
}

// Whether losses or constraints are measured under a confidential table, or over priors that depend on one.
bool depends_on_confidential_table(const DesignFile& request, bool confidential_prior) {
  const auto depends = [&](const Claim& claim) {
    if (const auto* for_all = claim.arguments.find_if<ForAll>(kForAll)) return for_all->confidential;
    return confidential_prior && claim.notion->needs_prior;
  };
  if (std::any_of(request.constraints.begin(), request.constraints.end(), depends)) return true;
  const bool expected = request.goal || request.product || !request.objective.largest ||
                        std::any_of(request.loss_limits.begin(), request.loss_limits.end(),
                                    [](const LossLimit& limit) { return !limit.losses.largest; });
  return confidential_prior && expected;
}

// Reads the domain, the prior, and the sets of priors.
void read_inputs(const Fields& fields, DesignFile& result, ReadingContext& context) {
  DomainAndPrior inputs = read_domain_and_prior(fields, context, PriorWanted::kYes);
  result.model.domain = std::move(inputs.domain);
  result.model.prior = std::move(inputs.prior);
  if (const auto prior = fields.find("prior")) {
    if (!fields.has("form")) require_rational(*prior, result.model);
    know_prior(*prior, result.model, inputs.values_from_prior, context);
  }
  if (const auto sets = fields.find("prior_sets")) {
    context.priors.named = read_prior_sets(*sets, result.model.domain, context);
  }
}

void read_constraints(JsonView value, DesignFile& result, ReadingContext& context, FoundErrors& errors) {
  for (const JsonView item : read_array(value, "claims")) {
    errors.attempt([&] {
      Claim claim = read_claim(item, result.model, context);
      require_linear(claim, item);
      result.constraints.push_back(std::move(claim));
    });
  }
}

void read_denominator(const Fields& fields, DesignFile& result) {
  const auto denominator = fields.find("denominator");
  if (const auto exact = fields.find("exact"); exact && read_boolean(*exact, "'exact'")) {
    if (denominator) denominator->fail("nothing stands for e^level where that is to be 'exact'");
    result.denominator = 0;
  }
  if (denominator) {
    result.denominator = static_cast<std::uint64_t>(read_integer(*denominator, "a denominator", 1, 1'000'000'000));
  }
}

// Reads the parts of a request without a form.
void read_parts(const Fields& fields, DesignFile& result, ReadingContext& context, FoundErrors& errors) {
  errors.attempt([&] { refuse_marginals(fields); });
  DesignOutputs outputs;
  const bool has_outputs = errors.attempt(
      [&] { outputs = at_place(fields.object(), [&] { return read_design_outputs(fields, result.model.domain); }); });
  result.outputs = outputs.labels;
  result.reads = every_coordinate(result.model.domain);
  errors.attempt([&] {
    if (const auto reads = fields.find("reads")) result.reads = read_attributes(*reads, result.model.domain);
  });
  errors.attempt([&] { read_constraints(fields.require("constraints"), result, context, errors); });
  if (has_outputs) {
    errors.attempt([&] {
      const Fields objective(fields.require("objective"), {"expected", "largest", "most", "estimate"}, "an objective");
      result.goal = read_column_goal(objective, fields, result.model, context);
      if (!result.goal) result.objective = read_losses(objective, result.model, outputs, context);
    });
    errors.attempt([&] {
      const auto losses = fields.find("losses");
      if (losses) result.loss_limits = read_loss_limits(*losses, result.model, outputs, context);
    });
    errors.attempt([&] {
      const auto symmetries = fields.find("symmetries");
      if (symmetries) result.symmetries = read_symmetries(*symmetries, result.model.domain, outputs);
    });
  }
  // A curve names constraints by number.
  if (const auto curve = fields.find("curve"); curve && errors.is_empty()) {
    errors.attempt([&] { result.curve = read_curve(*curve, result.constraints, result.model, context); });
  }
  errors.attempt([&] { read_denominator(fields, result); });
}

}  // namespace

bool limits_mechanisms(const Claim& claim) {
  return (claim.notion->define || claim.notion->limit_guesses) && !claim.arguments.has_roots() &&
         !notions::knows_anything(claim.arguments) && !claim.notion->allows_tail(claim.arguments) &&
         !depends_on_mechanism(claim);
}

bool depends_on_mechanism(const Claim& claim) {
  const auto* for_all = claim.arguments.find_if<ForAll>(kForAll);
  return for_all != nullptr && for_all->set->confidence();
}

DesignFile read_design(const std::string& path, Budget& budget) {
  return read_design_document(read_document_of(path, budget.limits()), directory_of(path), budget);
}

DesignFile read_design_document(const std::shared_ptr<const JsonDocument>& document, const std::string& directory,
                                Budget& budget) {
  const Fields fields = Fields::of_file(
      *document, "design",
      {"oddsbound_design", "name", "description", "parameters", "domain", "prior", "prior_sets", "outputs", "release",
       "reads", "constraints", "losses", "symmetries", "objective", "form", "denominator", "exact", "curve"},
      "the request for a mechanism");
  require_version_1(fields.require("oddsbound_design"), "the format of requests");
  FoundErrors errors;
  const std::unique_ptr<Parameters> parameters = Parameters::read(fields, {}, budget, errors);
  std::vector<SourceFile> files{{document->file(), sha256(document->text()), true}};
  Remarks remarks;
  ReadingContext context{directory, *parameters, budget, {}, files, remarks};
  DesignFile result;
  result.file = document->file();
  result.document = document;
  errors.attempt([&] { result.name = read_string(fields.require("name"), "'name'"); });
  // Everything below is about the domain.
  if (!errors.attempt([&] { read_inputs(fields, result, context); })) errors.finish();
  const bool confidential_prior = remarks.confidential_tables > 0;
  if (fields.has("form")) {
    errors.attempt([&] { result.product = read_product_form(fields, result.model, context); });
    errors.attempt(
        [&] { result.constraints = read_kept_claims(fields.require("constraints"), result.model, context); });
  } else {
    read_parts(fields, result, context, errors);
  }
  errors.finish();
  result.confidential = depends_on_confidential_table(result, confidential_prior);
  return result;
}

namespace {

// Returns, by input, the values that a named loss compares with those of an output; one text if outputs are
// labels.
std::vector<std::vector<std::string>> compared_values(const Domain& domain, const DesignOutputs& outputs) {
  std::vector<std::vector<std::string>> inputs;
  for (std::uint64_t x = 0; x < domain.inputs(); ++x) inputs.push_back(domain.tuple(x));
  if (outputs.values.empty()) {
    std::vector<std::string> texts = joined_lists(inputs, ",");
    for (std::size_t x = 0; x < texts.size(); ++x) inputs[x] = {std::move(texts[x])};
    return inputs;
  }
  for (std::vector<std::string>& values : inputs) {
    std::vector<std::string> released;
    for (const std::size_t i : outputs.released) released.push_back(values[i]);
    values = std::move(released);
  }
  return inputs;
}

Number number_of_label(JsonView at, const std::string& text) {
  return at_place(at, [&] { return parse_number(text); });
}

Number named_loss(JsonView name, const std::string& kind, const std::vector<std::string>& input,
                  const std::vector<std::string>& output) {
  if (kind == "zero_one") return Number(input == output ? 0 : 1);
  if (kind == "hamming") {
    std::int64_t differ = 0;
    for (std::size_t i = 0; i < input.size(); ++i) differ += input[i] == output[i] ? 0 : 1;
    return Number(differ);
  }
  if (input.size() != 1) name.fail("a loss by distance is between the values of one attribute");
  const Number off = number_of_label(name, input[0]) - number_of_label(name, output[0]);
  if (kind == "squared") return off * off;
  return off.sign() < 0 ? -off : off;
}

std::vector<std::vector<Number>> read_loss_table(JsonView value, const Domain& domain, std::size_t outputs,
                                                 ReadingContext& context) {
  std::vector<std::vector<Number>> losses;
  for (const JsonView row : read_array(value, "losses, a row for each input")) {
    std::vector<Number>& of_input = losses.emplace_back();
    for (const JsonView loss : read_array(row, "losses, one for each output")) {
      of_input.push_back(read_number(loss, context));
      if (!of_input.back().is_rational() || of_input.back().sign() < 0) {
        loss.fail("found " + printable(loss.text(), 40) + ", expected a rational loss that is not negative");
      }
    }
    if (of_input.size() != outputs) {
      row.fail("found " + std::to_string(of_input.size()) + " losses, expected one for each of the " +
               std::to_string(outputs) + " outputs");
    }
  }
  if (losses.size() != domain.inputs()) {
    value.fail("found " + std::to_string(losses.size()) + " rows, expected one for each of the " +
               std::to_string(domain.inputs()) + " inputs");
  }
  return losses;
}

void read_table_or_name(JsonView value, const Domain& domain, const DesignOutputs& outputs, ReadingContext& context,
                        Losses& losses) {
  if (value.is_array()) {
    losses.table = read_loss_table(value, domain, outputs.labels.size(), context);
    losses.words = "loss";
    return;
  }
  const std::vector<std::string> kinds{"zero_one", "hamming", "absolute", "squared"};
  const std::string kind = read_string(value, "the name of a loss, or a table of losses");
  if (std::find(kinds.begin(), kinds.end(), kind) == kinds.end()) {
    std::string hint = suggestion(kind, kinds);
    value.fail("unknown loss '" + printable(kind) + "'", hint.empty() ? "known: " + listing(kinds) : hint);
  }
  if (kind == "hamming" && outputs.values.empty()) value.fail("'hamming' compares attributes: it goes with 'release'");
  for (const std::vector<std::string>& input : compared_values(domain, outputs)) {
    std::vector<Number>& of_input = losses.table.emplace_back();
    for (std::size_t y = 0; y < outputs.labels.size(); ++y) {
      const std::vector<std::string> output =
          outputs.values.empty() ? std::vector{outputs.labels[y]} : outputs.values[y];
      of_input.push_back(named_loss(value, kind, input, output));
    }
  }
  losses.words = kind + " loss";
}

}  // namespace

Losses read_losses(const Fields& fields, const Model& model, const DesignOutputs& outputs, ReadingContext& context) {
  if (fields.has("expected") == fields.has("largest")) {
    fields.object().fail("a loss is either the 'expected' one, or the 'largest' one of all inputs");
  }
  Losses losses;
  losses.largest = fields.has("largest");
  const std::string which = losses.largest ? "largest" : "expected";
  if (!losses.largest && !model.prior) fields.object().fail("an expected loss needs a prior");
  read_table_or_name(fields.require(which), model.domain, outputs, context, losses);
  losses.words = which + " " + losses.words;
  return losses;
}

std::vector<LossLimit> read_loss_limits(JsonView value, const Model& model, const DesignOutputs& outputs,
                                        ReadingContext& context) {
  std::vector<LossLimit> limits;
  for (const JsonView one : read_array(value, "limits on losses")) {
    const Fields fields(one, {"expected", "largest", "at_most"}, "a limit on a loss");
    LossLimit& limit = limits.emplace_back();
    limit.losses = read_losses(fields, model, outputs, context);
    const JsonView at_most = fields.require("at_most");
    limit.at_most = read_number(at_most, context);
    if (!limit.at_most.is_rational() || limit.at_most.sign() < 0) {
      at_most.fail("found " + printable(at_most.text(), 40) + ", expected a rational number that is not negative");
    }
  }
  return limits;
}

namespace {

// Returns the image of each name: the name at its position.
std::vector<std::size_t> read_permutation(JsonView value, const std::vector<std::string>& names, std::string_view of) {
  std::vector<std::size_t> places;
  for (const JsonView item : read_array(value, "a list of all " + std::string(of) + ", each where it goes")) {
    const std::string name = read_string(item, "one of the " + std::string(of));
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) {
      item.fail("'" + printable(name) + "' is none of the " + std::string(of), suggestion(name, names));
    }
    const auto place = static_cast<std::size_t>(found - names.begin());
    if (std::find(places.begin(), places.end(), place) != places.end()) {
      item.fail("'" + printable(name) + "' is there twice: two would go to one place");
    }
    places.push_back(place);
  }
  if (places.size() != names.size()) {
    value.fail("found " + std::to_string(places.size()) + " of the " + std::to_string(names.size()) + " " +
               std::string(of) + ": where do the others go?");
  }
  return places;
}

using ValuePlaces = std::map<std::size_t, std::vector<std::size_t>>;  // by coordinate, where its values go

std::vector<std::string> moved(const Domain& domain, const std::vector<std::size_t>& coordinates,
                               std::vector<std::string> values, const ValuePlaces& places) {
  for (std::size_t k = 0; k < coordinates.size(); ++k) {
    const auto moves = places.find(coordinates[k]);
    if (moves == places.end()) continue;
    const ValueNames& names = domain.coordinate(coordinates[k]).values;
    values[k] = names[moves->second[*names.find(values[k])]];
  }
  return values;
}

Symmetry read_symmetry(JsonView value, const Domain& domain, const DesignOutputs& outputs) {
  const Fields fields(value, {"values", "outputs"}, "a symmetry");
  ValuePlaces places;
  const JsonView values = fields.require("values");
  if (!values.is_object()) values.fail("expected attributes, each with a list of where its values go");
  for (const JsonView::Member& member : values.members()) {
    const std::size_t i = read_coordinate(member.key, domain);
    places[i] = read_permutation(member.value, domain.coordinate(i).values.listed(), "values");
  }
  Symmetry symmetry;
  std::map<std::vector<std::string>, std::uint64_t> number_of;
  for (std::uint64_t x = 0; x < domain.inputs(); ++x) number_of[domain.tuple(x)] = x;
  for (std::uint64_t x = 0; x < domain.inputs(); ++x) {
    symmetry.inputs.push_back(number_of.at(moved(domain, every_coordinate(domain), domain.tuple(x), places)));
  }
  if (outputs.values.empty()) {
    symmetry.outputs = read_permutation(fields.require("outputs"), outputs.labels, "outputs");
    return symmetry;
  }
  if (const auto listed = fields.find("outputs")) listed->fail("outputs that are values go where these go");
  for (const std::vector<std::string>& output : outputs.values) {
    const auto to =
        std::find(outputs.values.begin(), outputs.values.end(), moved(domain, outputs.released, output, places));
    symmetry.outputs.push_back(static_cast<std::size_t>(to - outputs.values.begin()));
  }
  return symmetry;
}

}  // namespace

std::vector<Symmetry> read_symmetries(JsonView value, const Domain& domain, const DesignOutputs& outputs) {
  std::vector<Symmetry> symmetries;
  for (const JsonView one : read_array(value, "symmetries")) symmetries.push_back(read_symmetry(one, domain, outputs));
  return symmetries;
}

}  // namespace oddsbound::designs
