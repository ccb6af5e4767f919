#include "releases/halfspace.h"

#include <algorithm>
#include <cstdlib>
#include <map>

#include "base/budget.h"
#include "base/errors.h"
#include "mechanisms/random/choice.h"
#include "mechanisms/random/distributions.h"
#include "verifier/exact/decimal.h"
#include "verifier/model/channel.h"

namespace oddsbound::releases {

namespace {

class Halfspace final : public Step {
 public:
  explicit Halfspace(HalfspaceRequest request)
      : request_(std::move(request)), kept_(request_.label_odds.number() / (Number(1) + request_.label_odds.number())) {
    const Number reach(static_cast<std::int64_t>(request_.label_odds.top +
                                                 (request_.inner_margin >= 1 ? 0 : request_.label_odds.bottom)));
    const auto rate = small_ratio(request_.epsilon.number() / (Number(2) * reach));
    if (!rate) throw ModelError("epsilon over the odds of labels is no fraction of small enough integers");
    rate_ = *rate;
  }

  std::string words() const override {
    return "a halfspace that separates people with " + request_.people.words() + " from others, by " +
           words_of(request_.people.schema, request_.people.inputs) + ": one of " +
           std::to_string(request_.planes.size()) + ", labels kept with odds " +
           decimal_text(request_.label_odds.number());
  }

  Loss loss(const Attributes& changed) const override {
    Loss sum;
    for (const CostPart& part : parts()) sum += part.of(changed);
    return sum;
  }

  std::vector<CostPart> parts() const override {
    const Level level = Level::of_exponential(Number::exp_of(request_.epsilon.number()));
    const Number rho = request_.epsilon.number() * request_.epsilon.number() / Number(8);
    return {
        {words() + ": labels", {request_.people.label}, pure_loss(Level::of_exponential(request_.label_odds.number()))},
        {words() + ": choice", request_.people.inputs, pure_loss(level, rho), true}};
  }

  StepPtr within(std::uint64_t) const override { return std::make_shared<const Halfspace>(*this); }

  std::vector<std::int64_t> run(const PeopleTable& table, RandomSource& source) const override {
    const std::map<std::vector<int>, std::uint64_t> drawn = with_drawn_labels(table, source);
    std::vector<std::int64_t> losses;
    for (const Weights& plane : request_.planes) losses.push_back(loss_of(plane, drawn));
    const std::int64_t most = *std::max_element(losses.begin(), losses.end());
    std::vector<std::uint64_t> scores;
    for (const std::int64_t loss : losses) scores.push_back(static_cast<std::uint64_t>(most - loss));
    return request_.planes[draw(Selection(rate_, 0, std::move(scores)), source)];
  }

  std::vector<ToldNumber> answers(std::span<const std::int64_t> told, std::size_t) const override {
    std::string sum;
    for (std::size_t i = 0; i < told.size(); ++i) {
      if (told[i] == 0) continue;
      const Coordinate& attribute = request_.people.schema.coordinate(request_.people.inputs[i]);
      sum += (sum.empty() ? "" : " + ") + std::to_string(told[i]) + " * (" + attribute.name + "=" +
             attribute.values[1] + ")";
    }
    return {{request_.people.words() + " where " + (sum.empty() ? "0" : sum) + " >= 0, each 1 or else -1", {}, {}}};
  }

 private:
  // Counts people by their inputs, followed by the drawn label.
  std::map<std::vector<int>, std::uint64_t> with_drawn_labels(const PeopleTable& table, RandomSource& source) const {
    std::map<std::vector<int>, std::uint64_t> drawn;
    for (std::size_t p = 0; p < table.people(); ++p) {
      std::vector<int> person;
      for (const std::size_t i : request_.people.inputs) person.push_back(table.column(i)[p] == 1 ? 1 : -1);
      const bool kept = kept_(source) == 1;
      person.push_back(request_.people.has_label(table, p) == kept ? 1 : -1);
      ++drawn[person];
    }
    return drawn;
  }

  // V, times the denominator of the odds.
  std::int64_t loss_of(const Weights& plane, const std::map<std::vector<int>, std::uint64_t>& drawn) const {
    const auto top = static_cast<std::int64_t>(request_.label_odds.top),
               bottom = static_cast<std::int64_t>(request_.label_odds.bottom);
    std::int64_t sum = 0;
    for (const auto& [person, count] : drawn) {
      Budget::work_on(person.size());
      const std::vector<int> x(person.begin(), person.end() - 1);
      const int y = person.back();
      sum += static_cast<std::int64_t>(count) * (top * near(x, y, plane) - bottom * near(x, -y, plane));
    }
    return sum;
  }

  std::int64_t near(const std::vector<int>& x, int y, const Weights& plane) const {
    const auto margin = static_cast<std::int64_t>(request_.margin),
               inner = static_cast<std::int64_t>(request_.inner_margin);
    return std::clamp(margin - static_cast<std::int64_t>(flips_of(x, y, plane)), std::int64_t{0}, margin - inner);
  }

  HalfspaceRequest request_;
  Bernoulli kept_;
  SmallRatio rate_{1, 1};
};

void add_planes(Weights& weights, std::size_t from, std::int64_t left, std::vector<Weights>& planes) {
  if (from == weights.size()) {
    if (std::all_of(weights.begin(), weights.end(), [](std::int64_t w) { return w == 0; })) return;
    if (planes.size() == kMostPlanes) {
      throw LimitError("there are more than " + std::to_string(kMostPlanes) + " planes to choose from");
    }
    planes.push_back(weights);
    return;
  }
  for (std::int64_t w = -left; w <= left; ++w) {
    weights[from] = w;
    add_planes(weights, from + 1, left - std::abs(w), planes);
  }
}

}  // namespace

std::vector<Weights> planes_of(std::size_t inputs, std::uint64_t most_weight) {
  std::vector<Weights> planes;
  Weights weights(inputs);
  add_planes(weights, 0, static_cast<std::int64_t>(most_weight), planes);
  return planes;
}

std::uint64_t flips_of(const std::vector<int>& x, int y, const Weights& plane) {
  std::int64_t sum = 0;
  Weights gains;
  for (std::size_t i = 0; i < x.size(); ++i) {
    sum += plane[i] * x[i];
    gains.push_back(y * plane[i] * x[i]);
  }
  std::sort(gains.rbegin(), gains.rend());
  const auto is_other = [&] { return (sum >= 0) != (y == 1); };
  for (std::size_t k = 0; k < gains.size(); ++k) {
    if (is_other()) return k;
    sum -= 2 * y * gains[k];
  }
  return is_other() ? gains.size() : gains.size() + 1;
}

StepPtr halfspace_step(HalfspaceRequest request) { return std::make_shared<const Halfspace>(std::move(request)); }

namespace {

// Decides choices: the current run follows one path of outcomes. The stated weights of choices are kept for later
// runs.
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

// Returns every possible output for the table, with its probability.
std::map<Told, Number> distribution_of(const Release& release, const PeopleTable& table, Walk& walk, Budget& budget) {
  std::map<Told, Number> distribution;
  do {
    budget.check_every();
    walk.restart();
    Told told = release.run(table, walk);
    walk.finish();
    distribution[std::move(told)] += walk.probability();
    budget.require_cells(1, distribution.size());
  } while (walk.advance());
  return distribution;
}

// Returns the table that an input of domain_of_tables represents.
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
      budget.check_every();
    }
  }
  Mechanism result;
  result.channel = DenseChannel::from_rows(tables.inputs(), std::move(labels), std::move(builder), budget);
  result.sampler = std::make_shared<const ReleaseSampler>(std::move(release), people, std::move(numbers));
  return result;
}

}  // namespace oddsbound::releases
