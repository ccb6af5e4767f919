// The types of priors.
#include "specs/spec_parts.h"
#include "specs/suggest.h"

namespace oddsbound::specs {

namespace {

using PriorReader = Prior (*)(JsonView value, const Domain& domain, ReadingContext& context);

Prior from_weights(JsonView value, const Domain& domain, std::vector<Number> weights, ReadingContext& context) {
  return at_place(value, [&] { return Prior::from_weights(domain, std::move(weights), context.budget); });
}

Prior from_rows(JsonView value, const Domain& domain, std::vector<WeightedRow> rows, ReadingContext& context) {
  return at_place(value, [&] { return Prior::from_rows(domain, std::move(rows), context.budget); });
}

Prior read_uniform(JsonView value, const Domain& domain, ReadingContext&) {
  const Fields fields(value, {"type"}, "a uniform prior");
  return Prior::uniform(domain);
}

Prior read_probabilities(JsonView value, const Domain& domain, ReadingContext& context) {
  const Fields fields(value, {"type", "probabilities"}, "a prior of probabilities");
  const JsonView list = fields.require("probabilities");
  return from_weights(list, domain, read_distribution(list, domain.inputs(), "inputs", context), context);
}

Prior read_counts(JsonView value, const Domain& domain, ReadingContext& context) {
  const Fields fields(value, {"type", "counts", "published"}, "a prior of counts");
  note_table(fields, context);
  const JsonView list = fields.require("counts");
  std::vector<Number> counts;
  for (const JsonView item : read_array(list, "counts")) {
    counts.push_back(read_number(item, context));
    if (!counts.back().is_integer() || counts.back().sign() < 0) {
      item.fail("found " + printable(item.text(), 40) + ", expected a count: a non-negative integer");
    }
  }
  return from_weights(list, domain, std::move(counts), context);
}

Prior read_product(JsonView value, const Domain& domain, ReadingContext& context) {
  const Fields fields(value, {"type", "marginals"}, "a product prior");
  const JsonView object = fields.require("marginals");
  if (!object.is_object()) object.fail("found " + object.kind_name() + ", expected an object: coordinate to numbers");
  std::vector<std::vector<Number>> marginals(domain.size());
  for (const JsonView::Member& member : object.members()) {
    const std::size_t i = read_coordinate(member.key, domain);
    marginals[i] = read_distribution(member.value, domain.values(i), "values", context);
  }
  for (std::size_t i = 0; i < domain.size(); ++i) {
    if (marginals[i].empty())
      object.fail("there is no marginal for coordinate '" + printable(domain.coordinate(i).name) + "'");
  }
  return at_place(value, [&] { return Prior::product(domain, std::move(marginals)); });
}

Prior read_mixture(JsonView value, const Domain& domain, ReadingContext& context) {
  const Fields fields(value, {"type", "weights", "components"}, "a mixture prior");
  const std::vector<JsonView> components = read_array(fields.require("components"), "priors");
  if (components.empty()) fields.require("components").fail("a mixture needs at least one component");
  std::vector<Number> shares = read_distribution(fields.require("weights"), components.size(), "components", context);
  std::vector<Prior> priors;
  for (const JsonView component : components) priors.push_back(read_prior(component, domain, context));
  return at_place(value, [&] { return Prior::mixture(domain, std::move(priors), std::move(shares)); });
}

Prior read_diagonal(JsonView value, const Domain& domain, ReadingContext& context) {
  const Fields fields(value, {"type", "marginal"}, "a diagonal prior");
  for (std::size_t i = 0; i < domain.size(); ++i) {
    if (domain.values(i) != domain.values(0)) {
      value.fail("a diagonal prior needs coordinates of equal size; '" + printable(domain.coordinate(0).name) +
                 "' has " + std::to_string(domain.values(0)) + " values and '" + printable(domain.coordinate(i).name) +
                 "' has " + std::to_string(domain.values(i)));
    }
  }
  const std::vector<Number> marginal =
      read_distribution(fields.require("marginal"), domain.values(0), "values", context);
  std::vector<WeightedRow> rows;
  for (std::uint32_t v = 0; v < marginal.size(); ++v) rows.push_back({InputRow(domain.size(), v), marginal[v]});
  return from_rows(value, domain, std::move(rows), context);
}

Prior read_csv(JsonView value, const Domain& domain, ReadingContext& context) {
  DomainDraft draft;
  for (std::size_t i = 0; i < domain.size(); ++i) draft.coordinates.push_back(domain.coordinate(i));
  draft.from_prior.resize(domain.size());
  return *read_table(value, std::move(draft), context).prior;
}

const std::vector<std::pair<std::string, PriorReader>>& prior_readers() {
  static const std::vector<std::pair<std::string, PriorReader>> table = {
      {"uniform", read_uniform},   {"probabilities", read_probabilities},
      {"counts", read_counts},     {"csv", read_csv},
      {"product", read_product},   {"mixture", read_mixture},
      {"diagonal", read_diagonal}, {"network", read_network_prior},
  };
  return table;
}

}  // namespace

void note_table(const Fields& fields, ReadingContext& context) {
  const auto published = fields.find("published");
  const bool is_published = published && read_boolean(*published, "whether the table is published");
  if (!is_published) ++context.remarks.confidential_tables;
}

Prior read_prior(JsonView value, const Domain& domain, ReadingContext& context) {
  return reader_of_type(value, prior_readers(), "a prior", "type of prior")(value, domain, context);
}

}  // namespace oddsbound::specs
