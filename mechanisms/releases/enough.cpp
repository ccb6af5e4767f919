#include "mechanisms/releases/enough.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace oddsbound::mechanisms {

namespace {

// The sum of a promise's probabilities has relative errors far below this.
constexpr double kRounding = 1e-9;

bool kept(double broken) { return broken * (1 + kRounding) <= kMostBroken; }

std::int64_t threshold_at(const HeavyHittersRequest& request, std::size_t level, std::uint64_t people) {
  return static_cast<std::int64_t>(first_threshold(request, people) + (level - 1) * request.margin);
}

}  // namespace

double laplace_tail(SmallRatio scale, std::int64_t least) {
  const double nats = static_cast<double>(scale.bottom) / static_cast<double>(scale.top), a = std::exp(-nats);
  if (least >= 1) return std::exp(-nats * static_cast<double>(least)) / (1 + a);
  return 1 - std::exp(-nats * static_cast<double>(1 - least)) / (1 + a);
}

double missed_in_tests(const HeavyHittersRequest& request, std::int64_t count, std::uint64_t people) {
  const std::size_t widths = levels_of(request.attributes.size(), false);
  const auto margin = static_cast<std::int64_t>(request.margin);
  // A test fails if the noise is at most threshold - count.
  const auto failed = [&](std::size_t level) {
    return laplace_tail(request.scale, std::max(count - threshold_at(request, level, people), -margin));
  };
  double sum = request.test_leaves ? static_cast<double>(request.attributes.size()) * failed(1) : 0;
  for (std::size_t width = 1; width <= widths; ++width) {
    sum += std::ldexp(1, static_cast<int>(widths - width)) * failed(width + (request.test_leaves ? 1 : 0));
  }
  return sum;
}

double listed_on_average(const HeavyHittersRequest& request) {
  const double light = laplace_tail(request.scale, static_cast<std::int64_t>(request.margin) + 1);
  // With a share of all people, people / (threshold - margin + 1) is below 2 / share from the second level on.
  const auto heavy = [&](std::size_t level) {
    if (level < 2) return std::numeric_limits<double>::infinity();
    if (!request.threshold) return 2 / request.share.number().approx();
    const std::int64_t least = threshold_at(request, level - 1, 0) + 1;
    return static_cast<double>(kMostPeople) / static_cast<double>(least);
  };
  std::vector<double> lists;
  for (const std::size_t i : request.attributes) lists.push_back(static_cast<double>(request.schema.values(i)));
  lists.resize(std::size_t{1} << levels_of(request.attributes.size(), false), 1);
  for (std::size_t level = request.test_leaves ? 2 : 1; lists.size() > 1; ++level) {
    std::vector<double> joined;
    for (std::size_t k = 0; k < lists.size(); k += 2) {
      // Noise of the two halves is independent.
      const double tested = lists[k] * lists[k + 1];
      joined.push_back(std::min(tested, heavy(level) + light * tested));
    }
    lists = std::move(joined);
  }
  return lists[0];
}

std::optional<std::uint64_t> least_for(const std::function<double(std::uint64_t)>& broken) {
  std::uint64_t too_few = 0, enough = 1;
  while (!kept(broken(enough))) {
    if (enough == kMostPeople) return std::nullopt;
    too_few = enough;
    enough *= 2;
  }
  while (enough - too_few > 1) {
    const std::uint64_t middle = too_few + (enough - too_few) / 2;
    (kept(broken(middle)) ? enough : too_few) = middle;
  }
  return enough;
}

std::string words_of(const Promise& promise, std::optional<std::size_t> people) {
  const std::string usually = "in 95 of 100 runs " + promise.words;
  if (!promise.people) return "it is not known how many people are needed, so that " + usually;
  const std::string from = "from " + std::to_string(*promise.people) + " people on, " + usually;
  if (!people || *people >= *promise.people) return from;
  return std::to_string(*people) + (*people == 1 ? " person is" : " people are") + " too few to rely on it: " + from;
}

}  // namespace oddsbound::mechanisms
