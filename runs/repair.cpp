#include "runs/repair.h"

#include <algorithm>

#include "base/errors.h"
#include "runs/matrix_spec.h"
#include "runs/spec_text.h"
#include "specs/spec.h"
#include "verifier/exact/expression.h"
#include "verifier/optimal/program.h"

namespace oddsbound::runs {

namespace {

using Json = nlohmann::ordered_json;
using Rows = std::vector<std::vector<Number>>;
using optimal::Limit;
using results::RepairBy;
using results::RepairOptions;
using results::RepairResult;

Number magnitude(const Number& number) { return number.sign() < 0 ? -number : number; }

// Every row of the matrix in the document divided by what it adds up to. Returns by how much the farthest was off.
Number divide_rows(Json& spec, const std::string& file) {
  const auto fail = [&](const std::string& what) -> void { throw specs::SpecError({file, 0, 0, "/mechanism"}, what); };
  if (!spec.contains("mechanism") || !spec["mechanism"].is_object() || !spec["mechanism"].contains("rows") ||
      !spec["mechanism"]["rows"].is_array()) {
    fail("rounded rows are those of a matrix that is written in the spec");
  }
  Number off(0);
  std::size_t number = 0;
  for (Json& row : spec["mechanism"]["rows"]) {
    if (!row.is_array()) fail("row " + std::to_string(number) + " is no list of numbers");
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
      fail("row " + std::to_string(number) + " sums to " + sum.to_string() + ": that is no rounding");
    }
    off = std::max(off, misses);
    for (std::size_t y = 0; y < entries.size(); ++y) row[y] = (entries[y] / sum).to_string();
    ++number;
  }
  return off;
}

// The limits that its claims set; those that set none are named.
std::vector<Limit> limits_of_claims(const specs::Spec& spec, std::vector<std::string>& notes) {
  std::vector<Limit> limits;
  const LookedAt inputs(spec.model.domain);
  for (std::size_t k = 0; k < spec.claims.size(); ++k) {
    const specs::Claim& claim = spec.claims[k];
    const std::string which = "claim " + std::to_string(k + 1) + " (" + claim.notion->name + ")";
    if (!claim.expect_holds) {
      notes.push_back(which + " is not made any more: it was to be refuted");
    } else if (!claim.notion->defines(claim.arguments)) {
      notes.push_back(which + " was not looked at: it is no limit on probabilities of outputs");
    } else {
      std::vector<Limit> mine = limits_of(spec.model, claim.notion->define(spec.model, claim.arguments, inputs), k);
      leave_out_implied(mine);
      limits.insert(limits.end(), mine.begin(), mine.end());
    }
  }
  return limits;
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

// Claims that are not looked at stay; nobody says any more that a level is the least.
Json claims_of(const specs::Spec& spec, const Json& written, std::vector<std::string>& notes) {
  Json claims = Json::array();
  for (std::size_t k = 0; k < spec.claims.size(); ++k) {
    if (!spec.claims[k].expect_holds) continue;
    Json one = written[k];
    one.erase("tight");
    if (spec.claims[k].tight) notes.push_back("claim " + std::to_string(k + 1) + " is not 'tight' any more");
    claims.push_back(std::move(one));
  }
  return claims;
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
  optimal::Wanted wanted;
  wanted.limits = limits_of_claims(spec, result.notes);
  if (wanted.limits.empty()) throw ModelError("the spec has no claim that limits probabilities of outputs");
  wanted.bounds = optimal::bounds_of(wanted.limits, options.denominator).below;
  const Rows rows = rows_of(spec, budget);
  wanted.rows = rows.size();
  wanted.outputs = rows[0].size();
  Rows repaired;
  if (optimal::is_within(wanted.limits, rows)) {
    repaired = rows;
  } else if (options.by == RepairBy::kMixture) {
    for (const Limit& limit : wanted.limits) {
      if (!limit.delta.is_zero()) throw ModelError("a claim with a delta is repaired by 'entries' or 'rows'");
    }
    result.share = optimal::least_share(wanted, rows);
    repaired = mixed(rows, *result.share);
  } else {
    const auto distance = options.by == RepairBy::kEntries ? optimal::Distance::kEntries : optimal::Distance::kRows;
    repaired = optimal::nearest(wanted, rows, distance, budget).rows;
  }
  measure(rows, repaired, result);
  std::vector<std::string> outputs;
  for (std::uint64_t y = 0; y < wanted.outputs; ++y) outputs.push_back(spec.model.channel->output_label(y));
  written["mechanism"] = matrix_of(outputs, repaired);
  written["claims"] = claims_of(spec, written["claims"], result.notes);
  name_prior_from(written, folder, file);
  result.spec = spec_text(written);
  return result;
}

}  // namespace oddsbound::runs
