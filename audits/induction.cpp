#include "audits/induction.h"

#include <mutex>

#include "verifier/smt/solver.h"

namespace oddsbound::audits {

namespace {

// The name that TermRun gives to the product of "word" and "n".
const std::string kProduct = "|word*n|";

std::string call(const std::string& name, const std::string& a, const std::string& b) {
  return "(" + name + " " + a + " " + b + ")";
}
std::string negated(const std::string& condition) { return "(not " + condition + ")"; }
std::string plus(const std::string& a, const std::string& b) { return call("+", a, b); }
std::string at_most(const std::string& a, const std::string& b) { return call("<=", a, b); }
std::string equal(const std::string& a, const std::string& b) { return call("=", a, b); }
std::string times(unsigned bits, const std::string& text) { return call("*", power_of_two(bits), text); }
std::string asserted(const std::string& condition) { return "(assert " + condition + ")\n"; }

void add(StepLemmas& lemmas, const std::string& name, const std::string& claim) {
  lemmas.violations.emplace_back(name, call("and", lemmas.run.conditions(), negated(claim)));
}

std::string script_of(const StepLemmas& lemmas, std::optional<std::uint64_t> n) {
  const std::string words = power_of_two(lemmas.width);
  std::string script = "(set-logic QF_LIA)\n";
  for (const std::string name : {"n", "word", "fraction"}) script += "(declare-const " + name + " Int)\n";
  script += asserted(at_most("2", "n")) + asserted(at_most("n", words)) + asserted(call("<", "n", power_of_two(64)));
  for (const std::string name : {"word", "fraction"}) {
    script += asserted(at_most("0", name)) + asserted(call("<", name, words));
  }
  script += lemmas.run.products();
  script += asserted(at_most(plus(kProduct, "n"), times(lemmas.width, "n")));
  if (n) script += asserted(equal("n", std::to_string(*n)));
  std::string any = "(or false";
  for (std::size_t i = 0; i < lemmas.violations.size(); ++i) {
    const std::string name = "violation" + std::to_string(i);
    script += "(declare-const " + name + " Bool)\n" + asserted(call("=>", name, lemmas.violations[i].second));
    any += " " + name;
  }
  return script + asserted(any + ")");
}

std::string counterexample(const StepLemmas& lemmas, const SolverAnswer& answer) {
  std::string text;
  for (std::size_t i = 0; i < lemmas.violations.size() && text.empty(); ++i) {
    const auto value = answer.model.find("violation" + std::to_string(i));
    if (value != answer.model.end() && value->second.truth) text = lemmas.violations[i].first;
  }
  text += " does not hold";
  const char* separator = " for ";
  for (const char* name : {"n", "word", "fraction"}) {
    const auto value = answer.model.find(name);
    if (value == answer.model.end()) continue;
    text += separator + std::string(name) + " = " + value->second.low.to_string();
    separator = ", ";
  }
  return text;
}

}  // namespace

void add_first(StepLemmas& lemmas, const std::string& whole, const std::string& fraction, bool certain) {
  const unsigned width = lemmas.width;
  lemmas.run.product("word", "n");
  add(lemmas, "the lemma of the first word", equal(kProduct, plus(times(width, whole), fraction)));
  add(lemmas, "the lemma of the first word", call("<", fraction, power_of_two(width)));
  add(lemmas, certain ? "the lemma of the certain floor" : "the lemma of the open floor",
      at_most(plus(kProduct, "n"), times(width, plus(whole, certain ? "1" : "2"))));
}

void add_next(StepLemmas& lemmas, const std::string& fraction, Carry carry) {
  const unsigned width = lemmas.width;
  const std::string sum = plus(times(width, "fraction"), kProduct);
  const std::string square = power_of_two(2 * width);
  const std::string no_carry = at_most(plus(sum, "n"), square);
  const std::string a_carry = at_most(square, sum);
  if (carry == Carry::kNone) add(lemmas, "the lemma of no carry", no_carry);
  if (carry == Carry::kOne) add(lemmas, "the lemma of a carry", a_carry);
  if (carry != Carry::kOpen) return;
  add(lemmas, "the lemma of an open carry", equal(plus(sum, power_of_two(width)), plus(square, fraction)));
  add(lemmas, "the lemma of an open carry", call("<", fraction, power_of_two(width)));
  add(lemmas, "the lemma of an end", negated(no_carry));
  add(lemmas, "the lemma of an end", negated(a_carry));
}

InductionProof decide_lemmas(const StepLemmas& lemmas, std::optional<std::uint64_t> n, const ChildLimits& limits) {
  const SolverAnswer answer = solve_with_z3(script_of(lemmas, n), limits);
  if (answer.satisfiable == Answer::kNo) return {true, false, ""};
  if (answer.satisfiable == Answer::kOpen) return {false, false, answer.reason};
  return {false, true, counterexample(lemmas, answer)};
}

InductionProof uniform_choices_proof(const ChildLimits& limits) {
  static std::mutex guard;
  static std::optional<InductionProof> made;
  const std::lock_guard lock(guard);
  if (made) return *made;
  const InductionProof proof = prove_uniform<UniformStep>(64, std::nullopt, limits);
  if (proof.proved || proof.refuted) made = proof;
  return proof;
}

namespace {

using Wide = unsigned __int128;

struct TooRare {};

class Branches final : public ComparingSource {
 public:
  Branches(unsigned cut_bits, ChoiceRegistry& registry)
      : least_(Number(1) / Number(2).pow(cut_bits)), registry_(registry) {}

  void restart() {
    ranges_.clear();
    depth_ = 0;
  }

  bool below(std::size_t number, std::uint64_t bound) override {
    Range& range = ranges_[number];
    if (range.end <= bound) return true;
    if (range.begin >= bound) return false;
    if (depth_ == decisions_.size()) decisions_.push_back(true);
    const bool answer = decisions_[depth_++];
    (answer ? range.end : range.begin) = bound;
    return answer;
  }

  Number mass() const {
    Number mass(1);
    for (const Range& range : ranges_) mass *= number_of(range.end - range.begin) / number_of(range.count);
    return mass;
  }

  // Advances to the next run; false after the last.
  bool advance() {
    while (!decisions_.empty() && !decisions_.back()) decisions_.pop_back();
    if (decisions_.empty()) return false;
    decisions_.back() = false;
    return true;
  }

 protected:
  std::size_t fresh_word() override { return add(Wide{1} << width()); }
  std::size_t fresh(const UniformBelow& choice) override {
    registry_.find(choice);
    return add(choice.outcomes());
  }

 private:
  // The integers in [begin, end), out of `count` equally likely ones from 0.
  struct Range {
    Wide begin, end, count;
  };

  std::size_t add(Wide count) {
    if (mass() < least_) throw TooRare{};
    ranges_.push_back({0, count, count});
    return ranges_.size() - 1;
  }

  const Number least_;
  ChoiceRegistry& registry_;
  std::vector<Range> ranges_;
  std::vector<bool> decisions_;
  std::size_t depth_ = 0;
};

}  // namespace

std::optional<BranchedDistribution> follow_branches(const Choice& choice, unsigned cut_bits, ChoiceRegistry& registry,
                                                    Budget& budget) {
  BranchedDistribution result;
  Branches branches(cut_bits, registry);
  do {
    budget.check_every();
    branches.restart();
    try {
      const std::optional<std::uint64_t> outcome = choice.compare(branches);
      if (!outcome) return std::nullopt;
      // Only now is it known that the code only compares, and that its outcomes are few enough to list.
      if (result.outcomes.empty()) result.outcomes.resize(choice.outcomes() + 1);
      result.outcomes[std::min(*outcome, choice.outcomes())] += branches.mass();
    } catch (const TooRare&) {
      result.cut += branches.mass();
    }
    ++result.runs;
  } while (branches.advance());
  return result;
}

}  // namespace oddsbound::audits
