// A model under measurement: its columns are enumerated at most once, and only if some notion needs them.
#pragma once

#include <any>
#include <cassert>
#include <map>
#include <memory>
#include <string>

#include "verifier/model/model.h"

namespace oddsbound {

class Subject {
 public:
  /// tradeoffs: whether results should carry trade-off curves, which cost a pass over the columns each.
  Subject(const Model& model, Budget& budget, bool tradeoffs = false)
      : model_(model), budget_(budget), tradeoffs_(tradeoffs) {}

  const Model& model() const { return model_; }
  const Domain& domain() const { return model_.domain; }
  const Channel& channel() const { return *model_.channel; }
  Budget& budget() const { return budget_; }
  /// The channel's cases, unless they are not to be used.
  std::span<const Case> cases() const {
    return budget_.limits().use_cases ? channel().cases() : std::span<const Case>();
  }
  bool wants_tradeoffs() const { return tradeoffs_; }
  /// Throws ModelError if there is no prior.
  const Prior& prior() const;
  /// Throws LimitError if the channel is too large to enumerate.
  const Columns& columns();
  /// True if inputs x outputs is within the budget.
  bool can_enumerate() const;

  /// The result of `compute`, which runs once per key: several claims ask for the same level.
  template <typename Compute>
  const auto& remember(const std::string& key, Compute compute) {
    using Result = decltype(compute());
    auto place = results_.find(key);
    if (place == results_.end()) place = results_.emplace(key, std::any(compute())).first;
    const auto* result = std::any_cast<Result>(&place->second);
    assert(result != nullptr && "a key stands for one kind of result");
    return *result;
  }

 private:
  const Model& model_;
  Budget& budget_;
  bool tradeoffs_;
  std::unique_ptr<Columns> columns_;
  std::map<std::string, std::any> results_;
};

}  // namespace oddsbound
