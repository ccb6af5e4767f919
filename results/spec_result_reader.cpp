// Reads what verify and analyze found about one spec back from their JSON.
#include <cmath>
#include <limits>

#include "results/reader.h"
#include "results/words.h"

namespace oddsbound {

namespace {

constexpr std::size_t kMostDrawn = 64;  // the program itself stops before (pairwise.h)

double nats_of(const ResultObject& level) {
  if (level.string("epsilon") == "inf") return std::numeric_limits<double>::infinity();
  return result_decimal(level.require("lower"));
}

Party read_party(JsonView value) {
  if (value.is_string()) return std::string(value.text());
  return result_strings(value, "values");
}

// A witness in words; empty if there is none (or if it is a gain function). coordinate: whose values its sides are,
// where the witness itself does not say.
std::string witness_of(const ResultObject& object, const std::vector<std::string>& coordinates,
                       const std::string& coordinate, ReadingContext& context) {
  const auto found = object.find("witness");
  if (!found) return "";
  const ResultObject json(*found, "a witness");
  if (json.find("gain")) return "";
  Witness witness;
  if (const auto outputs = json.find("outputs")) {
    witness.outputs = result_strings(*outputs, "outputs");
  } else {
    witness.outputs = {json.string("output")};
  }
  witness.from = read_party(json.require("from"));
  witness.to = read_party(json.require("to"));
  if (witness.from.index() != witness.to.index()) json.view().fail("expected two sides of one kind");
  witness.p_from = read_mass(json.require("p_from"), context);
  witness.p_to = read_mass(json.require("p_to"), context);
  const std::string own = json.optional_string("coordinate");
  witness.coordinate = own.empty() ? coordinate : own;
  return witness_words(witness, coordinates);
}

ReportLevel read_report_level(JsonView value, const std::vector<std::string>& coordinates,
                              const std::string& coordinate, ReadingContext& context) {
  const ResultObject level(value, "a level");
  read_level(level.require("epsilon"), context);
  return {level.string("epsilon"), nats_of(level), witness_of(level, coordinates, coordinate, context)};
}

// read: of a name and its value.
template <typename Read>
auto read_by_name(const ResultObject& object, const std::string& key, Read read) {
  ByName<decltype(read(key, object.view()))> result;
  const auto found = object.find(key);
  if (!found) return result;
  for (const JsonView::Member& member : ResultObject(*found, "'" + key + "'").members()) {
    const std::string name(member.key.text());
    if (member.value.kind() != JsonKind::kNull) result.emplace_back(name, read(name, member.value));
  }
  return result;
}

ReportNumber read_exact(JsonView value, ReadingContext& context) {
  const double number = read_number(value, context).approx();
  if (!std::isfinite(number)) value.fail("found '" + printable(value.text(), 40) + "', expected a number");
  return {std::string(value.text()), number};
}

ReportLosses read_losses(JsonView value, ReadingContext& context) {
  const ResultObject object(value, "losses");
  ReportLosses losses;
  const JsonView sides = object.require("sides");
  for (const JsonView& side : read_array(sides, "sides")) losses.sides.push_back(result_party(side));
  if (losses.sides.size() > kMostDrawn) sides.fail("expected at most " + std::to_string(kMostDrawn) + " sides");
  const JsonView rows = object.require("levels");
  for (const JsonView& row : read_array(rows, "rows of levels")) {
    losses.levels.emplace_back();
    for (const JsonView& cell : read_array(row, "levels")) losses.levels.back().push_back(read_level(cell, context));
    if (losses.levels.back().size() != losses.sides.size()) row.fail("expected a level for every side");
  }
  if (losses.levels.size() != losses.sides.size()) rows.fail("expected a row for every side");
  return losses;
}

ReportCurve read_curve(JsonView value, ReadingContext& context) {
  const ResultObject object(value, "a trade-off curve");
  ReportCurve curve{result_party(object.require("from")), result_party(object.require("to")), {}};
  const auto error = [&](JsonView number) {
    const double p = read_number(number, context).approx();
    if (!(p >= 0 && p <= 1)) number.fail("found '" + printable(number.text(), 40) + "', expected a probability");
    return p;
  };
  for (const JsonView& vertex : read_array(object.require("vertices"), "vertices")) {
    const std::vector<JsonView> pair = read_array(vertex, "two errors");
    if (pair.size() != 2) vertex.fail("expected two errors");
    curve.vertices.emplace_back(error(pair[0]), error(pair[1]));
  }
  return curve;
}

void read_analysis(JsonView value, ReadingContext& context, ReportSpec& spec) {
  const ResultObject analysis(value, "an analysis");
  if (const auto symbols = analysis.find("symbols")) {
    spec.symbols = result_strings(*symbols, "symbols");
    return;
  }
  if (const auto ldp = analysis.find("ldp")) spec.ldp = read_report_level(*ldp, spec.coordinates, "", context);
  if (const auto bdp = analysis.find("bdp")) spec.bdp = read_report_level(*bdp, spec.coordinates, "", context);
  using Name = const std::string&;
  const auto level = [&](Name of, JsonView one) { return read_report_level(one, spec.coordinates, of, context); };
  spec.cdp = read_by_name(analysis, "cdp", level);
  spec.bcdp = read_by_name(analysis, "bcdp", level);
  spec.proposition_4 = read_by_name(analysis, "proposition_4", level);
  const auto number = [&](Name, JsonView one) { return read_exact(one, context); };
  const auto words = [](Name, JsonView one) { return read_string(one, "a reason"); };
  spec.correlation = read_by_name(analysis, "correlation", number);
  for (const auto& [open, reason] : read_by_name(analysis, "undecided", words)) spec.undecided[open] = reason;
  spec.correlation_between = read_by_name(analysis, "correlation_between", [&](Name, JsonView row) {
    ByName<ReportNumber> cells;
    const auto members = ResultObject(row, "correlations").members();
    if (members.size() > kMostDrawn) row.fail("expected at most " + std::to_string(kMostDrawn) + " correlations");
    for (const JsonView::Member& cell : members) {
      cells.emplace_back(cell.key.text(), read_exact(cell.value, context));
    }
    return cells;
  });
  if (const auto found = analysis.find("losses")) {
    const ResultObject losses(*found, "losses");
    if (const auto inputs = losses.find("ldp")) spec.input_losses = read_losses(*inputs, context);
    spec.value_losses = read_by_name(losses, "bcdp", [&](Name, JsonView one) { return read_losses(one, context); });
  }
  if (const auto found = analysis.find("tradeoff")) {
    const ResultObject curves(*found, "trade-off curves");
    if (const auto inputs = curves.find("ldp")) spec.input_curve = read_curve(*inputs, context);
    spec.value_curves = read_by_name(curves, "bcdp", [&](Name, JsonView one) { return read_curve(one, context); });
  }
}

// What may be drawn beside measured levels.
void read_claimed(const ResultObject& object, ReadingContext& context, ReportClaim& claim) {
  const auto claimed = object.find("claimed");
  if (!claimed) return;
  if (claim.notion == "cdp" || claim.notion == "bcdp") {
    for (const JsonView::Member& member : ResultObject(*claimed, "levels by coordinate").members()) {
      claim.claimed.emplace(member.key.text(), read_level(member.value, context));
    }
  } else if (claim.notion == "ldp" || claim.notion == "bdp" || claim.notion == "secret") {
    claim.claimed.emplace("", read_level(*claimed, context));
  }
}

// What was claimed, exactly, whatever the notion: one value, or one by name.
void add_claimed_facts(JsonView value, ReportClaim& claim) {
  if (value.is_string()) claim.facts.emplace_back("claimed", value.text());
  if (!value.is_object()) return;
  for (const JsonView::Member& member : ResultObject(value, "'claimed'").members()) {
    claim.facts.emplace_back("claimed " + std::string(member.key.text()), read_string(member.value, "a value"));
  }
}

// What is true: a level, a delta, or levels by name, which may be called like either. Kernels are no facts to show.
void add_actual_facts(JsonView value, ReportClaim& claim) {
  if (!value.is_object()) return;
  const ResultObject object(value, "'actual'");
  for (const auto& [key, what] : {std::pair("epsilon", "actual"), std::pair("delta", "actual delta")}) {
    const auto found = object.find(key);
    if (!found || !found->is_string()) continue;
    claim.facts.emplace_back(what, found->text());
    return;
  }
  for (const JsonView::Member& member : object.members()) {
    if (!member.value.is_object()) continue;
    const std::string level = ResultObject(member.value, "a level").string("epsilon");
    claim.facts.emplace_back("actual " + std::string(member.key.text()), level);
  }
}

void read_matrix(JsonView claimed, ReadingContext& context, ReportSpec& spec) {
  auto& matrix = spec.claimed_matrix.emplace();
  for (const JsonView& row : read_array(claimed, "rows of levels")) {
    matrix.emplace_back();
    for (const JsonView& level : read_array(row, "levels")) matrix.back().push_back(read_level(level, context));
    if (matrix.back().size() != matrix.front().size()) row.fail("expected rows of one length");
  }
}

ReportClaim read_claim_result(JsonView value, ReportSpec& spec, ReadingContext& context) {
  const ResultObject object(value, "a claim");
  ReportClaim claim;
  claim.name = object.string("name");
  claim.notion = object.string("notion");
  claim.verdict = result_word(object.require("verdict"), {"holds", "refuted", "undecided"});
  claim.expect = result_word(object.require("expect"), {"holds", "refuted"});
  claim.ok = object.boolean("ok");
  if (claim.ok && claim.verdict != claim.expect) {
    object.require("ok").fail("found true, but the verdict is not the expected one");
  }
  claim.undecided = claim.verdict == "undecided" || (claim.verdict == claim.expect && !claim.ok);
  claim.decided_by = result_strings(object.require("decided_by"), "words");
  claim.witness = witness_of(object, spec.coordinates, "", context);
  claim.claim = claim.notion;
  claim.verdict_in_words = claim.verdict;
  if (const auto found = object.find("words")) {
    const ResultObject words(*found, "words");
    claim.claim = words.string("claim");
    claim.verdict_in_words = words.string("verdict");
    claim.found = words.string("found");
  }
  const std::string missing = object.optional_string("missing_opinion");
  if (!missing.empty()) claim.found += "; no second opinion: " + missing;
  claim.place.file = spec.file;
  if (const auto found = object.find("place")) {
    const ResultObject place(*found, "a place");
    claim.place.line = static_cast<std::size_t>(read_integer(place.require("line"), "a line", 0, INT64_MAX));
    claim.place.column = static_cast<std::size_t>(read_integer(place.require("column"), "a column", 0, INT64_MAX));
    claim.place.pointer = place.string("pointer");
  }
  if (const auto claimed = object.find("claimed")) add_claimed_facts(*claimed, claim);
  if (const auto actual = object.find("actual")) add_actual_facts(*actual, claim);
  if (!spec.symbols.empty()) return claim;
  read_claimed(object, context, claim);
  const auto claimed = object.find("claimed");
  if (claim.notion == "context_ldp" && claimed && !spec.claimed_matrix) read_matrix(*claimed, context, spec);
  return claim;
}

std::string count_text(const ResultObject& object, const std::string& key) {
  const auto count = object.find(key);
  return count ? std::string(count->text()) : "continuous";
}

}  // namespace

std::optional<ReportSpec::Bound> ReportSpec::claimed(const std::string& notion, const std::string& coordinate) const {
  std::optional<Bound> bound;
  for (const ReportClaim& claim : claims) {
    const auto found = claim.claimed.find(coordinate);
    if (claim.notion != notion || found == claim.claimed.end()) continue;
    const bool holds = claim.expect == "holds";
    const bool stricter = bound && holds == bound->expect_holds && found->second < bound->level;
    if (!bound || (holds && !bound->expect_holds) || stricter) bound = Bound{found->second, holds};
  }
  return bound;
}

ReportSpec read_spec_result(JsonView value, ReadingContext& context) {
  const ResultObject object(value, "a spec's result");
  ReportSpec spec;
  spec.file = object.string("file");
  spec.name = object.string("name");
  spec.description = object.optional_string("description");
  spec.source = object.optional_string("source");
  spec.files = result_files(object);
  if (const auto names = object.find("coordinates")) spec.coordinates = result_strings(*names, "names");
  spec.inputs = count_text(object, "inputs");
  spec.outputs = count_text(object, "outputs");
  read_analysis(object.require("analysis"), context, spec);
  for (const JsonView& claim : read_array(object.require("claims"), "claims")) {
    spec.claims.push_back(read_claim_result(claim, spec, context));
  }
  return spec;
}

}  // namespace oddsbound
