#include "runs/design.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>

#include "base/errors.h"
#include "runs/claim_limits.h"
#include "runs/design_certificate.h"
#include "runs/design_columns.h"
#include "runs/design_parts.h"
#include "runs/design_product.h"
#include "runs/matrix_spec.h"
#include "runs/spec_text.h"
#include "specs/design.h"
#include "verifier/exact/decimal.h"
#include "verifier/model/joined_values.h"
#include "verifier/optimal/curve.h"
#include "verifier/optimal/readable.h"

namespace oddsbound::runs {

namespace {

using optimal::Ceiling;
using optimal::Charge;
using optimal::Optimum;
using optimal::OverSets;
using optimal::Wanted;
using optimal::WithinSets;
using specs::DesignFile;
using Json = nlohmann::ordered_json;

}  // namespace

ReadRows rows_of(const DesignFile& request) {
  ReadRows rows;
  std::vector<std::vector<std::string>> values;
  std::map<std::vector<std::string>, std::uint64_t> known;
  const Domain& domain = request.model.domain;
  for (std::uint64_t x = 0; x < domain.inputs(); ++x) {
    const std::vector<std::string> tuple = domain.tuple(x);
    std::vector<std::string> read;
    for (const std::size_t i : request.reads) read.push_back(tuple[i]);
    const auto [found, is_new] = known.emplace(std::move(read), values.size());
    if (is_new) values.push_back(found->first);
    rows.of_input.push_back(found->second);
  }
  rows.names = joined_lists(values, ", ");
  return rows;
}

namespace {

std::vector<Charge> charges_of(const DesignFile& request, const specs::Losses& losses, const ReadRows& rows) {
  std::vector<Charge> charges;
  for (std::uint64_t x = 0; x < rows.of_input.size(); ++x) {
    const Number weight = losses.largest ? Number(1) : request.model.prior->probability(x);
    charges.push_back({rows.of_input[x], losses.table[x], weight});
  }
  return charges;
}

// The largest loss is below if that of each input is.
void add_ceilings(std::vector<Charge> charges, bool largest, const Number& at_most, std::size_t of,
                  std::vector<Ceiling>& ceilings) {
  if (!largest) {
    ceilings.push_back({std::move(charges), at_most, of});
    return;
  }
  for (Charge& charge : charges) {
    charge.weight = Number(1);
    ceilings.push_back({{std::move(charge)}, at_most, of});
  }
}

// Entries that symmetries lead to one another are equal: each to the first of them.
std::vector<std::size_t> orbits_of(const DesignFile& request, const ReadRows& rows) {
  if (request.symmetries.empty()) return {};
  const std::size_t outputs = request.outputs.size();
  std::vector<std::size_t> root(rows.names.size() * outputs);
  std::iota(root.begin(), root.end(), std::size_t{0});
  const auto root_of = [&](std::size_t entry) {
    while (root[entry] != entry) entry = root[entry] = root[root[entry]];
    return entry;
  };
  for (const specs::Symmetry& symmetry : request.symmetries) {
    for (std::uint64_t x = 0; x < rows.of_input.size(); ++x) {
      for (std::size_t y = 0; y < outputs; ++y) {
        const std::size_t a = root_of(rows.of_input[x] * outputs + y);
        const std::size_t b = root_of(rows.of_input[symmetry.inputs[x]] * outputs + symmetry.outputs[y]);
        root[std::max(a, b)] = std::min(a, b);
      }
    }
  }
  for (std::size_t entry = 0; entry < root.size(); ++entry) root[entry] = root_of(entry);
  return root;
}

// What is asked for, with what stands below e^level.
struct Asked {
  Wanted wanted;
  OverSets over_sets;
  bool exact = true;  // nothing stands for it
};

Asked asked_of(const DesignFile& request, const ReadRows& rows) {
  Asked asked{{}, {request.model.domain, rows.of_input, {}, {}}};
  Wanted& wanted = asked.wanted;
  wanted.rows = rows.names.size();
  wanted.outputs = request.outputs.size();
  wanted.largest = request.objective.largest;
  wanted.charges = charges_of(request, request.objective, rows);
  wanted.orbits = orbits_of(request, rows);
  for (std::size_t k = 0; k < request.loss_limits.size(); ++k) {
    const specs::LossLimit& limit = request.loss_limits[k];
    add_ceilings(charges_of(request, limit.losses, rows), limit.losses.largest, limit.at_most, k, wanted.ceilings);
  }
  ClaimLimits claims;
  for (std::size_t k = 0; k < request.constraints.size(); ++k) {
    add_limits(request.model, request.constraints[k], k, claims);
  }
  wanted.limits = std::move(claims.limits);
  asked.over_sets.limits = std::move(claims.over_sets);
  for (optimal::Limit& limit : wanted.limits) gather(limit, rows.of_input);
  optimal::Bounds bounds = optimal::bounds_of(levels_of(wanted.limits), request.denominator);
  optimal::Bounds over_sets = optimal::bounds_of(levels_of(asked.over_sets.limits), request.denominator);
  asked.exact = bounds.are_exact() && over_sets.are_exact();
  wanted.bounds = std::move(bounds.below);
  asked.over_sets.bounds = std::move(over_sets.below);
  return asked;
}

// The same with what stands above e^level, and with limits under members of sets that the search below has added.
Wanted above(const DesignFile& request, const Asked& asked) {
  Wanted wanted = asked.wanted;
  wanted.bounds = optimal::bounds_of(levels_of(wanted.limits), request.denominator).above;
  return wanted;
}

std::vector<results::CurvePoint> curve_of(const DesignFile& request, const ReadRows& rows, const Wanted& wanted,
                                          Budget& budget) {
  std::vector<results::CurvePoint> points;
  if (!request.curve) return points;
  const std::vector<std::size_t>& swept = request.curve->constraints;
  const auto is_swept = [&](const optimal::Limit& limit) {
    return std::count(swept.begin(), swept.end(), limit.demand) > 0;
  };
  // What is implied at levels that differ is not where all are the same.
  Wanted whole = wanted;
  whole.limits.clear();
  whole.bounds.clear();
  for (std::size_t k = 0; k < wanted.limits.size(); ++k) {
    if (is_swept(wanted.limits[k])) continue;
    whole.limits.push_back(wanted.limits[k]);
    whole.bounds.push_back(wanted.bounds[k]);
  }
  for (const std::size_t k : swept) {
    const specs::Claim& claim = request.constraints[k];
    const LookedAt inputs(request.model.domain);
    for (optimal::Limit& limit :
         optimal::limits_of(request.model, claim.notion->define(request.model, claim.arguments, inputs), k)) {
      gather(limit, rows.of_input);
      whole.limits.push_back(std::move(limit));
      whole.bounds.push_back(request.curve->from);
    }
  }
  const auto at = [&](const Number& t) {
    Wanted there = whole;
    for (std::size_t k = 0; k < there.limits.size(); ++k) {
      if (is_swept(there.limits[k])) there.bounds[k] = t;
    }
    return there;
  };
  for (optimal::CurveStep& step : optimal::loss_curve(at, request.curve->from, request.curve->to, budget)) {
    points.push_back({std::move(step.t), std::move(step.loss), step.turns, step.exactly});
  }
  return points;
}

// Of those that lose as little, one that tells less, where that has fewer outputs or fewer different entries.
void make_readable(const Asked& asked, const Number& loss, optimal::Rows& rows, Budget& budget) {
  const Wanted& wanted = asked.wanted;
  merge_alike(wanted, rows);
  constexpr std::size_t kMostToMakePlain = 400;  // which takes as long again
  if (wanted.rows * wanted.outputs > kMostToMakePlain || !loss.is_rational()) return;
  Wanted as_good = wanted;
  add_ceilings(wanted.charges, wanted.largest, loss, 0, as_good.ceilings);
  std::optional<Optimum> plain = plainest(as_good, budget);
  if (!plain) return;
  merge_alike(as_good, plain->rows);
  if (size_of(plain->rows) < size_of(rows) && broken_by(asked.over_sets, plain->rows, budget).holds()) {
    rows = std::move(plain->rows);
  }
}

}  // namespace

Json spec_of(const DesignFile& request, const std::string& told, Json mechanism, const std::string& folder) {
  Json spec;
  spec["oddsbound"] = 1;
  spec["name"] = request.name;
  spec["description"] = "Made by oddsbound design: " + told + ".";
  const Domain& domain = request.model.domain;
  for (std::size_t i = 0; i < domain.size(); ++i) {
    spec["domain"].push_back({{"name", domain.coordinate(i).name}, {"values", domain.coordinate(i).values}});
  }
  const Json written = json_of(request.document->root());
  for (const char* key : {"parameters", "prior", "prior_sets"}) {
    if (written.contains(key)) spec[key] = written[key];
  }
  name_prior_from(spec, folder, request.file);
  spec["mechanism"] = std::move(mechanism);
  spec["claims"] = written["constraints"];
  return spec;
}

Json matrix_by_input(const ReadRows& rows, const results::ShownMatrix& matrix) {
  optimal::Rows by_input;
  for (const std::uint64_t row : rows.of_input) by_input.push_back(matrix.entries[row]);
  return matrix_of(matrix.outputs, by_input);
}

namespace {

// Within limits of which no mechanism keeps below all losses.
results::DesignResult conflict_of(const DesignFile& request, const ReadRows& rows, const Wanted& wanted,
                                  Budget& budget) {
  const Optimum excess = least_excess(wanted, budget);
  if (excess.loss.sign() <= 0) {
    throw ModelError("no mechanism keeps below all losses with fractions of denominator " +
                     std::to_string(request.denominator) + " in place of e^level: a larger one may help");
  }
  results::DesignResult result;
  result.name = request.name;
  result.confidential = request.confidential;
  result.conflict = needed_by(request, wanted, excess.proof);
  result.certificate = certificate_text(request, rows.names, wanted, excess.proof, excess.loss, true);
  return result;
}

}  // namespace

results::DesignResult run_design(const std::string& file, const std::string& folder, Budget& budget) {
  const DesignFile request = specs::read_design(file, budget);
  if (request.goal) return design_of_columns(request, folder, budget);
  if (request.product) return design_of_product(request, folder, budget);
  const ReadRows rows = rows_of(request);
  budget.require_cells(rows.names.size(), request.outputs.size());
  Asked asked = asked_of(request, rows);
  const auto solve = [&](const Wanted& wanted) { return least_loss(wanted, budget); };
  std::optional<WithinSets> best = best_within(asked.wanted, asked.over_sets, solve, budget);
  Wanted bounding = above(request, asked);
  if (!best) return conflict_of(request, rows, bounding, budget);
  Optimum proven = best->optimum;
  if (!asked.exact) proven = least_loss(bounding, budget).value();
  results::DesignResult result;
  result.share = best->share;
  if (best->share.is_zero()) {
    make_readable(asked, best->optimum.loss, best->optimum.rows, budget);
  } else {
    if (!is_below(asked.wanted.ceilings, best->optimum.rows)) {
      throw LimitError("what tells less, to keep what holds over sets of priors, loses more than it may");
    }
    best->optimum.loss = loss_of(asked.wanted, best->optimum.rows);
  }
  result.name = request.name;
  result.confidential = request.confidential;
  result.loss_words = request.objective.words;
  result.loss = best->optimum.loss;
  result.at_least = proven.loss;
  result.symmetric = !request.symmetries.empty();
  std::tie(result.outputs, result.entries) = size_of(best->optimum.rows);
  result.family = optimal::family_of(best->optimum.rows);
  result.curve = curve_of(request, rows, asked.wanted, budget);
  result.matrix = {rows.names, request.outputs, best->optimum.rows};
  const std::string told = result.loss_words + " " + described_loss(result);
  result.spec = spec_text(spec_of(request, told, matrix_by_input(rows, result.matrix), folder));
  result.certificate = certificate_text(request, rows.names, bounding, proven.proof, proven.loss, false);
  return result;
}

}  // namespace oddsbound::runs
