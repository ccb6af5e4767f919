#include "verifier/smt/statement.h"

#include <algorithm>
#include <set>
#include <utility>

#include "base/errors.h"
#include "verifier/exact/interval.h"
#include "verifier/smt/everywhere.h"

namespace oddsbound::smt {

struct Amount::Node {
  enum class Kind { kNumber, kSum, kLargest, kWhere } kind;
  Number number{};
  std::vector<Amount> amounts{};
  std::vector<Formula> condition{};  // for kWhere: one
  std::size_t size = 1;
};

struct Formula::Node {
  enum class Kind { kGreater, kEqual, kAny, kAll } kind;
  std::vector<Amount> sides{};
  std::vector<Formula> conditions{};
  std::size_t size = 1;
};

namespace {

using AmountKind = Amount::Node::Kind;
using FormulaKind = Formula::Node::Kind;

template <typename Parts>
std::size_t size_of(const Parts& parts) {
  std::size_t size = 1;
  for (const auto& part : parts) size += part.size();
  return size;
}

}  // namespace

Amount::Amount(Number number)
    : node_(std::make_shared<const Node>(Node{.kind = AmountKind::kNumber, .number = std::move(number)})) {}

Amount Amount::sum(std::vector<Amount> amounts) {
  const std::size_t size = size_of(amounts);
  return Amount(
      std::make_shared<const Node>(Node{.kind = AmountKind::kSum, .amounts = std::move(amounts), .size = size}));
}

Amount Amount::largest(std::vector<Amount> amounts) {
  const std::size_t size = size_of(amounts);
  return Amount(
      std::make_shared<const Node>(Node{.kind = AmountKind::kLargest, .amounts = std::move(amounts), .size = size}));
}

Amount Amount::where(Formula condition, Number number) {
  const std::size_t size = 1 + condition.size();
  return Amount(std::make_shared<const Node>(Node{
      .kind = AmountKind::kWhere, .number = std::move(number), .condition = {std::move(condition)}, .size = size}));
}

std::size_t Amount::size() const { return node_->size; }

Number Amount::at(std::span<const Number> values) const {
  const auto number = [&] { return values.empty() ? node_->number : substitute(node_->number, values); };
  switch (node_->kind) {
    case AmountKind::kNumber: return number();
    case AmountKind::kWhere: return node_->condition[0].holds(values) ? number() : Number(0);
    case AmountKind::kSum: {
      std::vector<WeightedTerm> terms;
      for (const Amount& amount : node_->amounts) terms.push_back({Number(1), amount.at(values)});
      return weighted_sum(terms);
    }
    case AmountKind::kLargest: break;
  }
  Number most = node_->amounts.at(0).at(values);
  for (const Amount& amount : node_->amounts) most = std::max(most, amount.at(values));
  return most;
}

Formula Formula::greater(Amount left, Amount right) {
  const std::size_t size = 1 + left.size() + right.size();
  return Formula(std::make_shared<const Node>(
      Node{.kind = FormulaKind::kGreater, .sides = {std::move(left), std::move(right)}, .size = size}));
}

Formula Formula::equal(Amount left, Amount right) {
  const std::size_t size = 1 + left.size() + right.size();
  return Formula(std::make_shared<const Node>(
      Node{.kind = FormulaKind::kEqual, .sides = {std::move(left), std::move(right)}, .size = size}));
}

Formula Formula::any(std::vector<Formula> conditions) {
  const std::size_t size = size_of(conditions);
  return Formula(
      std::make_shared<const Node>(Node{.kind = FormulaKind::kAny, .conditions = std::move(conditions), .size = size}));
}

Formula Formula::all(std::vector<Formula> conditions) {
  const std::size_t size = size_of(conditions);
  return Formula(
      std::make_shared<const Node>(Node{.kind = FormulaKind::kAll, .conditions = std::move(conditions), .size = size}));
}

std::size_t Formula::size() const { return node_->size; }

bool Formula::holds(std::span<const Number> values) const {
  const auto holds = [&](const Formula& condition) { return condition.holds(values); };
  switch (node_->kind) {
    case FormulaKind::kGreater: return node_->sides[0].at(values) > node_->sides[1].at(values);
    case FormulaKind::kEqual: return node_->sides[0].at(values) == node_->sides[1].at(values);
    case FormulaKind::kAny: return std::any_of(node_->conditions.begin(), node_->conditions.end(), holds);
    case FormulaKind::kAll: break;
  }
  return std::all_of(node_->conditions.begin(), node_->conditions.end(), holds);
}

void Statement::require_room(std::size_t terms) const {
  constexpr std::size_t kMostTerms = std::size_t{1} << 17;
  if (terms > kMostTerms - size_) {
    throw LimitError("the claim is too large for Z3: it has more than " + std::to_string(kMostTerms) + " terms");
  }
}

void Statement::count(const Formula& formula) {
  require_room(formula.size());
  size_ += formula.size();
}

void Statement::add_violation(Formula violation) {
  count(violation);
  violations_.push_back(std::move(violation));
}

void Statement::add_attained(Formula attained) {
  count(attained);
  attained_.back().push_back(std::move(attained));
}

Formula Statement::tight() const {
  std::vector<Formula> bounds;
  for (const std::vector<Formula>& attained : attained_) bounds.push_back(Formula::any(attained));
  return Formula::all(std::move(bounds));
}

namespace {

constexpr unsigned kMostStatedBits = 1 << 12;

// Writes formulas as terms. The numbers of one comparison are multiplied by one positive factor, which leaves
// polynomials; conditions within it have their own.
class Writer {
 public:
  explicit Writer(Script& script) : script_(script) {}

  std::string term(const Formula& condition) {
    const Formula::Node& node = condition.node();
    if (node.kind == FormulaKind::kAny || node.kind == FormulaKind::kAll) {
      std::set<std::string> seen;
      std::vector<std::string> terms;
      for (const Formula& part : node.conditions) {
        std::string text = term(part);
        if (seen.insert(text).second) terms.push_back(std::move(text));
      }
      return node.kind == FormulaKind::kAny ? any_of(terms) : all_of(terms);
    }
    std::vector<Number> numbers;
    for (const Amount& side : node.sides) gather(side, numbers);
    const std::vector<Polynomial> forms = polynomial_forms(numbers);
    std::size_t next = 0;
    std::string text = node.kind == FormulaKind::kGreater ? "(>" : "(=";
    for (const Amount& side : node.sides) text += " " + amount(side, forms, next);
    return text + ")";
  }

 private:
  static void gather(const Amount& part, std::vector<Number>& numbers) {
    const Amount::Node& node = part.node();
    if (node.kind == AmountKind::kNumber || node.kind == AmountKind::kWhere) numbers.push_back(node.number);
    for (const Amount& inner : node.amounts) gather(inner, numbers);
  }

  // In the order of gather.
  std::string amount(const Amount& part, const std::vector<Polynomial>& forms, std::size_t& next) {
    const Amount::Node& node = part.node();
    if (node.kind == AmountKind::kNumber) return script_.polynomial(forms[next++]);
    if (node.kind == AmountKind::kWhere) {
      const std::string number = script_.polynomial(forms[next++]);
      return "(ite " + term(node.condition[0]) + " " + number + " 0)";
    }
    std::vector<std::string> terms;
    for (const Amount& inner : node.amounts) terms.push_back(amount(inner, forms, next));
    return node.kind == AmountKind::kSum ? sum_term(terms) : largest(terms);
  }

  // A variable, so that the text does not grow with the square of the number of terms.
  std::string largest(std::vector<std::string> terms) {
    std::sort(terms.begin(), terms.end());
    terms.erase(std::unique(terms.begin(), terms.end()), terms.end());
    if (terms.size() == 1) return terms[0];
    const std::string name = "largest_" + std::to_string(count_++);
    script_.declare(name, "Real");
    std::vector<std::string> equal;
    for (const std::string& term : terms) {
      std::string sides = name;
      sides.append(" ").append(term).append(")");
      script_.assert_term("(>= " + sides);
      equal.push_back("(= " + sides);
    }
    script_.assert_term(any_of(equal));
    return name;
  }

  Script& script_;
  std::size_t count_ = 0;
};

class StatementDecider {
 public:
  StatementDecider(const Statement& statement, const SymbolRing* ring, const ClaimTitle& title, Budget& budget,
                   const SmtOptions& options)
      : statement_(statement), ring_(ring), asking_(title, budget, options) {}

  SmtVerdict decide(bool tight) {
    SmtVerdict verdict;
    Outcome outcome =
        search(statement_.violated(), true, "q0", "satisfiable if and only if the claim does not hold", verdict);
    if (outcome == Outcome::kNone && tight) {
      outcome = search(statement_.tight(), false, "q1", "satisfiable if and only if a smaller bound holds", verdict);
      verdict.not_tight = outcome == Outcome::kFound;
    }
    if (outcome != Outcome::kOpen) verdict.holds = outcome == Outcome::kNone ? Answer::kYes : Answer::kNo;
    verdict.queries = asking_.take();
    return verdict;
  }

 private:
  enum class Outcome { kNone, kFound, kOpen };

  // Finds values of the symbols at which the formula has this truth.
  Outcome search(const Formula& formula, bool truth, const std::string& name, const std::string& meaning,
                 SmtVerdict& verdict) {
    const auto check = [&](const std::vector<Number>& values) { return formula.holds(values) == truth; };
    for (unsigned bits = 64; bits <= kMostStatedBits; bits *= 4) {
      Script script(ring_, bits);
      if (ring_ != nullptr) script.make_nonlinear();
      const std::string term = Writer(script).term(formula);
      script.assert_term(truth ? term : "(not " + term + ")");
      const SolverAnswer answer = asking_.ask(script, name, {meaning});
      verdict.reason = answer.reason;
      if (answer.satisfiable == Answer::kNo) return Outcome::kNone;
      if (answer.satisfiable == Answer::kOpen) return Outcome::kOpen;
      if (ring_ != nullptr) {
        verdict.values = simple_values(*ring_, answer, check);
        if (!verdict.values.empty()) return Outcome::kFound;
      } else if (check(std::vector<Number>())) {
        return Outcome::kFound;
      }
      verdict.reason = "Z3's counterexample does not violate the claim";
      if (!script.uses_exp()) return Outcome::kOpen;
    }
    verdict.reason = "exp could not be enclosed closely enough to decide";
    return Outcome::kOpen;
  }

  const Statement& statement_;
  const SymbolRing* ring_;
  QuerySession asking_;
};

}  // namespace

SmtVerdict decide_statement(const Model& model, const std::function<Statement()>& state, const SymbolRing* ring,
                            bool tight, const ClaimTitle& title, Budget& budget, const SmtOptions& options) {
  SmtVerdict verdict;
  try {
    require_askable(model, options);
    const Statement statement = state();
    verdict = StatementDecider(statement, ring, title, budget, options).decide(tight);
  } catch (const LimitError& error) {
    verdict.reason = error.what();
  } catch (const NumberError& error) {
    verdict.reason = shortened(error.what());
  }
  emit(verdict, title, options);
  return verdict;
}

}  // namespace oddsbound::smt
