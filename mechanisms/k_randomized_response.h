// k-ary randomized response, and channels given by a rule with few distinct entries.
#pragma once

#include "mechanisms/mechanism.h"
#include "verifier/exact/level.h"
#include "verifier/model/channel.h"
#include "verifier/model/pair_class.h"

namespace oddsbound::mechanisms::k_randomized_response {

/// Returns the mechanism: the true input with probability e^eps / (e^eps + k - 1), any other with probability 1 /
/// (e^eps + k - 1). With an infinite epsilon the output is the input. Outputs have the labels of the inputs.
Mechanism mechanism(const Domain& domain, const Level& epsilon);
/// The same, with the true input with probability `truth`, and the others with equal ones.
Mechanism mechanism(const Domain& domain, const Number& truth);

}  // namespace oddsbound::mechanisms::k_randomized_response

// Rule channels: few distinct entries, and a rule that assigns one to each input and output. No matrix is stored;
// a column is computed on demand.
//
// A Rule has `std::uint32_t slot(x, y) const`, the index of the value of P(y given x), and `std::string label(y)
// const`. If decoding an output is expensive it also has `at(y)`, which returns a function from x to the slot. A rule
// whose pairs of inputs all have the same losses may come with their class, and with classes of outputs.

namespace oddsbound::mechanisms {

/// Returns the class of all ordered pairs of different inputs. Called only for two inputs and more.
using AllPairs = std::function<PairClass()>;
/// Returns the classes of outputs. Called only for two inputs and more.
using AllOutputs = std::function<std::vector<OutputClass>()>;

/// The values that the slots of a rule stand for. Many channels may share them, as those of the bits of an encoding do.
struct RuleValues {
  ValuePool pool;
  std::vector<std::uint32_t> ranks;  // per slot
};
std::shared_ptr<const RuleValues> rule_values(const std::vector<Number>& values);

template <class Rule>
class RuleChannel final : public Channel, public WithPairClasses {
 public:
  RuleChannel(std::uint64_t inputs, std::uint64_t outputs, std::shared_ptr<const RuleValues> values, Rule rule)
      : Channel(inputs, outputs), rule_(std::move(rule)), values_(std::move(values)) {}
  RuleChannel(std::uint64_t inputs, std::uint64_t outputs, const std::vector<Number>& values, Rule rule, AllPairs pairs,
              AllOutputs classes)
      : RuleChannel(inputs, outputs, rule_values(values), std::move(rule)) {
    declared_ = std::make_unique<Declared>(Declared{std::move(pairs), std::move(classes)});
  }

  std::string label_of(std::span<const std::uint64_t> output) const override { return rule_.label(output[0]); }
  Number entry_of(std::uint64_t x, std::span<const std::uint64_t> output) const override {
    return values_->pool.value(values_->ranks[rule_.slot(x, output[0])]);
  }
  bool has_pair_classes() const override { return declared_ && declared_->pairs && input_numbers() > 1; }
  std::vector<PairClass> pair_classes() const override { return {declared_->pairs()}; }
  std::vector<OutputClass> output_classes() const override {
    return declared_ && declared_->outputs ? declared_->outputs() : std::vector<OutputClass>();
  }
  std::unique_ptr<Columns> columns(Budget& budget) const override {
    budget.require_cells(inputs(), outputs());
    return std::make_unique<RuleColumns>(inputs(), outputs(), rule_, values_);
  }

 private:
  struct Declared {
    AllPairs pairs;
    AllOutputs outputs;
  };

  class RuleColumns final : public Columns {
   public:
    RuleColumns(std::uint64_t inputs, std::uint64_t outputs, Rule rule, std::shared_ptr<const RuleValues> values)
        : Columns(inputs, outputs), rule_(std::move(rule)), values_(std::move(values)) {}
    const ValuePool& pool() const override { return values_->pool; }
    std::span<const std::uint32_t> ranks(std::uint64_t y, std::vector<std::uint32_t>& scratch) const override {
      scratch.resize(inputs());
      const std::uint32_t* ranks = values_->ranks.data();
      const Rule& rule = rule_;
      if constexpr (requires { rule.at(y); }) {
        const auto slot = rule.at(y);
        for (std::uint64_t x = 0; x < scratch.size(); ++x) scratch[x] = ranks[slot(x)];
      } else {
        for (std::uint64_t x = 0; x < scratch.size(); ++x) scratch[x] = ranks[rule.slot(x, y)];
      }
      return scratch;
    }

   private:
    Rule rule_;
    std::shared_ptr<const RuleValues> values_;
  };

  Rule rule_;
  std::shared_ptr<const RuleValues> values_;
  std::unique_ptr<const Declared> declared_;  // null: nothing is declared
};

template <class Rule>
ChannelPtr rule_channel(std::uint64_t inputs, std::uint64_t outputs, const std::vector<Number>& values, Rule rule,
                        AllPairs pairs = {}, AllOutputs classes = {}) {
  return std::make_shared<const RuleChannel<Rule>>(inputs, outputs, values, std::move(rule), std::move(pairs),
                                                   std::move(classes));
}

}  // namespace oddsbound::mechanisms
