// The columns of a product channel where neither inputs nor outputs are gone through: of an output as it comes, the
// entries of the inputs that a set of priors names, and of each label the largest and the smallest that any input has.
#pragma once

#include <functional>
#include <vector>

#include "verifier/engine/pair_losses.h"
#include "verifier/model/model.h"
#include "verifier/priors/prior_set.h"

namespace oddsbound::priors {

/// Labels of inputs, by their rows.
struct RowLabels {
  std::size_t count = 0;
  std::function<std::uint32_t(InputView row)> of;
  /// Whose joint values the labels are, the last one fastest; none: they are not.
  std::vector<std::size_t> coordinates;
};

class ProductColumns {
 public:
  /// The model outlives it. Throws LimitError past the budget, where the channel is no product that can be taken apart,
  /// and where others than the named inputs matter and several parts see the same of them.
  ProductColumns(const Model& model, const RowLabels& labels, const NamedInputs& named, Budget& budget);

  /// Of a channel that is no product, one part.
  const ProjectedRows& seen() const { return seen_; }
  /// The rows of a label: the named inputs in their order, then, if others may have mass, what has the largest entry
  /// in every part and what has the smallest.
  struct RowsOfLabel {
    std::size_t first = 0, named = 0;
    bool others = false;
    std::size_t largest() const { return first + named; }
    std::size_t smallest() const { return first + named + 1; }
  };
  const std::vector<RowsOfLabel>& labels() const { return labels_; }
  /// By label.
  const LabelledInputs& named() const { return named_; }
  /// What others than named inputs have may be told part by part.
  bool parts_see_labels_or_others() const { return separate_; }

  struct At {
    LabelledInputs inputs;  // those named, and those of the largest and the smallest entry, in their order
    LabelledColumn column;
  };
  /// outputs: of each factor of seen(); entries: of each row of seen(), at these outputs.
  At at(const std::vector<std::uint32_t>& outputs, const std::vector<Number>& entries) const;

  /// An output of seen()'s factors as one of the channel, and what to multiply its entries with.
  std::vector<std::uint64_t> output_of(const std::vector<std::uint32_t>& outputs, Number& scale) const;

 private:
  // What a part may see of one label, each class once, with an input of the part; and the two classes that were added.
  struct Reachable {
    std::vector<std::pair<std::uint32_t, std::uint64_t>> classes;
    std::uint32_t largest = 0, smallest = 0;
  };

  void gather(const NamedInputs& named, const RowLabels& labels, Budget& budget);
  void add_extremes(const RowLabels& labels, Budget& budget);
  Reachable reachable(std::size_t part, const RowLabels& labels, std::size_t label, Budget& budget);
  void require_separate(const RowLabels& labels) const;
  std::uint64_t extreme_input(std::size_t label, const std::vector<std::uint32_t>& outputs, bool largest) const;

  Domain domain_;
  std::vector<Factor> factors_;
  std::vector<EqualFactors> groups_;
  std::vector<std::size_t> group_of_;  // of each factor that is seen
  ProjectedRows seen_;
  LabelledInputs named_;
  std::vector<RowsOfLabel> labels_;
  std::vector<InputRow> digits_;  // per label, of the coordinates that make it
  std::vector<std::size_t> label_coordinates_;
  std::vector<std::vector<Reachable>> reachable_;  // per factor that is seen, and label
  bool separate_ = false;
};

}  // namespace oddsbound::priors
