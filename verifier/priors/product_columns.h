// Columns of a product channel whose inputs and outputs are too many to enumerate. For one output at a time it
// gives the entries of the inputs that a set of priors names, and for each label the largest and the smallest
// entry of any input. Two extra rows per label hold these extremes, as additional classes of every part.
#pragma once

#include <vector>

#include "verifier/engine/pair_losses.h"
#include "verifier/model/definition.h"
#include "verifier/model/model.h"
#include "verifier/priors/prior_set.h"

namespace oddsbound::priors {

class ProductColumns {
 public:
  /// The model must outlive this object. Throws LimitError if the budget is exceeded, or if inputs outside the
  /// named ones may have mass and either the labels are not joint values of coordinates or several parts see the
  /// same other coordinate.
  ProductColumns(const Model& model, const Partition& labels, const NamedInputs& named, Budget& budget);

  /// Returns the projected rows. A channel that is not a product is one part.
  const ProjectedRows& seen() const { return seen_; }
  /// The rows of a label: the named inputs in order; then, if others may have mass, a row with the largest entry
  /// in every part and a row with the smallest.
  struct RowsOfLabel {
    std::size_t first = 0, named = 0;
    bool others = false;
    std::size_t largest() const { return first + named; }
    std::size_t smallest() const { return first + named + 1; }
  };
  const std::vector<RowsOfLabel>& labels() const { return labels_; }
  /// Returns the named inputs, by label.
  const ColumnInputs& named() const { return named_; }
  /// Returns true if every part sees only coordinates of the label or only other coordinates, so that extreme
  /// entries can be found part by part.
  bool parts_see_labels_or_others() const { return separate_; }

  struct At {
    ColumnInputs inputs;  // the named ones and those of the extreme entries, in order
    LabelledColumn column;
  };
  /// outputs: one per factor of seen(); entries: one per row of seen(), at these outputs.
  At at(const std::vector<std::uint32_t>& outputs, const std::vector<Number>& entries) const;

  /// Returns an output of seen()'s factors as an output of the channel; sets `scale` to the factor that turns its
  /// entries into probabilities.
  std::vector<std::uint64_t> output_of(const std::vector<std::uint32_t>& outputs, Number& scale) const;

 private:
  // The classes that a part may see for one label, each once with one of its inputs; and the two additional
  // classes.
  struct Reachable {
    std::vector<std::pair<std::uint32_t, std::uint64_t>> classes;
    std::uint32_t largest = 0, smallest = 0;
  };

  void gather(const NamedInputs& named, const Partition& labels, Budget& budget);
  void add_extremes(const Partition& labels, Budget& budget);
  Reachable reachable(std::size_t part, const Partition& labels, std::size_t label, Budget& budget);
  void require_separate(const Partition& labels) const;
  std::uint64_t extreme_input(std::size_t label, const std::vector<std::uint32_t>& outputs, bool largest) const;

  Domain domain_;
  std::vector<Factor> factors_;
  std::vector<EqualFactors> groups_;
  std::vector<std::size_t> group_of_;  // of each projected factor
  ProjectedRows seen_;
  ColumnInputs named_;
  std::vector<RowsOfLabel> labels_;
  std::vector<InputRow> digits_;  // per label, of the label's coordinates
  std::vector<std::size_t> label_coordinates_;
  std::vector<std::vector<Reachable>> reachable_;  // per projected factor and label
  bool separate_ = false;
};

}  // namespace oddsbound::priors
