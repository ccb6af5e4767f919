#include "runs/certify_sets.h"

#include "base/errors.h"
#include "results/words.h"
#include "runs/spec_text.h"
#include "verifier/notions/over_set.h"
#include "verifier/sets/prove_level.h"

namespace oddsbound::runs {

namespace {

// Of several proofs that there are, one thread always finds the same.
Limits for_one_thread(Limits limits) {
  limits.threads = 1;
  return limits;
}

class Certifier {
 public:
  Certifier(const Spec& spec, const Limits& limits)
      : spec_(spec), budget_(for_one_thread(limits)), subject_(spec.model, budget_) {}

  /// Throws LimitError where there is no proof: that says why.
  SetCertificate::Claim claim(const Claim& claim, const ClaimResult& result) {
    if (!subject_.can_enumerate()) {
      throw LimitError("inputs and outputs are too many to go through (--max-cells); a search decided it");
    }
    SetCertificate::Claim certified{result.index, result.name, result.scope.for_all, {}};
    const auto& set = *claim.arguments.get<ForAll>(kForAll).set;
    const std::vector<OverSet> compared = compared_over_set(spec_.model.domain, claim.arguments);
    for (const OverSet& one : compared) {
      certified.levels.push_back(level(one, set, compared.size()));
      budget_.promise_text(written_size(certified.levels.back()));
    }
    return certified;
  }

 private:
  SetCertificate::Level level(const OverSet& one, const sets::PriorSet& set, std::size_t at_once) {
    SetCertificate::Level certified{one.about, {}, {}};
    if (one.level.is_infinite()) return certified;
    SetLevelProof proof =
        prove_level(subject_, set, one.inputs, one.direction, one.level.exponential_as_surd(), at_once);
    if (proof.missing) {
      const auto& [output, from, to] = *proof.missing;
      throw LimitError("nothing that can be written proves it at the output '" +
                       subject_.channel().output_label(output) + "', from " + party_label(one.labels[from]) + " to " +
                       party_label(one.labels[to]));
    }
    for (std::size_t label = 0; label < proof.masses.size(); ++label) {
      certified.masses.push_back({one.labels[label], std::move(proof.masses[label])});
    }
    for (auto& [output, from, to, why] : proof.pairs) {
      certified.pairs.push_back(
          {subject_.channel().output_label(output), one.labels[from], one.labels[to], std::move(why)});
    }
    return certified;
  }

  const Spec& spec_;
  Budget budget_;
  MeasuredModel subject_;
};

}  // namespace

std::optional<SetCertificate> certify_sets(const Spec& spec, const std::vector<ClaimResult>& claims,
                                           const Limits& limits) {
  SetCertificate certificate{spec.file, spec.name, as_file_name(spec.name) + "-certificate.json", {}, {}};
  std::optional<Certifier> certifier;
  for (const ClaimResult& result : claims) {
    const Claim& claim = spec.claims.at(result.index);
    if (result.verdict != Verdict::kHolds || !claim.arguments.has(kForAll)) continue;
    if (!certifier) certifier.emplace(spec, limits);
    try {
      certificate.claims.push_back(certifier->claim(claim, result));
    } catch (const LimitError& error) {
      certificate.without.push_back({result.index, result.name, error.what()});
      continue;
    }
    if (claim.tight) {
      certificate.without.push_back(
          {result.index, result.name,
           "it is tight: priors show that no smaller level holds (--write-witness), and no proof says so"});
    }
  }
  if (!certifier) return std::nullopt;
  return certificate;
}

}  // namespace oddsbound::runs
