#include "design/run.h"

#include <fmt/format.h>
#include <algorithm>
#include <boost/pending/disjoint_sets.hpp>
#include <map>
#include <numeric>
#include <set>

#include "app/spec_text.h"
#include "base/characters.h"
#include "base/errors.h"
#include "design/monotone_search.h"
#include "design/product_form.h"
#include "design/readable.h"
#include "design/run_columns.h"
#include "verifier/exact/decimal.h"
#include "verifier/model/domain.h"

namespace oddsbound::designs {

namespace {

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

std::vector<LossTerm> charges_of(const DesignFile& request, const Losses& losses, const ReadRows& rows) {
  std::vector<LossTerm> charges;
  for (std::uint64_t x = 0; x < rows.of_input.size(); ++x) {
    const Number weight = losses.largest ? Number(1) : request.model.prior->probability(x);
    charges.push_back({rows.of_input[x], losses.table[x], weight});
  }
  return charges;
}

// The largest loss is at most at_most if that of each input is.
void add_ceilings(std::vector<LossTerm> charges, bool largest, const Number& at_most, std::size_t of,
                  std::vector<LossConstraint>& ceilings) {
  if (!largest) {
    ceilings.push_back({std::move(charges), at_most, of});
    return;
  }
  for (LossTerm& charge : charges) {
    charge.weight = Number(1);
    ceilings.push_back({{std::move(charge)}, at_most, of});
  }
}

// Returns, by entry, the first entry of its orbit under the symmetries; entries in an orbit are equal.
std::vector<std::size_t> orbits_of(const DesignFile& request, const ReadRows& rows) {
  if (request.symmetries.empty()) return {};
  const std::size_t outputs = request.outputs.size();
  boost::disjoint_sets_with_storage<> orbits(rows.names.size() * outputs);
  for (const Symmetry& symmetry : request.symmetries) {
    for (std::uint64_t x = 0; x < rows.of_input.size(); ++x) {
      for (std::size_t y = 0; y < outputs; ++y) {
        orbits.union_set(rows.of_input[x] * outputs + y,
                         rows.of_input[symmetry.inputs[x]] * outputs + symmetry.outputs[y]);
      }
    }
  }
  std::vector<std::size_t> first(rows.names.size() * outputs);
  std::iota(first.begin(), first.end(), std::size_t{0});
  orbits.normalize_sets(first.begin(), first.end());
  for (std::size_t& entry : first) entry = orbits.find_set(entry);
  return first;
}

// The problem of a request, with lower bounds in place of irrational e^level.
struct Asked {
  DesignProblem wanted;
  OverSets over_sets;
  bool exact = true;  // no e^level is approximated
};

Asked asked_of(const DesignFile& request, const ReadRows& rows) {
  Asked asked{{}, {request.model.domain, rows.of_input, {}, {}}};
  DesignProblem& wanted = asked.wanted;
  wanted.rows = rows.names.size();
  wanted.outputs = request.outputs.size();
  wanted.largest = request.objective.largest;
  wanted.charges = charges_of(request, request.objective, rows);
  wanted.orbits = orbits_of(request, rows);
  for (std::size_t k = 0; k < request.loss_limits.size(); ++k) {
    const LossLimit& limit = request.loss_limits[k];
    add_ceilings(charges_of(request, limit.losses, rows), limit.losses.largest, limit.at_most, k, wanted.ceilings);
  }
  ClaimLimits claims;
  for (std::size_t k = 0; k < request.constraints.size(); ++k) {
    add_limits(request.model, request.constraints[k], k, claims);
  }
  wanted.limits = std::move(claims.limits);
  asked.over_sets.limits = std::move(claims.over_sets);
  for (Limit& limit : wanted.limits) gather(limit, rows.of_input);
  Bounds bounds = bounds_of(levels_of(wanted.limits), request.denominator);
  Bounds over_sets = bounds_of(levels_of(asked.over_sets.limits), request.denominator);
  asked.exact = bounds.are_exact() && over_sets.are_exact();
  wanted.bounds = std::move(bounds.below);
  asked.over_sets.bounds = std::move(over_sets.below);
  return asked;
}

// The same with upper bounds in place of e^level, including limits that the search over sets has added.
DesignProblem above(const DesignFile& request, const Asked& asked) {
  DesignProblem wanted = asked.wanted;
  wanted.bounds = bounds_of(levels_of(wanted.limits), request.denominator).above;
  return wanted;
}

std::vector<CurvePoint> curve_of(const DesignFile& request, const ReadRows& rows, const DesignProblem& wanted,
                                 Budget& budget) {
  std::vector<CurvePoint> points;
  if (!request.curve) return points;
  const std::vector<std::size_t>& swept = request.curve->constraints;
  const auto is_swept = [&](const Limit& limit) { return std::count(swept.begin(), swept.end(), limit.demand) > 0; };
  // Start from all limits: those that others imply at the requested levels may not be implied at equal levels.
  DesignProblem whole = wanted;
  whole.limits.clear();
  whole.bounds.clear();
  for (std::size_t k = 0; k < wanted.limits.size(); ++k) {
    if (is_swept(wanted.limits[k])) continue;
    whole.limits.push_back(wanted.limits[k]);
    whole.bounds.push_back(wanted.bounds[k]);
  }
  for (const std::size_t k : swept) {
    const specs::Claim& claim = request.constraints[k];
    const InputSubset inputs(request.model.domain);
    for (Limit& limit : limits_of(request.model, claim.notion->define(request.model, claim.arguments, inputs), k)) {
      gather(limit, rows.of_input);
      whole.limits.push_back(std::move(limit));
      whole.bounds.push_back(request.curve->from);
    }
  }
  const auto at = [&](const Number& t) {
    DesignProblem there = whole;
    for (std::size_t k = 0; k < there.limits.size(); ++k) {
      if (is_swept(there.limits[k])) there.bounds[k] = t;
    }
    return there;
  };
  for (CurveStep& step : loss_curve(at, request.curve->from, request.curve->to, budget)) {
    points.push_back({std::move(step.t), std::move(step.loss), step.turns, step.exactly});
  }
  return points;
}

// Replaces the rows by a less informative mechanism with the same loss, if it has fewer outputs or fewer different
// entries.
void make_readable(const Asked& asked, const Number& loss, Rows& rows, Budget& budget) {
  const DesignProblem& wanted = asked.wanted;
  merge_alike(wanted, rows);
  constexpr std::size_t kMostToMakePlain = 400;  // it takes as long again
  if (wanted.rows * wanted.outputs > kMostToMakePlain || !loss.is_rational()) return;
  DesignProblem as_good = wanted;
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
    spec["domain"].push_back({{"name", domain.coordinate(i).name}, {"values", domain.coordinate(i).values.listed()}});
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

Json matrix_by_input(const ReadRows& rows, const ShownMatrix& matrix) {
  Rows by_input;
  for (const std::uint64_t row : rows.of_input) by_input.push_back(matrix.entries[row]);
  return matrix_of(matrix.outputs, by_input);
}

namespace {

// Requires that no mechanism within the limits satisfies all ceilings.
DesignResult conflict_of(const DesignFile& request, const ReadRows& rows, const DesignProblem& wanted, Budget& budget) {
  const Optimum excess = least_excess(wanted, budget);
  if (excess.loss.sign() <= 0) {
    throw ModelError("no mechanism keeps below all losses with fractions of denominator " +
                     std::to_string(request.denominator) + " in place of e^level: a larger one may help");
  }
  DesignResult result;
  result.name = request.name;
  result.confidential = request.confidential;
  result.conflict = needed_by(request, wanted, excess.proof);
  result.certificate = certificate_text(request, rows.names, wanted, excess.proof, excess.loss, true);
  return result;
}

}  // namespace

DesignResult run_design(const std::string& file, const std::string& folder, Budget& budget) {
  const DesignFile request = read_design(file, budget);
  if (request.goal) return design_of_columns(request, folder, budget);
  if (request.product) return design_of_product(request, folder, budget);
  const ReadRows rows = rows_of(request);
  budget.require_cells(rows.names.size(), request.outputs.size());
  Asked asked = asked_of(request, rows);
  const auto solve = [&](const DesignProblem& wanted) { return least_loss(wanted, budget); };
  std::optional<WithinSets> best = best_within(asked.wanted, asked.over_sets, solve, budget);
  DesignProblem bounding = above(request, asked);
  if (!best) return conflict_of(request, rows, bounding, budget);
  Optimum proven = best->optimum;
  if (!asked.exact) proven = least_loss(bounding, budget).value();
  DesignResult result;
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
  result.family = family_of(best->optimum.rows);
  result.curve = curve_of(request, rows, asked.wanted, budget);
  result.matrix = {rows.names, request.outputs, best->optimum.rows};
  const std::string told = result.loss_words + " " + described_loss(result);
  result.spec = spec_text(spec_of(request, told, matrix_by_input(rows, result.matrix), folder));
  result.certificate = certificate_text(request, rows.names, bounding, proven.proof, proven.loss, false);
  return result;
}

namespace {

Json json_of_limit(const DesignFile& request, const Limit& limit, const Number& bound) {
  Json one = {{"constraint", limit.demand}, {"about", limit.about}, {"bound", bound.to_string()}};
  for (const auto& [x, mass] : limit.prior) {
    one["prior"].push_back({{"input", request.model.domain.tuple(x)}, {"mass", mass.to_string()}});
  }
  return one;
}

Json texts_of(const std::vector<Number>& numbers) {
  Json texts = Json::array();
  for (const Number& number : numbers) texts.push_back(number.to_string());
  return texts;
}

}  // namespace

std::string certificate_text(const DesignFile& request, const std::vector<std::string>& row_names,
                             const DesignProblem& wanted, const Proof& proof, const Number& at_least, bool conflict) {
  Json certificate;
  certificate["oddsbound_design_certificate"] = 1;
  certificate[conflict ? "exceeded_by" : "at_least"] = at_least.to_string();
  for (const char* list : {"limits", "prices", "multipliers"}) certificate[list] = Json::array();
  for (std::size_t k = 0; k < wanted.limits.size(); ++k) {
    certificate["limits"].push_back(json_of_limit(request, wanted.limits[k], wanted.bounds[k]));
  }
  for (std::size_t x = 0; x < row_names.size(); ++x) {
    certificate["prices"].push_back({{"row", row_names[x]}, {"index", x}, {"price", proof.duals[x].to_string()}});
  }
  if (!conflict && wanted.largest) certificate["weights"] = texts_of(proof.weights);
  if (!wanted.ceilings.empty()) {
    certificate["losses"] = Json::array();
    for (std::size_t k = 0; k < wanted.ceilings.size(); ++k) {
      Json one = {{"loss", wanted.ceilings[k].of}, {"times", proof.ceilings[k].to_string()}};
      const auto& charges = wanted.ceilings[k].charges;
      if (request.loss_limits[wanted.ceilings[k].of].losses.largest) {
        one["row"] = row_names[charges[0].row];
        one["index"] = charges[0].row;
      }
      certificate["losses"].push_back(std::move(one));
    }
  }
  for (const Multiplier& one : proof.multipliers) {
    const Limit& limit = wanted.limits[one.limit];
    certificate["multipliers"].push_back({{"limit", one.limit},
                                          {"from", limit.names[one.from]},
                                          {"to", limit.names[one.to]},
                                          {"output", request.outputs[one.output]},
                                          {"times", one.times.to_string()}});
  }
  return json_escaped(certificate.dump(1)) + "\n";
}

std::vector<std::string> needed_by(const DesignFile& request, const DesignProblem& wanted, const Proof& proof) {
  std::set<std::size_t> constraints, losses;
  for (const Multiplier& one : proof.multipliers) constraints.insert(wanted.limits[one.limit].demand);
  for (std::size_t k = 0; k < wanted.ceilings.size(); ++k) {
    if (!proof.ceilings[k].is_zero()) losses.insert(wanted.ceilings[k].of);
  }
  std::vector<std::string> words;
  for (const std::size_t k : constraints) {
    words.push_back(fmt::format("constraint {} ({})", k + 1, request.constraints[k].notion->name));
  }
  for (const std::size_t k : losses) {
    const LossLimit& limit = request.loss_limits[k];
    words.push_back(
        fmt::format("limit {} on losses: {} at most {}", k + 1, limit.losses.words, limit.at_most.to_string()));
  }
  return words;
}

}  // namespace oddsbound::designs
