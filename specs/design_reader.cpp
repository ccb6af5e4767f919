#include "specs/design.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>

#include "specs/release_steps.h"
#include "specs/spec_parts.h"
#include "specs/suggest.h"
#include "verifier/exact/expression.h"
#include "verifier/notions/table.h"

namespace oddsbound::specs {

namespace {

// What the outputs are about: labels that are listed, or all values of some coordinates.
struct Outputs {
  std::vector<std::string> labels;
  std::vector<std::size_t> released;             // of the second kind
  std::vector<std::vector<std::string>> values;  // of the second kind, by output
};

Outputs read_outputs(const Fields& fields, const Domain& domain) {
  Outputs outputs;
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
    outputs.labels.push_back(fmt::format("{}", fmt::join(outputs.values.back(), ",")));
  }
  return outputs;
}

// The values of an input that a named loss compares with an output's.
std::vector<std::string> compared_values(const Domain& domain, std::uint64_t x, const Outputs& outputs) {
  const std::vector<std::string> all = domain.tuple(x);
  if (outputs.values.empty()) return {fmt::format("{}", fmt::join(all, ","))};
  std::vector<std::string> values;
  for (const std::size_t i : outputs.released) values.push_back(all[i]);
  return values;
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

void read_losses(JsonView value, const Outputs& outputs, ReadingContext& context, DesignFile& result) {
  const Domain& domain = result.model.domain;
  if (value.is_array()) {
    result.losses = read_loss_table(value, domain, outputs.labels.size(), context);
    result.loss_words = "loss";
    return;
  }
  const std::vector<std::string> kinds{"zero_one", "hamming", "absolute", "squared"};
  const std::string kind = read_string(value, "the name of a loss, or a table of losses");
  if (std::find(kinds.begin(), kinds.end(), kind) == kinds.end()) {
    std::string hint = suggestion(kind, kinds);
    value.fail("unknown loss '" + printable(kind) + "'", hint.empty() ? "known: " + listing(kinds) : hint);
  }
  if (kind == "hamming" && outputs.values.empty()) value.fail("'hamming' compares attributes: it goes with 'release'");
  for (std::uint64_t x = 0; x < domain.inputs(); ++x) {
    std::vector<Number>& of_input = result.losses.emplace_back();
    const std::vector<std::string> input = compared_values(domain, x, outputs);
    for (std::size_t y = 0; y < outputs.labels.size(); ++y) {
      const std::vector<std::string> output =
          outputs.values.empty() ? std::vector{outputs.labels[y]} : outputs.values[y];
      of_input.push_back(named_loss(value, kind, input, output));
    }
  }
  result.loss_words = kind + " loss";
}

void read_objective(JsonView value, const Outputs& outputs, ReadingContext& context, DesignFile& result) {
  const Fields fields(value, {"expected", "largest"}, "an objective");
  if (fields.has("expected") == fields.has("largest")) {
    value.fail("what is to be least is either the 'expected' loss, or the 'largest' one of all inputs");
  }
  result.largest = fields.has("largest");
  if (!result.largest && !result.model.prior) value.fail("an expected loss needs a prior");
  read_losses(fields.require(result.largest ? "largest" : "expected"), outputs, context, result);
  result.loss_words = (result.largest ? "largest " : "expected ") + result.loss_words;
}

void require_rational(JsonView value, const Model& model) {
  for (std::uint64_t x = 0; x < model.domain.inputs(); ++x) {
    if (!model.prior->probability(x).is_rational()) value.fail("a mechanism is designed for rational probabilities");
  }
}

void require_linear(const Claim& claim, JsonView value) {
  if (claim.arguments.has("delta") && !claim.arguments.get<Number>("delta").is_rational()) {
    value.fail("a mechanism is designed for a rational delta");
  }
  if (!claim.notion->defines(claim.arguments)) {
    value.fail("a mechanism cannot be designed for a claim about " + claim.notion->name +
               (claim.arguments.has(kForAll) ? " over a set of priors" : ""));
  }
  if (claim.tight || !claim.expect_holds) value.fail("what is asked for is to hold: it is not 'tight' or 'refuted'");
}

}  // namespace

DesignFile read_design(const std::string& path, Budget& budget) {
  return read_design_document(read_document_of(path, budget.limits()), directory_of(path), budget);
}

DesignFile read_design_document(const std::shared_ptr<const JsonDocument>& document, const std::string& directory,
                                Budget& budget) {
  const Fields fields(document->root(),
                      {"oddsbound_design", "name", "description", "parameters", "domain", "prior", "outputs", "release",
                       "reads", "constraints", "objective", "denominator"},
                      "the request for a mechanism");
  require_version_1(fields.require("oddsbound_design"), "the format of requests");
  Parameters parameters(fields.find("parameters"), {}, budget);
  parameters.evaluate_all();
  std::vector<SourceFile> files{{document->file(), sha256(document->text()), true}};
  Remarks remarks;
  ReadingContext context{directory, parameters, budget, {}, files, remarks};
  DesignFile result;
  result.file = document->file();
  result.name = read_string(fields.require("name"), "'name'");
  DomainAndPrior inputs = read_domain_and_prior(fields, context, PriorWanted::kYes);
  result.model.domain = std::move(inputs.domain);
  result.model.prior = std::move(inputs.prior);
  result.document = document;
  if (const auto prior = fields.find("prior")) require_rational(*prior, result.model);
  const Outputs outputs = at_place(document->root(), [&] { return read_outputs(fields, result.model.domain); });
  result.outputs = outputs.labels;
  result.reads = every_coordinate(result.model.domain);
  if (const auto reads = fields.find("reads")) result.reads = read_attributes(*reads, result.model.domain);
  const JsonView constraints = fields.require("constraints");
  result.constraints = read_claims(constraints, result.model, context);
  const std::vector<JsonView> places = read_array(constraints, "claims");
  for (std::size_t k = 0; k < places.size(); ++k) require_linear(result.constraints[k], places[k]);
  read_objective(fields.require("objective"), outputs, context, result);
  if (const auto denominator = fields.find("denominator")) {
    result.denominator = static_cast<std::uint64_t>(read_integer(*denominator, "a denominator", 1, 1'000'000'000));
  }
  return result;
}

}  // namespace oddsbound::specs
