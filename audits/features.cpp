#include "audits/features.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "audits/findings.h"
#include "verifier/exact/number.h"

namespace oddsbound::audits {

namespace {

constexpr std::size_t kMostTokens = 512;
constexpr std::uint64_t kMostOneHot = 16;
constexpr std::size_t kMostProducts = 8;  // coordinates up to which their products are features

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-' || c == '.'; }

std::set<std::string> tokens_of(const std::string& label) {
  std::set<std::string> tokens;
  std::string token;
  for (const char c : label + ",") {
    if (is_word(c)) {
      token += c;
    } else if (!token.empty()) {
      tokens.insert(std::move(token));
      token.clear();
    }
  }
  return tokens;
}

double trailing_zeros(double value) {
  const auto bits = std::bit_cast<std::uint64_t>(value) | (std::uint64_t{1} << 52);
  return std::countr_zero(bits);
}

}  // namespace

void KeptOutputs::add(std::uint32_t of, const Output& output) {
  side.push_back(of);
  words.emplace_back(output.words.begin(), output.words.end());
  values.emplace_back(output.values.begin(), output.values.end());
}

Features::Features(const Mechanism& mechanism, const KeptOutputs& outputs) : mechanism_(mechanism) {
  if (mechanism.channel && mechanism.channel->factors().empty()) {
    std::map<std::string, std::size_t> seen;
    for (std::size_t i = 0; i < std::min<std::size_t>(outputs.size(), 4096); ++i) {
      for (const std::string& token : tokens_of(mechanism.channel->label_of(outputs.words[i]))) ++seen[token];
    }
    std::vector<std::pair<std::size_t, std::string>> common;
    for (const auto& [token, times] : seen) common.emplace_back(times, token);
    std::sort(common.rbegin(), common.rend());
    for (std::size_t t = 0; t < std::min(common.size(), kMostTokens); ++t) tokens_.push_back(common[t].second);
    std::sort(tokens_.begin(), tokens_.end());
  }
  if (mechanism.unlisted) keys_ = revealed_keys(outputs);
  std::vector<double> sum, square;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const std::vector<double> row = raw(outputs.output(i));
    sum.resize(row.size());
    square.resize(row.size());
    for (std::size_t f = 0; f < row.size(); ++f) {
      sum[f] += row[f];
      square[f] += row[f] * row[f];
    }
  }
  const auto count = static_cast<double>(std::max<std::size_t>(1, outputs.size()));
  for (std::size_t f = 0; f < sum.size(); ++f) {
    mean_.push_back(sum[f] / count);
    const double variance = square[f] / count - mean_[f] * mean_[f];
    scale_.push_back(variance > 1e-12 * (1 + mean_[f] * mean_[f]) ? 1 / std::sqrt(variance) : 0);
  }
}

// For each key: whether it is present, and its number.
std::vector<double> Features::revealed(const Output& output) const {
  std::vector<double> row(2 * keys_.size());
  for (std::size_t k = 0; k < output.words.size(); ++k) {
    const auto place = std::lower_bound(keys_.begin(), keys_.end(), output.words[k]);
    if (place == keys_.end() || *place != output.words[k]) continue;
    const auto at = static_cast<std::size_t>(place - keys_.begin());
    row[2 * at] = 1;
    row[2 * at + 1] = output.values[k];
  }
  return row;
}

std::vector<double> Features::raw(const Output& output) const {
  if (mechanism_.unlisted) return revealed(output);
  std::vector<double> row;
  if (!mechanism_.channel) {
    const auto values = output.values;
    for (const double value : values) {
      row.insert(row.end(), {value, value * value, value > 0 ? 1.0 : -1.0, trailing_zeros(value)});
    }
    if (values.size() > kMostProducts) return row;
    for (std::size_t i = 0; i < values.size(); ++i) {
      for (std::size_t j = i + 1; j < values.size(); ++j) row.push_back(values[i] * values[j]);
    }
    return row;
  }
  const auto factors = mechanism_.channel->factors();
  if (factors.empty()) {
    const std::set<std::string> tokens = tokens_of(mechanism_.channel->label_of(output.words));
    for (const std::string& token : tokens_) row.push_back(tokens.contains(token) ? 1 : 0);
    return row;
  }
  for (std::size_t f = 0; f < factors.size(); ++f) {
    const std::uint64_t values = factors[f].channel->outputs();
    if (values > kMostOneHot) {
      row.push_back(static_cast<double>(output.words[f]));
      continue;
    }
    for (std::uint64_t v = 1; v < values; ++v) row.push_back(output.words[f] == v ? 1 : 0);
  }
  return row;
}

std::vector<double> Features::of(const Output& output) const {
  std::vector<double> row = raw(output);
  for (std::size_t f = 0; f < row.size(); ++f) row[f] = (row[f] - mean_[f]) * scale_[f];
  return row;
}

std::string power_of_two(unsigned bits) { return Number(2).pow(bits).to_string(); }

bool TermRun::decide(const std::string& condition) {
  if (met_.size() == decisions_.size()) decisions_.push_back(true);
  const bool answer = decisions_[met_.size()];
  met_.push_back(answer ? condition : "(not " + condition + ")");
  return answer;
}

std::string TermRun::conditions() const {
  std::string text = "(and true";
  for (const std::string& condition : met_) text += " " + condition;
  return text + ")";
}

std::string TermRun::product(const std::string& a, const std::string& b) {
  std::string name = "|" + a + "*" + b + "|";
  std::replace(name.begin(), name.end(), ' ', '_');  // models are read word by word
  products_.emplace(name, std::pair{a, b});
  return name;
}

std::string TermRun::products() const {
  const std::string most = std::to_string(UINT64_MAX);
  std::string text;
  for (const auto& [name, factors] : products_) {
    text += "(declare-const " + name + " Int)\n(assert (<= 0 " + name + "))\n";
    for (const std::string& factor : {factors.first, factors.second}) {
      text += "(assert (<= " + name + " (* " + most + " " + factor + ")))\n";
    }
  }
  return text;
}

bool TermRun::advance() {
  while (!decisions_.empty() && !decisions_.back()) decisions_.pop_back();
  if (decisions_.empty()) return false;
  decisions_.back() = false;
  return true;
}

}  // namespace oddsbound::audits
