#include "runs/certify.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "base/errors.h"
#include "base/short_message.h"
#include "verifier/exact/decimal.h"
#include "verifier/networks/network_proof.h"
#include "verifier/notions/bcdp.h"
#include "verifier/notions/bcdp_proof.h"

namespace oddsbound::runs {

namespace {

// Bounds are this far from the level, as a part of it and in nats: so that every inequality of a proof is strict.
constexpr double kApart = 1e-9;
constexpr double kLeastApart = 1e-12;
constexpr int kDecimals = 12;

double decimal_value(const std::string& decimal) { return std::strtod(decimal.c_str(), nullptr); }

// The decimal is above the double by more than rounding both took.
std::string decimal_above(double nats) { return fmt::format("{:.{}f}", nats + nats * kApart + kLeastApart, kDecimals); }

std::string decimal_below(const Level& level) {
  const double nats = decimal_value(decimal_bounds(level).lower);
  return fmt::format("{:.{}f}", std::max(0.0, nats - nats * kApart - kLeastApart), kDecimals);
}

std::vector<Factor> factors_of(const Model& model) {
  if (!model.channel->factors().empty()) return {model.channel->factors().begin(), model.channel->factors().end()};
  return {{model.channel, {}}};
}

// How often each label came, in the order in which they came first.
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

// What is claimed, but for the witness's output.
Certificate::Coordinate claimed(const Model& model, std::size_t i, const ValueLevel& level, const std::string& upper) {
  Certificate::Coordinate result;
  result.name = model.domain.coordinate(i).name;
  result.values = model.domain.coordinate(i).values;
  result.lower = decimal_below(level.level);
  result.upper = upper;
  result.from = level.from;
  result.to = level.to;
  return result;
}

Certificate::Coordinate certified(const Model& model, std::size_t i, const ValueLevel& level, const std::string& upper,
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
  const FoundOutput found = level.found.get();
  for (const std::size_t f : parts) result.output.push_back(factors[f].channel->output_label(found.output[f]));
  for (const std::size_t c : proof.within) result.within.push_back(model.domain.coordinate(c).name);
  result.root = std::move(proof.root);
  return result;
}

void add_claims(const NetworkProof& proof, const Model& model, const std::vector<ValueLevel>& levels,
                Certificate& certificate) {
  for (std::size_t i = 0; i < levels.size(); ++i) {
    const NetworkClaim& claim = proof.claims[i];
    if (!levels[i].shown || !claim.reason.empty()) {
      const std::string& reason = levels[i].shown ? claim.reason : levels[i].unfinished->reason;
      certificate.without.emplace_back(certificate.names[i], reason);
      continue;
    }
    Certificate::Coordinate& own =
        certificate.coordinates.emplace_back(claimed(model, i, levels[i], decimal_above(claim.upper)));
    own.sets = claim.sets;
    const FoundOutput found = levels[i].found.get();
    for (std::size_t f = 0; f < found.output.size(); ++f) {
      own.output.push_back(model.channel->factors()[f].channel->output_label(found.output[f]));
    }
  }
  if (!certificate.coordinates.empty()) certificate.sets = proof.sets;
}

// Of fewer rows proofs are found quickly by what the parts see of them.
bool has_many_rows(const Domain& domain) {
  constexpr std::uint64_t kFewRows = 4096;
  return !domain.is_countable() || domain.input_numbers() > kFewRows;
}

// The bounds are those that the proof shows, which may be somewhat above those of the levels. None if the prior is no
// network that can be gone along.
std::optional<Certificate> certify_network(const Spec& spec, const std::vector<ValueLevel>& levels, Budget& budget) {
  Certificate certificate{spec.file, spec.name, {}, {}};
  for (std::size_t i = 0; i < levels.size(); ++i) certificate.names.push_back(spec.model.domain.coordinate(i).name);
  try {
    const std::optional<NetworkProof> proof = prove_network(spec.model, budget);
    if (!proof) return std::nullopt;
    add_claims(*proof, spec.model, levels, certificate);
  } catch (const LimitError& error) {
    for (const std::string& name : certificate.names) certificate.without.emplace_back(name, shortened(error.what()));
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

Certificate certify(const Spec& spec, const SpecResult& result, MeasuredModel& subject, Budget& budget) {
  if (!spec.model.prior) return without_proofs(spec, "the spec has no prior");
  if (result.analysis.by_coordinate("bcdp") == nullptr) {
    const auto reason = result.analysis.undecided.find("bcdp");
    return without_proofs(spec,
                          reason == result.analysis.undecided.end() ? "its level was not measured" : reason->second);
  }
  const std::vector<ValueLevel>& levels = bcdp_levels(subject);
  if (has_many_rows(spec.model.domain) || spec.model.domain.input_numbers() > budget.limits().max_inputs) {
    if (auto certificate = certify_network(spec, levels, budget)) return *std::move(certificate);
  }
  std::vector<std::string> uppers;
  std::vector<Level> bounds;
  for (const ValueLevel& level : levels) {
    const Level& most = level.unfinished ? level.unfinished->at_most : level.level;
    uppers.push_back(most.is_infinite() ? "" : decimal_above(decimal_value(decimal_bounds(most).upper)));
    bounds.push_back(most.is_infinite() ? most : level_of_decimal(uppers.back()));
  }
  std::vector<ProofOutcome> outcomes = prove_bcdp(spec.model, bounds, budget);
  Certificate certificate{spec.file, spec.name, {}, {}};
  for (std::size_t i = 0; i < levels.size(); ++i) {
    if (!levels[i].shown) {
      certificate.without.emplace_back(spec.model.domain.coordinate(i).name, levels[i].unfinished->reason);
    } else if (outcomes[i].proof) {
      certificate.coordinates.push_back(certified(spec.model, i, levels[i], uppers[i], std::move(*outcomes[i].proof)));
    } else {
      certificate.without.emplace_back(spec.model.domain.coordinate(i).name, outcomes[i].reason);
    }
  }
  return certificate;
}

}  // namespace oddsbound::runs
