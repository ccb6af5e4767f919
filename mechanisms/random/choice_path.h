// The path that a run of code takes through its choices. Where choices are decided by a path, and the code is run again
// for every path, depth first, all that the code may do is gone through, with the weight of each.
#pragma once

#include <optional>
#include <vector>

#include "base/errors.h"
#include "mechanisms/random/choice_name.h"

namespace oddsbound::mechanisms {

/// What a choice states of its outcomes.
template <class Weight>
struct StatedWeights {
  std::uint64_t outcomes = 0;
  Weight each{};                // of a uniform choice
  std::vector<Weight> weights;  // of all others
  const Weight& of(std::uint64_t outcome) const { return weights.empty() ? each : weights[outcome]; }
};

/// Weights have a product and is_zero(); outcomes of weight 0 are left out.
template <class Weight>
class ChoicePath {
 public:
  /// whole: the weight of a run without choices.
  explicit ChoicePath(Weight whole) : whole_(std::move(whole)) {}

  /// A run begins.
  void restart() { depth_ = 0; }
  /// Of the outcomes so far.
  const Weight& weight() const { return nodes_.empty() ? whole_ : nodes_.back().after; }
  /// The outcome of the choice that is made next is known: again() says it.
  bool is_known() const { return depth_ < nodes_.size(); }
  /// name: none for a random word. Throws ModelError if another choice was made there.
  std::uint64_t again(const std::optional<ChoiceName>& name) {
    if (nodes_[depth_].name != name) unsteady();
    return nodes_[depth_++].outcome;
  }
  /// Of a choice that is new on this path, the first outcome. What it states outlives the path.
  std::uint64_t begin(const StatedWeights<Weight>& stated, const std::optional<ChoiceName>& name) {
    Node node{name, &stated, weight(), 0, whole_};
    enter(node, 0);
    nodes_.push_back(std::move(node));
    ++depth_;
    return nodes_.back().outcome;
  }
  /// The run is over: it must have made all choices that the runs before it made with the same outcomes.
  void finish() const {
    if (depth_ != nodes_.size()) unsteady();
  }
  /// On to the next path; false after the last.
  bool advance() {
    for (; !nodes_.empty(); nodes_.pop_back()) {
      if (enter(nodes_.back(), nodes_.back().outcome + 1)) return true;
    }
    return false;
  }

 private:
  struct Node {
    std::optional<ChoiceName> name;
    const StatedWeights<Weight>* stated;
    Weight before;
    std::uint64_t outcome;
    Weight after;
  };

  [[noreturn]] static void unsteady() {
    throw ModelError("a sampler does not draw the same again from the same outcomes of its choices");
  }

  static bool enter(Node& node, std::uint64_t outcome) {
    while (outcome < node.stated->outcomes && node.stated->of(outcome).is_zero()) ++outcome;
    if (outcome >= node.stated->outcomes) return false;
    node.outcome = outcome;
    node.after = node.before * node.stated->of(outcome);
    return true;
  }

  Weight whole_;
  std::vector<Node> nodes_;
  std::size_t depth_ = 0;
};

}  // namespace oddsbound::mechanisms
