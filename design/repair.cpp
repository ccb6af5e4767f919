#include "design/repair.h"

#include <algorithm>

#include "app/spec_text.h"
#include "base/errors.h"
#include "design/program.h"
#include "design/run_columns.h"
#include "design/spec.h"
#include "verifier/exact/expression.h"
#include "verifier/model/domain.h"

namespace oddsbound::designs {

namespace {

using Json = nlohmann::ordered_json;

Number magnitude(const Number& number) { return number.sign() < 0 ? -number : number; }

// Divides every row of the document's matrix by its sum. Returns the largest deviation of a sum from 1.
Number divide_rows(Json& spec, const std::string& file) {
  const auto fail = [&](const std::string& what) -> void { throw specs::SpecError({file, 0, 0, "/mechanism"}, what); };
  if (!spec.contains("mechanism") || !spec["mechanism"].is_object() || !spec["mechanism"].contains("rows") ||
      !spec["mechanism"]["rows"].is_array()) {
    fail("expected a matrix with its 'rows' in the spec, because --rounded-rows divides these by their sums");
  }
  Number off(0);
  std::size_t number = 0;
  for (Json& row : spec["mechanism"]["rows"]) {
    if (!row.is_array()) fail("row " + std::to_string(number) + " is not a list of numbers");
    std::vector<Number> entries;
    Number sum(0);
    for (const Json& entry : row) {
      try {
        entries.push_back(parse_number(entry.is_string() ? entry.get<std::string>() : entry.dump()));
      } catch (const NumberError& error) {
        fail("row " + std::to_string(number) + ": " + error.what());
      }
      if (entries.back().sign() < 0) fail("row " + std::to_string(number) + " has a negative number");
      sum += entries.back();
    }
    const Number misses = magnitude(sum - Number(1));
    if (misses > Number::ratio(1, 1000)) {
      fail("row " + std::to_string(number) + " sums to " + sum.to_string() +
           ", expected a sum that differs from 1 by at most 1/1000 (--rounded-rows)");
    }
    off = std::max(off, misses);
    for (std::size_t y = 0; y < entries.size(); ++y) row[y] = (entries[y] / sum).to_string();
    ++number;
  }
  return off;
}

// Returns the limits set by the spec's claims; notes name the claims that set none.
ClaimLimits limits_of_claims(const specs::Spec& spec, std::vector<std::string>& notes) {
  ClaimLimits limits;
  for (std::size_t k = 0; k < spec.claims.size(); ++k) {
    const specs::Claim& claim = spec.claims[k];
    const std::string which = "claim " + std::to_string(k + 1) + " (" + claim.notion->name + ")";
    if (!claim.expect_holds) {
      notes.push_back(which + " is dropped: it was expected to be refuted");
    } else if (!limits_mechanisms(claim)) {
      notes.push_back(which + " was not considered: " +
                      (depends_on_mechanism(claim) ? "what a sample allows depends on the mechanism"
                                                   : "it does not limit the probabilities of outputs"));
    } else {
      add_limits(spec.model, claim, k, limits);
    }
  }
  return limits;
}

// Checks at the exact levels.
bool keeps_all(const std::vector<Limit>& limits, OverSets over_sets, const Rows& rows, Budget& budget) {
  over_sets.bounds = bounds_of(levels_of(over_sets.limits), 0).below;
  return is_within(limits, bounds_of(levels_of(limits), 0).below, rows) && broken_by(over_sets, rows, budget).holds();
}

Rows rows_of(const specs::Spec& spec, Budget& budget) {
  const Channel& channel = *spec.model.channel;
  budget.require_cells(spec.model.domain.inputs(), channel.outputs());
  Rows rows(spec.model.domain.inputs());
  for (std::uint64_t x = 0; x < rows.size(); ++x) {
    for (std::uint64_t y = 0; y < channel.outputs(); ++y) {
      rows[x].push_back(channel.entry(x, y));
      if (!rows[x].back().is_rational()) throw ModelError("only mechanisms of rational probabilities are repaired");
    }
  }
  return rows;
}

Rows mixed(const Rows& rows, const Number& share) {
  Rows result = rows;
  for (std::vector<Number>& row : result) {
    const Number each = share / Number(static_cast<std::int64_t>(row.size()));
    for (Number& entry : row) entry = (Number(1) - share) * entry + each;
  }
  return result;
}

void measure(const Rows& before, const Rows& after, RepairResult& result) {
  for (std::size_t x = 0; x < before.size(); ++x) {
    Number sum(0);
    for (std::size_t y = 0; y < before[x].size(); ++y) {
      const Number change = magnitude(after[x][y] - before[x][y]);
      result.entries = std::max(result.entries, change);
      sum += change;
    }
    result.rows = std::max(result.rows, sum / Number(2));
  }
}

// Keeps claims that were skipped; removes 'tight' from all.
Json claims_of(const specs::Spec& spec, const Json& written, std::vector<std::string>& notes) {
  Json claims = Json::array();
  for (std::size_t k = 0; k < spec.claims.size(); ++k) {
    if (!spec.claims[k].expect_holds) continue;
    Json one = written[k];
    one.erase("tight");
    if (spec.claims[k].tight) notes.push_back("claim " + std::to_string(k + 1) + " is no longer 'tight'");
    claims.push_back(std::move(one));
  }
  return claims;
}

Rows repaired_rows(const specs::Spec& spec, const Rows& rows, ClaimLimits limits, const RepairOptions& options,
                   RepairResult& result, Budget& budget) {
  DesignProblem wanted;
  wanted.rows = rows.size();
  wanted.outputs = rows[0].size();
  wanted.limits = std::move(limits.limits);
  wanted.bounds = bounds_of(levels_of(wanted.limits), options.denominator).below;
  OverSets over_sets{spec.model.domain, {}, std::move(limits.over_sets), {}};
  for (std::uint64_t x = 0; x < rows.size(); ++x) over_sets.row_of_input.push_back(x);
  over_sets.bounds = bounds_of(levels_of(over_sets.limits), options.denominator).below;
  if (keeps_all(wanted.limits, over_sets, rows, budget)) return rows;
  if (options.by == RepairBy::kMixture) {
    for (const Limit& limit : wanted.limits) {
      if (!limit.delta.is_zero()) throw ModelError("a claim with a delta is repaired by 'entries' or 'rows'");
    }
    if (!over_sets.limits.empty()) {
      throw ModelError("a claim over a set of priors is repaired by 'entries' or 'rows'");
    }
    result.share = least_share(wanted, rows);
    return mixed(rows, *result.share);
  }
  const auto distance = options.by == RepairBy::kEntries ? Distance::kEntries : Distance::kRows;
  const auto solve = [&](const DesignProblem& within) -> std::optional<Optimum> {
    return nearest(within, rows, distance, budget);
  };
  const auto best = best_within(wanted, over_sets, solve, budget);
  if (!best->share.is_zero()) {
    result.notes.push_back("a share of " + best->share.to_string() +
                           " of it reveals nothing: this much was needed for all claims over sets of priors to hold");
  }
  return best->optimum.rows;
}

}  // namespace

RepairResult run_repair(const std::string& file, const RepairOptions& options, const std::string& folder,
                        Budget& budget) {
  RepairResult result;
  const auto document = specs::read_document_of(file, budget.limits());
  Json written = json_of(document->root());
  std::string text = document->text();
  if (options.rounded_rows) {
    result.rounding = divide_rows(written, document->file());
    text = spec_text(written);
  }
  const specs::Spec spec = specs::read_spec_text(document->file(), specs::directory_of(file), text, budget);
  specs::require_no_symbols(spec, "repairing");
  if (!spec.model.channel) throw ModelError("a mechanism whose outputs are continuous is no matrix");
  result.name = spec.name;
  ClaimLimits limits = limits_of_claims(spec, result.notes);
  result.confidential = std::any_of(spec.claims.begin(), spec.claims.end(), [&](const specs::Claim& claim) {
    return depends_on_confidential_table(spec, claim);
  });
  result.without_claims = limits.empty();
  if (result.without_claims && !options.rounded_rows) {
    const bool roots = std::any_of(spec.claims.begin(), spec.claims.end(),
                                   [](const specs::Claim& claim) { return claim.arguments.has_roots(); });
    throw ModelError(std::string("the spec has no claim that limits probabilities of outputs") +
                     (roots ? " by levels without square roots" : "") +
                     ", so there is nothing to repair; claim a level, as {\"notion\": \"ldp\", \"epsilon\": \"1\"}");
  }
  const Rows rows = rows_of(spec, budget);
  const Rows repaired = repaired_rows(spec, rows, std::move(limits), options, result, budget);
  measure(rows, repaired, result);
  std::vector<std::string> outputs;
  for (std::uint64_t y = 0; y < rows[0].size(); ++y) outputs.push_back(spec.model.channel->output_label(y));
  std::vector<std::vector<std::string>> inputs;
  for (std::uint64_t x = 0; x < rows.size(); ++x) inputs.push_back(spec.model.domain.tuple(x));
  result.before.rows = joined_lists(inputs, ", ");
  outputs = distinct_labels(std::move(outputs));  // as written in a matrix
  result.before.outputs = outputs;
  result.after = result.before;
  result.before.entries = rows;
  result.after.entries = repaired;
  written["mechanism"] = matrix_of(outputs, repaired);
  written["claims"] = claims_of(spec, written["claims"], result.notes);
  name_prior_from(written, folder, file);
  result.spec = spec_text(written);
  return result;
}

}  // namespace oddsbound::designs
