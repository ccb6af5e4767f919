// The scope of a claim about values of a coordinate or labels of a secret: which values are compared, and which
// other attributes of the person the adversary knows. One scope is shared by bcdp, approximate_bcdp and secret.
#pragma once

#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "verifier/engine/group_levels.h"
#include "verifier/engine/measured_model.h"
#include "verifier/engine/projected_rows.h"
#include "verifier/model/definition.h"

namespace oddsbound::notions {

/// Returns the fields with those of a scope added: "known", "from", "to". any: "known" may be "any".
std::vector<Field> with_scope(std::vector<Field> fields, bool any = false);

/// The coordinates whose values the adversary knows, and the values or labels that are meant on each side.
struct Scope {
  std::vector<std::size_t> known;
  bool any_known = false;  // in place of `known`: every set of other coordinates, whatever is worst
  std::optional<Parties> from, to;

  Scope() = default;
  explicit Scope(const Arguments& arguments);
  bool is_everything() const { return known.empty() && !any_known && !from && !to; }
};

/// A claimed scope, by names.
struct ClaimedScope {
  std::string coordinate;  // if the claim names a single one
  std::vector<std::string> known;
  std::vector<Label> from, to;
  std::vector<Label> values{};                    // if the claim is about the probability of some
  std::string for_all{};                          // the set of priors of the claim
  std::string confidence{};                       // that the true prior is in the set, if it is not certain
  std::uint64_t order = 0;                        // of the divergence; 0: the notion has none
  bool any_known = false;                         // in place of `known`
  std::vector<std::vector<std::string>> curve{};  // of f_dp: the points of f, exactly
  std::string delta{};                            // of a claim of a level at this delta, exactly; empty: none
  bool is_everything() const {
    return !any_known && curve.empty() && delta.empty() && coordinate.empty() && values.empty() && known.empty() &&
           from.empty() && to.empty() && for_all.empty() && order == 0;
  }
  bool is_certain() const { return confidence.empty(); }
  /// "holds", or "holds with confidence 0.95". several: there are several levels, which hold together.
  std::string holding(bool several) const;
  /// "knowing class, from yes to no, for all weak-links"; empty if all parts are.
  std::string words() const;
  /// "survived", "survived = yes or no"; empty if the claim names neither a coordinate nor values.
  std::string object() const;
};
ClaimedScope claimed_scope(const Domain& domain, const Arguments& arguments);

/// Returns the coordinates that a claim by values is about: that of its field "coordinate", or those that have a
/// level.
std::vector<std::size_t> claimed_coordinates(const Arguments& arguments);

/// Returns the sides of a scope as pairs of labels. Requires that the scope names only these labels
/// (complaint_about_scope).
AllowedPairs direction_of(const Scope& scope, const std::vector<Label>& labels);
/// Returns the values of a coordinate as labels.
std::vector<Label> parties_of(const Domain& domain, std::size_t coordinate);

/// Returns the comparison of any two labels of a secret, at level 0.
Comparison comparison_of_secret(const InputSubset& inputs, const Secret& secret);
/// Narrows a comparison of labels to a scope: both sides agree on the known values, and belong to the named sides.
Comparison within_scope(const Domain& domain, const InputSubset& inputs, Comparison comparison,
                        const Arguments& arguments);

/// Returns the mass of every label of a partition under the prior. Throws LimitError past the budget.
std::vector<Number> label_masses(const MeasuredModel& subject, const Partition& partition);

/// A model given values of some coordinates.
struct GivenModel {
  Evidence given;
  Model model;
};
/// Returns, for every combination of values of these coordinates with mass under the prior, the model of an
/// adversary with this prior who knows the combination. Throws LimitError past the budget.
std::vector<GivenModel> models_given(const Model& model, const Prior& prior, const std::vector<std::size_t>& known,
                                     Budget& budget);

/// Calls measure(part, seconds) for each combination of known values, and returns the largest of each of its
/// levels. Each part gets an equal fraction of the remaining time, divided by `sets`: so many sets of known coordinates
/// are left.
template <typename Measure>
std::vector<MeasuredLevel> largest_given(MeasuredModel& subject, const Prior& prior,
                                         const std::vector<std::size_t>& known, Measure measure, std::size_t sets = 1) {
  const std::vector<GivenModel> models = models_given(subject.model(), prior, known, subject.budget());
  std::vector<MeasuredLevel> largest;
  for (std::size_t m = 0; m < models.size(); ++m) {
    MeasuredModel part(models[m].model, subject.budget());
    const double seconds = seconds_to_search(subject.budget()) / static_cast<double>((models.size() - m) * sets);
    std::vector<MeasuredLevel> levels = measure(part, seconds);
    for (std::size_t k = 0; k < levels.size(); ++k) {
      levels[k].witness.update([given = models[m].given](Witness& witness) { witness.given = given; });
      if (m == 0) {
        largest.push_back(std::move(levels[k]));
      } else {
        take_larger(largest[k], std::move(levels[k]));
      }
    }
  }
  return largest;
}

/// Calls find(known, left) for every set of coordinates beside those that the claim is about (`about`; empty: it is
/// about a function of the whole input), and returns the largest level. With independent coordinates, all others are
/// the worst set: given more of them, the distributions of outputs are mixed with the same weights. If sets are too
/// many, or time ends, the level is at most that of LDP. left: the number of sets that are left, this one too.
MeasuredLevel largest_of_known(
    MeasuredModel& subject, const std::vector<std::size_t>& about,
    const std::function<MeasuredLevel(const std::vector<std::size_t>& known, std::size_t left)>& find);

/// Returns what is wrong with a claim's scope: the field and the message. Sides may name labels of the secret, or
/// else values of the single coordinate that the claim is about.
std::optional<std::pair<std::string, std::string>> complaint_about_scope(const Domain& domain,
                                                                         const Arguments& arguments);

}  // namespace oddsbound::notions
