#include "app/compose.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include "base/errors.h"
#include "specs/spec_error.h"
#include "verifier/exact/decimal.h"
#include "verifier/exact/interval.h"
#include "verifier/model/product_channel.h"
#include "verifier/notions/approximate.h"
#include "verifier/notions/privacy_curve.h"
#include "verifier/notions/zcdp.h"

namespace oddsbound::app {

namespace {

constexpr std::uint64_t kMostParts = 1'000'000;  // as for `repeat`

std::string coordinate_words(const Coordinate& coordinate) {
  return "'" + printable(coordinate.name, 40) + "' with " + std::to_string(coordinate.values.size()) + " values";
}

// Throws SpecError unless both have the same coordinates with the same values, in the same order.
void require_same_inputs(const Spec& first, const Spec& other) {
  const Domain &a = first.model.domain, &b = other.model.domain;
  if (a == b) return;
  const std::string than = "' has other inputs than '" + printable(first.file, 200) + "': ";
  const auto fail = [&](const std::string& why) {
    throw ModelError("'" + printable(other.file, 200) + than + why + "; mechanisms are composed on the same input");
  };
  if (a.size() != b.size()) {
    fail("found " + std::to_string(b.size()) + " coordinates, expected " + std::to_string(a.size()));
  }
  for (std::size_t i = 0; i < a.size(); ++i) {
    const Coordinate &expected = a.coordinate(i), &found = b.coordinate(i);
    if (expected.name != found.name || expected.values.size() != found.values.size()) {
      fail("found coordinate " + coordinate_words(found) + ", expected " + coordinate_words(expected));
    }
    if (expected.values != found.values) {
      fail("coordinate '" + printable(found.name, 40) + "' has other values, or another order of them");
    }
  }
  fail("the coordinates differ");
}

std::vector<std::uint64_t> times_of(std::span<const Spec> specs, const ComposeOptions& options) {
  if (options.times.empty()) return std::vector<std::uint64_t>(specs.size(), 1);
  if (options.times.size() != specs.size()) {
    throw ModelError("found " + std::to_string(options.times.size()) + " numbers of runs, expected " +
                     std::to_string(specs.size()) + ": one for each file");
  }
  for (const std::uint64_t times : options.times) {
    if (times >= 1 && times <= kMostParts) continue;
    throw ModelError("found " + std::to_string(times) + " runs, expected 1 to " + std::to_string(kMostParts));
  }
  return options.times;
}

Model product_of(std::span<const Spec> specs, const std::vector<std::uint64_t>& times, const Budget& budget) {
  constexpr std::uint64_t kBytesOfPart = 512;
  const Domain& domain = specs[0].model.domain;
  std::vector<Factor> parts;
  std::uint64_t independent = 0;
  for (std::size_t k = 0; k < specs.size(); ++k) {
    const ChannelPtr& channel = specs[k].model.channel;
    independent += std::max<std::size_t>(1, channel->factors().size()) * times[k];
    if (independent > kMostParts) {
      throw ModelError("the runs have more than " + std::to_string(kMostParts) + " independent parts");
    }
    budget.require_memory(kBytesOfPart * independent);
    parts.insert(parts.end(), times[k], Factor{channel, every_coordinate(domain)});
  }
  return {domain, std::make_shared<const ProductChannel>(domain, std::move(parts)), std::nullopt};
}

CoordinateGroups records_of(const Domain& domain, const std::vector<std::vector<std::string>>& records) {
  CoordinateGroups groups;
  std::vector<bool> seen(domain.size(), false);
  std::vector<std::string> names;
  for (std::size_t i = 0; i < domain.size(); ++i) names.push_back(domain.coordinate(i).name);
  for (const auto& record : records) {
    auto& group = groups.groups.emplace_back();
    for (const std::string& name : record) {
      const auto place = domain.find(name);
      if (!place) {
        const std::string hint = suggestion(name, names);
        throw ModelError("a record has no coordinate of the inputs: '" + printable(name, 40) + "'" +
                         (hint.empty() ? "" : " (" + hint + ")"));
      }
      if (seen[*place]) throw ModelError("coordinate '" + printable(name, 40) + "' is in two records");
      seen[*place] = true;
      group.push_back(*place);
    }
  }
  const auto missing = std::find(seen.begin(), seen.end(), false);
  if (missing == seen.end()) return groups;
  throw ModelError("coordinate '" + printable(names[static_cast<std::size_t>(missing - seen.begin())], 40) +
                   "' is in no record");
}

Arguments arguments_of(const Domain& domain, const ComposeOptions& options) {
  Arguments arguments;
  const std::vector<std::string> known{"all", "coordinate", "record"};
  if (std::find(known.begin(), known.end(), options.neighbors) == known.end()) {
    throw ModelError("found neighbors '" + printable(options.neighbors, 40) +
                     "', expected 'all', 'coordinate' or 'record'");
  }
  if (options.neighbors == "record" && options.records.empty()) {
    throw ModelError("neighbors 'record' need the records");
  }
  if (options.neighbors != "record" && !options.records.empty()) {
    throw ModelError("records need neighbors 'record'");
  }
  arguments.set("neighbors", options.neighbors);
  if (!options.records.empty()) arguments.set("records", records_of(domain, options.records));
  return arguments;
}

void require_valid(const ComposeOptions& options) {
  if (options.delta && (*options.delta < Number(0) || *options.delta > Number(1))) {
    throw ModelError("found delta " + printable(options.delta->to_string(), 40) + ", expected 0 to 1");
  }
  if (options.epsilon && options.epsilon->is_infinite()) {
    throw ModelError("found epsilon inf, expected a finite one: delta is 0 at an infinite epsilon");
  }
}

template <typename Value, typename Measure>
Asked<Value> asked(Measure measure) {
  try {
    return {measure(), ""};
  } catch (const LimitError& error) {
    return {std::nullopt, error.what()};
  }
}

// The points of the curve, at multiples of a round step, from 0 to where delta is small or falls no more.
class CurvePoints {
 public:
  CurvePoints(PrivacyCurve& curve, ComposedResult& result) : curve_(curve), result_(result) {}

  void add() {
    try {
      const Number step = round_step(end() / kSteps);
      for (std::int64_t k = 0; k <= kMostSteps; ++k) {
        const Number epsilon = step * Number(k);
        const NumberBounds delta = at(epsilon, kGap);
        result_.curve.push_back({epsilon, rounded(delta.lower, false), rounded(delta.upper, true)});
        if (epsilon.approx() >= end_) break;
      }
    } catch (const LimitError& error) {
      result_.curve_reason = error.what();
    }
  }

 private:
  static constexpr double kSteps = 24, kSmallestDelta = 1e-12, kGap = 1e-3, kMostEpsilon = 1e6;
  static constexpr std::int64_t kMostSteps = 60;
  static constexpr int kDigits = 12;

  static Number rounded(const Number& number, bool up) { return rounded_decimal(number, up, kDigits); }

  NumberBounds at(const Number& epsilon, double gap) { return curve_.delta_at(Number::exp_of(epsilon), gap); }
  double upper_at(double epsilon) { return at(number_of(epsilon), 0.5).upper.approx(); }

  double end() {
    double high = 0.125;
    for (double last = upper_at(0), now = upper_at(high); now > kSmallestDelta && high < kMostEpsilon;) {
      if (high >= 1 && now > 0.999 * last && last < 0.999) break;
      last = now;
      now = upper_at(high *= 2);
    }
    double low = high / 2;
    const double least = std::max(kSmallestDelta, upper_at(high) * 1.001);
    for (int k = 0; k < 4; ++k) {
      const double middle = (low + high) / 2;
      (upper_at(middle) > least ? low : high) = middle;
    }
    end_ = high;
    if (result_.epsilon) end_ = std::max(end_, result_.epsilon->approx());
    const auto& asked_epsilon = result_.epsilon_at_delta.found;
    if (asked_epsilon && !asked_epsilon->at_most().is_infinite()) {
      end_ = std::max(end_, asked_epsilon->at_most().approx());
    }
    return end_;
  }

  // 1, 2 or 5 times a power of ten, at least this.
  static Number round_step(double least) {
    const auto power = static_cast<std::int64_t>(std::floor(std::log10(least)));
    const Number unit = Number(10).pow(power);
    for (const std::int64_t digit : {1, 2, 5}) {
      if ((unit * Number(digit)).approx() >= least) return unit * Number(digit);
    }
    return unit * Number(10);
  }

  PrivacyCurve& curve_;
  ComposedResult& result_;
  double end_ = 0;
};

}  // namespace

ComposedResult compose(std::span<const Spec> specs, const ComposeOptions& options, Budget& budget) {
  if (specs.empty()) throw ModelError("found no spec, expected at least one to compose");
  require_valid(options);
  const std::vector<std::uint64_t> times = times_of(specs, options);
  ComposedResult result;
  for (std::size_t k = 0; k < specs.size(); ++k) {
    const Spec& spec = specs[k];
    require_no_symbols(spec, "composing");
    if (!spec.model.channel) {
      throw ModelError("the outputs of '" + printable(spec.file, 200) + "' are " + spec.mechanism.outputs_word() +
                       ", expected a finite list of them");
    }
    require_same_inputs(specs[0], spec);
    result.parts.push_back({spec.file, spec.name, times[k]});
    result.files.insert(result.files.end(), spec.files.begin(), spec.files.end());
    result.confidential = result.confidential || has_confidential_table(spec);
  }
  const Model model = product_of(specs, times, budget);
  for (std::size_t i = 0; i < model.domain.size(); ++i) result.coordinates.push_back(model.domain.coordinate(i).name);
  Arguments arguments = arguments_of(model.domain, options);
  const CoordinateGroups groups = neighborhoods(model.domain, arguments);
  result.neighbors = options.neighbors;
  result.records = options.records;
  result.delta = options.delta;
  result.epsilon = options.epsilon;

  MeasuredModel subject(model, budget);
  std::unique_ptr<PrivacyCurve> curve;
  Asked<bool> made = asked<bool>([&] {
    curve = std::make_unique<PrivacyCurve>(subject, groups);
    return true;
  });
  result.curve_reason = made.reason;
  if (options.delta && curve) {
    result.epsilon_at_delta = asked<MeasuredLevel>([&] { return curve->epsilon_at(*options.delta); });
  } else if (options.delta) {
    result.epsilon_at_delta.reason = made.reason;
  }
  if (options.epsilon) {
    arguments.set("epsilon", *options.epsilon);
    arguments.set("delta", options.delta.value_or(Number(0)));
    result.delta_at_epsilon = asked<MeasuredNumber>([&] { return measured_delta(subject, arguments); });
  }
  result.rho = asked<MeasuredLevel>([&] { return measured_rho(subject, groups); });
  if (curve) CurvePoints(*curve, result).add();
  return result;
}

}  // namespace oddsbound::app
