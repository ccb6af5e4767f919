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

template <class Rule>
class RuleChannel final : public Channel, public WithPairClasses {
 public:
  RuleChannel(std::uint64_t inputs, std::uint64_t outputs, const std::vector<Number>& values, Rule rule, AllPairs pairs,
              AllOutputs classes)
      : Channel(inputs, outputs),
        table_(std::make_shared<Table>(std::move(rule))),
        pairs_(std::move(pairs)),
        classes_(std::move(classes)) {
    PoolBuilder builder;
    for (const Number& value : values) builder.add(value);
    Budget budget;
    table_->pool = std::move(builder).finish(table_->ranks, budget);
  }

  std::string label_of(std::span<const std::uint64_t> output) const override { return table_->rule.label(output[0]); }
  Number entry_of(std::uint64_t x, std::span<const std::uint64_t> output) const override {
    return table_->pool.value(table_->ranks[table_->rule.slot(x, output[0])]);
  }
  bool has_pair_classes() const override { return pairs_ && input_numbers() > 1; }
  std::vector<PairClass> pair_classes() const override { return {pairs_()}; }
  std::vector<OutputClass> output_classes() const override {
    return classes_ ? classes_() : std::vector<OutputClass>();
  }
  std::unique_ptr<Columns> columns(Budget& budget) const override {
    budget.require_cells(inputs(), outputs());
    return std::make_unique<RuleColumns>(inputs(), outputs(), table_);
  }

 private:
  struct Table {
    explicit Table(Rule given) : rule(std::move(given)) {}
    Rule rule;
    ValuePool pool;
    std::vector<std::uint32_t> ranks;  // per slot
  };

  class RuleColumns final : public Columns {
   public:
    RuleColumns(std::uint64_t inputs, std::uint64_t outputs, std::shared_ptr<const Table> table)
        : Columns(inputs, outputs), table_(std::move(table)) {}
    const ValuePool& pool() const override { return table_->pool; }
    std::span<const std::uint32_t> ranks(std::uint64_t y, std::vector<std::uint32_t>& scratch) const override {
      scratch.resize(inputs());
      const std::uint32_t* ranks = table_->ranks.data();
      const Rule& rule = table_->rule;
      if constexpr (requires { rule.at(y); }) {
        const auto slot = rule.at(y);
        for (std::uint64_t x = 0; x < scratch.size(); ++x) scratch[x] = ranks[slot(x)];
      } else {
        for (std::uint64_t x = 0; x < scratch.size(); ++x) scratch[x] = ranks[rule.slot(x, y)];
      }
      return scratch;
    }

   private:
    std::shared_ptr<const Table> table_;
  };

  std::shared_ptr<Table> table_;
  AllPairs pairs_;
  AllOutputs classes_;
};

template <class Rule>
ChannelPtr rule_channel(std::uint64_t inputs, std::uint64_t outputs, const std::vector<Number>& values, Rule rule,
                        AllPairs pairs = {}, AllOutputs classes = {}) {
  return std::make_shared<const RuleChannel<Rule>>(inputs, outputs, values, std::move(rule), std::move(pairs),
                                                   std::move(classes));
}

}  // namespace oddsbound::mechanisms
