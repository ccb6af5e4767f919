#include "runs/certify_sets.h"

#include <algorithm>

#include "base/errors.h"
#include "results/words.h"
#include "verifier/notions/over_set.h"
#include "verifier/sets/prove_level.h"

namespace oddsbound::runs {

namespace {

SetCertificate::Level certified_level(const OverSet& one, const sets::PriorSet& set, std::size_t at_once,
                                      MeasuredModel& subject) {
  SetCertificate::Level certified{one.about, {}, {}};
  if (one.level.is_infinite()) return certified;
  SetLevelProof proof = prove_level(subject, set, one.inputs, one.direction, one.level.exponential_as_surd(), at_once);
  if (proof.missing) {
    const auto& [output, from, to] = *proof.missing;
    throw LimitError("nothing that can be written proves it at the output '" + subject.channel().output_label(output) +
                     "', from " + party_label(one.labels[from]) + " to " + party_label(one.labels[to]));
  }
  for (std::size_t label = 0; label < proof.masses.size(); ++label) {
    certified.masses.push_back({one.labels[label], std::move(proof.masses[label])});
  }
  for (auto& [output, from, to, why] : proof.pairs) {
    certified.pairs.push_back(
        {subject.channel().output_label(output), one.labels[from], one.labels[to], std::move(why)});
  }
  return certified;
}

constexpr const char* kTooMany = "inputs and outputs are too many to go through (--max-cells); a search decided it";

// Where inputs and outputs are not gone through, a checker needs to know no more than how.
std::string way_of_large(const sets::PriorSet& set, const MeasuredLevel& level, Budget& budget) {
  constexpr std::uint64_t kMostNodes = 5'000;  // of a search that a checker repeats
  if (set.is_largest_part_by_part()) return "parts";
  if (!set.has_known_bounds()) throw LimitError(std::string(kTooMany) + ", which is not repeated for this kind of set");
  if (!level.nodes || *level.nodes > kMostNodes || level.unfinished) {
    throw LimitError(std::string(kTooMany) + ", which is too long to be repeated");
  }
  const std::optional<sets::NamedInputs> named = set.named_inputs(budget);
  const auto is_fraction = [](const auto& row) { return row.second.is_rational(); };
  if (!named || !std::all_of(named->rows.begin(), named->rows.end(), is_fraction)) {
    throw LimitError(std::string(kTooMany) + ", which is repeated only for masses that are fractions");
  }
  return "search";
}

SetCertificate::Claim certify_large(const Claim& claim, const sets::PriorSet& set, const ClaimResult& result,
                                    MeasuredModel& subject) {
  SetCertificate::Claim certified{result.index, result.name, result.scope.for_all, {}};
  const auto* levels = std::get_if<std::vector<CoordinateLevel>>(&result.decision.actual);
  if (claim.notion->name != "bcdp" || !levels) {
    throw LimitError(kTooMany);
  }
  const auto& claimed = claim.arguments.get<CoordinateLevels>("epsilon");
  for (const CoordinateLevel& level : *levels) {
    SetCertificate::Level& one = certified.levels.emplace_back();
    one.coordinate = level.coordinate;
    if (!claimed.at(*subject.domain().find(level.coordinate))->is_infinite())
      one.way = way_of_large(set, level.measured, subject.budget());
  }
  return certified;
}

}  // namespace

SetCertificate::Claim certify_over_set(const Claim& claim, const ClaimResult& result, MeasuredModel& subject) {
  const auto& set = *claim.arguments.get<ForAll>(kForAll).set;
  if (!subject.can_enumerate()) return certify_large(claim, set, result, subject);
  SetCertificate::Claim certified{result.index, result.name, result.scope.for_all, {}};
  const std::vector<OverSet> compared = compared_over_set(subject.domain(), claim.arguments);
  for (const OverSet& one : compared) {
    certified.levels.push_back(certified_level(one, set, compared.size(), subject));
    subject.budget().promise_text(written_size(certified.levels.back()));
  }
  return certified;
}

}  // namespace oddsbound::runs
