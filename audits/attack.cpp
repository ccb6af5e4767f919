#include "audits/attack.h"

#include <algorithm>
#include <boost/math/special_functions/erf.hpp>
#include <cmath>
#include <set>

#include "audits/confidence.h"

namespace oddsbound::audits {

namespace {

constexpr double kStatedRuns = 64;  // weight of the stated channel, in runs per side
constexpr double kSmoothing = 0.5;  // added to the count of every output
constexpr std::uint64_t kMostPairWork = 4'000'000;
constexpr std::size_t kPairsTried = 64;
constexpr double kMuchBetter = 1.1;  // ratio of predicted bounds that justifies a second look

}  // namespace

Rates stated_rates(const Question& question, const Rates& rows) {
  Rates rates(question.sides.size(), std::vector<double>(rows[0].size()));
  for (std::size_t s = 0; s < rates.size(); ++s) {
    const Side& side = question.sides[s];
    for (std::size_t i = 0; i < side.inputs.size(); ++i) {
      const double weight = side.probabilities[i].approx();
      for (std::size_t y = 0; y < rates[s].size(); ++y) rates[s][y] += weight * rows[side.inputs[i]][y];
    }
  }
  return rates;
}

Prediction::Prediction(const Question& question, std::uint64_t rounds, double alpha)
    : final_(std::sqrt(2.0) * boost::math::erfc_inv(2 * alpha) / std::sqrt(static_cast<double>(rounds) + 1)) {
  if (question.bounds_delta()) scale_ = 1 + std::exp(question.at->approx());
}

double doubt_of(std::size_t candidates) {
  return std::sqrt(2 * std::log(static_cast<double>(std::max<std::size_t>(1, candidates)))) + 0.5;
}

double wilson_limit(const Score& score, double errors) {
  if (score.guesses == 0) return 0;
  const auto n = static_cast<double>(score.guesses);
  const double share = static_cast<double>(score.right) / n;
  const double square = errors * errors / n;
  return (share + square / 2 - std::sqrt(square * (share * (1 - share) + square / 4))) / (1 + square);
}

double Prediction::operator()(const Score& score, std::size_t labels, double doubt) const {
  const double low = wilson_limit(score, doubt + final_ * std::sqrt(static_cast<double>(score.rounds)));
  if (scale_ > 0) return std::max(0.0, low * scale_ - (scale_ - 1));
  const double odds = low * static_cast<double>(labels - 1) / (1 - low);
  return odds > 1 ? std::log(odds) : 0;
}

Strategist::Strategist(const Question& question, Rates stated) : question_(question), stated_(std::move(stated)) {}

std::vector<Game> Strategist::group_games() const {
  std::vector<Game> games;
  if (question_.bounds_delta()) return games;
  for (const auto& group : question_.groups) games.push_back({group, false});
  return games;
}

// All pairs if they are few. Otherwise, for each output, its most likely side against the compared side that is least
// likely to give it.
std::vector<Game> Strategist::pair_games(const Rates& rates) const {
  const auto& pairs = question_.pairs;
  std::set<std::pair<std::uint32_t, std::uint32_t>> chosen;
  const std::uint64_t outputs = rates[0].size();
  if (pairs.size() * outputs <= kMostPairWork) {
    chosen.insert(pairs.begin(), pairs.end());
  } else {
    std::vector<std::uint32_t> froms;
    for (const auto& [from, to] : pairs) {
      if (froms.empty() || froms.back() != from) froms.push_back(from);
    }
    for (std::uint64_t y = 0; y < outputs && chosen.size() * outputs < kMostPairWork; ++y) {
      std::uint32_t from = froms[0];
      for (const std::uint32_t s : froms) {
        if (rates[s][y] > rates[from][y]) from = s;
      }
      const std::pair<std::uint32_t, std::uint32_t>* best = nullptr;
      auto pair = std::lower_bound(pairs.begin(), pairs.end(), std::pair(from, std::uint32_t{0}));
      for (; pair != pairs.end() && pair->first == from; ++pair) {
        if (best == nullptr || rates[pair->second][y] < rates[best->second][y]) best = &*pair;
      }
      if (best != nullptr) chosen.insert(*best);
    }
  }
  std::vector<Game> games;
  for (const auto& pair : chosen) {
    const std::pair reverse(pair.second, pair.first);
    const bool both = !question_.bounds_delta() && std::binary_search(pairs.begin(), pairs.end(), reverse);
    if (!both) {
      games.push_back({{pair.first, pair.second}, true});
    } else if (pair.first < pair.second || !chosen.contains(reverse)) {
      games.push_back({{std::min(pair.first, pair.second), std::max(pair.first, pair.second)}, false});
    }
  }
  return games;
}

Rates Strategist::learned(const Tally& sides) const {
  Rates rates;
  for (std::uint64_t s = 0; s < sides.rows(); ++s) {
    const auto counts = sides.row(s);
    const double total = static_cast<double>(sides.total(s)) + kStatedRuns;
    auto& rate = rates.emplace_back(counts.size());
    for (std::size_t y = 0; y < counts.size(); ++y) {
      rate[y] = (static_cast<double>(counts[y]) + kStatedRuns * stated_[s][y] + kSmoothing) / total;
    }
  }
  return rates;
}

// The pairs with the largest sums of max(0, p - e^level p') over the outputs, in the directions that the game uses.
std::vector<Game> Strategist::most_telling(std::vector<Game> pairs, const Rates& rates, double level) const {
  if (pairs.size() <= kPairsTried) return pairs;
  const double factor = std::exp(question_.bounds_delta() ? question_.at->approx() : level);
  std::vector<std::pair<double, std::size_t>> ranked;
  for (std::size_t g = 0; g < pairs.size(); ++g) {
    const auto& a = rates[pairs[g].sides[0]];
    const auto& b = rates[pairs[g].sides[1]];
    double beyond = 0;
    for (std::size_t y = 0; y < a.size(); ++y) {
      beyond += std::max(0.0, a[y] - factor * b[y]);
      if (!pairs[g].only_first) beyond += std::max(0.0, b[y] - factor * a[y]);
    }
    ranked.emplace_back(-beyond, g);
  }
  std::partial_sort(ranked.begin(), ranked.begin() + kPairsTried, ranked.end());
  std::vector<Game> chosen;
  for (std::size_t k = 0; k < kPairsTried; ++k) chosen.push_back(std::move(pairs[ranked[k].second]));
  return chosen;
}

Rule Answers::above(double least) const {
  Rule result = rule;
  for (std::size_t y = 0; y < result.size(); ++y) {
    if (strength[y] < least) result[y] = kAbstain;
  }
  return result;
}

Rule Answers::above(double least, const Answers& others) const {
  Rule result = above(least);
  for (std::size_t y = 0; y < result.size(); ++y) {
    if (result[y] != kAbstain) result[y] = others.rule[y];
  }
  return result;
}

Answers Strategist::answers(const Game& game, const Rates& rates) const {
  const std::size_t outputs = rates[0].size();
  Answers answers{Rule(outputs, 0), std::vector<double>(outputs, 1)};
  if (question_.bounds_delta()) {
    const double factor = std::exp(question_.at->approx());
    for (std::size_t y = 0; y < outputs; ++y) {
      answers.rule[y] = rates[game.sides[0]][y] > factor * rates[game.sides[1]][y] ? 0 : 1;
    }
    return answers;
  }
  std::vector<double> sum(outputs), best = rates[game.sides[0]];
  for (std::size_t label = 0; label < game.sides.size(); ++label) {
    const auto& rate = rates[game.sides[label]];
    for (std::size_t y = 0; y < outputs; ++y) {
      sum[y] += rate[y];
      if (game.only_first || rate[y] <= best[y]) continue;
      best[y] = rate[y];
      answers.rule[y] = static_cast<std::int32_t>(label);
    }
  }
  // Rounding to float makes strengths equal where rates differ only by rounding errors.
  for (std::size_t y = 0; y < outputs; ++y) {
    answers.strength[y] = sum[y] > 0 ? static_cast<double>(static_cast<float>(best[y] / sum[y])) : 0;
  }
  return answers;
}

std::vector<std::uint64_t> totals_of(const Tally& sides) {
  std::vector<std::uint64_t> totals;
  for (std::uint64_t s = 0; s < sides.rows(); ++s) totals.push_back(sides.total(s));
  return totals;
}

Strategist::Threshold Strategist::best_threshold(const Game& game, const Answers& answers, const Tally& sides,
                                                 const std::vector<std::uint64_t>& totals, const Value& value) const {
  std::vector<std::pair<double, std::uint32_t>> order;
  // An answer that is no better than chance is never worth giving, except where every round is answered.
  const double even = question_.bounds_delta() ? 0 : (1 + 1e-6) / static_cast<double>(game.sides.size());
  for (std::uint32_t y = 0; y < answers.rule.size(); ++y) {
    if (answers.strength[y] > even) order.emplace_back(-answers.strength[y], y);
  }
  std::sort(order.begin(), order.end());
  std::size_t thresholds = 0;
  for (std::size_t k = 0; k < order.size(); ++k) {
    thresholds += k + 1 == order.size() || order[k + 1].first > order[k].first ? 1 : 0;
  }
  Threshold best;
  Score score;
  for (const std::uint32_t s : game.sides) score.rounds += totals[s];
  for (std::size_t k = 0; k < order.size(); ++k) {
    const std::uint32_t y = order[k].second;
    for (const std::uint32_t s : game.sides) score.guesses += sides.at(s, y);
    score.right += sides.at(game.sides[static_cast<std::size_t>(answers.rule[y])], y);
    if (k + 1 < order.size() && order[k + 1].first == order[k].first) continue;
    const double found = value(score, thresholds);
    if (found > best.value) best = {answers.strength[y], found, score};
  }
  return best;
}

std::vector<Attack> Strategist::shortlist(const Tally& learn_from, const Tally& test, std::uint64_t rounds,
                                          double alpha, Budget& budget) const {
  constexpr double kHopeful = 0.5;  // in standard errors
  Tally both = learn_from;
  both += test;
  const Prediction prediction(question_, rounds, alpha);
  Attack best;
  std::vector<Attack> hopeful;
  const auto try_all = [&](const std::vector<Game>& games, const Rates& rates, const Tally& judge, const Rates& final) {
    const auto totals = totals_of(judge);
    for (const Game& game : games) {
      budget.check_every();
      const auto with_doubt = [&](const Score& score, std::size_t thresholds) {
        return prediction(score, game.sides.size(), doubt_of(games.size() * thresholds));
      };
      const auto with_hope = [&](const Score& score, std::size_t) {
        return prediction(score, game.sides.size(), kHopeful);
      };
      const Answers found = answers(game, rates), again = answers(game, final);
      const Threshold sure = best_threshold(game, found, judge, totals, with_doubt);
      if (sure.value > best.predicted) best = {game, found.above(sure.least, again), sure.value};
      const Threshold hope = best_threshold(game, found, judge, totals, with_hope);
      hopeful.push_back({game, found.above(hope.least, again), hope.value});
    }
  };
  const Rates from_half = learned(learn_from), from_all = learned(both);
  try_all(group_games(), stated_, both, stated_);
  try_all(group_games(), from_half, test, from_all);
  try_all(most_telling(pair_games(stated_), stated_, best.predicted), stated_, both, stated_);
  try_all(most_telling(pair_games(from_half), from_half, best.predicted), from_half, test, from_all);
  if (best.predicted <= 0) {
    // The pilot was too small to show anything.
    constexpr std::uint64_t kVeryMany = 1'000'000'000'000;
    best = as_stated(kVeryMany, 0.01).attack;
    best.predicted = 0;
  }
  std::sort(hopeful.begin(), hopeful.end(), [](const Attack& a, const Attack& b) { return a.predicted > b.predicted; });
  std::vector<Attack> attacks{std::move(best)};
  for (Attack& attack : hopeful) {
    if (attacks.size() == kShortlist || attack.predicted <= attacks[0].predicted * kMuchBetter) break;
    const auto same = [&](const Attack& other) { return other.game == attack.game && other.rule == attack.rule; };
    if (std::none_of(attacks.begin(), attacks.end(), same)) attacks.push_back(std::move(attack));
  }
  return attacks;
}

Strategist::Expected Strategist::as_stated(std::uint64_t rounds, double alpha) const {
  constexpr double kRuns = 1e12;
  Tally expected(stated_.size(), stated_[0].size());
  for (std::uint64_t s = 0; s < expected.rows(); ++s) {
    for (std::uint64_t y = 0; y < expected.outputs(); ++y) {
      expected.row(s)[y] = static_cast<std::uint64_t>(kRuns * stated_[s][y]);
    }
  }
  const auto totals = totals_of(expected);
  std::vector<Game> games = group_games();
  for (Game& game : most_telling(pair_games(stated_), stated_, 0)) games.push_back(std::move(game));
  const Prediction prediction(question_, rounds, alpha);
  Expected best{{games[0], answers(games[0], stated_).rule, 0}, {}};
  best.score = play(best.attack.game, best.attack.rule, expected);
  for (const Game& game : games) {
    const Answers found = answers(game, stated_);
    const Threshold threshold = best_threshold(game, found, expected, totals, [&](const Score& score, std::size_t) {
      return prediction(score, game.sides.size(), 0);
    });
    if (threshold.value <= best.attack.predicted) continue;
    best = {{game, found.above(threshold.least), threshold.value}, threshold.score};
  }
  return best;
}

}  // namespace oddsbound::audits
