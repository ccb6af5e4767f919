#include "app/new_spec.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <set>

#include "app/decide_claim.h"
#include "app/spec_text.h"
#include "base/errors.h"
#include "reports/publishable.h"
#include "specs/csv.h"
#include "specs/spec.h"
#include "specs/spec_error.h"
#include "specs/table.h"
#include "verifier/exact/expression.h"
#include "verifier/notions/analysis.h"
#include "verifier/notions/table.h"

namespace oddsbound::app {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

bool holds(const std::vector<std::string>& words, const std::string& word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

// The first items, and the number of the others.
std::string first_of(const std::vector<std::string>& items) {
  constexpr std::size_t kMost = 12;
  const std::size_t shown = std::min(items.size(), kMost);
  const std::string text =
      fmt::format("{}", fmt::join(items.begin(), items.begin() + static_cast<std::ptrdiff_t>(shown), ", "));
  return shown == items.size() ? text : text + ", and " + std::to_string(items.size() - shown) + " more";
}

// The columns of a request: attributes in table order, some of them hidden.
class ChosenColumns {
 public:
  ChosenColumns(const NewSpecRequest& request, const TableColumns& table) : request_(request), table_(table) {
    if (table.rows == 0) fail("the table has a header and no rows");
    for (const auto* names : {&request.hidden, &request.columns, &request.excluded}) {
      for (const std::string& name : *names) require_column(name);
    }
    for (const std::string& name : request.excluded) {
      if (!holds(request.hidden, name) && !holds(request.columns, name)) continue;
      fail("the column '" + printable(name) + "' is excluded: it cannot be an attribute as well");
    }
    if (!request.count.empty()) require_count();
    for (const TableColumn& column : table.columns) {
      if (!is_attribute(column.name)) continue;
      require_attribute(column);
      attributes_.push_back(&column);
    }
    if (request.blank == BlankCells::kRefused) refuse_blank_cells();
    if (attributes_.empty()) fail("no column is left as an attribute", "leave out fewer columns (--exclude, --count)");
    const auto hidden = [&](const TableColumn* column) { return is_hidden(*column); };
    if (std::all_of(attributes_.begin(), attributes_.end(), hidden)) {
      fail("all attributes are hidden: there is nothing to release");
    }
  }

  const std::vector<const TableColumn*>& attributes() const { return attributes_; }
  bool is_hidden(const TableColumn& column) const { return holds(request_.hidden, column.name); }
  /// People with blank cells, by column; empty if there are none.
  std::string blank_by_column() const {
    std::vector<std::string> blank;
    for (const TableColumn* column : attributes_) {
      if (column->blank > 0) blank.push_back(printable(column->name) + " " + column->blank_people.to_string());
    }
    return first_of(blank);
  }
  std::vector<std::string> hidden() const {
    std::vector<std::string> names;
    for (const TableColumn* column : attributes_) {
      if (is_hidden(*column)) names.push_back(column->name);
    }
    return names;
  }

 private:
  [[noreturn]] void fail(const std::string& message, const std::string& hint = "", std::size_t line = 0) const {
    throw SpecError({request_.table, line, 0, ""}, message, hint);
  }

  void refuse_blank_cells() const {
    std::size_t line = 0;
    for (const TableColumn* column : attributes_) {
      if (column->blank > 0 && (line == 0 || column->first_blank < line)) line = column->first_blank;
    }
    if (line == 0) return;
    fail("blank cells, in people: " + blank_by_column(),
         "--missing drop leaves these people out; --missing value makes a blank cell a value of its own, 'missing', "
         "which raises levels if few people have it",
         line);
  }

  bool is_attribute(const std::string& name) const {
    if (!request_.count.empty() && name == request_.count) return false;
    if (holds(request_.excluded, name)) return false;
    return request_.columns.empty() || holds(request_.columns, name) || holds(request_.hidden, name);
  }

  void require_column(const std::string& name) const {
    std::vector<std::string> names;
    for (const TableColumn& column : table_.columns) names.push_back(column.name);
    if (holds(names, name)) return;
    std::string hint = suggestion(name, names);
    const bool is_list = std::any_of(names.begin(), names.end(), [&](const std::string& own) {
      return !own.empty() && (name.starts_with(own + ",") || name.ends_with("," + own));
    });
    if (is_list) hint = "give each column by itself, not separated by commas";
    fail("the table has no column '" + printable(name) + "'", hint.empty() ? "columns: " + listing(names) : hint);
  }

  void require_count() const {
    require_column(request_.count);
    if (!holds(request_.hidden, request_.count) && !holds(request_.columns, request_.count)) return;
    fail("the column '" + printable(request_.count) + "' holds the counts: it cannot be an attribute as well");
  }

  void require_attribute(const TableColumn& column) const {
    const std::string name = "the column '" + printable(column.name) + "'";
    if (column.name.empty()) {
      fail("column " + std::to_string(&column - table_.columns.data() + 1) + " has no name in the header",
           "name it, or say with --columns which ones are meant");
    }
    const auto same = [&](const TableColumn* other) { return other->name == column.name; };
    if (std::any_of(attributes_.begin(), attributes_.end(), same)) {
      fail("two columns are called '" + printable(column.name) + "'");
    }
    if (column.values > request_.max_values) {
      if (column.values + column.blank == table_.rows) {
        fail("every row has another value of " + name + ", as identifiers have",
             "leave it out: --exclude '" + printable(column.name) + "'");
      }
      fail(name + " has " + std::to_string(column.values) + " different values, expected at most " +
               std::to_string(request_.max_values),
           "leave it out (--exclude), group its values in the table, or raise --max-values");
    }
    if (column.blank > 0 && column.says_missing && request_.blank == BlankCells::kValue) {
      fail(name + " has blank cells, and cells that read 'missing', as blank ones are called in the spec",
           "leave rows with blank cells out (--missing drop), or fill these cells");
    }
  }

  const NewSpecRequest& request_;
  const TableColumns& table_;
  std::vector<const TableColumn*> attributes_;
};

class SpecFromTable {
 public:
  SpecFromTable(const NewSpecRequest& request, const TableColumns& table, Budget& budget)
      : request_(request), table_(table), budget_(budget), chosen_(request, table), folder_(folder_of_spec()) {}

  NewSpec make() {
    draft();
    const Spec spec = read_draft();
    note_blank_cells(spec);
    MeasuredModel subject(spec.model, budget_);
    const Analysis analysis = analyze(subject);
    add_claims(analysis);
    note_what_was_stopped();
    note_values_of_few(spec, analysis);
    note_sparse_table(spec);
    note_what_is_suspicious();
    return {spec_text(draft_), std::move(notes_), chosen_.attributes().size(),
            chosen_.attributes().size() - chosen_.hidden().size(), draft_["claims"].size()};
  }

 private:
  fs::path folder_of_spec() const {
    const fs::path folder = fs::path(request_.file).parent_path();
    return folder.empty() ? "." : folder;
  }

  void draft() {
    const std::vector<std::string> hidden = chosen_.hidden();
    const std::string table = fs::path(request_.table).filename().string();
    std::string description =
        "Made by oddsbound new from " + table + ". Each attribute is released on its own, by randomized response.";
    if (!hidden.empty()) description += fmt::format(" Not released: {}.", fmt::join(hidden, ", "));
    draft_["oddsbound"] = 1;
    draft_["name"] = fs::path(request_.file.empty() ? request_.table : request_.file).stem().string();
    draft_["description"] = description;
    draft_["parameters"] = {{"epsilon", request_.epsilon}};
    for (const TableColumn* column : chosen_.attributes()) {
      draft_["domain"].push_back({{"name", column->name}, {"values", "from prior"}});
    }
    draft_["prior"] = prior();
    draft_["mechanism"] = {{"type", "per_coordinate"}, {"mechanisms", mechanisms()}};
  }

  // The user has not seen the draft, so its errors are reported at the table.
  Spec read_draft() const {
    const std::string name = "the new spec";
    try {
      return read_spec_text(name, folder_.string(), spec_text(draft_), budget_);
    } catch (const SpecError& error) {
      if (error.place().file != name) throw;
      throw SpecError({request_.table, 0, 0, ""}, error.message(), error.hint());
    }
  }

  Json prior() {
    Json prior = {{"type", "csv"}, {"file", name_from(folder_.string(), request_.table)}};
    if (request_.separator != ",") prior["separator"] = request_.separator;
    if (!request_.count.empty()) prior["count"] = request_.count;
    if (request_.published) prior["published"] = true;
    if (chosen_.blank_by_column().empty()) return prior;
    std::set<std::string> spaces;
    for (const TableColumn* column : chosen_.attributes()) spaces.insert(column->spaces.begin(), column->spaces.end());
    if (request_.blank == BlankCells::kDropped) {
      prior["missing"] = "drop";
    } else if (spaces.empty()) {
      prior["missing"] = "value";
    } else {  // one value for all of them
      prior["missing"] = {{"as", kEmptyCell}};
    }
    if (!spaces.empty()) prior["missing_cells"] = spaces;
    return prior;
  }

  // "*" is for all unnamed coordinates, unless a coordinate has that name.
  Json mechanisms() const {
    const Json response = {{"type", "k_randomized_response"}, {"epsilon", "epsilon"}};
    const auto& attributes = chosen_.attributes();
    const bool named = std::any_of(attributes.begin(), attributes.end(), [](const auto* c) { return c->name == "*"; });
    Json mechanisms = Json::object();
    if (!named) mechanisms["*"] = response;
    for (const TableColumn* column : attributes) {
      if (chosen_.is_hidden(*column)) {
        mechanisms[column->name] = "not released";
      } else if (named) {
        mechanisms[column->name] = response;
      }
    }
    return mechanisms;
  }

  void add_claim(const Notion& notion, const std::string& coordinate, const MeasuredLevel& measured) {
    const bool rounded = notion.needs_prior && !request_.published;
    MeasuredClaim claim =
        rounded ? MeasuredClaim{text_with_headroom(measured.at_most(), request_.headroom), false} : claim_of(measured);
    // Whatever the table becomes, BCDP levels are at most the LDP level (Proposition 3), which another claim states.
    if (rounded && ldp_ && parse_level(claim.epsilon) > parse_level(ldp_->epsilon)) claim = {ldp_->epsilon, false};
    if (notion.name == "ldp") ldp_ = claim;
    const std::string name = notion.in_new_specs + (coordinate.empty() ? "" : " ") + coordinate;
    Json json = {{"notion", notion.name}, {"name", name}};
    json["epsilon"] = coordinate.empty() ? Json(claim.epsilon) : Json{{coordinate, claim.epsilon}};
    if (claim.tight) json["tight"] = true;
    draft_["claims"].push_back(std::move(json));
    if (measured.unfinished) stopped_[measured.unfinished->reason].push_back(notion.name + " " + printable(coordinate));
  }

  void add_claims(const Analysis& analysis) {
    for (const Notion& notion : notion_table()) {
      if (notion.in_new_specs.empty()) continue;
      const auto reason = analysis.undecided.find(notion.name);
      if (reason != analysis.undecided.end()) throw LimitError(notion.name + ": " + reason->second);
    }
    const auto& attributes = chosen_.attributes();
    for (const Notion& notion : notion_table()) {
      if (notion.in_new_specs.empty()) continue;
      if (const MeasuredLevel* level = analysis.level(notion.name)) {
        add_claim(notion, "", *level);
        continue;
      }
      const std::vector<MeasuredLevel>& levels = *analysis.by_coordinate(notion.name);
      for (std::size_t i = 0; i < attributes.size(); ++i) {
        if (notion.needs_prior || chosen_.is_hidden(*attributes[i])) add_claim(notion, attributes[i]->name, levels[i]);
      }
    }
  }

  void note_what_was_stopped() {
    for (const auto& [reason, levels] : stopped_) {
      const std::string claims = levels.size() == 1 ? "a claim is a proven upper bound, not the level itself"
                                                    : std::to_string(levels.size()) +
                                                          " claims are proven upper bounds, not the levels themselves";
      notes_.push_back(fmt::format("a search was stopped ({}): {}: {}", reason, claims, listing(levels)));
    }
  }

  void note_blank_cells(const Spec& spec) {
    const std::string blank = chosen_.blank_by_column();
    if (blank.empty()) return;
    if (request_.blank == BlankCells::kValue) {
      notes_.push_back("blank cells are a value of their own, '" + kEmptyCell + "' (in people: " + blank + ")");
      return;
    }
    const TableUse& use = spec.tables.front();
    const Number all = use.counted.value_or(Number(static_cast<std::int64_t>(use.rows)));
    const Number dropped = use.counted_dropped.value_or(Number(static_cast<std::int64_t>(use.dropped)));
    notes_.push_back(fmt::format("{} of {} people {} left out (in people: {})", dropped.to_string(), all.to_string(),
                                 dropped.is_one() ? "has a blank cell and is" : "have a blank cell and are", blank));
  }

  // People who share a rare value have nearly known answers, so the quotients of that value are large and depend on
  // few people.
  void note_values_of_few(const Spec& spec, const Analysis& analysis) {
    const Number few(10), part(20);  // at most 10 people, and at most 1 of 20
    const Prior& prior = *spec.model.prior;
    std::vector<std::string> levels;
    for (std::size_t i = 0; i < spec.model.domain.size(); ++i) {
      const MeasuredLevel& level = (*analysis.by_coordinate("bcdp"))[i];
      if (level.at_least.is_zero() || level.unfinished) continue;
      const std::vector<Number> people = prior.marginal_weights(i, budget_);
      std::optional<std::size_t> fewest;
      const Witness witness = level.witness.get();
      for (const Label* side : {&witness.from, &witness.to}) {
        const auto* value = std::get_if<std::string>(side);
        const auto place = value == nullptr ? std::nullopt : spec.model.domain.find_value(i, *value);
        if (place && (!fewest || people[*place] < people[*fewest])) fewest = *place;
      }
      if (!fewest || people[*fewest] > few || people[*fewest] * part > prior.total()) continue;
      const Coordinate& coordinate = spec.model.domain.coordinate(i);
      levels.push_back("bcdp " + printable(coordinate.name) + " by '" + printable(coordinate.values[*fewest], 40) +
                       "' (" + people[*fewest].to_string() + (people[*fewest].is_one() ? " person)" : " people)"));
    }
    if (levels.empty()) return;
    notes_.push_back("a value that few people have sets a level: " + first_of(levels) +
                     "; group it with another value, or leave these people out");
  }

  // The prior is the table: combinations that no row has are impossible, and BCDP levels rest on that.
  void note_sparse_table(const Spec& spec) {
    const Number combinations = spec.model.domain.input_count();
    constexpr std::int64_t kSparse = 10;
    if (combinations < Number(kSparse) * Number(static_cast<std::int64_t>(table_.rows))) return;
    notes_.push_back(
        fmt::format("the table is sparse: it has {} rows for {} combinations of values. BCDP levels count "
                    "combinations that no row has as impossible",
                    table_.rows, combinations.to_string()));
  }

  void note_what_is_suspicious() {
    std::vector<std::string> like_missing;
    for (const TableColumn* column : chosen_.attributes()) {
      for (const auto& [cell, people] : column->like_missing) {
        like_missing.push_back(printable(column->name) + " '" + cell + "' " + people.to_string());
      }
    }
    if (!like_missing.empty()) {
      notes_.push_back("cells that often mean a missing answer are values here (in people: " + first_of(like_missing) +
                       "); if they do, name them with --missing-cells");
    }
    constexpr std::size_t kFew = 10;  // with fewer rows, distinct values prove nothing
    static const std::vector<std::string> counts{"count", "Count",     "counts", "freq",
                                                 "Freq",  "frequency", "weight", "n"};
    for (const TableColumn* column : chosen_.attributes()) {
      const std::string name = "'" + printable(column->name) + "'";
      if (request_.count.empty() && holds(counts, column->name)) {
        notes_.push_back("the column " + name + " is an attribute here; if it has the number of people of each row, " +
                         "give it as --count");
      } else if (table_.rows > kFew && column->values == table_.rows) {
        notes_.push_back("every row has another value of " + name +
                         ": an identifier is no attribute; leave it out with --exclude");
      }
      if (!column->near_equal.empty()) {
        notes_.push_back("values of " + name + " that are almost the same count as different: " +
                         first_of(column->near_equal) + "; make them one in the table if they mean the same");
      }
    }
  }

  const NewSpecRequest& request_;
  const TableColumns& table_;
  Budget& budget_;
  ChosenColumns chosen_;
  fs::path folder_;
  Json draft_;
  std::vector<std::string> notes_;
  std::optional<MeasuredClaim> ldp_;                         // the claim about the LDP level, which comes first
  std::map<std::string, std::vector<std::string>> stopped_;  // levels, by the limit that was reached
};

// Errors are placed at the option, because the value is in no file.
void require_epsilon(const std::string& text) {
  const auto fail = [&](const std::string& message) {
    throw SpecError({"--epsilon '" + printable(text, 40) + "'", 0, 0, ""}, message,
                    "expected a level above 0, like 1, 1/2 or log(3)");
  };
  Level level;
  try {
    level = parse_level(text);
  } catch (const Interrupted&) {
    throw;
  } catch (const std::runtime_error& error) {
    fail(error.what());
  }
  if (level.is_zero()) fail("at level 0 nothing is released");
  if (level.surd() != nullptr) fail("mechanisms compute with numbers, and this level has a square root in it");
  if (level.is_infinite()) fail("at level inf everything is released as it is");
}

}  // namespace

NewSpec new_spec(const NewSpecRequest& request, Budget& budget) {
  require_epsilon(request.epsilon);
  std::error_code ignored;
  const fs::file_type type = fs::status(request.table, ignored).type();
  if (request.table == "-" || type == fs::file_type::fifo || type == fs::file_type::character) {
    throw SpecError({request.table, 0, 0, ""}, "a spec reads its table again each time: expected a file");
  }
  if (!request.separator.empty() && !is_separator(request.separator)) {
    throw ModelError("found the separator '" + printable(request.separator, 40) + "', expected ',', ';' or a tab");
  }
  const std::string text = read_file(request.table, budget.limits());
  require_utf8(request.table, text);
  NewSpecRequest known = request;
  if (known.separator.empty()) known.separator = separator_of(text);
  const TableColumns table =
      read_table_columns(known.table, text, known.separator[0], known.count, known.missing_cells, budget);
  return SpecFromTable(known, table, budget).make();
}

}  // namespace oddsbound::app
