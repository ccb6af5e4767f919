// Moments are computed exactly, from the distribution of the weight of one output, and enclosed by doubles at the end.
// Doubles: the moments are enclosed; each bound is then a sum of at most 2^20 nonnegative terms, each with a few
// operations of relative error 2^-53. kSlack = 2^-30 covers all of them.
#include "mechanisms/distance.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <unordered_set>

#include "base/errors.h"
#include "verifier/exact/decimal.h"
#include "verifier/exact/interval.h"

namespace oddsbound::mechanisms {

namespace {

using Distribution = std::unordered_map<Number, Number, NumberHash>;  // of a weight: value -> probability

constexpr double kMostOperations = 0x1p21;
constexpr double kSlack = 0x1p-30;
constexpr std::uint64_t kMostPeople = std::uint64_t{1} << 53;

double above(const Number& number) { return Ball(number, 128).above(); }
double below(const Number& number) { return std::max(0.0, Ball(number, 128).below()); }

ErrorMoments moments_of(const Distribution& weights, Budget& budget) {
  std::vector<WeightedTerm> terms;
  for (const auto& [value, probability] : weights) terms.push_back({probability, value});
  const Number mean = weighted_sum(terms);
  std::vector<WeightedTerm> second, third, fourth;
  for (const auto& [value, probability] : weights) {
    budget.check_every();
    const Number off = value < mean ? mean - value : value - mean;
    const Number square = off * off;
    second.push_back({probability, square});
    third.push_back({probability, square * off});
    fourth.push_back({probability, square * square});
  }
  const Number variance = weighted_sum(second);
  if (variance.is_zero()) return {};
  return {below(variance), above(variance), above(weighted_sum(third)), above(weighted_sum(fourth))};
}

// Targets with the same distribution of weights share their moments.
std::vector<ErrorMoments> moments_of_all(const std::vector<Distribution>& all, Budget& budget) {
  std::vector<ErrorMoments> moments;
  for (std::size_t j = 0; j < all.size(); ++j) {
    budget.check();
    moments.push_back(j > 0 && all[j] == all[j - 1] ? moments.back() : moments_of(all[j], budget));
  }
  return moments;
}

}  // namespace

std::optional<std::vector<ErrorMoments>> error_moments(const Estimator& estimator, const Channel& channel,
                                                       const Prior& prior, Budget& budget) {
  const auto cells = static_cast<double>(channel.inputs()) * static_cast<double>(channel.outputs());
  const auto weights = static_cast<double>(estimator.targets()) * static_cast<double>(channel.outputs());
  if (estimator.knows_moments() || !estimator.estimates_shares() || cells > kMostOperations ||
      weights > kMostOperations)
    return std::nullopt;
  const std::vector<Number>& masses = prior.dense(budget).weights;
  std::vector<Number> outputs;
  std::vector<WeightedTerm> terms;
  for (std::uint64_t y = 0; y < channel.outputs(); ++y) {
    terms.clear();
    for (std::uint64_t x = 0; x < channel.inputs(); ++x) {
      budget.check_every();
      const Number entry = channel.entry(x, y);
      if (!entry.is_zero() && !masses[x].is_zero()) terms.push_back({masses[x], entry});
    }
    outputs.push_back(weighted_sum(terms) / prior.total());
  }
  std::vector<ErrorMoments> moments;
  for (std::uint64_t j = 0; j < estimator.targets(); ++j) {
    Distribution weight;
    for (std::uint64_t y = 0; y < channel.outputs(); ++y) {
      budget.check_every();
      if (outputs[y].is_zero()) continue;
      Number& probability = weight.try_emplace(estimator.weight(j, channel.split(y)), Number(0)).first->second;
      probability += outputs[y];
    }
    moments.push_back(moments_of(weight, budget));
  }
  return moments;
}

namespace {

Distribution convolved(const Distribution& a, const Distribution& b, bool product, Budget& budget) {
  Distribution result;
  for (const auto& [left, p] : a) {
    for (const auto& [right, q] : b) {
      budget.check_every();
      result.try_emplace(product ? left * right : left + right, Number(0)).first->second += p * q;
    }
  }
  return result;
}

// [values of the coordinates][input of the parts]: the distribution of the parts' average weight.
std::vector<std::vector<Distribution>> weights_of(const SharesFromParts& factor, std::uint64_t inputs,
                                                  std::uint64_t targets, Budget& budget) {
  const Number share = Number(1) / Number(static_cast<std::int64_t>(factor.parts.size()));
  std::vector<std::vector<Distribution>> all(targets, std::vector<Distribution>(inputs, {{Number(0), Number(1)}}));
  for (const PartShares& part : factor.parts) {
    const Channel& channel = *part.channel;
    for (std::uint64_t j = 0; j < targets; ++j) {
      std::vector<Number> weights;
      for (std::uint64_t y = 0; y < channel.outputs(); ++y) {
        weights.push_back(share * part.estimator->weight(j, channel.split(y)));
      }
      for (std::uint64_t x = 0; x < inputs; ++x) {
        Distribution own;
        for (std::uint64_t y = 0; y < channel.outputs(); ++y) {
          budget.check_every();
          const Number entry = channel.entry(x, y);
          if (!entry.is_zero()) own.try_emplace(weights[y], Number(0)).first->second += entry;
        }
        all[j][x] = convolved(all[j][x], own, false, budget);
      }
    }
  }
  return all;
}

// How many different weights the outputs of a part have for a target, at most: few, unless there is an estimator of a
// matrix.
double most_weights(const PartShares& part, Budget& budget) {
  constexpr std::size_t kFew = 64;
  std::size_t most = std::min<std::size_t>(part.channel->outputs(), kFew);
  if (part.channel->outputs() <= kFew) return static_cast<double>(most);
  for (std::uint64_t j = 0; j < part.estimator->targets(); ++j) {
    std::unordered_set<Number, NumberHash> weights;
    for (std::uint64_t y = 0; y < part.channel->outputs(); ++y) {
      budget.check_every();
      weights.insert(part.estimator->weight(j, part.channel->split(y)));
    }
    most = std::max(most, weights.size());
  }
  return static_cast<double>(most);
}

std::vector<std::size_t> places_of(const std::vector<std::size_t>& among, const std::vector<std::size_t>& some) {
  std::vector<std::size_t> places;
  for (const std::size_t one : some) {
    places.push_back(static_cast<std::size_t>(std::find(among.begin(), among.end(), one) - among.begin()));
  }
  return places;
}

}  // namespace

std::optional<std::vector<ErrorMoments>> error_moments(const Marginal& marginal, const Domain& domain,
                                                       const Prior& prior, Budget& budget) {
  std::vector<std::size_t> seen, estimated;
  double operations = 1;
  const auto& shares = static_cast<const ShareEstimator&>(*marginal.estimator);
  for (std::size_t i = 0; i < shares.domain().size(); ++i) {
    estimated.push_back(*domain.find(shares.domain().coordinate(i).name));
  }
  for (const SharesFromParts& factor : marginal.factors) {
    seen.insert(seen.end(), factor.seen.begin(), factor.seen.end());
    for (const PartShares& part : factor.parts) {
      if (part.estimator->knows_moments()) return std::nullopt;  // of outputs that are too many to list
      if (part.channel->input_numbers() > (std::uint64_t{1} << 20)) return std::nullopt;
      const double outputs = static_cast<double>(part.channel->outputs());
      if (outputs * static_cast<double>(part.channel->inputs()) * static_cast<double>(part.estimator->targets()) >
          kMostOperations) {
        return std::nullopt;
      }
      operations *= most_weights(part, budget);
    }
  }
  std::sort(seen.begin(), seen.end());
  seen.erase(std::unique(seen.begin(), seen.end()), seen.end());
  const Domain seen_domain = domain.restricted_to(seen);
  const std::uint64_t targets = marginal.estimator->targets();
  if (!seen_domain.is_countable() ||
      operations * static_cast<double>(targets) * seen_domain.input_count().approx() > kMostOperations) {
    return std::nullopt;
  }
  struct Factor {
    Projection input, target;
    std::vector<std::vector<Distribution>> weights;
  };
  std::vector<Factor> factors;
  for (const SharesFromParts& factor : marginal.factors) {
    const Domain own = domain.restricted_to(factor.seen), targets_of_factor = domain.restricted_to(factor.coordinates);
    factors.push_back({Projection(seen_domain, places_of(seen, factor.seen)),
                       Projection(shares.domain(), places_of(estimated, factor.coordinates)),
                       weights_of(factor, own.inputs(), targets_of_factor.inputs(), budget)});
  }
  const Prior known = prior.marginal(seen, budget);
  std::vector<Distribution> all(targets);
  for (const auto& [x, mass] : known.numbered_rows(budget)) {
    const Number probability = mass / known.total();
    for (std::uint64_t j = 0; j < targets; ++j) {
      Distribution product{{Number(1), probability}};
      for (const Factor& factor : factors) {
        budget.check_every();
        product = convolved(product, factor.weights[factor.target(j)][factor.input(x)], true, budget);
      }
      for (const auto& [value, one] : product) all[j].try_emplace(value, Number(0)).first->second += one;
    }
  }
  return moments_of_all(all, budget);
}

DistanceBounds expected_distance(const std::vector<ErrorMoments>& moments, std::uint64_t n) {
  const auto people = static_cast<double>(n);
  DistanceBounds sum;
  for (const ErrorMoments& one : moments) {
    if (one.variance == 0) continue;
    const double correction = one.third / (one.least_variance * people) * (1 + kSlack);
    const auto normal = [&](double variance) { return std::sqrt(2 * variance / (std::numbers::pi * people)); };
    const double spread = 3 + one.fourth / (one.least_variance * one.least_variance * people);
    sum.at_least += std::max(normal(one.least_variance) * (1 - kSlack) - correction,
                             std::sqrt(one.least_variance / people / spread) * (1 - kSlack));
    sum.at_most += std::min(normal(one.variance) + correction, std::sqrt(one.variance / people)) * (1 + kSlack);
  }
  return {sum.at_least / 2 * (1 - kSlack), sum.at_most / 2 * (1 + kSlack)};
}

namespace {

// The least n in (low, high] for which is_enough, which is monotone; high is enough.
template <typename IsEnough>
std::uint64_t least_number(std::uint64_t low, std::uint64_t high, const IsEnough& is_enough) {
  while (high - low > 1) {
    const std::uint64_t middle = low + (high - low) / 2;
    (is_enough(middle) ? high : low) = middle;
  }
  return high;
}

[[noreturn]] void refuse(const Number& distance) {
  throw LimitError("an expected total variation of " + decimal_text(distance) +
                   " may take more than 2^53 outputs; ask for a larger one");
}

}  // namespace

OutputsFor outputs_for(const std::vector<ErrorMoments>& moments, const Number& distance) {
  const double least_distance = below(distance), largest_distance = above(distance);
  const auto is_enough = [&](std::uint64_t n) { return expected_distance(moments, n).at_most <= least_distance; };
  if (!is_enough(kMostPeople)) refuse(distance);
  OutputsFor found;
  found.enough = least_number(0, kMostPeople, is_enough);
  // The lower bound is not monotone in n; whatever number the search ends with is checked by the bound itself.
  const auto may_be_enough = [&](std::uint64_t n) {
    return expected_distance(moments, n).at_least <= largest_distance;
  };
  const std::uint64_t least = least_number(0, found.enough, may_be_enough);
  found.too_few = least - 1;
  return found;
}

double distance_by_bound(const std::vector<Number>& squares, std::uint64_t n) {
  double sum = 0;
  for (const Number& square : squares) sum += std::sqrt(above(square) / static_cast<double>(n)) * (1 + kSlack);
  return sum * (1 + kSlack);
}

std::uint64_t outputs_by_bound(const std::vector<Number>& squares, const Number& distance) {
  double sum = 0;
  for (const Number& square : squares) sum += std::sqrt(above(square)) * (1 + kSlack);
  const double quotient = sum / below(distance);
  const double n = std::ceil(quotient * quotient * (1 + kSlack));
  if (!(n <= static_cast<double>(kMostPeople))) refuse(distance);
  return std::max<std::uint64_t>(1, static_cast<std::uint64_t>(n));
}

}  // namespace oddsbound::mechanisms
