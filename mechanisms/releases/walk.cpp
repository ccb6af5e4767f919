#include "mechanisms/releases/walk.h"

#include <map>

#include "base/errors.h"
#include "mechanisms/random/choice_path.h"
#include "verifier/model/dense_channel.h"

namespace oddsbound::mechanisms {

namespace {

// Decides choices: the present run follows one path of outcomes. What choices state is kept for all that follow.
class Walk final : public RandomSource, private ChoiceObserver {
 public:
  Walk() : RandomSource(64, this) {}

  void restart() { path_.restart(); }
  void finish() const { path_.finish(); }
  const Number& probability() const { return path_.weight(); }
  bool advance() { return path_.advance(); }

 private:
  void refill() override { throw ModelError("a release draws random words itself, past its choices"); }

  std::uint64_t choose(const Choice& choice) override {
    const ChoiceName name(choice);
    return path_.is_known() ? path_.again(name) : path_.begin(stated_by(choice, name), name);
  }

  const StatedWeights<Number>& stated_by(const Choice& choice, const ChoiceName& name) {
    const auto known = stated_.find(name);
    if (known != stated_.end()) return known->second;
    StatedWeights<Number> stated;
    stated.outcomes = choice.outcomes();
    for (std::uint64_t o = 0; o < stated.outcomes; ++o) stated.weights.push_back(choice.probability(o));
    return stated_.emplace(name, std::move(stated)).first->second;
  }

  std::map<ChoiceName, StatedWeights<Number>> stated_;
  ChoicePath<Number> path_{Number(1)};
};

// Everything that may be told of the table, with its probability.
std::map<Told, Number> distribution_of(const Release& release, const PeopleTable& table, Walk& walk, Budget& budget) {
  std::map<Told, Number> distribution;
  do {
    budget.tick();
    walk.restart();
    Told told = release.run(table, walk);
    walk.finish();
    distribution[std::move(told)] += walk.probability();
    budget.require_cells(1, distribution.size());
  } while (walk.advance());
  return distribution;
}

// The table that an input of domain_of_tables is.
PeopleTable table_of(const Domain& schema, std::size_t people, InputView input) {
  std::vector<std::vector<std::uint32_t>> columns(schema.size());
  for (std::size_t p = 0; p < people; ++p) {
    for (std::size_t i = 0; i < schema.size(); ++i) columns[i].push_back(input[p * schema.size() + i]);
  }
  return PeopleTable(std::move(columns));
}

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

Domain domain_of_tables(const Domain& schema, std::size_t people) {
  std::vector<Coordinate> coordinates;
  for (std::size_t p = 1; p <= people; ++p) {
    for (std::size_t i = 0; i < schema.size(); ++i) {
      coordinates.push_back({std::to_string(p) + "." + schema.coordinate(i).name, schema.coordinate(i).values});
    }
  }
  return Domain(std::move(coordinates));
}

Mechanism release_mechanism(std::shared_ptr<const Release> release, std::size_t people, Budget& budget) {
  const Domain tables = domain_of_tables(release->schema, people);
  std::vector<std::map<Told, Number>> rows;
  std::map<Told, std::uint64_t> numbers;
  Walk walk;
  for (std::uint64_t x = 0; x < tables.inputs(); ++x) {
    rows.push_back(distribution_of(*release, table_of(release->schema, people, tables.row(x)), walk, budget));
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
