// Mechanisms that compare integers with discrete Laplace noise P(n) ~ exp(-|n| / scale): report noisy max (Dwork and
// Roth 2014, Section 3.3), and AboveThreshold, the sparse vector technique (Lyu, Su and Li 2017, Algorithm 1).
//
// Noise has no memory. Let a = exp(-1 / scale), and let the ends L < H of a window enclose a score. Given that score
// plus noise is at least H, its excess over H is e >= 0 with probability (1 - a) a^e, whatever the score is; likewise
// below L. So rows and samplers go through the inner values of the window one by one, and sum or draw excesses beyond
// its ends. The noise is never cut off: sums over all excesses are geometric series.
#include <algorithm>
#include <charconv>
#include <limits>

#include "mechanisms/family.h"
#include "mechanisms/integer_noise.h"
#include "mechanisms/mechanism.h"
#include "mechanisms/random/distributions.h"
#include "verifier/model/channel.h"
#include "verifier/model/definition.h"

namespace oddsbound::mechanisms {

namespace {

using Scores = std::vector<std::int64_t>;  // of one input, one per coordinate

constexpr std::int64_t kMostScore = std::int64_t{1} << 20;
constexpr std::int64_t kMostWindow = 4096;  // values from the least to the greatest score of an input

std::int64_t score_of(const std::string& family, const std::string& name, const std::string& value) {
  std::int64_t score = 0;
  const auto [rest, error] = std::from_chars(value.data(), value.data() + value.size(), score);
  const bool is_read = error == std::errc() && rest == value.data() + value.size();
  if (is_read && score >= -kMostScore && score <= kMostScore) return score;
  throw ModelError(family + " is for coordinates with integers from -" + std::to_string(kMostScore) + " to " +
                   std::to_string(kMostScore) + "; found '" + base::shortened(value, 40) + "' among the values of '" +
                   name + "'");
}

/// Returns the scores of every input. Throws ModelError if a value is no integer.
std::vector<Scores> scores_of(const std::string& family, const Domain& domain, Budget& budget) {
  budget.require_cells(domain.inputs(), domain.size());
  std::vector<Scores> of_value(domain.size());
  for (std::size_t i = 0; i < domain.size(); ++i) {
    for (std::uint64_t v = 0; v < domain.values(i); ++v) {
      budget.check_every();
      of_value[i].push_back(score_of(family, domain.coordinate(i).name, domain.coordinate(i).values[v]));
    }
  }
  std::vector<Scores> result(domain.inputs(), Scores(domain.size()));
  for (std::uint64_t x = 0; x < result.size(); ++x) {
    budget.check_every();
    for (std::size_t i = 0; i < domain.size(); ++i) result[x][i] = of_value[i][domain.digit(x, i)];
  }
  return result;
}

/// The ends of a window, least < greatest, and the number of steps between them.
struct ScoreWindow {
  std::int64_t least, greatest;
  std::uint64_t last() const { return static_cast<std::uint64_t>(greatest - least); }
};

/// Returns the smallest window of at least two values that encloses all scores. Throws ModelError if it is too large.
ScoreWindow window_around(const std::string& family, const Scores& scores) {
  const auto [least, greatest] = std::minmax_element(scores.begin(), scores.end());
  if (*greatest - *least >= kMostWindow) {
    throw ModelError(family + " is for scores that differ by less than " + std::to_string(kMostWindow) +
                     "; those of an input range from " + std::to_string(*least) + " to " + std::to_string(*greatest));
  }
  return {*least, std::max(*greatest, *least + 1)};
}

/// Discrete Laplace noise: powers of a = exp(-1 / scale).
class NoiseLaw {
 public:
  explicit NoiseLaw(const SmallRatio& scale) : a_(Number::exp_of(-Number(1) / scale.number())) {}
  const Number& ratio() const { return a_; }
  Number power(std::int64_t n) {
    while (powers_.size() <= static_cast<std::size_t>(n)) powers_.push_back(powers_.back() * a_);
    return powers_[static_cast<std::size_t>(n)];
  }
  /// P(noise >= n).
  Number at_least(std::int64_t n) {
    return n >= 0 ? power(n) / (Number(1) + a_) : Number(1) - power(1 - n) / (Number(1) + a_);
  }
  /// The distribution of score plus noise, moved into the window.
  std::vector<Number> clamped(const ScoreWindow& window, std::int64_t score) {
    std::vector<Number> masses;
    for (std::int64_t v = window.least; v <= window.greatest; ++v) {
      const bool end = v == window.least || v == window.greatest;
      const Number share = power(std::abs(v - score)) / (Number(1) + a_);
      masses.push_back(end ? share : share * (Number(1) - a_));
    }
    return masses;
  }

 private:
  Number a_;
  std::vector<Number> powers_{Number(1)};
};

/// A polynomial in X, coefficient by coefficient.
using Polynomial = std::vector<Number>;

/// Returns p * (constant + slope X).
Polynomial times_linear(const Polynomial& p, const Number& constant, const Number& slope) {
  Polynomial product(p.size() + 1, Number(0));
  for (std::size_t r = 0; r < p.size(); ++r) {
    product[r] += constant * p[r];
    product[r + 1] += slope * p[r];
  }
  return product;
}

}  // namespace

}  // namespace oddsbound::mechanisms

// Report noisy max: the coordinate with the largest score plus noise, the first one of several.
//
// Candidate y wins with a sum v inside the window if those before it are below v, and those after it at most v. With an
// excess of e over H, candidate z is at most that far with probability 1 - p_z a^(e+1), where p_z is its mass from H
// on. If all are at L or below, y wins with a shortfall of e with probability (1 - a) a^y (a^k)^e.

namespace oddsbound::mechanisms::report_noisy_max {

namespace {

constexpr const char* kName = "report_noisy_max";
constexpr std::size_t kMostCandidates = 64;

class NoisyMax final : public Sampler {
 public:
  NoisyMax(std::vector<Scores> scores, const SmallRatio& scale) : scores_(std::move(scores)), scale_(scale) {}

  void draw(std::uint64_t x, RandomSource& source, std::span<std::uint64_t> output) const override {
    const Scores& scores = scores_[x];
    const ScoreWindow window = window_around(kName, scores);
    std::vector<std::uint64_t> sums;
    for (const std::int64_t score : scores) {
      sums.push_back(mechanisms::draw(ClampedLaplace(scale_, score - window.least, window.last()), source));
    }
    const std::uint64_t largest = *std::max_element(sums.begin(), sums.end());
    std::vector<std::uint64_t> left;
    for (std::uint64_t z = 0; z < sums.size(); ++z) {
      if (sums[z] == largest) left.push_back(z);
    }
    if (largest == window.last()) left = farthest(std::move(left), source);
    output[0] = largest == 0 ? first_to_stop(left, source) : left.front();
  }

 private:
  /// One step further from the window, with probability exp(-1 / scale).
  bool goes_on(RandomSource& source) const {
    return mechanisms::draw(BernoulliExp(scale_.bottom, scale_.top), source) == 1;
  }
  std::vector<std::uint64_t> farthest(std::vector<std::uint64_t> left, RandomSource& source) const {
    while (left.size() > 1) {
      std::vector<std::uint64_t> further;
      for (const std::uint64_t z : left) {
        if (goes_on(source)) further.push_back(z);
      }
      if (further.empty()) break;
      left = std::move(further);
    }
    return left;
  }
  std::uint64_t first_to_stop(std::span<const std::uint64_t> all, RandomSource& source) const {
    if (all.size() == 1) return all[0];
    while (true) {
      for (const std::uint64_t z : all) {
        if (!goes_on(source)) return z;
      }
    }
  }

  std::vector<Scores> scores_;  // per input
  SmallRatio scale_;
};

/// The probabilities of all candidates, for the scores of an input.
std::vector<Number> winners(const Scores& scores, NoiseLaw& noise, Budget& budget) {
  const ScoreWindow window = window_around(kName, scores);
  const std::size_t k = scores.size(), last = window.last();
  const Number& a = noise.ratio();
  std::vector<std::vector<Number>> mass, below(k);  // [candidate][value]
  for (std::size_t z = 0; z < k; ++z) {
    mass.push_back(noise.clamped(window, scores[z]));
    below[z].emplace_back(0);
    for (const Number& own : mass[z]) below[z].push_back(below[z].back() + own);
  }
  Number all_low(1);
  for (std::size_t z = 0; z < k; ++z) all_low *= mass[z][0];
  all_low *= (Number(1) - a) / (Number(1) - noise.power(static_cast<std::int64_t>(k)));
  std::vector<Number> result;
  for (std::size_t y = 0; y < k; ++y) {
    Number total = all_low * noise.power(static_cast<std::int64_t>(y));
    for (std::size_t v = 1; v < last; ++v) {
      budget.check();
      Number product = mass[y][v];
      for (std::size_t z = 0; z < k; ++z) {
        if (z != y) product *= below[z][z < y ? v : v + 1];
      }
      total += product;
    }
    Polynomial others{Number(1)};  // in X = a^e
    for (std::size_t z = 0; z < k; ++z) {
      if (z != y) others = times_linear(others, Number(1), -(z < y ? mass[z][last] : mass[z][last] * a));
    }
    Number high(0);
    for (std::size_t r = 0; r < others.size(); ++r) {
      budget.check();
      high += others[r] / (Number(1) - noise.power(static_cast<std::int64_t>(r) + 1));
    }
    result.push_back(total + mass[y][last] * (Number(1) - a) * high);
  }
  return result;
}

Mechanism build(const Domain& domain, const Arguments& arguments, Budget& budget) {
  const SmallRatio scale = positive_ratio(arguments, "scale");
  if (domain.size() > kMostCandidates) {
    throw ModelError(std::string(kName) + " is for at most " + std::to_string(kMostCandidates) +
                     " coordinates, found " + std::to_string(domain.size()));
  }
  std::vector<Scores> scores = scores_of(kName, domain, budget);
  NoiseLaw noise(scale);
  PoolBuilder builder;
  for (const Scores& of_input : scores) {
    for (const Number& chance : winners(of_input, noise, budget)) builder.add(chance);
  }
  std::vector<std::string> labels;
  for (std::size_t i = 0; i < domain.size(); ++i) labels.push_back(domain.coordinate(i).name);
  Mechanism result;
  result.channel = DenseChannel::from_rows(domain.inputs(), std::move(labels), std::move(builder), budget);
  result.sampler = std::make_shared<const NoisyMax>(std::move(scores), scale);
  return result;
}

}  // namespace

Family family() {
  return {kName,
          "the name of the coordinate with the largest value after discrete Laplace noise, the first one of several",
          "Dwork, Roth (2014), Section 3.3, with discrete noise",
          {{"scale", FieldKind::kNumber, true, "of the noise on every value: exp(-|n| / scale)"}},
          build};
}

}  // namespace oddsbound::mechanisms::report_noisy_max

// AboveThreshold: one noisy threshold, and noise of its own on every query. Each coordinate is the answer of a query,
// in order. The output has a letter for each query that was answered: F if it is below the threshold, else T. It ends
// after the last T that is allowed.
//
// Given the threshold, queries are independent. With an excess of e over H, a query reaches it with probability B X,
// X = b^e; with a shortfall of e below L, a query is below it with probability C X. So the probability of an output is
// a polynomial in X there, and its sum over e a sum of geometric series in a b^r.

namespace oddsbound::mechanisms::above_threshold {

namespace {

constexpr const char* kName = "above_threshold";
constexpr std::size_t kMostQueries = 62;

/// The outputs for `queries` queries of which `answers` may be above, in lexicographic order, F before T.
class Words {
 public:
  Words(std::size_t queries, std::uint64_t answers) : count_(queries + 1, std::vector<std::uint64_t>(answers + 1, 1)) {
    for (std::size_t left = 1; left <= queries; ++left) {
      for (std::uint64_t allowed = 1; allowed <= answers; ++allowed) {
        count_[left][allowed] = count_[left - 1][allowed] + count_[left - 1][allowed - 1];
      }
    }
  }
  /// How many outputs there are from here on.
  std::uint64_t count(std::size_t left, std::uint64_t allowed) const { return count_[left][allowed]; }

 private:
  std::vector<std::vector<std::uint64_t>> count_;
};

struct Parameters {
  std::int64_t threshold;
  SmallRatio threshold_scale, query_scale;
  std::uint64_t answers;
};

class Comparing final : public Sampler {
 public:
  Comparing(std::vector<Scores> scores, const Parameters& parameters, Words words)
      : scores_(std::move(scores)), parameters_(parameters), words_(std::move(words)) {}

  void draw(std::uint64_t x, RandomSource& source, std::span<std::uint64_t> output) const override {
    const Scores& scores = scores_[x];
    const std::int64_t threshold = noisy_threshold(scores, source);
    std::uint64_t allowed = parameters_.answers;
    output[0] = 0;
    for (std::size_t j = 0; j < scores.size() && allowed > 0; ++j) {
      // Moved into 0..1, this sum is 1 if and only if score plus noise is at least the threshold.
      const ClampedLaplace above(parameters_.query_scale, scores[j] - threshold + 1, 1);
      if (mechanisms::draw(above, source) == 0) continue;
      output[0] += words_.count(scores.size() - j - 1, allowed);  // those that go on with F
      --allowed;
    }
  }

 private:
  std::int64_t noisy_threshold(Scores scores, RandomSource& source) const {
    scores.push_back(parameters_.threshold);
    const ScoreWindow window = window_around(kName, scores);
    const SmallRatio& scale = parameters_.threshold_scale;
    const std::uint64_t at =
        mechanisms::draw(ClampedLaplace(scale, parameters_.threshold - window.least, window.last()), source);
    std::int64_t threshold = window.least + static_cast<std::int64_t>(at);
    if (at != 0 && at != window.last()) return threshold;
    while (mechanisms::draw(BernoulliExp(scale.bottom, scale.top), source) == 1) threshold += at == 0 ? -1 : 1;
    return threshold;
  }

  std::vector<Scores> scores_;  // per input
  Parameters parameters_;
  Words words_;
};

/// Adds the probabilities of all outputs of an input to a list, in their order.
class RowMaker {
 public:
  RowMaker(const Scores& scores, const Parameters& parameters, NoiseLaw& of_threshold, NoiseLaw& of_query,
           Budget& budget)
      : scores_(scores), budget_(budget), window_(window_with(scores, parameters.threshold)), of_query_(of_query) {
    const Number& a = of_threshold.ratio();
    const Number& b = of_query.ratio();
    threshold_ = of_threshold.clamped(window_, parameters.threshold);
    Number power = a;  // a b^r
    for (std::size_t r = 0; r <= scores.size(); ++r, power *= b) {
      series_.push_back((Number(1) - a) / (Number(1) - power));
    }
  }

  void add_rows(std::uint64_t answers, PoolBuilder& builder) {
    const auto inner = std::span(threshold_).subspan(1, threshold_.size() - 2);
    State state{{inner.begin(), inner.end()}, {threshold_.front()}, {threshold_.back()}};
    follow(0, answers, state, builder);
  }

 private:
  /// The letters so far: their joint probability with each inner threshold, and as polynomials beyond the window.
  struct State {
    std::vector<Number> inner;
    Polynomial low, high;
  };

  static ScoreWindow window_with(Scores scores, std::int64_t threshold) {
    scores.push_back(threshold);
    return window_around(kName, scores);
  }

  State next(const State& state, std::size_t query, bool above) {
    const std::int64_t score = scores_[query];
    State result;
    for (std::size_t v = 0; v < state.inner.size(); ++v) {
      budget_.check();
      const Number reached = of_query_.at_least(window_.least + 1 + static_cast<std::int64_t>(v) - score);
      result.inner.push_back(state.inner[v] * (above ? reached : Number(1) - reached));
    }
    const Number high = of_query_.at_least(window_.greatest - score);
    const Number low = Number(1) - of_query_.at_least(window_.least - score);
    result.high = above ? times_linear(state.high, Number(0), high) : times_linear(state.high, Number(1), -high);
    result.low = above ? times_linear(state.low, Number(1), -low) : times_linear(state.low, Number(0), low);
    return result;
  }

  void follow(std::size_t query, std::uint64_t allowed, const State& state, PoolBuilder& builder) {
    if (query == scores_.size() || allowed == 0) {
      Number total(0);
      for (const Number& mass : state.inner) total += mass;
      for (std::size_t r = 0; r < state.low.size(); ++r) total += (state.low[r] + state.high[r]) * series_[r];
      builder.add(total);
      return;
    }
    follow(query + 1, allowed, next(state, query, false), builder);
    follow(query + 1, allowed - 1, next(state, query, true), builder);
  }

  const Scores& scores_;
  Budget& budget_;
  ScoreWindow window_;
  NoiseLaw& of_query_;
  std::vector<Number> threshold_;  // its distribution, moved into the window
  std::vector<Number> series_;     // sum over e of (1 - a) a^e X^r
};

void add_labels(std::size_t left, std::uint64_t allowed, std::string& word, std::vector<std::string>& labels) {
  if (left == 0 || allowed == 0) {
    labels.push_back(word);
    return;
  }
  for (const char letter : {'F', 'T'}) {
    word.push_back(letter);
    add_labels(left - 1, letter == 'T' ? allowed - 1 : allowed, word, labels);
    word.pop_back();
  }
}

Parameters parameters_of(const Domain& domain, const Arguments& arguments) {
  const auto threshold = arguments.get<std::int64_t>("threshold");
  if (threshold < -kMostScore || threshold > kMostScore) {
    throw ParameterError("threshold", "found " + std::to_string(threshold) + ", expected an integer from -" +
                                          std::to_string(kMostScore) + " to " + std::to_string(kMostScore));
  }
  const auto queries = static_cast<std::int64_t>(domain.size());
  const std::int64_t answers = arguments.find<std::int64_t>("answers").value_or(1);
  if (answers < 1 || answers > queries) {
    throw ParameterError("answers", "found " + std::to_string(answers) + ", expected an integer from 1 to " +
                                        std::to_string(queries) + ", the number of queries");
  }
  return {threshold, positive_ratio(arguments, "threshold_scale"), positive_ratio(arguments, "query_scale"),
          static_cast<std::uint64_t>(answers)};
}

Mechanism build(const Domain& domain, const Arguments& arguments, Budget& budget) {
  if (domain.size() > kMostQueries) {
    throw ModelError(std::string(kName) + " is for at most " + std::to_string(kMostQueries) +
                     " coordinates, the answers of queries; found " + std::to_string(domain.size()));
  }
  const Parameters parameters = parameters_of(domain, arguments);
  Words words(domain.size(), parameters.answers);
  budget.require_cells(domain.inputs(), words.count(domain.size(), parameters.answers));
  std::vector<Scores> scores = scores_of(kName, domain, budget);
  NoiseLaw of_threshold(parameters.threshold_scale), of_query(parameters.query_scale);
  PoolBuilder builder;
  for (const Scores& of_input : scores) {
    RowMaker(of_input, parameters, of_threshold, of_query, budget).add_rows(parameters.answers, builder);
  }
  std::vector<std::string> labels;
  std::string word;
  add_labels(domain.size(), parameters.answers, word, labels);
  Mechanism result;
  result.channel = DenseChannel::from_rows(domain.inputs(), std::move(labels), std::move(builder), budget);
  result.sampler = std::make_shared<const Comparing>(std::move(scores), parameters, std::move(words));
  return result;
}

}  // namespace

Family family() {
  return {kName,
          "which answers of queries are at least a threshold (T) or not (F), with discrete Laplace noise on both",
          "Lyu, Su, Li (2017), Algorithm 1, with discrete noise",
          {{"threshold", FieldKind::kInteger, true, "the threshold, an integer"},
           {"threshold_scale", FieldKind::kNumber, true, "of the noise on the threshold: exp(-|n| / scale)"},
           {"query_scale", FieldKind::kNumber, true, "of the noise on every query"},
           {"answers", FieldKind::kInteger, false, "how many T are allowed before the output ends (default 1)"}},
          build};
}

}  // namespace oddsbound::mechanisms::above_threshold
