#include "audits/exhaustive.h"

#include <algorithm>

#include "audits/replay.h"
#include "verifier/exact/errors.h"

namespace oddsbound {

namespace {

constexpr std::uint64_t kMostCells = std::uint64_t{1} << 22;

// The interval of one outcome. A run that is not accepted is repeated, so outcomes are divided by what is accepted:
// with probabilities a of the outcome and r of rejection it is a / (1 - r), and what was cut off may belong to either.
CheckedEntry interval_of(const Distribution& found, std::uint64_t outcome) {
  CheckedEntry entry;
  entry.output = outcome;
  const Mass mass = found.outcomes[outcome];
  if (found.rejected.is_zero()) {
    entry.lower = mass.lower();
    entry.upper = mass.widened(found.cut).upper();
    return entry;
  }
  const Number accepted = Number(1) - found.rejected.widened(found.cut).upper();
  if (accepted.sign() <= 0) throw LimitError("the sampler accepts too rarely for the bound on the mass cut off");
  entry.lower = mass.lower() / (Number(1) - found.rejected.lower());
  entry.upper = mass.widened(found.cut).upper() / accepted;
  return entry;
}

class Check {
 public:
  Check(const ExhaustiveOptions& options, Budget& budget)
      : options_(options), budget_(budget), registry_([this](const Choice& choice) { check_choice(choice); }) {}

  void channel(const Channel& channel, const Sampler& sampler) {
    const bool small = channel.outputs() <= kMostCells && channel.inputs() <= kMostCells / channel.outputs();
    if (!small && !sampler.parts().empty()) {
      for (const SamplerPart& part : sampler.parts()) {
        ++result_.parts;
        this->channel(*part.channel, *part.sampler);
      }
      return;
    }
    budget_.require_cells(channel.inputs(), channel.outputs());
    for (std::uint64_t x = 0; x < channel.inputs(); ++x) {
      const OutputChoice choice(channel, sampler, x);
      std::vector<CheckedEntry> differs = compare(choice, x, result_.runs, true);
      std::move(differs.begin(), differs.end(), std::back_inserter(result_.differs));
    }
  }

  ExhaustiveResult take() { return std::move(result_); }

 private:
  void check_choice(const Choice& choice) {
    const std::size_t index = result_.choices.size();
    result_.choices.emplace_back();
    CheckedChoice checked;
    checked.what = choice.describe();
    checked.enumerated = choice.check_width() != 0;
    if (checked.enumerated) checked.differs = compare(choice, 0, checked.runs, false);
    result_.choices[index] = std::move(checked);  // checking it may have added others
  }

  Distribution enumerate(const Choice& choice) {
    for (unsigned cut_bits = options_.bound_bits;; cut_bits += 6) {
      Distribution found = replay(choice, std::min(cut_bits, 120U), registry_, budget_);
      if (found.cut.below(options_.bound_bits) || found.cut.is_zero()) return found;
      if (cut_bits > 120) throw LimitError("what is cut off cannot be brought below the bound; raise --bound");
    }
  }

  std::vector<CheckedEntry> compare(const Choice& choice, std::uint64_t input, std::uint64_t& runs, bool whole) {
    const Distribution found = enumerate(choice);
    runs += found.runs;
    std::vector<CheckedEntry> differs;
    for (std::uint64_t outcome = 0; outcome < found.outcomes.size(); ++outcome) {
      if (outcome == choice.outcomes() && found.outcomes[outcome].is_zero()) continue;
      budget_.tick();
      CheckedEntry entry = interval_of(found, outcome);
      entry.input = input;
      if (outcome < choice.outcomes()) entry.stated = choice.probability(outcome);
      if (whole) {
        ++result_.entries;
        result_.widest = std::max(result_.widest, entry.upper - entry.lower);
        if (options_.keep_intervals) result_.intervals.push_back(entry);
      }
      if (!entry.contained()) differs.push_back(std::move(entry));
    }
    return differs;
  }

  const ExhaustiveOptions& options_;
  Budget& budget_;
  ExhaustiveResult result_;
  ChoiceRegistry registry_;
};

}  // namespace

bool ExhaustiveResult::passed() const {
  return differs.empty() &&
         std::all_of(choices.begin(), choices.end(), [](const CheckedChoice& c) { return c.differs.empty(); });
}

ExhaustiveResult check_exhaustively(const Channel& channel, const Sampler& sampler, const ExhaustiveOptions& options,
                                    Budget& budget) {
  Check check(options, budget);
  check.channel(channel, sampler);
  return check.take();
}

}  // namespace oddsbound
