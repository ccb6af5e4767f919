#include "releases/counts.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "base/budget.h"
#include "releases/hull.h"
#include "releases/release.h"

namespace oddsbound::releases {

namespace {

void ask_budget() {
  if (Budget* budget = Budget::current()) budget->check_every();
}

class Counts final : public Step {
 public:
  explicit Counts(CountsRequest request) : request_(std::move(request)) {
    if (request_.consistent) require_few_records(request_.schema, queries());
  }

  std::string words() const override {
    std::string text = "counts";
    for (const Attributes& table : request_.counted.tables) text += " by " + words_of(request_.schema, table) + ";";
    for (const NamedPattern& pattern : request_.counted.patterns) text += " of '" + pattern.name + "';";
    for (const NamedSum& one : request_.counted.sums) text += " sum of '" + one.name + "';";
    return text + " " + request_.noise.words();
  }

  std::vector<CostPart> parts() const override {
    std::vector<CostPart> parts;
    for (const Attributes& table : request_.counted.tables) {
      parts.push_back({"counts by " + words_of(request_.schema, table), table, request_.noise.loss(2)});
    }
    for (const NamedPattern& one : request_.counted.patterns) {
      parts.push_back({"count of '" + one.name + "'", one.pattern.attributes, request_.noise.loss(1)});
    }
    for (const NamedSum& one : request_.counted.sums) {
      const std::uint64_t by = one.weights.largest_change(one.weights.attributes);
      if (by > 0)
        parts.push_back({"sum of '" + one.name + "'", one.weights.attributes, request_.noise.loss({{by, 1}})});
    }
    return parts;
  }

  StepPtr within(std::uint64_t window) const override {
    CountsRequest request = request_;
    request.window = window;
    return counts_step(std::move(request));
  }

  std::string remark() const override { return request_.noise.remark(); }
  Loss loss(const Attributes& changed) const override { return largest_loss(changed); }

  std::vector<std::int64_t> run(const PeopleTable& table, RandomSource& source) const override {
    std::vector<std::int64_t> told;
    // Every cell, also empty ones: which cells are published must not depend on the table.
    for (const Attributes& attributes : request_.counted.tables) {
      for (const std::uint64_t count : contingency(table, request_.schema, attributes)) {
        told.push_back(with_noise(count, table.people(), source));
      }
    }
    for (const NamedPattern& pattern : request_.counted.patterns) {
      told.push_back(with_noise(people_with(table, pattern.pattern), table.people(), source));
    }
    const auto people = static_cast<std::int64_t>(table.people());
    const auto window = static_cast<std::int64_t>(request_.window);
    for (const NamedSum& one : request_.counted.sums) {
      const auto [least, most] = one.weights.range();
      told.push_back(
          request_.noise.added(sum_of(table, one.weights), people * least - window, people * most + window, source));
    }
    return told;
  }

  std::vector<ToldNumber> answers(std::span<const std::int64_t> told, std::size_t people) const override {
    std::vector<ToldNumber> answers;
    const std::vector<NamedPattern> asked = queries();
    for (std::size_t q = 0; q < asked.size(); ++q) answers.push_back({asked[q].name, told[q], request_.noise.margin()});
    for (std::size_t s = 0; s < request_.counted.sums.size(); ++s) {
      answers.push_back({request_.counted.sums[s].name, told[asked.size() + s], request_.noise.margin()});
    }
    if (request_.consistent) add_consistent(asked, told, people, answers);
    return answers;
  }

  std::vector<PlannedFigure> plan(const PlanQuestion& question) const override {
    const std::uint64_t numbers = number_count();
    const double variance = request_.noise.variance();
    std::vector<PlannedFigure> figures{
        {"mean squared error of a number, at most", variance},
        {numbers == 1 ? "expected error of the number, at most"
                      : "expected largest error of the " + std::to_string(numbers) + " numbers, at most",
         request_.noise.largest_of(numbers)}};
    // Theorem 11 is about fractions, so its sigma is that of the noise divided by the number of people, and with it the
    // bound on the mean of squares is min(variance, people * slope) on counts.
    std::optional<double> slope;
    if (request_.consistent && request_.noise.is_gaussian()) {
      const auto size = static_cast<double>(request_.schema.input_numbers());
      const double diameter = std::sqrt(static_cast<double>(most_apart()));
      slope =
          std::sqrt(variance) * diameter * std::sqrt(2 * std::log(size)) / static_cast<double>(numbers) * (1 + 1e-9);
    }
    const char* theorem = "partial-DP paper, Theorem 11, inequality (2)";
    if (slope && question.people) {
      figures.push_back({"mean squared error of a consistent count, at most",
                         std::min(variance, static_cast<double>(*question.people) * *slope), theorem});
    }
    if (question.error && request_.counted.sums.empty()) {
      const double error = *question.error;
      figures.push_back({"people for a root mean squared error of that fraction",
                         std::ceil(std::sqrt(variance) / error * (1 + 1e-9))});
      if (slope) {
        figures.push_back({"people for consistent counts with that error",
                           std::ceil(std::min(std::sqrt(variance) / error, *slope / (error * error)) * (1 + 1e-9)),
                           "partial-DP paper, Table 1, first line, with the constants of (2)"});
      }
      figures.push_back({"people for an expected largest error of that fraction",
                         std::ceil(request_.noise.largest_of(numbers) / error * (1 + 1e-9))});
    }
    return figures;
  }

 private:
  std::uint64_t number_count() const {
    std::uint64_t count = request_.counted.patterns.size() + request_.counted.sums.size();
    for (const Attributes& table : request_.counted.tables) count += request_.schema.restricted_to(table).inputs();
    return count;
  }

  // The squared diameter of Theorem 11: how many counts of two people differ, at most.
  std::uint64_t most_apart() const {
    const Noise unit(Noise::Kind::kGaussian, {1, 2});  // rho = the number of changes
    CountsRequest request = request_;
    request.noise = unit;
    const Number rho = Counts(std::move(request)).loss(every_coordinate(request_.schema)).rho;
    return static_cast<std::uint64_t>(std::llround(rho.approx()));
  }

  std::vector<NamedPattern> queries() const { return queries_of(request_.schema, request_.counted); }

  // Appends the nearest counts of a distribution, and the distribution itself: how many people have each record.
  void add_consistent(const std::vector<NamedPattern>& asked, std::span<const std::int64_t> told, std::size_t people,
                      std::vector<ToldNumber>& answers) const {
    const auto all = static_cast<double>(people);
    std::vector<double> target;
    for (const std::int64_t number : told) target.push_back(static_cast<double>(number) / all);
    const Domain& schema = request_.schema;
    const HullPoint point = nearest_in_hull(members_of(schema, asked), schema.input_numbers(), target);
    for (std::size_t q = 0; q < asked.size(); ++q) {
      answers.push_back({"consistent: " + asked[q].name, std::llround(point.coordinates[q] * all), {}});
    }
    for (const auto& [record, weight] : point.mixture) {
      answers.push_back({"for instance: " + words_of(schema, schema.row(record)), std::llround(weight * all), {}});
    }
  }

  // Returns the largest loss if somebody changes in these attributes.
  Loss largest_loss(const Attributes& changed) const {
    constexpr std::uint64_t kMostPeople = 1024;
    const Domain& schema = request_.schema;
    if (!schema.is_countable() || schema.input_numbers() > kMostPeople) {
      return request_.noise.loss(changes_seen(changed));
    }
    std::vector<InputRow> people;
    for (std::uint64_t person = 0; person < schema.input_numbers(); ++person) people.push_back(schema.row(person));
    Attributes kept;
    for (std::size_t i = 0; i < schema.size(); ++i) {
      if (!std::binary_search(changed.begin(), changed.end(), i)) kept.push_back(i);
    }
    const Answers answers = answers_of(people);
    if (request_.counted.sums.empty()) {
      std::uint64_t most = 0;
      for (std::size_t from = 0; from < people.size(); ++from) {
        for (std::size_t to = 0; to < from; ++to) {
          ask_budget();
          if (differ(people[from], people[to], kept)) continue;
          most = std::max(most, answers.changes(people[from], people[to], from, to));
        }
      }
      return request_.noise.loss(most);
    }
    // Pairs with the same changes have the same loss.
    constexpr std::size_t kMostDifferent = 4096;
    std::set<Noise::Changes> all;
    for (std::size_t from = 0; from < people.size(); ++from) {
      for (std::size_t to = 0; to < from; ++to) {
        ask_budget();
        if (differ(people[from], people[to], kept)) continue;
        Noise::Changes changes = answers.sum_changes(from, to);
        if (const std::uint64_t counts = answers.changes(people[from], people[to], from, to)) changes[1] += counts;
        all.insert(std::move(changes));
        if (all.size() > kMostDifferent) return request_.noise.loss(changes_seen(changed));
      }
    }
    Loss most;
    for (const Noise::Changes& changes : all) {
      ask_budget();
      const Loss one = request_.noise.loss(changes);
      most.pure = std::max(most.pure, one.pure);
      most.rho = std::max(most.rho, one.rho);
    }
    return most;
  }

  // An upper bound: the largest change of every query, added up.
  Noise::Changes changes_seen(const Attributes& changed) const {
    Noise::Changes changes;
    std::uint64_t counts = 0;
    for (const Attributes& table : request_.counted.tables) {
      ask_budget();
      counts += meet(table, changed) ? 2 : 0;
    }
    for (const NamedPattern& one : request_.counted.patterns) {
      ask_budget();
      counts += meet(one.pattern.attributes, changed) ? 1 : 0;
    }
    if (counts > 0) changes[1] = counts;
    for (const NamedSum& one : request_.counted.sums) {
      ask_budget();
      if (const std::uint64_t by = one.weights.largest_change(changed)) ++changes[by];
    }
    return changes;
  }

  // The answers of all possible people.
  struct Answers {
    const std::vector<Attributes>& tables;
    std::vector<std::vector<bool>> patterns;
    std::vector<std::vector<std::int64_t>> sums;

    std::uint64_t changes(const InputRow& a, const InputRow& b, std::size_t from, std::size_t to) const {
      std::uint64_t changes = 0;
      for (const Attributes& table : tables) changes += differ(a, b, table) ? 2 : 0;
      for (const std::vector<bool>& own : patterns) changes += own[from] != own[to] ? 1 : 0;
      return changes;
    }
    Noise::Changes sum_changes(std::size_t from, std::size_t to) const {
      Noise::Changes changes;
      for (const std::vector<std::int64_t>& own : sums) {
        if (own[from] != own[to]) ++changes[static_cast<std::uint64_t>(std::abs(own[from] - own[to]))];
      }
      return changes;
    }
  };

  Answers answers_of(const std::vector<InputRow>& people) const {
    Answers answers{request_.counted.tables, {}, {}};
    const auto value_of = [](const InputRow& person) { return [&person](std::size_t i) { return person[i]; }; };
    for (const NamedPattern& one : request_.counted.patterns) {
      std::vector<bool>& own = answers.patterns.emplace_back();
      ask_budget();
      for (const InputRow& person : people) own.push_back(one.pattern.is_had(value_of(person)));
    }
    for (const NamedSum& one : request_.counted.sums) {
      std::vector<std::int64_t>& own = answers.sums.emplace_back();
      for (const InputRow& person : people) own.push_back(one.weights.of(value_of(person)));
    }
    return answers;
  }

  static bool differ(const InputRow& a, const InputRow& b, const Attributes& attributes) {
    return std::any_of(attributes.begin(), attributes.end(), [&](std::size_t i) { return a[i] != b[i]; });
  }

  std::int64_t with_noise(std::uint64_t count, std::size_t people, RandomSource& source) const {
    const auto window = static_cast<std::int64_t>(request_.window);
    return request_.noise.added(static_cast<std::int64_t>(count), -window, static_cast<std::int64_t>(people) + window,
                                source);
  }

  CountsRequest request_;
};

}  // namespace

std::vector<NamedPattern> cells_of(const Domain& schema, const Attributes& attributes) {
  const Domain cells = schema.restricted_to(attributes);
  std::vector<NamedPattern> patterns;
  for (std::uint64_t cell = 0; cell < cells.inputs(); ++cell) {
    NamedPattern& pattern = patterns.emplace_back();
    pattern.pattern.attributes = attributes;
    pattern.pattern.values = cells.row(cell);
    pattern.name = words_of(cells, pattern.pattern.values);
  }
  return patterns;
}

std::vector<NamedPattern> queries_of(const Domain& schema, const Counted& counted) {
  std::vector<NamedPattern> queries;
  for (const Attributes& table : counted.tables) {
    for (NamedPattern& cell : cells_of(schema, table)) queries.push_back(std::move(cell));
  }
  queries.insert(queries.end(), counted.patterns.begin(), counted.patterns.end());
  return queries;
}

StepPtr counts_step(CountsRequest request) { return std::make_shared<const Counts>(std::move(request)); }

namespace {

double sum_over(const std::vector<double>& weights, const std::vector<std::uint32_t>& members) {
  double sum = 0;
  for (const std::uint32_t member : members) sum += weights[member];
  return sum;
}

double inside(double share) {
  constexpr double kNear = 1e-6;
  return std::clamp(share, kNear, 1 - kNear);
}

}  // namespace

FittedDistribution::FittedDistribution(const Domain& schema, const std::vector<NamedPattern>& queries, bool to_all)
    : to_all_(to_all), members_(members_of(schema, queries)) {
  const std::uint64_t records = schema.input_numbers();
  weights_.assign(records, 1 / static_cast<double>(records));
  sums_.assign(records, 0);
}

double FittedDistribution::share(std::size_t query) const { return sum_over(weights_, members_[query]); }

double FittedDistribution::told_share(std::size_t query) const {
  return to_all_ || rounds_ == 0 ? share(query) : sum_over(sums_, members_[query]) / rounds_;
}

void FittedDistribution::fit(std::span<const std::uint32_t> queries, std::span<const double> shares) {
  // The paper's mean is over the distributions at the start of each round.
  for (std::size_t record = 0; record < weights_.size(); ++record) sums_[record] += weights_[record];
  rounds_ += 1;
  if (!to_all_) return shift(queries, shares);
  asked_.insert(asked_.end(), queries.begin(), queries.end());
  told_.insert(told_.end(), shares.begin(), shares.end());
  constexpr int kPasses = 20;
  for (int pass = 0; pass < kPasses; ++pass) {
    for (std::size_t k = 0; k < asked_.size(); ++k) scale(asked_[k], told_[k]);
    normalize();
  }
}

// Rescales the weights so that the query has this fraction. Proportions within the matching records and within the
// others are kept.
void FittedDistribution::scale(std::size_t query, double share) {
  const double now = inside(this->share(query));
  const double wanted = inside(share);
  const double without = (1 - wanted) / (1 - now);
  for (double& weight : weights_) weight *= without;
  for (const std::uint32_t member : members_[query]) weights_[member] *= wanted / now / without;
}

// A(u) *= exp(1/2 sum of q(u) (answer - q(A))), as printed in the paper.
void FittedDistribution::shift(std::span<const std::uint32_t> queries, std::span<const double> shares) {
  std::vector<double> factors;
  for (std::size_t k = 0; k < queries.size(); ++k) factors.push_back(std::exp((shares[k] - share(queries[k])) / 2));
  for (std::size_t k = 0; k < queries.size(); ++k) {
    for (const std::uint32_t member : members_[queries[k]]) weights_[member] *= factors[k];
  }
  normalize();
}

void FittedDistribution::normalize() {
  double sum = 0;
  for (const double weight : weights_) sum += weight;
  for (double& weight : weights_) weight /= sum;
}

}  // namespace oddsbound::releases
