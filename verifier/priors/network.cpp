// Bayesian networks whose tables are known within intervals (credal networks).
//
// P(output, label) and P(label) are linear in every row of the tables. If the masses of the labels do not depend
// on a row (its coordinate is no ancestor of what is compared), the extreme points of the row suffice; otherwise
// the lines between them are needed. The row of a coordinate without parents does not affect the coordinate's own
// level. (In credal networks vertices suffice for one quotient; this is a quotient of two.)

#include <algorithm>

#include "base/errors.h"
#include "verifier/priors/prior_set.h"
#include "verifier/priors/row_proof.h"
#include "verifier/priors/row_search.h"

namespace oddsbound::priors {

namespace {

// Limits of the number of inputs in all folds: for all outputs and pairs together, and the minimum for each.
constexpr std::uint64_t kMostFolded = 20'000'000;
constexpr std::uint64_t kLeastFolded = 200'000;

std::vector<std::uint32_t> labels_of(const ColumnInputs& inputs, std::uint64_t count) {
  std::vector<std::uint32_t> label_of(count);
  for (std::uint32_t label = 0; label < inputs.inputs.size(); ++label) {
    for (const std::uint64_t x : inputs.inputs[label]) label_of[x] = label;
  }
  return label_of;
}

// Returns the coordinates on which an input's label depends.
std::vector<bool> labelled_by(const std::vector<std::uint32_t>& label_of, const Domain& domain) {
  std::vector<bool> depends(domain.size(), false);
  for (std::size_t i = 0; i < domain.size(); ++i) {
    for (std::uint64_t x = 0; x < label_of.size() && !depends[i]; ++x) {
      depends[i] = label_of[x] != label_of[x - domain.digit(x, i) * domain.stride(i)];
    }
  }
  return depends;
}

std::uint64_t share_of(const SetQuestion& question) {
  const double labels = static_cast<double>(question.inputs.inputs.size());
  const double asked = question.outputs.approx() * labels * std::max(1.0, labels - 1);
  return std::max(kLeastFolded, static_cast<std::uint64_t>(static_cast<double>(kMostFolded) / std::max(1.0, asked)));
}

class NetworkSearch final : public SetSearch {
 public:
  NetworkSearch(const std::vector<IntervalNode>& nodes, const SetQuestion& question, Budget& budget)
      : nodes_(nodes),
        rows_(question.domain, nodes, budget),
        inputs_(question.inputs),
        budget_(budget),
        asked_{rows_, labels_of(question.inputs, rows_.inputs()), {}, rows_.all(), share_of(question)} {
    const std::vector<bool> moving = rows_.with_ancestors(labelled_by(asked_.label_of, question.domain));
    for (std::size_t row = 0; row < asked_.box.size(); ++row) {
      asked_.moves_masses.push_back(moving[rows_.coordinate_of(row)]);
    }
    if (const auto own = question.inputs.coordinate; own && !rows_.has_parents(*own)) {
      Points& points = asked_.box[rows_.first_row(*own)];
      points = single_point(middle_of(*points));
    }
  }

  void look_at(const LabelledColumn& column) override {
    found_for_ = std::nullopt;
    column_.assign(rows_.inputs(), Number(0));
    for (std::size_t label = 0; label < inputs_.inputs.size(); ++label) {
      for (std::size_t place = 0; place < inputs_.inputs[label].size(); ++place) {
        column_[inputs_.inputs[label][place]] = column.entries[label][place];
      }
    }
  }
  bool is_at_most(std::size_t from, std::size_t to, const Ratio& ratio) override {
    find(from, to, ratio);
    const std::optional<Ratio> found = found_.best.ratio();
    return !found_.below && (!found || *found <= ratio);
  }
  std::optional<Ratio> largest(std::size_t from, std::size_t to) override {
    if (found_for_ != std::pair(from, to)) find(from, to, std::nullopt);
    return found_.best.ratio();
  }
  std::optional<StoppedSearch> stopped() const override {
    if (!found_.below) return std::nullopt;
    return StoppedSearch{*found_.below, "the search over the rows of the network takes too long"};
  }

  // A bound that is attained is attained at a mean, which the proof needs to know. If it is attained strictly
  // between two points of a row, no share proves it: each share suffices at one mean only, and nearby means need
  // another share.
  std::optional<SetProof> proof(std::size_t from, std::size_t to, const Surd& bound) override {
    if (auto proof = proof_with(from, to, bound, std::nullopt)) return proof;
    largest(from, to);
    if (found_.best.ratio() != Ratio{bound} || !found_.best.attains()) return std::nullopt;
    const Number weight = found_.best.weight();
    if (!weight.is_zero() && !weight.is_one()) return std::nullopt;
    return proof_with(from, to, bound, mean_of(rows_.joint(found_.best.where().at(weight)), from));
  }

  Member member(std::size_t from, std::size_t to) override {
    largest(from, to);
    const std::vector<Point> rows = found_.best.where().at(found_.best.weight());
    MemberBuilder builder;
    const std::vector<Number> masses = rows_.joint(rows);
    for (std::uint64_t x = 0; x < masses.size(); ++x) builder.add(x, masses[x]);
    return builder.finish(found_.best.attains());
  }

 private:
  // Quotients of at most `known` need not be found.
  void find(std::size_t from, std::size_t to, const std::optional<Ratio>& known) {
    found_ = largest_by_rows(asked_, column_, static_cast<std::uint32_t>(from), static_cast<std::uint32_t>(to), known,
                             budget_);
    found_for_ = {from, to};
  }

  std::optional<SetProof> proof_with(std::size_t from, std::size_t to, const Surd& bound,
                                     const std::optional<Number>& tight_at) {
    auto proof = prove_by_rows(nodes_, asked_, column_, static_cast<std::uint32_t>(from),
                               static_cast<std::uint32_t>(to), bound, tight_at, budget_);
    return proof ? std::optional<SetProof>(*std::move(proof)) : std::nullopt;
  }

  Number mean_of(const std::vector<Number>& masses, std::size_t label) const {
    Number joint, mass;
    for (const std::uint64_t x : inputs_.inputs[label]) {
      joint += masses[x] * column_[x];
      mass += masses[x];
    }
    return joint / mass;
  }

  const std::vector<IntervalNode>& nodes_;
  const NetworkRows rows_;
  const ColumnInputs& inputs_;
  Budget& budget_;
  RowQuestion asked_;
  std::vector<Number> column_;  // per input
  LargestByRows found_;
  std::optional<std::pair<std::size_t, std::size_t>> found_for_;  // labels
};

class NetworkSet final : public PriorSet {
 public:
  explicit NetworkSet(std::vector<IntervalNode> nodes) : nodes_(std::move(nodes)) {}
  std::string words() const override { return "priors of the stated network"; }
  std::unique_ptr<SetSearch> search(const SetQuestion& question, Budget& budget) const override {
    return std::make_unique<NetworkSearch>(nodes_, question, budget);
  }

 private:
  std::vector<IntervalNode> nodes_;
};

}  // namespace

PriorSetPtr network_within(std::vector<IntervalNode> nodes) { return std::make_shared<NetworkSet>(std::move(nodes)); }

}  // namespace oddsbound::priors
