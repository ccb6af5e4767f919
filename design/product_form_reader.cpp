#include <algorithm>

#include "design/reader.h"
#include "design/spec.h"
#include "specs/spec_error.h"

namespace oddsbound::designs {

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
