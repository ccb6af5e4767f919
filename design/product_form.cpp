#include "design/product_form.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/spec_text.h"
#include "base/characters.h"
#include "base/errors.h"
#include "design/limits.h"
#include "design/monotone_search.h"
#include "design/reader.h"
#include "design/run.h"
#include "mechanisms/k_randomized_response.h"
#include "specs/spec_error.h"
#include "verifier/exact/decimal.h"
#include "verifier/exact/interval.h"
#include "verifier/model/product_channel.h"

namespace oddsbound::designs {

namespace {

using Json = nlohmann::ordered_json;

// Returns the sum of squares of the joint fractions of these attributes.
Number squares_of_shares(const Model& model, const std::vector<std::size_t>& attributes, Budget& budget) {
  const Prior shares = model.prior->marginal(attributes, budget);
  Number squares(0);
  for (const auto& [x, weight] : shares.numbered_rows(budget)) squares += weight * weight;
  return squares / (shares.total() * shares.total());
}

class ResponseDesign {
 public:
  ResponseDesign(const DesignFile& request, Budget& budget)
      : request_(request), form_(*request.product), domain_(request.model.domain), budget_(budget) {
    for (const WantedMarginal& one : form_.marginals) {
      known_.push_back(squares_of_shares(request.model, one.attributes, budget));
    }
  }

  MonotoneProblem problem() {
    return {form_.tied ? 1 : form_.attributes.size(), [this](const Corner& at) { return loss(at); },
            [this](const Corner& at) { return kept(at); }, form_.gap, form_.most_decisions};
  }

  std::optional<Number> loss(const Corner& at) const {
    switch (form_.loss) {
      case ProductForm::Loss::kEstimates: return error_of_estimates(at);
      case ProductForm::Loss::kZeroOne: return zero_one(at);
      case ProductForm::Loss::kHamming: break;
    }
    return hamming(at);
  }

  // Decides all constraints at that point, by their notions.
  Answer kept(const Corner& at) {
    Model model = request_.model;
    std::vector<Factor> parts;
    for (const std::size_t i : form_.attributes) {
      const Domain own = domain_.restricted_to(std::vector{i});
      parts.push_back({mechanisms::k_randomized_response::mechanism(own, level(at, i)).channel, {i}});
    }
    model.channel = std::make_shared<const ProductChannel>(domain_, std::move(parts));
    MeasuredModel subject(model, budget_);
    Answer all = Answer::kYes;
    for (const Claim& claim : request_.constraints) {
      const Answer one = kept(claim, subject);
      if (one == Answer::kNo) return one;
      if (one == Answer::kOpen) all = one;
    }
    return all;
  }

  // Replaces levels by simpler fractions that are no lower, if these keep all limits. Returns the number of
  // decisions.
  std::uint64_t simplify(Corner& at) {
    std::uint64_t tried = 0;
    const Number step = Number::ratio(1, 4096);
    for (std::size_t k = 0; k < at.size(); ++k) {
      if (at[k] + step >= Number(1)) continue;
      const Number low = level_of_height(at[k]).exponential();
      const Number high = level_of_height(at[k] + step).exponential();
      Corner simpler = at;
      simpler[k] = height_of_level(Level::of_exponential(simplest_between(low, high)));
      ++tried;
      if (kept(simpler) == Answer::kYes) at = std::move(simpler);
    }
    return tried;
  }

  Level level(const Corner& at, std::size_t i) const { return level_of_height(height(at, i)); }
  const std::string& why_open() const { return why_open_; }

 private:
  const Number& height(const Corner& at, std::size_t i) const {
    if (form_.tied) return at[0];
    const auto place = std::find(form_.attributes.begin(), form_.attributes.end(), i);
    return at[static_cast<std::size_t>(place - form_.attributes.begin())];
  }
  std::uint64_t values(std::size_t i) const { return domain_.values(i); }

  std::optional<Number> error_of_estimates(const Corner& at) const {
    Number error(0);
    for (std::size_t m = 0; m < form_.marginals.size(); ++m) {
      Number norm(1);
      for (const std::size_t i : form_.marginals[m].attributes) {
        const std::optional<Number> one = estimate_norm(height(at, i), values(i));
        if (!one) return std::nullopt;
        norm *= *one;
      }
      error += form_.marginals[m].weight * (norm - known_[m]);
    }
    return error;
  }

  Number zero_one(const Corner& at) const {
    Number all_true(1);
    for (const std::size_t i : form_.attributes) all_true *= truth_share(height(at, i), values(i));
    return Number(1) - all_true;
  }

  Number hamming(const Corner& at) const {
    Number wrong(0);
    for (const std::size_t i : form_.attributes) {
      wrong += Number(1) - truth_share(height(at, i), values(i));
    }
    return wrong;
  }

  Answer kept(const Claim& claim, MeasuredModel& subject) {
    try {
      const Decision decision = claim.notion->decide(subject, claim.arguments);
      if (decision.holds == Answer::kOpen) why_open_ = open_reason(decision.actual);
      return decision.holds;
    } catch (const LimitError& error) {
      budget_.check();  // a timeout ends the search, not only this decision
      why_open_ = error.what();
      return Answer::kOpen;
    }
  }

  const DesignFile& request_;
  const ProductForm& form_;
  const Domain& domain_;
  Budget& budget_;
  std::vector<Number> known_;  // by marginal
  std::string why_open_;
};

Json corner_texts(const Corner& corner) {
  Json texts = Json::array();
  for (const Number& one : corner) texts.push_back(one.to_string());
  return texts;
}

// Writes the tree as a list: an inner box is {coordinate, at, low, high}, and a leaf without feasible points has
// the index of a broken point.
std::string tree_certificate(const DesignFile& request, const MonotoneOptimum& best) {
  const ProductForm& form = *request.product;
  Json certificate;
  certificate["oddsbound_product_certificate"] = 1;
  certificate["at_least"] = best.at_least.to_string();
  for (const std::size_t i : form.attributes) {
    certificate["attributes"].push_back(request.model.domain.coordinate(i).name);
  }
  certificate["broken"] = Json::array();
  for (const Corner& corner : best.proof.broken) certificate["broken"].push_back(corner_texts(corner));
  for (const BoxTree::Node& node : best.proof.nodes) {
    Json one = Json::object();
    if (node.coordinate) {
      one = {{"coordinate", *node.coordinate}, {"at", node.at.to_string()}, {"low", node.low}, {"high", node.high}};
    } else if (node.broken_at) {
      one = {{"broken", *node.broken_at}};
    }
    certificate["boxes"].push_back(std::move(one));
  }
  return json_escaped(certificate.dump()) + "\n";
}

Json mechanism_of(const ProductDesign& product) {
  Json parts = Json::object();
  for (const AttributeLevel& one : product.levels) {
    parts[one.attribute] = {{"type", "k_randomized_response"}, {"epsilon", one.level.to_string()}};
  }
  return {{"type", "per_coordinate"}, {"mechanisms", std::move(parts)}};
}

[[noreturn]] void fail_without_levels(const DesignFile& request, const ResponseDesign& design) {
  if (!design.why_open().empty()) throw LimitError("no levels were found: " + design.why_open());
  const std::string reason =
      "nothing can be estimated where not all attributes may have the level log(1048576/1048575)";
  for (const specs::JsonView::Member& member : request.document->root().members()) {
    if (member.key.text() == "constraints") member.value.fail(reason);
  }
  throw ModelError(reason);
}

}  // namespace

DesignResult design_of_product(const DesignFile& request, const std::string& folder, Budget& budget) {
  ResponseDesign design(request, budget);
  std::optional<MonotoneOptimum> best = least_within(design.problem(), budget);
  if (!best) fail_without_levels(request, design);
  if (best->loss != best->at_least) best->decisions += design.simplify(best->at);
  DesignResult result;
  result.name = request.name;
  result.confidential = request.confidential;
  result.loss_words = request.product->words;
  result.loss = design.loss(best->at).value();
  // A simpler level may have less loss than the optimum found, but not less than the bound for all levels.
  result.at_least = best->at_least;
  result.product = ProductDesign{{}, request.product->tied, best->decisions, best->open, best->stopped};
  for (const std::size_t i : request.product->attributes) {
    result.product->levels.push_back({request.model.domain.coordinate(i).name, design.level(best->at, i)});
  }
  const std::string told = result.loss_words + " " + described_loss(result);
  result.spec = spec_text(spec_of(request, told, mechanism_of(*result.product), folder));
  result.certificate = tree_certificate(request, *best);
  return result;
}

namespace {

constexpr const char* kProduct = "product";

void read_search(JsonView value, ReadingContext& context, ProductForm& form) {
  if (value.is_string()) {
    const std::string name = read_string(value, "a form");
    if (name != kProduct)
      value.fail("unknown form '" + printable(name) + "'", suggestion(name, std::vector<std::string>{kProduct}));
    return;
  }
  if (!value.is_object()) value.fail("found " + value.kind_name() + R"(, expected the form "product")");
  const Fields form_fields(value, {kProduct}, "a form");
  const Fields fields(form_fields.require(kProduct), {"tied", "gap", "decisions"}, "the form of a product");
  if (const auto tied = fields.find("tied")) form.tied = read_boolean(*tied, "whether all have one level");
  if (const auto gap = fields.find("gap")) {
    form.gap = read_number(*gap, context);
    if (!form.gap.is_rational() || form.gap.sign() <= 0 || form.gap >= Number(1)) {
      gap->fail("found " + printable(gap->text(), 40) +
                ", expected a share of the loss: a rational number between 0 and 1");
    }
  }
  if (const auto most = fields.find("decisions")) {
    form.most_decisions = static_cast<std::uint64_t>(read_integer(*most, "a number of decisions", 1, 1'000'000'000));
  }
}

void require_keys_of_form(const Fields& fields) {
  const std::vector<std::pair<const char*, const char*>> reasons = {
      {"outputs", "the outputs of randomized response are the values: 'release' says of which attributes"},
      {"reads", "randomized response reads what it releases: 'release' says which attributes that are"},
      {"losses", "a limit on a loss holds at higher levels, not at lower ones: it does not go with the form 'product'"},
      {"symmetries", "randomized response treats all values alike: 'symmetries' do not go with the form 'product'"},
      {"curve", "a curve is of the best mechanism of any form: it does not go with the form 'product'"},
      {"denominator", "levels are decided exactly: 'denominator' does not go with the form 'product'"},
      {"exact", "levels are decided exactly: 'exact' does not go with the form 'product'"}};
  for (const auto& [key, reason] : reasons) {
    if (const auto found = fields.find(key)) found->fail(reason);
  }
}

std::vector<std::size_t> read_marginal(JsonView value, const Domain& domain, const ProductForm& form) {
  std::vector<std::size_t> attributes = read_attributes(value, domain);
  for (const JsonView name : read_array(value, "attributes")) {
    const std::size_t i = read_coordinate(name, domain);
    if (std::count(form.attributes.begin(), form.attributes.end(), i) == 0) {
      name.fail("'" + printable(name.text()) + "' is not released: nothing would tell its shares");
    }
  }
  const auto is_same = [&](const WantedMarginal& other) { return other.attributes == attributes; };
  if (std::any_of(form.marginals.begin(), form.marginals.end(), is_same)) {
    value.fail("this marginal is there twice: 'weights' say how much its error counts");
  }
  return attributes;
}

void read_weights(JsonView value, ReadingContext& context, ProductForm& form) {
  const std::vector<JsonView> weights = read_array(value, "weights, one for each marginal");
  if (weights.size() != form.marginals.size()) {
    value.fail("found " + std::to_string(weights.size()) + " weights, expected one for each of the " +
               std::to_string(form.marginals.size()) + " marginals");
  }
  for (std::size_t k = 0; k < weights.size(); ++k)
    form.marginals[k].weight = read_positive(weights[k], "a weight", context);
}

void require_all_estimated(JsonView value, const Domain& domain, const ProductForm& form) {
  for (const std::size_t i : form.attributes) {
    const auto has = [i](const WantedMarginal& marginal) {
      return std::count(marginal.attributes.begin(), marginal.attributes.end(), i) > 0;
    };
    if (std::none_of(form.marginals.begin(), form.marginals.end(), has)) {
      value.fail("'" + printable(domain.coordinate(i).name) +
                 "' is released, and in no marginal: nothing says how well it is to be known");
    }
  }
}

void read_estimates(JsonView value, const Fields& fields, const Model& model, ReadingContext& context,
                    ProductForm& form) {
  form.loss = ProductForm::Loss::kEstimates;
  form.words = "mean squared error of the estimates, times the number of people";
  if (!value.is_array()) {
    value.fail("found " + value.kind_name() +
               R"(, expected marginals, each a list of attributes: [["a", "b"], ["c"]])");
  }
  const std::vector<JsonView> marginals = read_array(value, "marginals");
  if (marginals.empty()) value.fail("expected a marginal at least");
  for (const JsonView one : marginals) form.marginals.push_back({read_marginal(one, model.domain, form), Number(1)});
  require_all_estimated(value, model.domain, form);
  if (const auto weights = fields.find("weights")) read_weights(*weights, context, form);
  if (!model.prior) value.fail("the error of estimates needs a prior");
}

void read_expected(JsonView value, const Fields& fields, ProductForm& form) {
  if (const auto weights = fields.find("weights")) weights->fail("'weights' are of marginals that are to be estimated");
  const std::vector<std::string> kinds{"zero_one", "hamming"};
  if (!value.is_string()) {
    value.fail("found " + value.kind_name() + ", expected a loss that falls as levels rise: " + listing(kinds));
  }
  const std::string kind = read_string(value, "the name of a loss");
  if (std::find(kinds.begin(), kinds.end(), kind) == kinds.end()) {
    std::string hint = suggestion(kind, kinds);
    value.fail("'" + printable(kind) + "' is no loss for the form 'product'",
               hint.empty() ? "known: " + listing(kinds) : hint);
  }
  form.loss = kind == "hamming" ? ProductForm::Loss::kHamming : ProductForm::Loss::kZeroOne;
}

void read_product_objective(JsonView value, const Model& model, ReadingContext& context, ProductForm& form) {
  const Fields fields(value, {"expected", "largest", "estimate", "weights"}, "an objective");
  const int given =
      (fields.has("expected") ? 1 : 0) + (fields.has("largest") ? 1 : 0) + (fields.has("estimate") ? 1 : 0);
  if (given != 1)
    value.fail("what is to be least is either a loss ('expected' or 'largest'), or the error of what is to 'estimate'");
  if (const auto estimate = fields.find("estimate")) return read_estimates(*estimate, fields, model, context, form);
  // All inputs have the same loss, so "expected" and "largest" are equal.
  const std::string which = fields.has("expected") ? "expected" : "largest";
  const JsonView loss = fields.require(which);
  read_expected(loss, fields, form);
  form.words = which + " " + std::string(loss.text()) + " loss";
}

// Post-processing preserves every notion of the table, so a claim that holds at some levels holds at lower ones.
// The search relies on this only.
void require_kept_below(const Claim& claim, JsonView value) {
  if (depends_on_mechanism(claim)) value.fail(kDependsOnMechanism);
  if (claim.tight || !claim.expect_holds) value.fail("what is asked for is to hold: it is not 'tight' or 'refuted'");
}

}  // namespace

void refuse_marginals(const Fields& fields) {
  const JsonView objective = fields.require("objective");
  if (!objective.is_object()) return;
  for (const JsonView::Member& member : objective.members()) {
    if (member.key.text() != "estimate" || !member.value.is_array()) continue;
    member.value.fail(R"(estimates of marginals go with randomized response of each attribute: "form": "product")");
  }
}

ProductForm read_product_form(const Fields& fields, const Model& model, ReadingContext& context) {
  ProductForm form;
  read_search(fields.require("form"), context, form);
  require_keys_of_form(fields);
  form.attributes = every_coordinate(model.domain);
  if (const auto release = fields.find("release")) form.attributes = read_attributes(*release, model.domain);
  read_product_objective(fields.require("objective"), model, context, form);
  return form;
}

std::vector<Claim> read_kept_claims(JsonView value, const Model& model, ReadingContext& context) {
  std::vector<Claim> claims = read_claims(value, model, context);
  const std::vector<JsonView> places = read_array(value, "claims");
  for (std::size_t k = 0; k < places.size(); ++k) require_kept_below(claims[k], places[k]);
  return claims;
}

}  // namespace oddsbound::designs
