#include "audits/terms.h"

#include <algorithm>

#include "verifier/exact/number.h"

namespace oddsbound::audits {

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
