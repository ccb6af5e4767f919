// A model under measurement. Its columns are enumerated at most once, and only if some notion needs them.
// Questions that columns answer share one pass.
//
// A question is a value type with `begin(subject)`, which makes its accumulator; the accumulator's
// `finish(subject)` returns the answer. Callers announce the questions that they will ask (`expect`). The first
// question asked starts a pass that answers all announced ones. Questions neither asked nor announced cost
// nothing.
#pragma once

#include <algorithm>
#include <any>
#include <cassert>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/bytes.h"
#include "verifier/engine/pass.h"
#include "verifier/model/model.h"

namespace oddsbound::engine {

// A pass over the columns as a task (base/task.h). Its units are ranges of outputs, and the result of a unit is
// the outputs of the range that suffice. Every process then offers these to its own accumulators.

/// Returns true if the budget has a scope (other processes, or a stored outcome) and the pass is long enough to be
/// shared.
bool is_worth_sharing(const Columns& columns, const Budget& budget);

/// Runs pass() over all outputs within the budget's scope. Every accumulator must implement sufficient_outputs().
/// `name` is the name of the task: it must identify the columns and the questions.
void shared_pass(const Columns& columns, const std::string& name, std::span<PassClient> riders, Budget& budget);

/// Results under the name of a notion are its levels. Under the name with this suffix: only those that claims ask for.
inline constexpr const char* kOfClaims = " of claims";

class MeasuredModel {
 public:
  /// tradeoffs: whether results carry trade-off curves, which cost one pass over the columns each.
  MeasuredModel(const Model& model, Budget& budget, bool tradeoffs = false)
      : model_(model), budget_(budget), tradeoffs_(tradeoffs) {}

  const Model& model() const { return model_; }
  /// Returns one shared copy of the model, for results that outlive this object.
  std::shared_ptr<const Model> kept_model();
  const Domain& domain() const { return model_.domain; }
  const Channel& channel() const { return *model_.channel; }
  Budget& budget() const { return budget_; }
  /// Returns the disjoint parts of the channel; empty if the budget's limits disable their use.
  std::span<const DisjointPart> disjoint_parts() const {
    return budget_.limits().use_disjoint_parts ? channel().disjoint_parts() : std::span<const DisjointPart>();
  }
  bool wants_tradeoffs() const { return tradeoffs_; }
  /// Shares its passes with other threads and processes (base/task.h). `name` identifies this model among those of
  /// the budget's scope.
  void share_as(std::string name) { name_ = std::move(name); }
  const std::string& shared_as() const { return name_; }
  /// Throws ModelError if the model has no prior, and LimitError if a coordinate has more values than --max-inputs:
  /// what depends on a prior visits the values of coordinates.
  const Prior& prior() const;
  /// Throws LimitError if the channel is too large to enumerate.
  const Columns& columns();
  /// Returns true if inputs x outputs is within the budget.
  bool can_enumerate() const;

  /// Returns the result of `compute`, which runs once per key: several claims ask for the same level.
  template <typename Compute>
  const auto& remember(const std::string& key, Compute compute) {
    using Result = decltype(compute());
    auto place = results_.find(key);
    if (place == results_.end()) {
      Result result = compute();
      const bool unfinished = is_unfinished(result);
      place = results_.emplace(key, Remembered{std::any(std::move(result)), unfinished}).first;
    }
    const auto* result = std::any_cast<Result>(&place->second.result);
    assert(result != nullptr && "a key stands for one kind of result");
    return *result;
  }
  /// Returns true if `remember` has a result for the key.
  bool remembers(const std::string& key) const { return results_.contains(key); }
  /// Runs `work` without the results that a limit left open, which it asks for again with more time. Those that it
  /// does not compute again remain.
  void ask_again(const std::function<void()>& work);

  /// Announces a question: the next pass answers it too. Costs nothing if there is no pass.
  template <typename Question>
  void expect(const Question& question) {
    if (find(question) == nullptr) add(question);
  }

  /// Returns the answer to a question; equal questions are answered once. Throws what its accumulator threw, and
  /// LimitError if the budget is exceeded. A question that failed is forgotten.
  template <typename Question>
  const auto& answer(const Question& question) {
    using Result = decltype(std::declval<typename Question::Accumulator&>().finish(*this));
    Entry& entry = asked(question);
    if (!entry.result.has_value()) {
      entry.result = static_cast<typename Question::Accumulator&>(*entry.accumulator).finish(*this);
      entry.accumulator.reset();
    }
    const auto* result = std::any_cast<Result>(&entry.result);
    assert(result != nullptr);
    return *result;
  }

  /// The same for an answer too large to keep: asking again computes it anew.
  template <typename Question>
  auto take(const Question& question) {
    using Result = std::decay_t<decltype(answer(question))>;
    answer(question);
    Entry* entry = find(question);
    Result result = std::move(*std::any_cast<Result>(&entry->result));
    forget(entry);
    return result;
  }

 private:
  struct Entry {
    std::any question;
    Bytes as_bytes;  // identifies the question to other processes; empty: its pass is not shared
    std::function<std::unique_ptr<Accumulator>(MeasuredModel&)> begin;
    std::unique_ptr<Accumulator> accumulator;  // from its pass until the answer is computed
    std::exception_ptr error;
    std::any result;
  };

  struct Remembered {
    std::any result;
    bool unfinished = false;
  };

  // True for a level, or a list of levels, that is known between two bounds only, and for sums over some outputs.
  template <typename Result>
  static bool is_unfinished(const Result& result) {
    if constexpr (requires { result.unfinished.has_value(); }) {
      return result.unfinished.has_value();
    } else if constexpr (requires { result.begin()->unfinished.has_value(); }) {
      return std::any_of(result.begin(), result.end(), [](const auto& one) { return one.unfinished.has_value(); });
    } else if constexpr (requires { result.level.unfinished.has_value(); }) {
      return result.level.unfinished.has_value();
    } else if constexpr (requires { result.complete; }) {
      return !result.complete;
    } else {
      return false;
    }
  }

  template <typename Question>
  Entry* find(const Question& question) {
    for (const auto& entry : entries_) {
      const auto* known = std::any_cast<Question>(&entry->question);
      if (known != nullptr && *known == question) return entry.get();
    }
    return nullptr;
  }
  template <typename Question>
  Entry& add(const Question& question) {
    Entry& entry = *entries_.emplace_back(std::make_unique<Entry>());
    entry.question = question;
    if constexpr (requires { question.as_bytes(); }) entry.as_bytes = question.as_bytes();
    // The accumulator refers to the question, so it must refer to the stored copy.
    const auto* kept = std::any_cast<Question>(&entry.question);
    entry.begin = [kept](MeasuredModel& subject) -> std::unique_ptr<Accumulator> { return kept->begin(subject); };
    return entry;
  }
  template <typename Question>
  Entry& asked(const Question& question) {
    Entry* entry = find(question);
    if (entry == nullptr) entry = &add(question);
    if (!entry->accumulator && !entry->error && !entry->result.has_value()) run_pass();
    if (const std::exception_ptr error = entry->error) {
      forget(entry);
      std::rethrow_exception(error);
    }
    return *entry;
  }
  void forget(const Entry* entry);
  /// Runs one pass for all questions that have no accumulator yet.
  void run_pass();
  void go_through(std::vector<Entry*>& waiting);

  const Model& model_;
  Budget& budget_;
  bool tradeoffs_;
  mutable bool values_are_listable_ = false;  // checked by prior()
  std::string name_;                          // empty: passes are not shared
  std::shared_ptr<const Model> kept_;
  std::unique_ptr<Columns> columns_;
  std::map<std::string, Remembered> results_;
  std::vector<std::unique_ptr<Entry>> entries_;
};

}  // namespace oddsbound::engine
