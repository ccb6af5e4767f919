#include "audits/request_sizes.h"

#include <algorithm>
#include <cmath>

#include "audits/runner.h"

namespace oddsbound::audits {

namespace {

constexpr std::size_t kMostSets = 64;         // of single outputs
constexpr std::size_t kMostOwnSets = 4096;    // of all inputs together
constexpr std::size_t kFewestOfLarge = 64;    // outputs of a request that has a middle
constexpr std::size_t kPlaces = 16;           // tested places at the beginning of a request
constexpr std::size_t kMostMiddle = 1 << 15;  // outputs kept of a request
constexpr std::size_t kOddsSizes = 9;

std::size_t kind_of_place(std::size_t place) {
  if (place < 2) return place == 0 ? kFirstAnswer : kSecondAnswer;
  return place < 4 ? 6 : place < 8 ? 7 : 8;
}

std::uint32_t kinds_of(std::size_t place, std::size_t size, bool in_order) {
  std::uint32_t kinds = 0;
  if (size <= kLargestSmallRequest) kinds |= 1U << (size == 1 ? kOnlyAnswer : size == 2 ? kOneOfTwo : kOneOfFew);
  if (!in_order) return kinds;
  if (place < kPlaces) kinds |= 1U << kind_of_place(place);
  if (place + 1 == size) kinds |= 1U << kLastAnswer;
  return kinds;
}

std::string words_about_kind(std::size_t kind) {
  static const std::array<const char*, kAnswerKinds> words{
      "outputs depend on the size of the request: one output alone is drawn otherwise than those in the middle of many",
      "outputs depend on the size of the request: two outputs are drawn otherwise than those in the middle of many",
      "outputs depend on the size of the request: 3 to 18 outputs are drawn otherwise than those in the middle of many",
      "outputs depend on their place in the request: the first is drawn otherwise than those in the middle",
      "outputs depend on their place in the request: the last is drawn otherwise than those in the middle",
      "outputs depend on their place in the request: the second is drawn otherwise than those in the middle",
      "outputs depend on their place in the request: the 3rd and 4th are drawn otherwise than those in the middle",
      "outputs depend on their place in the request: the 5th to 8th are drawn otherwise than those in the middle",
      "outputs depend on their place in the request: the 9th to 16th are drawn otherwise than those in the middle"};
  return words[kind];
}

// A bound on the rounding error of the sum of logarithms, each at most 9 in size and with an error below 2^-48.
double rounding_of_answers(const AnswerCounts& counts) {
  return std::max(0x1p-8, static_cast<double>(counts.most_looked()) * 0x1p-44);
}

}  // namespace

OutputSets::OutputSets(const std::vector<std::vector<double>>& rows, std::uint64_t outputs)
    : outputs_(outputs),
      inputs_(rows.size()),
      shared_(shared_for(outputs)),
      own_(own_for(rows.size(), outputs)),
      flags_(rows.size() * outputs) {
  std::vector<double> sums(outputs);
  for (const auto& row : rows) {
    for (std::size_t y = 0; y < row.size(); ++y) sums[y] += row[y];
  }
  for (std::size_t x = 0; x < rows.size(); ++x) {
    const double most = rows[x].empty() ? 0 : *std::max_element(rows[x].begin(), rows[x].end());
    for (std::size_t y = 0; y < rows[x].size(); ++y) {
      const bool favored = rows[x][y] * static_cast<double>(rows.size()) > sums[y] * (1 + 1e-9);
      flags_[x * outputs + y] =
          static_cast<std::uint8_t>((favored ? 1U : 0U) | (rows[x][y] >= most * (1 - 1e-9) ? 2U : 0U));
    }
  }
}

std::size_t OutputSets::shared_for(std::uint64_t outputs) { return std::min<std::size_t>(outputs, kMostSets); }

std::size_t OutputSets::own_for(std::uint64_t inputs, std::uint64_t outputs) {
  return std::min(shared_for(outputs), std::max<std::size_t>(2, kMostOwnSets / std::max<std::size_t>(1, inputs)));
}

std::size_t OutputSets::count_for(std::uint64_t inputs, std::uint64_t outputs) {
  return 2 + shared_for(outputs) + inputs * own_for(inputs, outputs);
}

std::size_t OutputSets::hashed(std::uint32_t output, std::size_t sets) {
  if (output < sets) return output;
  return static_cast<std::size_t>((output * 0x9e3779b97f4a7c15ULL) >> 32) % sets;
}

double OutputSets::weight(std::size_t set) const {
  const std::size_t alike = set < 2 ? 2 : set < 2 + shared_ ? shared_ : inputs_ * own_;
  return 1 / (3 * static_cast<double>(alike));
}

AnswerCounts& AnswerCounts::operator+=(const AnswerCounts& other) {
  small_requests += other.small_requests;
  for (std::size_t kind = 0; kind < kAnswerKinds; ++kind) looked[kind] += other.looked[kind];
  for (std::size_t c = 0; c < cells.size(); ++c) {
    for (std::size_t in = 0; in < 2; ++in) {
      for (std::size_t s = 0; s < kBeside; ++s) cells[c][in][s] += other.cells[c][in][s];
    }
  }
  return *this;
}

std::uint64_t AnswerCounts::most_looked() const { return *std::max_element(looked.begin(), looked.end()); }

void AnswersOfBlock::see(std::uint64_t input, std::span<const std::uint32_t> outputs, bool in_order) {
  OfInput& of = inputs_[input];
  const std::size_t size = outputs.size();
  const bool small = size <= kLargestSmallRequest;
  if (small) ++of.small_requests;
  const auto look_at = [&](std::size_t place) {
    const std::uint32_t kinds = kinds_of(place, size, in_order);
    if (kinds != 0) of.answers.push_back({kinds, outputs[place]});
  };
  const std::size_t places = small ? size : std::min(size, kPlaces);
  for (std::size_t place = 0; place < places; ++place) look_at(place);
  if (size > places) look_at(size - 1);
  if (size < kFewestOfLarge) return;
  const std::size_t length = std::min(size / 2, kMostMiddle);
  const auto middle = outputs.subspan((size - length) / 2, length);
  of.middle.insert(of.middle.end(), middle.begin(), middle.end());
}

void AnswersOfBlock::count(const OutputSets& sets, AnswerCounts& counts) const {
  for (const auto& [input, of] : inputs_) {
    std::size_t used = 0;
    counts.small_requests += of.middle.empty() ? 0 : of.small_requests;
    for (const Answer& answer : of.answers) {
      if (used + kBeside > of.middle.size()) break;
      std::array<std::uint32_t, kBeside + 1> eight{answer.output};
      std::copy_n(of.middle.begin() + static_cast<std::ptrdiff_t>(used), kBeside, eight.begin() + 1);
      used += kBeside;
      // The sets that contain any of the eight, and how many of the eight are in each.
      std::array<std::pair<std::size_t, std::size_t>, 2 + 2 * (kBeside + 1)> met;
      std::size_t sorts = 0;
      const auto add = [&](std::size_t set) {
        std::size_t i = 0;
        while (i < sorts && met[i].first != set) ++i;
        if (i == sorts) met[sorts++] = {set, 0};
        ++met[i].second;
      };
      for (const std::uint32_t y : eight) {
        add(sets.shared_set(y));
        add(sets.own_set(input, y));
        for (std::size_t set = 0; set < 2; ++set) {
          if (sets.is_in(set, input, y)) add(set);
        }
      }
      for (std::size_t kind = 0; kind < kAnswerKinds; ++kind) {
        if ((answer.kinds >> kind & 1U) == 0) continue;
        ++counts.looked[kind];
        for (std::size_t i = 0; i < sorts; ++i) {
          const auto [set, s] = met[i];
          if (s > kBeside) continue;
          const bool in = set < 2 ? sets.is_in(set, input, answer.output)
                                  : set == sets.shared_set(answer.output) || set == sets.own_set(input, answer.output);
          ++counts.cells[kind * sets.count() + set][in ? 1 : 0][s - 1];
        }
      }
    }
  }
}

std::vector<double> odds_tried() {
  std::vector<double> odds;
  for (std::size_t size = 0; size < kOddsSizes; ++size) {
    for (const double sign : {1.0, -1.0}) odds.push_back(std::exp(std::ldexp(sign * 0.025, static_cast<int>(size))));
  }
  return odds;
}

double log_product(const AnswerCounts::Cell& cell, double odds) {
  constexpr double kAll = kBeside + 1;
  double sum = 0;
  for (std::size_t i = 0; i < kBeside; ++i) {
    const auto in = static_cast<double>(cell[1][i]), out = static_cast<double>(cell[0][i]);
    if (in + out == 0) continue;
    const auto s = static_cast<double>(i + 1);
    const double scale = std::log(kAll / (odds * s + kAll - s));
    sum += in * (std::log(odds) + scale) + out * scale;
  }
  return sum;
}

std::string find_odd_answers(const OutputSets& sets, const AnswerCounts& counts, double alpha) {
  const std::vector<double> odds = odds_tried();
  const double each = 1 / static_cast<double>(kAnswerKinds * odds.size());
  // log of the weighted mean of a kind's products, times the weight of the kind.
  std::array<double, kAnswerKinds> evidence{};
  for (std::size_t kind = 0; kind < kAnswerKinds; ++kind) {
    std::vector<double> logs;
    for (std::size_t set = 0; set < sets.count(); ++set) {
      const double weight = std::log(sets.weight(set) * each);
      for (const double t : odds) logs.push_back(weight + log_product(counts.cells[kind * sets.count() + set], t));
    }
    const double most = *std::max_element(logs.begin(), logs.end());
    double sum = 0;
    for (const double log : logs) sum += std::exp(log - most);
    evidence[kind] = most + std::log(sum);
  }
  const auto best = static_cast<std::size_t>(std::max_element(evidence.begin(), evidence.end()) - evidence.begin());
  double sum = 0;
  for (const double log : evidence) sum += std::exp(log - evidence[best]);
  const double all = evidence[best] + std::log(sum);
  return all - rounding_of_answers(counts) >= -std::log(alpha) ? words_about_kind(best) : "";
}

}  // namespace oddsbound::audits
