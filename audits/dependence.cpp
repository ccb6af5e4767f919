#include "audits/dependence.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include "audits/confidence.h"
#include "audits/repeats.h"
#include "verifier/engine/measured_model.h"

namespace oddsbound::audits {

namespace {

constexpr double kLargestShare = 0.5;
constexpr double kSmallestShare = 1e-7;

// The parameters of the bound on the probability that the log product stays too small.
struct BettingRule {
  double bet = 0, theta = 0;
  double curve = 0;  // C
};

BettingRule choice_of(double bet, double theta) {
  double curve = 0;
  for (const double d : {-2.0, -1.0, 1.0, 2.0}) {
    const double y = bet * d;
    curve = std::max(curve, (std::expm1(-theta * std::log1p(y)) + theta * y) / (y * y));
  }
  return {bet, theta, curve * (1 + 1e-6)};  // far above the rounding error for small y
}

// Moments of a row at a fraction s.
struct Moments {
  double unequal = 0;  // P(a != c), both fresh
  double extra = 0;    // E[(E D^2 - 2s - 2s^2) 1(a != c)]
  double most = 0;     // maximum of E D^2 - 2s - 2s^2
  bool has_pairs = false;
};

Moments moments_of(const RowShape& row, double s) {
  const double fresh = 1 - s;
  Moments moments;
  moments.unequal = row.unequal;
  moments.extra = 4 * fresh * row.sums - 4 * fresh * fresh * row.variance;
  moments.has_pairs = !row.pairs.empty();
  for (const auto& [sum, apart] : row.pairs) {
    moments.most = std::max(moments.most, 2 * fresh * sum - 2 * fresh * fresh * apart * apart);
  }
  return moments;
}

double gain_of(const Moments& moments, const BettingRule& choice, double s) {
  const double curve = choice.curve * choice.bet * choice.bet;
  const double slope = 2 * choice.theta * choice.bet * s - curve * (2 * s + 2 * s * s);
  const double both_fresh = (1 - s) * (1 - s);
  const double loss = moments.has_pairs ? std::max(0.0, curve * moments.most - slope) : 0;
  return both_fresh * (moments.unequal * slope - curve * moments.extra) - (1 - both_fresh) * loss;
}

// The bet and theta that are best if all inputs are run equally often and for which no input has a negative gain.
std::optional<BettingRule> choose(std::span<const Moments> rows, double s, double enough) {
  std::optional<BettingRule> best;
  double most = 0;
  for (const double bet : repeat_bets()) {
    if (bet < 0) continue;
    for (double theta = 0.05; theta < 2; theta *= 1.4) {
      const BettingRule choice = choice_of(bet, theta);
      double sum = 0, least = 0;
      for (const Moments& row : rows) {
        const double gain = gain_of(row, choice, s);
        sum += gain;
        least = std::min(least, gain);
      }
      const double value = sum / (theta * enough - std::log(kMissed));
      if (least < 0 || value <= most) continue;
      most = value;
      best = choice;
    }
  }
  return best;
}

bool is_found(std::span<const RowShape> rows, std::span<const std::uint64_t> fours, double enough, double s) {
  std::vector<Moments> moments;
  for (const RowShape& row : rows) moments.push_back(moments_of(row, s));
  const auto choice = choose(moments, s, enough);
  if (!choice) return false;
  double sum = 0;
  double all = 0;
  for (std::size_t x = 0; x < rows.size(); ++x) {
    all += static_cast<double>(fours[x]);
    sum += static_cast<double>(fours[x]) * gain_of(moments[x], *choice, s);
  }
  // The error of each gain is below 2^-44: a few products of numbers <= 10, of probabilities within 2^-50.
  return (sum - all * 0x1p-44) * (1 - 1e-9) >= choice->theta * enough - std::log(kMissed);
}

}  // namespace

RowShape::RowShape(std::span<const double> row) {
  std::vector<double> sorted;
  for (const double p : row) {
    if (p > 0) sorted.push_back(p);
    unequal += p * (1 - p);
    sums += p * p * (1 - p);
  }
  for (const double p : row) variance += p * (p - (1 - unequal)) * (p - (1 - unequal));
  std::sort(sorted.rbegin(), sorted.rend());
  // E D^2 grows with the smaller of two probabilities, so the next one in size is the worst partner of each. Among
  // these pairs, one with a smaller sum must be closer together than all before to be worse.
  double closest = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i + 1 < sorted.size(); ++i) {
    const double apart = sorted[i] - sorted[i + 1];
    if (apart >= closest) continue;
    closest = apart;
    pairs.emplace_back(sorted[i] + sorted[i + 1], apart);
  }
}

std::optional<double> findable_share(std::span<const RowShape> rows, std::span<const std::uint64_t> fours,
                                     double enough) {
  double high = kLargestShare;
  while (high > 1e-3 && !is_found(rows, fours, enough, high)) high /= 2;
  if (!is_found(rows, fours, enough, high)) return std::nullopt;
  double low = kSmallestShare;
  for (int i = 0; i < 14; ++i) {
    const double middle = std::sqrt(low * high);
    (is_found(rows, fours, enough, middle) ? high : low) = middle;
  }
  return high;
}

namespace {

constexpr std::size_t kLongest = 4096;              // outputs in a stretch
constexpr std::size_t kMostKeptBytes = 16'000'000;  // bytes of stretches
// The fraction of alpha for stretches, and again for starts. Small, because the other tests hardly miss it.
constexpr double kStretchShare = 1e-3;
// The fractions of the error for dependence: the test of request sizes and places, and the test of request counts.
constexpr double kAnswerShare = 0.2, kSpreadShare = 0.05;

// log of the number of distinct orders of the outputs. All orders are equally likely if runs are independent.
double log_orders(std::span<const std::uint32_t> outputs) {
  std::map<std::uint32_t, std::size_t> counts;
  for (const std::uint32_t y : outputs) ++counts[y];
  double sum = std::lgamma(static_cast<double>(outputs.size()) + 1);
  for (const auto& [y, count] : counts) sum -= std::lgamma(static_cast<double>(count) + 1);
  return sum;
}

// Content-defined choice of stretches: about one in `length` positions, chosen by a rolling hash of the stretch. A
// stretch that recurs is chosen again at any offset.
class StretchPicker {
 public:
  explicit StretchPicker(std::size_t length) : unpicked_bits_(65 - static_cast<int>(std::bit_width(length))) {
    for (std::size_t i = 0; i < length; ++i) leaving_ *= kBase;
  }
  void enter(std::uint32_t y) { hash_ = hash_ * kBase + y + 1; }
  void leave(std::uint32_t y) { hash_ -= leaving_ * (std::uint64_t{y} + 1); }
  bool is_picked() const { return (hash_ * kMix) >> unpicked_bits_ == 0; }

 private:
  static constexpr std::uint64_t kBase = 0x9e3779b97f4a7c15, kMix = 0xd6e8feb86659fd93;
  int unpicked_bits_;
  std::uint64_t leaving_ = 1;
  std::uint64_t hash_ = 0;
};

}  // namespace

// A stretch recurs in the same order with probability 1 / (its number of orders). The threshold covers any two of
// 2^40 stretches.
DependenceWatch::DependenceWatch(const Channel& channel, double alpha, Budget& budget)
    : alpha_(alpha),
      enough_orders_(std::max(12 * std::log(10.0), -std::log(alpha * kStretchShare)) + 80 * std::log(2.0)),
      seen_(channel.inputs()) {
  const auto rows = rounded_rows(channel, budget);
  sets_ = std::make_shared<const OutputSets>(rows, channel.outputs());
  counts_.pilot_answers = counts_.answers = AnswerCounts(sets_->count());
  for (const auto& row : rows) {
    shapes_.emplace_back(row);
    double entropy = 0;
    for (const double p : row) entropy -= p > 0 ? p * std::log(p) : 0;
    // Somewhat longer than the mean log-number of orders requires.
    const double length = 1.3 * enough_orders_ / std::max(entropy, 1e-9) + 16;
    stretch_.push_back(length < kLongest ? static_cast<std::size_t>(length) : 0);
  }
  counts_.pilot = counts_.rest = RepeatCounts(channel.inputs());
}

// The last factor covers rounding errors of the sum of the parts.
double DependenceWatch::alpha_of_repeats() const {
  return alpha_ * (1 - 2 * kStretchShare - kAnswerShare - kSpreadShare) * (1 - 0x1p-45);
}

void DependenceWatch::begin_stage(bool pilot) {
  pilot_ = pilot;
  before_.clear();
  block_.clear();
}

void DependenceWatch::begin_block(std::uint64_t number) {
  block_answers_.clear();
  block_batches_.clear();
  if (pilot_ || number % 2 != 0) return;
  before_.clear();
  block_.clear();
}

void DependenceWatch::see(std::uint64_t input, std::span<const std::uint32_t> outputs) {
  RepeatCounts& counts = pilot_ ? counts_.pilot : counts_.rest;
  counts.count_batch(input, outputs);
  const auto [place, waits] = before_.try_emplace(input, outputs.begin(), outputs.end());
  if (!waits) {
    counts.count_batches(input, place->second, outputs);
    before_.erase(place);
  }
  if (stretch_[input] > 0) see_stretches(input, outputs);
}

void DependenceWatch::see_request(std::uint64_t input, std::span<const std::uint32_t> outputs, bool in_order,
                                  bool mixed_in) {
  if (in_order && !mixed_in) see(input, outputs);
  block_answers_.see(input, outputs, in_order);
  if (!mixed_in) block_batches_.see(*sets_, input, outputs);
}

void DependenceWatch::end_block(RandomSource& source) {
  block_answers_.count(*sets_, pilot_ ? counts_.pilot_answers : counts_.answers);
  block_batches_.count(source, pilot_ ? counts_.pilot_spread : counts_.spread);
  block_answers_.clear();
  block_batches_.clear();
}

RequestsCompared DependenceWatch::compared() const {
  AnswerCounts all = counts_.pilot_answers;
  all += counts_.answers;
  RequestsCompared compared;
  compared.small_requests = all.small_requests;
  compared.only = all.looked[kOnlyAnswer];
  compared.first = all.looked[kFirstAnswer];
  compared.pairs = counts_.pilot_spread.pairs + counts_.spread.pairs;
  return compared;
}

// Looks at the first outputs of a batch, and at other stretches where the picker selects them. Stretches of a batch
// do not overlap.
void DependenceWatch::see_stretches(std::uint64_t input, std::span<const std::uint32_t> outputs) {
  const std::size_t length = stretch_[input];
  StretchPicker picker(length);
  std::size_t next = length;
  for (std::size_t end = 1; end <= outputs.size(); ++end) {
    picker.enter(outputs[end - 1]);
    if (end > length) picker.leave(outputs[end - 1 - length]);
    if (end < next || (end > length && !picker.is_picked())) continue;
    see_stretch(input, outputs.subspan(end - length, length));
    next = end + length;
  }
}

void DependenceWatch::see_stretch(std::uint64_t input, std::span<const std::uint32_t> stretch) {
  std::string bytes(reinterpret_cast<const char*>(stretch.data()), stretch.size_bytes());
  bool again = seen_[input].contains(bytes);
  if (!pilot_) {
    again = again || !block_.insert(std::to_string(input) + " " + bytes).second;
  } else if (kept_ < kMostKeptBytes) {
    kept_ += bytes.size();
    seen_[input].insert(std::move(bytes));
  }
  if (!again || !counts_.repeated.empty() || log_orders(stretch) < enough_orders_) return;
  counts_.repeated = "the same " + std::to_string(stretch.size()) + " outputs in a row were given twice for one input";
}

void DependenceWatch::compare_starts(std::span<const std::uint32_t> one, std::span<const std::uint32_t> other) {
  if (!std::equal(one.begin(), one.end(), other.begin(), other.end()) || log_orders(one) < enough_orders_) return;
  counts_.same_start =
      "two starts of the program with different seeds gave the same " + std::to_string(one.size()) +
      " outputs: its random generator does not use the seed of the request and begins the same every time";
}

void DependenceWatch::add_shard(const Counts& counts) {
  counts_.rest += counts.rest;
  counts_.answers += counts.answers;
  counts_.spread += counts.spread;
  if (counts_.same_start.empty()) counts_.same_start = counts.same_start;
  if (counts_.repeated.empty()) counts_.repeated = counts.repeated;
}

std::vector<std::string> DependenceWatch::findings() const {
  std::vector<std::string> found;
  if (!counts_.same_start.empty()) found.push_back(counts_.same_start);
  if (!counts_.repeated.empty()) found.push_back(counts_.repeated);
  RepeatCounts all = counts_.pilot;
  all += counts_.rest;
  const std::string repeats = find_repeats(all, alpha_of_repeats());
  if (!repeats.empty()) found.push_back(repeats);
  AnswerCounts answers = counts_.pilot_answers;
  answers += counts_.answers;
  SpreadCounts spread = counts_.pilot_spread;
  spread += counts_.spread;
  for (const std::string& odd :
       {find_odd_answers(*sets_, answers, alpha_ * kAnswerShare), find_odd_spread(spread, alpha_ * kSpreadShare)}) {
    if (!odd.empty()) found.push_back(odd);
  }
  return found;
}

DependencePower DependenceWatch::power() const {
  RepeatCounts all = counts_.pilot;
  all += counts_.rest;
  const double enough = enough_log_product(all, alpha_of_repeats());
  return {all.runs, findable_share(shapes_, all.within, enough), findable_share(shapes_, all.across, enough),
          std::any_of(stretch_.begin(), stretch_.end(), [](std::size_t length) { return length > 0; })};
}

}  // namespace oddsbound::audits
