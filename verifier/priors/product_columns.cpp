#include "verifier/priors/product_columns.h"

#include <algorithm>
#include <numeric>

#include "base/errors.h"

namespace oddsbound::priors {

namespace {

bool has(const std::vector<std::size_t>& coordinates, std::size_t i) {
  return std::find(coordinates.begin(), coordinates.end(), i) != coordinates.end();
}

std::vector<Factor> factors_or_whole(const Model& model) {
  const auto factors = model.channel->factors();
  if (factors.empty()) return {Factor{model.channel, every_coordinate(model.domain)}};
  return {factors.begin(), factors.end()};
}

}  // namespace

ProductColumns::ProductColumns(const Model& model, const Partition& labels, const NamedInputs& named, Budget& budget)
    : domain_(model.domain),
      factors_(factors_or_whole(model)),
      groups_(equal_factors(factors_)),
      label_coordinates_(labels.coordinates()) {
  for (EqualFactors& group : groups_) {
    const Factor& factor = factors_[group.factors[0]];
    const Projection project(domain_, factor.coordinates);
    if (named.others) {
      budget.require_cells(project.size(), factor.channel->outputs());
      for (std::uint64_t x = 0; x < project.size(); ++x) group.class_of.emplace(x, 0);
    } else {
      for (const auto& [input, weight] : named.rows) group.class_of.emplace(project(input), 0);
    }
  }
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    const Factor& factor = factors_[groups_[g].factors[0]];
    for (SeenFactor& added : seen_factors(factor.channel, groups_[g], budget, WhichOutputs::kNeeded)) {
      seen_.factors.push_back(std::move(added));
      group_of_.push_back(g);
    }
  }
  gather(named, labels, budget);
  if (named.others) add_extremes(labels, budget);
}

void ProductColumns::gather(const NamedInputs& named, const Partition& labels, Budget& budget) {
  named_.inputs.resize(labels.size());
  if (labels.coordinates().size() == 1) named_.coordinate = labels.coordinates()[0];
  seen_.masses.resize(labels.size());
  std::vector<Projection> projections;
  for (const std::size_t g : group_of_) projections.emplace_back(domain_, factors_[groups_[g].factors[0]].coordinates);
  std::vector<std::vector<SeenRow>> rows(labels.size());
  for (const auto& [input, weight] : named.rows) {
    budget.check_every();
    const std::uint32_t label = labels.label_of(domain_.row(input));
    SeenRow row{label, {}, weight};
    for (std::size_t f = 0; f < group_of_.size(); ++f) {
      row.classes.push_back(groups_[group_of_[f]].class_of.at(projections[f](input)));
    }
    named_.inputs[label].push_back(input);
    seen_.masses[label] += weight;
    rows[label].push_back(std::move(row));
  }
  for (std::uint32_t label = 0; label < labels.size(); ++label) {
    labels_.push_back({seen_.rows.size(), rows[label].size(), named.others});
    for (SeenRow& row : rows[label]) seen_.rows.push_back(std::move(row));
    if (named.others) seen_.rows.insert(seen_.rows.end(), 2, SeenRow{label, {}, Number(0)});
  }
}

// Inputs outside the named ones have the label's values in its coordinates and any values in the others. If no two
// parts share another coordinate, one input has the largest entry in every part.
void ProductColumns::require_separate(const Partition& labels) const {
  if (labels.coordinates().empty()) {
    throw LimitError(
        "inputs and outputs are too many to go through (--max-cells), and the secret is not a list of coordinates");
  }
  std::vector<bool> taken(domain_.size(), false);
  for (const std::size_t g : group_of_) {
    for (const std::size_t i : factors_[groups_[g].factors[0]].coordinates) {
      if (has(labels.coordinates(), i)) continue;
      if (taken[i]) {
        throw LimitError(
            "inputs and outputs are too many to go through (--max-cells), and several parts of the "
            "mechanism see '" +
            domain_.coordinate(i).name + "'");
      }
      taken[i] = true;
    }
  }
}

void ProductColumns::add_extremes(const Partition& labels, Budget& budget) {
  require_separate(labels);
  const Domain label_domain = domain_.restricted_to(labels.coordinates());
  for (std::size_t label = 0; label < labels.size(); ++label) digits_.push_back(label_domain.row(label));
  separate_ = true;
  for (std::size_t f = 0; f < group_of_.size(); ++f) {
    const std::vector<std::size_t>& own = factors_[groups_[group_of_[f]].factors[0]].coordinates;
    const bool sees_labels = std::any_of(own.begin(), own.end(), [&](auto i) { return has(labels.coordinates(), i); });
    const bool sees_others = std::any_of(own.begin(), own.end(), [&](auto i) { return !has(labels.coordinates(), i); });
    separate_ = separate_ && !(sees_labels && sees_others);
    std::vector<Reachable>& mine = reachable_.emplace_back();
    for (std::size_t label = 0; label < labels.size(); ++label) {
      mine.push_back(label == 0 || sees_labels ? reachable(f, labels, label, budget) : mine[0]);
      for (const bool largest : {true, false}) {
        SeenRow& row = seen_.rows[largest ? labels_[label].largest() : labels_[label].smallest()];
        row.classes.push_back(largest ? mine.back().largest : mine.back().smallest);
      }
    }
  }
}

ProductColumns::Reachable ProductColumns::reachable(std::size_t part, const Partition& labels, std::size_t label,
                                                    Budget& budget) {
  const EqualFactors& group = groups_[group_of_[part]];
  const std::vector<std::size_t>& own = factors_[group.factors[0]].coordinates;
  const Domain seen_by_part = domain_.restricted_to(own);
  const auto agrees = [&](const InputRow& row) {
    for (std::size_t k = 0; k < labels.coordinates().size(); ++k) {
      const auto place = std::find(own.begin(), own.end(), labels.coordinates()[k]);
      if (place != own.end() && row[static_cast<std::size_t>(place - own.begin())] != digits_[label][k]) return false;
    }
    return true;
  };
  Reachable result;
  std::vector<bool> known(seen_.factors[part].classes, false);
  for (const auto& [input, number] : group.class_of) {
    budget.check_every();
    if (known[number] || !agrees(seen_by_part.row(input))) continue;
    known[number] = true;
    result.classes.emplace_back(number, input);
  }
  SeenFactor& factor = seen_.factors[part];
  for (std::vector<Number>& column : factor.entries) {
    const auto smaller = [&](const auto& a, const auto& b) { return column[a.first] < column[b.first]; };
    const auto [least, most] = std::minmax_element(result.classes.begin(), result.classes.end(), smaller);
    const Number smallest = column[least->first], largest = column[most->first];
    column.push_back(largest);
    column.push_back(smallest);
  }
  result.largest = static_cast<std::uint32_t>(factor.classes);
  result.smallest = result.largest + 1;
  factor.classes += 2;
  return result;
}

std::uint64_t ProductColumns::extreme_input(std::size_t label, const std::vector<std::uint32_t>& outputs,
                                            bool largest) const {
  InputRow row(domain_.size(), 0);
  for (std::size_t f = 0; f < outputs.size(); ++f) {
    const std::vector<Number>& column = seen_.factors[f].entries[outputs[f]];
    const auto smaller = [&](const auto& a, const auto& b) { return column[a.first] < column[b.first]; };
    const auto& classes = reachable_[f][label].classes;
    const auto best = largest ? std::max_element(classes.begin(), classes.end(), smaller)
                              : std::min_element(classes.begin(), classes.end(), smaller);
    const std::vector<std::size_t>& own = factors_[groups_[group_of_[f]].factors[0]].coordinates;
    const InputRow seen = domain_.restricted_to(own).row(best->second);
    for (std::size_t k = 0; k < own.size(); ++k) row[own[k]] = seen[k];
  }
  for (std::size_t k = 0; k < label_coordinates_.size(); ++k) row[label_coordinates_[k]] = digits_[label][k];
  return domain_.number(row);
}

ProductColumns::At ProductColumns::at(const std::vector<std::uint32_t>& outputs,
                                      const std::vector<Number>& entries) const {
  At result;
  result.inputs.coordinate = named_.coordinate;
  for (std::size_t label = 0; label < labels_.size(); ++label) {
    const RowsOfLabel& rows = labels_[label];
    std::vector<std::pair<std::uint64_t, std::size_t>> places;  // input, row
    for (std::size_t k = 0; k < rows.named; ++k) places.emplace_back(named_.inputs[label][k], rows.first + k);
    for (const bool largest : {true, false}) {
      if (!rows.others) break;
      const std::uint64_t input = extreme_input(label, outputs, largest);
      const auto at = std::lower_bound(places.begin(), places.end(), std::pair(input, std::size_t{0}));
      const bool is_named = std::binary_search(named_.inputs[label].begin(), named_.inputs[label].end(), input);
      if (!is_named) places.insert(at, {input, largest ? rows.largest() : rows.smallest()});
    }
    auto& inputs = result.inputs.inputs.emplace_back();
    auto& column = result.column.entries.emplace_back();
    auto& [largest, smallest] = result.column.extremes.emplace_back();
    for (const auto& [input, row] : places) {
      inputs.push_back(input);
      column.push_back(entries[row]);
      if (column.back() > column[largest]) largest = column.size() - 1;
      if (column.back() < column[smallest]) smallest = column.size() - 1;
    }
  }
  return result;
}

std::vector<std::uint64_t> ProductColumns::output_of(const std::vector<std::uint32_t>& outputs, Number& scale) const {
  std::vector<std::uint64_t> output(factors_.size());
  scale = Number(1);
  for (std::size_t f = 0; f < outputs.size(); ++f) {
    const SeenFactor& factor = seen_.factors[f];
    for (std::size_t k = 0; k < factor.factors.size(); ++k) output[factor.factors[k]] = factor.outputs[outputs[f]][k];
    scale *= factor.scale(outputs[f]);
  }
  // A channel that is no product is its own only factor, and its outputs may have several words.
  return factors_.size() == 1 ? factors_[0].channel->split(output[0]) : output;
}

}  // namespace oddsbound::priors
