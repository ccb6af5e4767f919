#include "verifier/priors/member.h"

#include <algorithm>

namespace oddsbound::priors {

Number weight_among(const NumberedRows& rows, std::uint64_t input) {
  const Number* weight = find_row(rows, input);
  return weight == nullptr ? Number(0) : *weight;
}

Center::Center(const Prior& prior, const ColumnInputs& inputs, Budget& budget)
    : Center(prior.numbered_rows(budget), prior.total(), inputs) {}

Center::Center(const NumberedRows& rows, const Number& total, const ColumnInputs& inputs) {
  for (const auto& of_label : inputs.inputs) {
    std::vector<Number>& mine = cells.emplace_back();
    for (const std::uint64_t x : of_label) mine.push_back(weight_among(rows, x) / total);
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

std::span<const double> RoundedEntries::of(std::size_t label) {
  std::optional<std::vector<double>>& mine = labels_[label];
  if (mine) return *mine;
  mine.emplace();
  for (const Number& entry : column_->entries[label]) {
    double rounded = 0;
    if (entry.heavy() == nullptr) {
      rounded = entry.approx();
    } else {
      const auto found = known_.find(entry.heavy());
      rounded = found == known_.end() ? entry.approx() : found->second.rounded;
      if (found == known_.end()) known_.emplace(entry.heavy(), Known{entry, rounded});
    }
    if (!entry.is_zero() && !(rounded >= kLeastEntry && rounded <= kMostEntry)) {
      mine->clear();
      break;
    }
    mine->push_back(rounded);
  }
  return *mine;
}

RoundedRuns::RoundedRuns(std::span<const double> cells, std::span<const double> entries)
    : error_(static_cast<double>(cells.size() + 8) * 0x1p-50) {
  std::unordered_map<double, double> masses;
  for (std::size_t k = 0; k < cells.size(); ++k) {
    if (cells[k] != 0) masses[entries[k]] += cells[k];
  }
  for (const auto& [entry, mass] : masses) runs_.push_back({entry, mass});
  std::sort(runs_.begin(), runs_.end(), [](const EntryMass& a, const EntryMass& b) { return a.entry < b.entry; });
}

double RoundedRuns::joint(double mass, bool largest) const {
  double joint = 0;
  for (std::size_t k = 0; k < runs_.size() && mass > 0; ++k) {
    const EntryMass& run = runs_[largest ? runs_.size() - 1 - k : k];
    joint += std::min(mass, run.mass) * run.entry;
    mass -= run.mass;
  }
  return joint;
}

bool is_below_on(const Rectangle& whole, const MeanAt& most, const MeanAt& least, double known) {
  constexpr std::size_t kMostParts = 1024;
  std::vector<Rectangle> parts{whole};
  for (std::size_t looked = 0; !parts.empty(); ++looked) {
    const auto [begin, end] = parts.back();
    parts.pop_back();
    const double below = least(begin.first, begin.second);
    if (below > kLeastMean && most(end.first, end.second) / below * (1 + 0x1p-45) < known) continue;
    if (looked >= kMostParts) return false;
    // A single point that reaches it ends the search.
    const double first = begin.first + (end.first - begin.first) / 2;
    const double second = begin.second + (end.second - begin.second) / 2;
    const double there = least(first, second);
    if (!(there > kLeastMean) || !(most(first, second) / there < known)) return false;
    const bool halves_first = end.first - begin.first > end.second - begin.second;
    parts.push_back({begin, halves_first ? std::pair(first, end.second) : std::pair(end.first, second)});
    parts.push_back({halves_first ? std::pair(first, begin.second) : std::pair(begin.first, second), end});
  }
  return true;
}

namespace {

class SetAround final : public PriorSet {
 public:
  SetAround(Prior center, std::string words, SearchAround search, DefineAround define, BoundsAround bounds)
      : center_(std::move(center)),
        words_(std::move(words)),
        search_(std::move(search)),
        define_(std::move(define)),
        bounds_(std::move(bounds)) {}
  std::string words() const override { return words_; }
  std::unique_ptr<SetSearch> search(const SetQuestion& question, Budget& budget) const override {
    return search_(Center(center_, question.inputs, budget), question.inputs);
  }
  std::vector<SetDefinition> definitions(const SetQuestion&, Budget& budget) const override {
    return {define_(probabilities(center_, budget))};
  }
  std::optional<NamedInputs> named_inputs(Budget& budget) const override {
    return NamedInputs{center_.numbered_rows(budget), bounds_.others};
  }
  std::unique_ptr<MeanBounds> bounds(const SetQuestion& question, Budget& budget) const override {
    return bounds_.bounds(Center(center_, question.inputs, budget));
  }

 private:
  Prior center_;
  std::string words_;
  SearchAround search_;
  DefineAround define_;
  BoundsAround bounds_;
};

}  // namespace

PriorSetPtr set_around(Prior center, std::string words, SearchAround search, DefineAround define, BoundsAround bounds) {
  return std::make_shared<SetAround>(std::move(center), std::move(words), std::move(search), std::move(define),
                                     std::move(bounds));
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

}  // namespace oddsbound::priors
