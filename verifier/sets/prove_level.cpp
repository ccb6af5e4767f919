#include "verifier/sets/prove_level.h"

#include <iterator>

#include "verifier/sets/column_search.h"

namespace oddsbound::sets {

namespace {

class ProofScan final : public AccumulatorOf<ProofScan> {
 public:
  ProofScan(const PriorSet& set, const SetQuestion& question, const Direction& direction, const Surd& bound)
      : set_(set), question_(question), columns_(set, question), direction_(direction), bound_(bound) {}

  void offer(ColumnView& view) override {
    SetSearch& search = columns_.look_at(view);
    for (std::size_t from = 0; from < columns_.labels(); ++from) {
      for (std::size_t to = 0; to < columns_.labels(); ++to) {
        Budget::current()->tick();
        if (direction_.allows(from, to)) prove(search, view.output(), from, to);
        if (found_.missing) return;
      }
    }
  }

  bool is_saturated() const override { return found_.missing.has_value(); }
  void take(ProofScan&& later) {
    std::move(later.found_.pairs.begin(), later.found_.pairs.end(), std::back_inserter(found_.pairs));
    if (found_.masses.empty()) found_.masses = std::move(later.found_.masses);
    if (!found_.missing) found_.missing = later.found_.missing;
  }
  ProofScan successor() const { return {set_, question_, direction_, bound_}; }

  SetLevelProof finish() { return std::move(found_); }

 private:
  void prove(SetSearch& search, std::uint64_t output, std::size_t from, std::size_t to) {
    // Whatever the prior, no quotient is above that of the extremes.
    if (Ratio::of(columns_.column().largest(from), columns_.column().smallest(to)) <= Ratio{bound_}) return;
    std::optional<SetProof> proof = search.proof(from, to, bound_);
    if (!proof) {
      found_.missing = SetLevelProof::Place{output, from, to};
      return;
    }
    if (std::holds_alternative<ByForm>(*proof)) return;
    if (std::holds_alternative<ByPrices>(*proof) && found_.masses.empty()) found_.masses = search.mass_proofs();
    found_.pairs.push_back({output, from, to, std::move(*proof)});
  }

  const PriorSet& set_;
  const SetQuestion& question_;
  ColumnSearch columns_;
  const Direction& direction_;
  const Surd& bound_;
  SetLevelProof found_;
};

}  // namespace

SetLevelProof prove_level(MeasuredModel& subject, const PriorSet& set, const LabelledInputs& inputs,
                          const Direction& direction, const Surd& bound, std::size_t at_once) {
  const SetQuestion question{subject.domain(), inputs, subject.channel().output_count(), at_once};
  ProofScan scan(set, question, direction, bound);
  pass(subject.columns(), scan, subject.budget());
  return scan.finish();
}

}  // namespace oddsbound::sets
