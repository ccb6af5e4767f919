#include "releases/mwem.h"

#include <algorithm>
#include <cmath>

#include "base/budget.h"
#include "base/errors.h"
#include "mechanisms/random/distributions.h"
#include "releases/release.h"
#include "verifier/exact/decimal.h"

namespace oddsbound::releases {

namespace {

using Set = std::vector<std::uint32_t>;  // queries, by their places

class Mwem final : public Step {
 public:
  explicit Mwem(MwemRequest request) : request_(std::move(request)) {
    require_few_records(request_.schema, request_.queries);
    Set chosen;
    add_sets(chosen, 0);
    if (sets_.empty()) {
      throw ModelError("there are no " + std::to_string(request_.together) + " queries without an attribute in common");
    }
    for (const NamedPattern& query : request_.queries) {
      for (const std::size_t i : query.pattern.attributes) {
        if (request_.schema.values(i) > 1) reads_.push_back(i);
      }
    }
    std::sort(reads_.begin(), reads_.end());
    reads_.erase(std::unique(reads_.begin(), reads_.end()), reads_.end());
  }

  std::string words() const override {
    return "a distribution fitted to " + std::to_string(request_.queries.size()) + " counts, " +
           std::to_string(request_.rounds) + " rounds of " + std::to_string(request_.together) + ", chosen at rate " +
           decimal_text(request_.rate.number()) + ", with " + request_.noise.words();
  }

  Loss loss(const Attributes& changed) const override {
    const std::uint64_t most = std::min<std::uint64_t>(request_.together, shared_by(reads_, changed));
    if (most == 0) return {};
    const Number rounds(static_cast<std::int64_t>(request_.rounds)), count(static_cast<std::int64_t>(most));
    const Number reach = request_.rate.number() * count;
    const Loss noise = request_.noise.loss(most);
    const Number rho = rounds * (reach * reach / Number(2) + noise.rho);
    if (noise.pure.is_infinite()) return concentrated_loss(rho);
    const Number one = noise.pure.exponential() * Number::exp_of(Number(2) * reach);
    return pure_loss(Level::of_exponential(one.pow(static_cast<std::int64_t>(request_.rounds))), rho);
  }

  std::vector<CostPart> parts() const override {
    if (reads_.empty()) return {};
    return {{words(), reads_, loss({reads_[0]}), true}};
  }

  StepPtr within(std::uint64_t) const override { return std::make_shared<const Mwem>(*this); }
  std::string remark() const override { return request_.noise.remark(); }

  // Inequality (3) of Theorem 12, with the noise and the rate of this step in place of their values there: the noise
  // has variance n^2 E(a - q(x))^2, and choices cost log(m) / (rate n) of the largest error. Scores are rounded by at
  // most 2^-bits people in each direction. Proved for one query in a round, with the published fit.
  std::vector<PlannedFigure> plan(const PlanQuestion& question) const override {
    if (request_.together != 1 || request_.fits_all) return {};
    const char* theorem = "partial-DP paper, Theorem 12, inequality (3)";
    const double rounds = static_cast<double>(request_.rounds), variance = request_.noise.variance();
    const double rate = request_.rate.number().approx();
    const double chosen = std::log(static_cast<double>(request_.queries.size())) / rate +
                          std::ldexp(4.0, -static_cast<int>(request_.score_bits));
    const double records = 4 * std::log(static_cast<double>(request_.schema.input_numbers())) / rounds;
    const auto error = [&](double people) {
      return (std::sqrt(variance / (people * people) + records) + chosen / people) * (1 + 1e-9);
    };
    std::vector<PlannedFigure> figures;
    if (question.people) {
      figures.push_back({"expected largest error of a fitted count, as a fraction of all people, at most",
                         error(static_cast<double>(*question.people)), theorem});
    }
    if (question.error) {
      constexpr double kMost = 0x1p53;
      double low = 0, high = kMost;
      if (error(high) > *question.error) {
        figures.push_back({"smallest error that so many rounds are proved to reach, with any number of people",
                           std::sqrt(records), theorem});
        return figures;
      }
      while (high - low > 1) {
        const double middle = std::floor(low + (high - low) / 2);
        (error(middle) <= *question.error ? high : low) = middle;
      }
      figures.push_back({"people for an expected largest error of that fraction", high, theorem});
    }
    return figures;
  }

  // Output, by round: the chosen set, and the answers to its queries.
  std::vector<std::int64_t> run(const PeopleTable& table, RandomSource& source) const override {
    std::vector<std::int64_t> counts;
    for (const NamedPattern& query : request_.queries) {
      counts.push_back(static_cast<std::int64_t>(people_with(table, query.pattern)));
    }
    const auto people = static_cast<std::int64_t>(table.people());
    FittedDistribution fitted(request_.schema, request_.queries, request_.fits_all);
    std::vector<std::int64_t> told;
    for (std::uint64_t round = 0; round < request_.rounds; ++round) {
      const Selection selection(request_.rate, request_.score_bits, scores(fitted, counts, people));
      const std::uint64_t chosen = draw(selection, source);
      told.push_back(static_cast<std::int64_t>(chosen));
      std::vector<double> answers;
      for (const std::uint32_t query : sets_[chosen]) {
        told.push_back(request_.noise.added(counts[query], 0, people, source));
        answers.push_back(static_cast<double>(told.back()) / static_cast<double>(people));
      }
      fitted.fit(sets_[chosen], answers);
    }
    return told;
  }

  // Keyed by round and query.
  std::vector<KeyedNumber> keyed(std::span<const std::int64_t> told) const override {
    std::vector<KeyedNumber> numbers;
    std::uint64_t round = 0;
    for (std::size_t at = 0; at < told.size(); ++round) {
      for (const std::uint32_t query : sets_[static_cast<std::size_t>(told[at++])]) {
        const std::uint64_t about[] = {round, query};
        numbers.push_back({key_of(about), static_cast<double>(told[at++])});
      }
    }
    return numbers;
  }

  std::vector<ToldNumber> answers(std::span<const std::int64_t> told, std::size_t people) const override {
    std::vector<ToldNumber> answers;
    FittedDistribution fitted(request_.schema, request_.queries, request_.fits_all);
    for (std::size_t at = 0, round = 1; at < told.size(); ++round) {
      const Set& set = sets_[static_cast<std::size_t>(told[at++])];
      std::vector<double> shares;
      for (const std::uint32_t query : set) {
        shares.push_back(static_cast<double>(told[at]) / static_cast<double>(people));
        answers.push_back({"asked in round " + std::to_string(round) + ": " + request_.queries[query].name, told[at++],
                           request_.noise.margin()});
      }
      fitted.fit(set, shares);
    }
    for (std::size_t q = 0; q < request_.queries.size(); ++q) {
      const double count = fitted.told_share(q) * static_cast<double>(people);
      answers.push_back({"fitted: " + request_.queries[q].name, std::llround(count), {}});
    }
    return answers;
  }

 private:
  // Adds all sets of queries without common attributes that begin with the chosen ones.
  void add_sets(Set& chosen, std::uint32_t from) {
    if (chosen.size() == request_.together) {
      if (sets_.size() == kMostSets) {
        throw LimitError("there are more than " + std::to_string(kMostSets) +
                         " sets of queries to choose from; fewer in a round ('together') have fewer");
      }
      sets_.push_back(chosen);
      return;
    }
    for (std::uint32_t q = from; q < request_.queries.size(); ++q) {
      const bool apart = std::none_of(chosen.begin(), chosen.end(), [&](std::uint32_t other) {
        return meet(request_.queries[q].pattern.attributes, request_.queries[other].pattern.attributes);
      });
      if (!apart) continue;
      Budget::work_on(64);
      chosen.push_back(q);
      add_sets(chosen, q + 1);
      chosen.pop_back();
    }
  }

  // Returns the total error of each set's answers, in units of 2^-bits. These are integers, so rounding adds
  // nothing to a change: one person changes a score by at most the number of queries in the set that the person is
  // in.
  std::vector<std::uint64_t> scores(const FittedDistribution& fitted, const std::vector<std::int64_t>& counts,
                                    std::int64_t people) const {
    const double unit = std::ldexp(1.0, static_cast<int>(request_.score_bits));
    std::vector<std::uint64_t> off;
    for (std::size_t q = 0; q < counts.size(); ++q) {
      const auto expected =
          static_cast<std::int64_t>(std::llround(fitted.share(q) * static_cast<double>(people) * unit));
      off.push_back(static_cast<std::uint64_t>(std::abs(expected - (counts[q] << request_.score_bits))));
    }
    std::vector<std::uint64_t> scores;
    for (const Set& set : sets_) {
      std::uint64_t sum = 0;
      for (const std::uint32_t query : set) sum += off[query];
      scores.push_back(sum);
    }
    return scores;
  }

  MwemRequest request_;
  std::vector<Set> sets_;
  Attributes reads_;  // attributes that can change
};

}  // namespace

StepPtr mwem_step(MwemRequest request) { return std::make_shared<const Mwem>(std::move(request)); }

}  // namespace oddsbound::releases
