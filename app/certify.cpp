#include "app/certify.h"

#include <fmt/format.h>
#include <algorithm>
#include <cstdlib>

#include "base/errors.h"
#include "reports/words.h"
#include "verifier/engine/factor_losses.h"
#include "verifier/engine/level_proof.h"
#include "verifier/exact/decimal.h"
#include "verifier/notions/bcdp.h"
#include "verifier/notions/cdp.h"
#include "verifier/notions/ldp.h"
#include "verifier/notions/tolerance.h"
#include "verifier/priors/row_proof.h"

namespace oddsbound::app {

namespace {

// Relative and absolute (nats) distance of a bound from the level. It makes every inequality of a proof strict.
constexpr double kApart = 1e-9;
constexpr double kLeastApart = 1e-12;
constexpr int kDecimals = 12;

double decimal_value(const std::string& decimal) { return std::strtod(decimal.c_str(), nullptr); }

// The decimal exceeds the double by more than both rounding errors.
std::string decimal_above(double nats) { return fmt::format("{:.{}f}", nats + nats * kApart + kLeastApart, kDecimals); }

std::string decimal_below(const Level& level) {
  const double nats = decimal_value(decimal_bounds(level).lower);
  return fmt::format("{:.{}f}", std::max(0.0, nats - nats * kApart - kLeastApart), kDecimals);
}

std::vector<Factor> factors_of(const Model& model) {
  if (!model.channel->factors().empty()) return {model.channel->factors().begin(), model.channel->factors().end()};
  return {{model.channel, {}}};
}

// The number of occurrences of each label, in order of first appearance. Equal outputs are adjacent.
std::vector<std::pair<std::string, std::size_t>> counted(const Channel& channel,
                                                         const std::vector<std::uint64_t>& outputs) {
  std::vector<std::pair<std::string, std::size_t>> counts;
  std::uint64_t last = 0;
  for (const std::uint64_t y : outputs) {
    if (counts.empty() || y != last) counts.emplace_back(channel.output_label(y), 0);
    ++counts.back().second;
    last = y;
  }
  return counts;
}

// The claimed bounds, without the witness's output.
Certificate::Coordinate claimed(const Model& model, std::size_t i, const GroupLevel& level, const std::string& upper) {
  Certificate::Coordinate result;
  result.name = model.domain.coordinate(i).name;
  result.values = model.domain.coordinate(i).values.listed();
  result.lower = decimal_below(level.at_least);
  result.upper = upper;
  result.from = level.from;
  result.to = level.to;
  return result;
}

Certificate::Coordinate certified(const Model& model, std::size_t i, const GroupLevel& level, const std::string& upper,
                                  CoordinateProof proof) {
  const std::vector<Factor> factors = factors_of(model);
  Certificate::Coordinate result = claimed(model, i, level, upper);
  std::vector<std::size_t> parts;
  for (ProofStep& proof_step : proof.steps) {
    Certificate::Step& step = result.steps.emplace_back();
    const Channel& channel = *factors[proof_step.factors[0]].channel;
    for (const auto& outputs : proof_step.outputs) step.outputs.push_back(counted(channel, outputs));
    step.parts = std::move(proof_step.factors);
    parts.insert(parts.end(), step.parts.begin(), step.parts.end());
  }
  std::sort(parts.begin(), parts.end());
  const FoundOutput found = level.witness.get();
  for (const std::size_t f : parts) result.output.push_back(factors[f].channel->output_label(found.output[f]));
  for (const std::size_t c : proof.within) result.within.push_back(model.domain.coordinate(c).name);
  result.root = std::move(proof.root);
  return result;
}

void add_claims(const NetworkProof& proof, const Model& model, const std::vector<GroupLevel>& levels,
                Certificate& certificate) {
  for (std::size_t i = 0; i < levels.size(); ++i) {
    const NetworkClaim& claim = proof.claims[i];
    if (!levels[i].shows_something() || !claim.reason.empty()) {
      const std::string& reason = levels[i].shows_something() ? claim.reason : levels[i].unfinished->reason;
      certificate.without.emplace_back(certificate.names[i], reason);
      continue;
    }
    Certificate::Coordinate& own =
        certificate.coordinates.emplace_back(claimed(model, i, levels[i], decimal_above(claim.upper)));
    own.sets = claim.sets;
    const FoundOutput found = levels[i].witness.get();
    for (std::size_t f = 0; f < found.output.size(); ++f) {
      own.output.push_back(model.channel->factors()[f].channel->output_label(found.output[f]));
    }
  }
  if (!certificate.coordinates.empty()) certificate.sets = proof.sets;
}

// With fewer rows, proofs are found quickly from what the parts see of them.
bool has_many_rows(const Domain& domain) {
  constexpr std::uint64_t kFewRows = 4096;
  return !domain.is_countable() || domain.input_numbers() > kFewRows;
}

// The bounds are those of the proof, which may be slightly above the levels. nullopt if the prior is not a network
// that the proof supports.
std::optional<Certificate> certify_network(const Spec& spec, const std::vector<GroupLevel>& levels, Budget& budget) {
  Certificate certificate{spec.file, spec.name, {}, {}};
  for (std::size_t i = 0; i < levels.size(); ++i) certificate.names.push_back(spec.model.domain.coordinate(i).name);
  try {
    const std::optional<NetworkProof> proof = prove_network(spec.model, budget);
    if (!proof) return std::nullopt;
    add_claims(*proof, spec.model, levels, certificate);
  } catch (const LimitError& error) {
    for (const std::string& name : certificate.names) certificate.without.emplace_back(name, error.what());
  }
  return certificate;
}

}  // namespace

Certificate without_proofs(const Spec& spec, const std::string& reason) {
  Certificate certificate{spec.file, spec.name, {}, {}};
  for (std::size_t i = 0; i < spec.model.domain.size(); ++i) {
    certificate.without.emplace_back(spec.model.domain.coordinate(i).name, reason);
  }
  return certificate;
}

Level level_of_decimal(const std::string& decimal) {
  std::string digits = decimal;
  digits.erase(digits.find('.'), 1);
  const Number nats = Number::from_digits(digits, "1" + std::string(kDecimals, '0'));
  return Level::of_exponential(Number::exp_of(nats));
}

namespace {

Certificate certify_levels(const Spec& spec, const std::vector<GroupLevel>& levels, Budget& budget) {
  if (has_many_rows(spec.model.domain) || spec.model.domain.input_numbers() > budget.limits().max_inputs) {
    if (auto certificate = certify_network(spec, levels, budget)) return *std::move(certificate);
  }
  std::vector<std::string> uppers;
  std::vector<Level> bounds;
  for (const GroupLevel& level : levels) {
    const Level& most = level.at_most();
    uppers.push_back(most.is_infinite() ? "" : decimal_above(decimal_value(decimal_bounds(most).upper)));
    bounds.push_back(most.is_infinite() ? most : level_of_decimal(uppers.back()));
  }
  std::vector<ProofOutcome> outcomes = prove_bcdp(spec.model, bounds, budget);
  Certificate certificate{spec.file, spec.name, {}, {}};
  for (std::size_t i = 0; i < levels.size(); ++i) {
    if (!levels[i].shows_something()) {
      certificate.without.emplace_back(spec.model.domain.coordinate(i).name, levels[i].unfinished->reason);
    } else if (outcomes[i].proof) {
      certificate.coordinates.push_back(certified(spec.model, i, levels[i], uppers[i], std::move(*outcomes[i].proof)));
    } else {
      certificate.without.emplace_back(spec.model.domain.coordinate(i).name, outcomes[i].reason);
    }
  }
  return certificate;
}

}  // namespace

Certificate certify(const Spec& spec, MeasuredModel& subject, Budget& budget) {
  if (!spec.model.prior) return without_proofs(spec, "the spec has no prior");
  const std::vector<GroupLevel>* levels = nullptr;
  try {
    levels = &bcdp_levels(subject);
  } catch (const LimitError& error) {
    return without_proofs(spec, error.what());
  }
  return certify_levels(spec, *levels, budget);
}

namespace {

// The level of a part: over everything it sees, or over inputs that differ in one of its coordinates only.
Level level_of_part(const Factor& part, const Domain& domain, std::optional<std::size_t> coordinate, Budget& budget) {
  const auto place =
      coordinate ? std::find(part.coordinates.begin(), part.coordinates.end(), *coordinate) : part.coordinates.begin();
  if (place == part.coordinates.end()) return Level();  // the part does not see the coordinate
  const Model model{domain.restricted_to(part.coordinates), part.channel, {}};
  MeasuredModel subject(model, budget);
  if (!coordinate) return ldp_level(subject).at_most();
  return cdp_levels(subject).at(static_cast<std::size_t>(place - part.coordinates.begin())).at_most();
}

bool are_compared(const Domain& domain, const ComparedInputs& compared, std::uint64_t a, std::uint64_t b) {
  if (!compared.coordinate) return a != b;
  const std::size_t i = *compared.coordinate;
  const std::uint64_t from = domain.digit(a, i), to = domain.digit(b, i);
  return from != to && (compared.others_differ || a - from * domain.stride(i) == b - to * domain.stride(i));
}

// True if the parts together stay within the claimed level.
bool parts_are_within(const Model& model, std::optional<std::size_t> coordinate, const Level& claimed, Budget& budget) {
  Level sum;
  for (const Factor& part : model.channel->factors()) {
    sum = sum + level_of_part(part, model.domain, coordinate, budget);
  }
  return sum <= claimed || pairs_are_within(model, {coordinate}, claimed, budget);
}

}  // namespace

bool pairs_are_within(const Model& model, const ComparedInputs& compared, const Level& level, Budget& budget) {
  constexpr double kMostPairs = 1 << 22;  // of inputs, times the number of parts
  if (level.is_infinite()) return true;
  const double inputs = model.domain.input_count().approx(),
               parts = static_cast<double>(model.channel->factors().size());
  if (parts == 0 || level.surd() || inputs * inputs * parts > kMostPairs) return false;
  const std::uint64_t values = compared.coordinate ? model.domain.values(*compared.coordinate) : model.domain.inputs();
  if (values == 1) return true;  // nothing is compared
  MeasuredModel subject(model, budget);
  engine::PairLossSolver losses(subject);
  const InputLevel largest = losses.largest([&](const engine::PairLossSolver::Visit& visit) {
    for (std::uint64_t a = 0; a < model.domain.inputs(); ++a) {
      for (std::uint64_t b = 0; b < model.domain.inputs(); ++b) {
        if (are_compared(model.domain, compared, a, b)) visit(a, b);
      }
    }
  });
  return largest.at_least <= level;
}

std::optional<ByParts> certify_by_parts(const Claim& claim, const Model& model, Budget& budget) {
  if (model.channel->factors().empty() || !claim.notion->large_proofs.by_parts) return std::nullopt;
  if (const auto* level = claim.arguments.find_if<Level>("epsilon")) {
    if (level->is_infinite()) return ByParts();
    if (!parts_are_within(model, std::nullopt, *level, budget)) return std::nullopt;
    return ByParts{{""}};
  }
  ByParts proof;
  const auto& levels = claim.arguments.get<CoordinateLevels>("epsilon");
  for (std::size_t i = 0; i < levels.size(); ++i) {
    if (!levels[i] || levels[i]->is_infinite()) continue;
    if (!parts_are_within(model, i, *levels[i], budget)) return std::nullopt;
    proof.coordinates.push_back(model.domain.coordinate(i).name);
  }
  return proof;
}

namespace {

SetCertificate::Level certified_level(const OverSet& one, const priors::PriorSet& set, std::size_t at_once,
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

SetCertificate::Claim certify_large(const Claim& claim, const priors::PriorSet& set, const ClaimResult& result,
                                    MeasuredModel& subject) {
  SetCertificate::Claim certified{result.index, result.name, result.scope.for_all, {}};
  const auto* levels = std::get_if<NamedLevels>(&result.decision.actual);
  if (!claim.notion->large_proofs.by_bounds || !levels) throw LimitError(kTooMany);
  const auto& claimed = claim.arguments.get<CoordinateLevels>("epsilon");
  for (const auto& [coordinate, level] : *levels) {
    SetCertificate::Level& one = certified.levels.emplace_back();
    one.coordinate = coordinate;
    if (claimed.at(*subject.domain().find(coordinate))->is_infinite()) continue;
    if (!set.is_largest_part_by_part()) throw LimitError(std::string(kTooMany) + ", which the checker does not repeat");
    one.way = "parts";
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
    subject.budget().reserve_output(written_size(certified.levels.back()));
  }
  return certified;
}

}  // namespace oddsbound::app
