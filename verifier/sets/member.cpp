#include "verifier/sets/member.h"

#include <algorithm>

namespace oddsbound::sets {

Center::Center(const Prior& prior, const LabelledInputs& inputs, Budget& budget) {
  const std::vector<Number>& weights = prior.dense(budget).weights;
  for (const auto& of_label : inputs.inputs) {
    std::vector<Number>& mine = cells.emplace_back();
    for (const std::uint64_t x : of_label) mine.push_back(weights[x] / prior.total());
    masses.push_back(sum_of(mine));
  }
}

std::vector<Number> probabilities(const Prior& prior, Budget& budget) {
  std::vector<Number> cells = prior.dense(budget).weights;
  for (Number& cell : cells) cell /= prior.total();
  return cells;
}

Number Center::joint(const LabelledColumn& column, std::size_t label) const {
  std::vector<WeightedTerm> terms;
  for (std::size_t place = 0; place < cells[label].size(); ++place) {
    if (!cells[label][place].is_zero()) terms.push_back({cells[label][place], column.entries[label][place]});
  }
  return weighted_sum(terms);
}

namespace {

class SetAround final : public PriorSet {
 public:
  SetAround(Prior center, std::string words, SearchAround search, DefineAround define)
      : center_(std::move(center)), words_(std::move(words)), search_(std::move(search)), define_(std::move(define)) {}
  std::string words() const override { return words_; }
  std::unique_ptr<SetSearch> search(const SetQuestion& question, Budget& budget) const override {
    return search_(Center(center_, question.inputs, budget), question.inputs);
  }
  std::vector<SetDefinition> definitions(const SetQuestion&, Budget& budget) const override {
    return {define_(probabilities(center_, budget))};
  }

 private:
  Prior center_;
  std::string words_;
  SearchAround search_;
  DefineAround define_;
};

}  // namespace

PriorSetPtr set_around(Prior center, std::string words, SearchAround search, DefineAround define) {
  return std::make_shared<SetAround>(std::move(center), std::move(words), std::move(search), std::move(define));
}

Filling::Filling(std::vector<std::size_t> places, const std::vector<Number>& entries, const std::vector<Number>& lower,
                 const std::vector<Number>& upper)
    : order(std::move(places)) {
  std::vector<WeightedTerm> terms;
  for (const std::size_t place : order) terms.push_back({lower[place], entries[place]});
  masses.push_back(sum_of(lower));
  joints.push_back(weighted_sum(terms));
  for (const std::size_t place : order) {
    const Number room = upper[place] - lower[place];
    if (room.is_zero()) continue;
    masses.push_back(masses.back() + room);
    joints.push_back(joints.back() + room * entries[place]);
  }
}

Number Filling::joint_at(const Number& mass) const {
  const auto next = std::upper_bound(masses.begin(), masses.end(), mass);
  if (next == masses.end()) return joints.back();
  const auto k = static_cast<std::size_t>(next - masses.begin());
  return joints[k - 1] + (mass - masses[k - 1]) * (joints[k] - joints[k - 1]) / (masses[k] - masses[k - 1]);
}

std::vector<std::size_t> places_by_entry(const LabelledColumn& column, std::size_t label) {
  const std::vector<Number>& entries = column.entries[label];
  std::vector<std::size_t> places(entries.size());
  std::iota(places.begin(), places.end(), std::size_t{0});
  std::stable_sort(places.begin(), places.end(), [&](std::size_t a, std::size_t b) { return entries[a] < entries[b]; });
  return places;
}

}  // namespace oddsbound::sets
