#include "app/certify_claims.h"

#include <algorithm>

#include "app/certify.h"
#include "app/spec_text.h"
#include "base/errors.h"
#include "reports/words.h"
#include "verifier/engine/neighbor_losses.h"
#include "verifier/engine/pair_classes.h"
#include "verifier/model/adaptive_channel.h"
#include "verifier/notions/approximate.h"

namespace oddsbound::app {

namespace {

constexpr const char* kNotEnumerable = "inputs and outputs are too many to go through (--max-cells)";
constexpr const char* kUnattained =
    "it is tight: priors that can be written come as near to the level as one likes, and none of them attains it";

// With a single thread the choice among several proofs is deterministic.
Limits for_one_thread(Limits limits) {
  limits.threads = 1;
  return limits;
}

std::string word_of(const ClaimResult& claim) {
  if (claim.verdict == Verdict::kRefuted) return "refuted";
  return claim.scope.is_certain() ? "holds" : "holds with confidence";
}

std::vector<Witness> witnesses_of(const Actual& actual) {
  if (const MeasuredLevel* level = single_level(actual)) return {level->witness.get()};
  std::vector<Witness> witnesses;
  if (const auto* levels = std::get_if<NamedLevels>(&actual)) {
    for (const auto& [coordinate, level] : *levels) witnesses.push_back(level.witness.get());
  }
  return witnesses;
}

class Certifier {
 public:
  Certifier(const Spec& spec, const Limits& limits)
      : spec_(spec), budget_(for_one_thread(limits)), subject_(spec.model, budget_) {
    certificate_.file = spec.file;
    certificate_.name = spec.name;
    certificate_.file_name = as_file_name(spec.name);
    certificate_.files = spec.files;
    certificate_.confidential = has_confidential_table(spec);
  }

  void add(const ClaimResult& claim) {
    if (claim.verdict == Verdict::kUndecided) {
      certificate_.undecided.push_back({claim.index, claim.name, claim.reason});
      return;
    }
    CertifiedClaim certified{claim.index, claim.name, claim.notion, word_of(claim),
                             ByQueries(), {},         claim.values, claim.queries};
    try {
      certified.proof = proof(spec_.claims.at(claim.index), claim, certified);
    } catch (const LimitError& error) {
      certificate_.without.push_back({claim.index, claim.name, error.what()});
      return;
    }
    certificate_.claims.push_back(std::move(certified));
  }

  SpecCertificate take() { return std::move(certificate_); }

 private:
  ClaimProof proof(const Claim& claim, const ClaimResult& result, CertifiedClaim& certified) {
    if (spec_.mechanism.shuffle) return of_shuffled(claim);
    const Actual& actual = result.decision.actual;
    if (const auto* refinement = std::get_if<Refinement>(&actual)) return ByRefinement{*refinement};
    const bool smaller_holds = result.decision.holds == Answer::kYes;
    if (result.verdict == Verdict::kRefuted && result.decision.witness && !smaller_holds) {
      const Witness& witness = *result.decision.witness;
      if (witness.likelihood_event && spec_.symbols) {
        throw LimitError("the event that refutes it has too many outputs to list");
      }
      if (is_by_classes(claim)) return ByLosses{witness, true};
      if (witness.likelihood_event && !claim.notion->large_proofs.by_losses) {
        require_enumerable();
        return ByArithmetic();
      }
      // An event that is not listed, or a divergence, which is a sum over all outputs.
      if (witness.likelihood_event || (witness.order && is_by_losses(claim))) return ByLosses{witness};
      if (witness.order) require_enumerable();
      return ByWitness{witness};
    }
    if (spec_.symbols) return by_symbols(result);
    if (claim.arguments.has(kForAll)) return over_set(claim, result, certified);
    if (is_by_classes(claim)) return ByLosses{{}, true};
    const auto& by_output_classes = claim.notion->large_proofs.by_output_classes;
    if (by_output_classes && by_output_classes(subject_, claim.arguments)) return ByLosses{{}, true};
    if (is_by_losses(claim) && has_few_kinds(claim)) return ByLosses();
    if (!claim.notion->define || claim.notion->allows_tail(claim.arguments)) {
      require_enumerable();
      return ByArithmetic();
    }
    // The checker compares losses with levels of pairs by enclosures.
    const bool of_pairs = claim.arguments.find_if<std::shared_ptr<const model::PairLevels>>("epsilon") != nullptr;
    if (claim.arguments.has_roots() && !of_pairs) {
      throw LimitError(
          "a level that is claimed has a square root in it, and quotients are compared with other numbers");
    }
    if (!subject_.can_enumerate()) return too_large(claim, result, certified);
    budget_.require_cells(spec_.model.domain.inputs(), spec_.model.domain.inputs());
    return ByArithmetic();
  }

  // The checker goes through all inputs of the other people and all histograms; through few of them if some probability
  // is not rational.
  ClaimProof of_shuffled(const Claim& claim) {
    const Shuffle& shuffle = *spec_.mechanism.shuffle;
    const std::uint64_t others = shuffle.people - 1, reports = shuffle.local->outputs();
    budget_.require_cells(spec_.model.domain.inputs(), reports);
    if (!claim.arguments.has("delta")) return ByArithmetic();  // like one report
    bool is_rational = true;
    for (const auto& row : rows_of(*shuffle.local, budget_)) {
      for (const Number& entry : row) is_rational = is_rational && entry.is_rational();
    }
    const bool draws = claim.notion->needs_prior;
    if (draws) {
      spec_.model.prior->each_row(
          budget_, [&](InputView, const Number& weight) { is_rational = is_rational && weight.is_rational(); });
    }
    constexpr std::uint64_t kMostPeople = 500;
    if (is_rational && reports == 2 && others < kMostPeople) return ByArithmetic();
    const std::uint64_t inputs = draws ? 1 : spec_.model.domain.inputs();
    const double listed = static_cast<double>(model::Counts(reports + 1, others).size()) *
                          static_cast<double>(model::Counts(inputs, others).size());
    constexpr double kMostListed = 0x1p21, kMostIrrational = 0x1p10;
    if (listed > (is_rational ? kMostListed : kMostIrrational)) {
      throw LimitError("the checker does not go through so many inputs and reports of other people");
    }
    return ByArithmetic();
  }

  // The checker knows losses of parts and classes for neighbors that differ within groups of coordinates.
  static bool has_given_pairs(const Claim& claim) {
    return claim.arguments.find_if<std::shared_ptr<const model::InputPairs>>("neighbors") != nullptr;
  }

  // The losses of independent parts decide it, faster than the checker goes through as many outputs.
  bool is_by_losses(const Claim& claim) const {
    constexpr std::uint64_t kMostListed = std::uint64_t{1} << 16;  // inputs x outputs
    const ChannelPtr& channel = spec_.model.channel;
    if (!claim.notion->large_proofs.by_losses || !channel || channel->factors().empty() || spec_.symbols) return false;
    if (has_given_pairs(claim)) return false;
    return !subject_.can_enumerate() || channel->outputs() > kMostListed / channel->input_numbers();
  }

  // Every large part declares one class of pairs, and the checker can go through the rows of the others.
  bool is_by_classes(const Claim& claim) {
    if (!claim.notion->large_proofs.by_classes || !spec_.model.channel || spec_.symbols) return false;
    if (claim.arguments.has_roots() || has_given_pairs(claim)) return false;
    constexpr std::uint64_t kMostRows = 1024;
    return subject_.remember("is by classes", [&] {
      const std::vector<Factor> units = engine::units_of_model(spec_.model);
      const auto is_large = [](const Factor& unit) { return engine::has_many_pairs(*unit.channel); };
      return std::any_of(units.begin(), units.end(), is_large) &&
             std::all_of(units.begin(), units.end(), [&](const Factor& unit) {
               const WithPairClasses* declared = with_pair_classes(*unit.channel);
               if (declared == nullptr) return unit.channel->input_numbers() <= kMostRows;
               return declared->pair_classes().size() == 1;
             });
    });
  }

  // Where the kinds of pairs of inputs are too many to combine, delta is decided by bounds that the checker lacks.
  bool has_few_kinds(const Claim& claim) {
    constexpr std::size_t kMostKinds = 1024;  // of the checker
    if (!claim.arguments.has("delta")) return true;
    const CoordinateGroups groups = notions::neighborhoods(spec_.model.domain, claim.arguments);
    return std::all_of(groups.groups.begin(), groups.groups.end(), [&](const auto& group) {
      std::string key = "few kinds of neighbors in";  // alike for claims at several epsilon
      for (const std::size_t i : group) key += " " + std::to_string(i);
      return subject_.remember(key, [&] {
        const auto worst = engine::worst_neighbors(spec_.model, group, kMostKinds, true, budget_);
        return worst && !worst->above;
      });
    });
  }

  void require_enumerable() const {
    if (!subject_.can_enumerate()) throw LimitError(kNotEnumerable);
  }

  // Values that refute a claim are a sufficient proof.
  static ClaimProof by_symbols(const ClaimResult& result) {
    if (result.verdict == Verdict::kRefuted && !result.values.empty()) return ByArithmetic();
    return ByQueries();
  }

  ClaimProof over_set(const Claim& claim, const ClaimResult& result, CertifiedClaim& certified) {
    if (result.verdict == Verdict::kRefuted && result.decision.holds == Answer::kYes) {
      throw LimitError("it is refuted in that a smaller level holds over the set, which is not proved");
    }
    ClaimProof proof = certify_over_set(claim, result, subject_);
    if (!claim.tight) return proof;
    certified.attained = witnesses_of(result.decision.actual);
    const auto attains = [](const Witness& witness) {
      return !witness.shows_something() || (witness.prior && (witness.prior->attains || !witness.prior->line.empty()));
    };
    if (!std::all_of(certified.attained.begin(), certified.attained.end(), attains)) {
      certificate_.without.push_back({result.index, result.name, kUnattained});
      certified.attained.clear();
    }
    std::erase_if(certified.attained, [](const Witness& witness) { return !witness.shows_something(); });
    return proof;
  }

  // Inputs and outputs are too many to enumerate. Claims about inputs are proved part by part, claims about values by
  // searches.
  ClaimProof too_large(const Claim& claim, const ClaimResult& result, CertifiedClaim& certified) {
    if (result.verdict == Verdict::kRefuted) {
      throw LimitError("it is refuted in that a smaller level holds, and outputs are too many to go through");
    }
    if (claim.tight) certified.attained = witnesses_of(result.decision.actual);
    // A coordinate of one value has level 0, which needs no evidence, and its witness compares an input with itself.
    std::erase_if(certified.attained, [](const Witness& witness) { return witness.from == witness.to; });
    const notions::LargeProofs& proofs = claim.notion->large_proofs;
    if (!spec_.model.channel->disjoint_parts().empty() && proofs.by_cases && !claim.tight) return ByCases();
    if (auto by_parts = certify_by_parts(claim, spec_.model, budget_)) return *std::move(by_parts);
    if (!proofs.by_bounds || claim.tight || !result.scope.is_everything()) throw LimitError(kNotEnumerable);
    require_bounds(claim);
    return ByBounds();
  }

  // Throws LimitError unless the proved bounds, or the bounds between inputs, are at most the claimed levels.
  void require_bounds(const Claim& claim) {
    if (!certificate_.bounds) certificate_.bounds = certify(spec_, subject_, budget_);
    const auto& levels = claim.arguments.get<CoordinateLevels>("epsilon");
    for (std::size_t i = 0; i < levels.size(); ++i) {
      if (!levels[i] || levels[i]->is_infinite()) continue;
      const std::string& name = spec_.model.domain.coordinate(i).name;
      if (pairs_are_within(spec_.model, {i, true}, *levels[i], budget_)) continue;
      for (const auto& [without, reason] : certificate_.bounds->without) {
        if (without == name) throw LimitError(reason);
      }
      for (const Certificate::Coordinate& bound : certificate_.bounds->coordinates) {
        if (bound.name == name && level_of_decimal(bound.upper) > *levels[i]) {
          throw LimitError("the bound that is proved is " + bound.upper + ", above what is claimed");
        }
      }
    }
  }

  const Spec& spec_;
  Budget budget_;
  MeasuredModel subject_;
  SpecCertificate certificate_;
};

}  // namespace

std::optional<SpecCertificate> certify_claims(const Spec& spec, const SpecResult& result, const Limits& limits) {
  const bool decided = std::any_of(result.claims.begin(), result.claims.end(),
                                   [](const ClaimResult& claim) { return claim.verdict != Verdict::kUndecided; });
  if (!decided) return std::nullopt;
  Certifier certifier(spec, limits);
  for (const ClaimResult& claim : result.claims) certifier.add(claim);
  return certifier.take();
}

}  // namespace oddsbound::app
