// Levels and losses of pairs of inputs from the classes of pairs that channels declare (model/pair_class.h).
// Neither pairs nor rows nor outputs are enumerated, so the numbers of inputs and outputs do not matter.
//
// Two inputs of a product have equal rows in units that see no coordinate in which they differ, and the losses of their
// class in the others. Equal rows are dominated by every class (loss_distribution.h). So if each unit declares one
// class, a pair that differs in every coordinate that may differ is worst for every event and every order.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "verifier/engine/loss_distribution.h"
#include "verifier/model/model.h"
#include "verifier/model/pair_class.h"

namespace oddsbound::engine {

/// Returns the independent parts of the channel; the channel itself if it is not a product, or declares classes.
std::vector<Factor> units_of_model(const Model& model);

class DeclaredPairs {
 public:
  /// Returns nullopt unless every unit of the channel declares its classes of pairs. `model` must outlive the result.
  static std::optional<DeclaredPairs> of(const Model& model);

  /// A pair of inputs, and the class that it belongs to in the units that tell it apart.
  struct Pair {
    InputRow from, to;
    std::size_t index = 0;             // of the class, in all these units
    std::vector<std::size_t> units{};  // that see a coordinate in which the inputs differ
  };
  /// Returns pairs that differ only within the group, such that one of them is worst for every event and every order;
  /// the pair of an input with itself if no two inputs differ within the group. nullopt if the classes do not tell.
  std::optional<std::vector<Pair>> worst_within(const std::vector<std::size_t>& group) const;

  /// Returns the pair of two inputs; nullopt if some unit in which they differ declares several classes.
  std::optional<Pair> between(const InputRow& from, const InputRow& to) const;

  /// Returns the largest loss of a pair over all outputs.
  Level level(const Pair& pair) const;
  /// Returns an output with that loss, whose probabilities it has computed from the channel.
  std::vector<std::uint64_t> output(const Pair& pair) const;
  /// Returns the losses of the pair, as independent outputs with their numbers.
  std::vector<std::pair<LossDistribution, std::uint64_t>> losses(const Pair& pair) const;

 private:
  struct Unit {
    ChannelPtr channel;
    std::shared_ptr<const std::vector<PairClass>> classes;  // null: the channel has one input
    Projection project;
    std::size_t first_word, words;
  };

  explicit DeclaredPairs(const Model& model) : model_(&model) {}

  bool has_one_class(const Unit& unit) const { return !unit.classes || unit.classes->size() == 1; }
  std::vector<std::uint64_t> worst_output(const Unit& unit, const Pair& pair) const;
  std::vector<std::uint64_t> possible_output(const Unit& unit, const InputRow& row) const;
  /// The classes of the units that tell the pair apart, with the numbers of these units.
  std::vector<std::pair<const PairClass*, std::uint64_t>> classes_of(const Pair& pair) const;
  std::vector<Pair> pairs_of_repeated(const std::vector<std::size_t>& coordinates) const;

  const Model* model_;
  std::vector<Unit> units_;
  std::vector<std::vector<std::size_t>> seen_by_;     // [coordinate]: units
  std::optional<std::vector<std::size_t>> repeated_;  // the coordinates of all units, if they are one channel on these
};

/// Returns the level between inputs that differ only within the group; nullopt if classes of pairs do not tell. The
/// witness is computed at access.
std::optional<InputLevel> declared_level(const std::shared_ptr<const DeclaredPairs>& pairs,
                                         const std::shared_ptr<const Model>& model,
                                         const std::vector<std::size_t>& group);

/// True if declared classes of pairs are used for levels, and events are not listed: inputs x inputs x outputs is
/// large.
bool has_many_pairs(const Channel& channel);
/// The same for the losses of pairs of inputs. Comparing rows takes longer for losses than for levels, so fewer pairs
/// suffice: sorting and adding exact probabilities with exp takes microseconds for each.
bool has_pairs_to_class(const Channel& channel);
/// The same for some unit of a model.
bool has_large_unit(const Model& model);

}  // namespace oddsbound::engine
