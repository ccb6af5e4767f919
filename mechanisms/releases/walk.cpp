#include "mechanisms/releases/walk.h"

#include "base/errors.h"
#include "mechanisms/random/choice_name.h"
#include "verifier/model/dense_channel.h"

namespace oddsbound::mechanisms {

namespace {

// Decides choices: the present run follows one path of outcomes, of those that are possible.
class Walk final : public RandomSource, private ChoiceObserver {
 public:
  Walk() : RandomSource(64, this) {}

  void restart() { depth_ = 0; }
  Number probability() const { return path_.empty() ? Number(1) : path_.back().after; }
  // On to the next path; false after the last.
  bool advance() {
    for (; !path_.empty(); path_.pop_back()) {
      if (enter(path_.back(), path_.back().outcome + 1)) return true;
    }
    return false;
  }

 private:
  struct Node {
    const std::vector<Number>* stated;
    Number before;
    std::uint64_t outcome = 0;
    Number after{};
  };

  void refill() override { throw ModelError("a release draws random words itself, past its choices"); }

  std::uint64_t choose(const Choice& choice) override {
    if (depth_ == path_.size()) {
      path_.push_back({&stated_by(choice), probability()});
      enter(path_.back(), 0);
    }
    return path_[depth_++].outcome;
  }

  const std::vector<Number>& stated_by(const Choice& choice) {
    const auto [place, added] = stated_.try_emplace(ChoiceName(choice));
    for (std::uint64_t o = 0; added && o < choice.outcomes(); ++o) place->second.push_back(choice.probability(o));
    return place->second;
  }

  static bool enter(Node& node, std::uint64_t outcome) {
    while (outcome < node.stated->size() && (*node.stated)[outcome].is_zero()) ++outcome;
    if (outcome == node.stated->size()) return false;
    node.outcome = outcome;
    node.after = node.before * (*node.stated)[outcome];
    return true;
  }

  std::map<ChoiceName, std::vector<Number>> stated_;
  std::vector<Node> path_;
  std::size_t depth_ = 0;
};

class ReleaseSampler final : public Sampler {
 public:
  ReleaseSampler(std::shared_ptr<const Release> release, std::size_t people, std::map<Told, std::uint64_t> numbers)
      : release_(std::move(release)),
        people_(people),
        tables_(domain_of_tables(release_->schema, people)),
        numbers_(std::move(numbers)) {}

  void draw(std::uint64_t x, RandomSource& source, std::span<std::uint64_t> output) const override {
    output[0] = numbers_.at(release_->run(table_of(release_->schema, people_, tables_.row(x)), source));
  }

 private:
  std::shared_ptr<const Release> release_;
  std::size_t people_;
  Domain tables_;
  std::map<Told, std::uint64_t> numbers_;  // of outputs
};

}  // namespace

std::map<Told, Number> distribution_of(const Release& release, const PeopleTable& table, Budget& budget) {
  std::map<Told, Number> distribution;
  Walk walk;
  do {
    budget.look();
    walk.restart();
    Told told = release.run(table, walk);
    distribution[std::move(told)] += walk.probability();
    budget.require_cells(1, distribution.size());
  } while (walk.advance());
  return distribution;
}

Domain domain_of_tables(const Domain& schema, std::size_t people) {
  std::vector<Coordinate> coordinates;
  for (std::size_t p = 1; p <= people; ++p) {
    for (std::size_t i = 0; i < schema.size(); ++i) {
      coordinates.push_back({std::to_string(p) + "." + schema.coordinate(i).name, schema.coordinate(i).values});
    }
  }
  return Domain(std::move(coordinates));
}

PeopleTable table_of(const Domain& schema, std::size_t people, InputView input) {
  std::vector<std::vector<std::uint32_t>> columns(schema.size());
  for (std::size_t p = 0; p < people; ++p) {
    for (std::size_t i = 0; i < schema.size(); ++i) columns[i].push_back(input[p * schema.size() + i]);
  }
  return PeopleTable(std::move(columns));
}

Mechanism release_mechanism(std::shared_ptr<const Release> release, std::size_t people, Budget& budget) {
  const Domain tables = domain_of_tables(release->schema, people);
  std::vector<std::map<Told, Number>> rows;
  std::map<Told, std::uint64_t> numbers;
  for (std::uint64_t x = 0; x < tables.inputs(); ++x) {
    rows.push_back(distribution_of(*release, table_of(release->schema, people, tables.row(x)), budget));
    for (const auto& [told, probability] : rows.back()) numbers.emplace(told, 0);
    budget.require_cells(tables.inputs(), numbers.size());
  }
  std::vector<std::string> labels;
  for (auto& [told, number] : numbers) {
    number = labels.size();
    labels.push_back(release->label(told));
  }
  PoolBuilder builder;
  for (const std::map<Told, Number>& row : rows) {
    for (const auto& [told, number] : numbers) {
      const auto found = row.find(told);
      builder.add(found == row.end() ? Number(0) : found->second);
      budget.tick();
    }
  }
  Mechanism result;
  result.channel = DenseChannel::from_rows(tables.inputs(), std::move(labels), std::move(builder), budget);
  result.sampler = std::make_shared<const ReleaseSampler>(std::move(release), people, std::move(numbers));
  return result;
}

}  // namespace oddsbound::mechanisms
