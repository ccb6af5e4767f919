// Claims as conditions on sums of probabilities, for notions that compare more than the two sides of
// verifier/model/definition.h: products of probabilities, sums over the outputs that meet a condition, and sums of
// maxima. A notion states its claim in its own file (Notion::state); the queries and the exact check of their answers
// follow from the statement.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/budget.h"
#include "verifier/exact/number.h"
#include "verifier/exact/symbols.h"
#include "verifier/model/model.h"
#include "verifier/smt/decide.h"

namespace oddsbound::smt {

class Formula;

/// A sum of numbers, of numbers that count under a condition, and of largest ones. Numbers may have symbols and exp.
/// Amounts are homogeneous: a positive factor of all numbers is one of the amount.
class Amount {
 public:
  Amount(Number number);  // NOLINT: a number is an amount
  static Amount sum(std::vector<Amount> amounts);
  /// The largest of one or more amounts.
  static Amount largest(std::vector<Amount> amounts);
  /// The number where the condition holds, otherwise 0.
  static Amount where(Formula condition, Number number);

  /// Returns the value at these values of the symbols.
  Number at(std::span<const Number> values) const;
  /// The numbers and conditions in it.
  std::size_t size() const;

  struct Node;
  const Node& node() const { return *node_; }

 private:
  explicit Amount(std::shared_ptr<const Node> node) : node_(std::move(node)) {}
  std::shared_ptr<const Node> node_;
};

class Formula {
 public:
  /// left > right
  static Formula greater(Amount left, Amount right);
  static Formula equal(Amount left, Amount right);
  static Formula any(std::vector<Formula> conditions);
  static Formula all(std::vector<Formula> conditions);

  bool holds(std::span<const Number> values) const;
  std::size_t size() const;

  struct Node;
  const Node& node() const { return *node_; }

 private:
  explicit Formula(std::shared_ptr<const Node> node) : node_(std::move(node)) {}
  std::shared_ptr<const Node> node_;
};

/// A claim of one or more bounds: it fails if and only if a violation holds. A claim that does not fail is tight if and
/// only if for each bound a condition holds that attains it.
class Statement {
 public:
  /// Conditions that attain belong to the bound that was begun last.
  void begin_bound() { attained_.emplace_back(); }
  /// Throw LimitError past a limit on the size of the statement.
  void add_violation(Formula violation);
  void add_attained(Formula attained);
  /// Throws LimitError if the statement would be too large with so many more terms. For long formulas, before they are
  /// made.
  void require_room(std::size_t terms) const;

  Formula violated() const { return Formula::any(violations_); }
  Formula tight() const;

 private:
  void count(const Formula& formula);

  std::vector<Formula> violations_;
  std::vector<std::vector<Formula>> attained_;  // by bound
  std::size_t size_ = 0;
};

/// Decides a claim for all values of the symbols (`ring`; null: there are none); with `tight`, also whether it is
/// tight at all of them. `state` is not called if the model is too large. Z3's counterexample is accepted after an
/// exact check; its absence rests on Z3 alone. Returns kOpen past a limit of the options or the budget.
SmtVerdict decide_statement(const Model& model, const std::function<Statement()>& state, const SymbolRing* ring,
                            bool tight, const ClaimTitle& title, Budget& budget, const SmtOptions& options);

}  // namespace oddsbound::smt
