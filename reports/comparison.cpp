#include "reports/comparison.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <algorithm>
#include <set>

#include "reports/claim_words.h"
#include "reports/layout.h"
#include "reports/level_fields.h"
#include "reports/publishable.h"
#include "reports/report.h"
#include "reports/spec_result_json.h"
#include "reports/words.h"
#include "verifier/exact/decimal.h"

namespace oddsbound::reports {

namespace {

template <typename Value>
std::optional<std::strong_ordering> order_between(const Between<Value>& a, const Between<Value>& b) {
  if (a.at_most < b.at_least) return std::strong_ordering::less;
  if (b.at_most < a.at_least) return std::strong_ordering::greater;
  if (a.exact() && b.exact()) return std::strong_ordering::equal;
  return std::nullopt;
}

}  // namespace

std::optional<std::strong_ordering> order_of(const ComparedCell& a, const ComparedCell& b) {
  const auto *level = std::get_if<Between<Level>>(&a.value), *other_level = std::get_if<Between<Level>>(&b.value);
  if (level != nullptr && other_level != nullptr) return order_between(*level, *other_level);
  const auto *number = std::get_if<Between<Number>>(&a.value), *other = std::get_if<Between<Number>>(&b.value);
  if (number != nullptr && other != nullptr) return order_between(*number, *other);
  return std::nullopt;
}

std::size_t ComparedRow::known() const {
  return static_cast<std::size_t>(
      std::count_if(cells.begin(), cells.end(), [](const ComparedCell& cell) { return cell.known(); }));
}

std::vector<std::size_t> ComparedRow::lowest() const {
  std::vector<std::size_t> lowest;
  if (!not_compared.empty() || known() < 2) return lowest;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const auto not_above = [&](const ComparedCell& other) {
      if (!other.known() || &other == &cells[i]) return true;
      const auto order = order_of(cells[i], other);
      return order && *order <= 0;
    };
    if (cells[i].known() && std::all_of(cells.begin(), cells.end(), not_above)) lowest.push_back(i);
  }
  return lowest;
}

std::string ComparedRow::name() const {
  // The key of results is older than the term.
  const std::string words = quantity == "right guesses" ? "best-guess accuracy" : quantity;
  return coordinate.empty() ? words : words + " " + coordinate;
}

bool DesignComparison::dominates(std::size_t a, std::size_t b) const {
  bool better = false;
  for (const ComparedRow& row : rows) {
    if (!row.cells[a].known() && !row.cells[b].known()) continue;
    const auto order = row.not_compared.empty() ? order_of(row.cells[a], row.cells[b]) : std::nullopt;
    if (!order || *order > 0) return false;
    better = better || *order < 0;
  }
  return better;
}

int DesignComparison::exit_status() const {
  const bool wrong = std::any_of(errors.begin(), errors.end(), [](const FileError& error) { return !error.stopped; });
  return wrong ? 2 : open > 0 || !errors.empty() ? 3 : 0;
}

// JSON of comparisons

template <typename Value>
void describe(FieldWriter& fields, Between<Value>& between) {
  fields.field("at_least", between.at_least);
  fields.field("at_most", between.at_most);
  fields.derived("lower", decimal_bounds(between.at_least).lower);
  fields.derived("upper", decimal_bounds(between.at_most).upper);
}

void describe(FieldWriter& fields, ComparedCell& cell) {
  if (const auto* level = std::get_if<Between<Level>>(&cell.value)) fields.field("level", *level);
  if (const auto* number = std::get_if<Between<Number>>(&cell.value)) fields.field("number", *number);
  fields.where(!cell.reason.empty(), "reason", cell.reason);
  fields.where(cell.confidential, "confidential", cell.confidential);
}

void describe(FieldWriter& fields, ComparedRow& row) {
  fields.word("kind", row.kind, {"level", "average", "error"});
  fields.field("quantity", row.quantity);
  fields.where(!row.coordinate.empty(), "coordinate", row.coordinate);
  fields.field("cells", row.cells);
  fields.where(!row.not_compared.empty(), "not_compared", row.not_compared);
  fields.derived("lowest", written(row.lowest()));
}

void describe(FieldWriter& fields, ComparedDesign& design) {
  fields.field("label", design.label);
  fields.field("file", design.file);
  fields.field("name", design.name);
  fields.field("coordinates", design.coordinates);
  fields.field("files", design.files);
  fields.where(!design.notes.empty(), "notes", design.notes);
  fields.where(!design.tables.empty(), "tables", design.tables);
  fields.where(design.confidential, "confidential", design.confidential);
}

void describe(FieldWriter& fields, DesignComparison& comparison) {
  fields.field("samples", comparison.samples);
  fields.field("designs", comparison.designs);
  fields.field("notes", comparison.notes);
  fields.field("rows", comparison.rows);
  fields.field("open", comparison.open);
  fields.field("errors", comparison.errors);
  fields.derived("conclusions", written(comparison_words(comparison)));
}

std::string to_json(const DesignComparison& comparison) { return document_of(comparison); }

// Text of comparisons

namespace {

std::string decimal(const Number& number) { return fmt::format("{:.6g}", number.approx()); }

std::string words_of(const Between<Level>& level) {
  if (level.exact()) return level_words(level.at_least);
  return nats(MeasuredLevel{level.at_least, {}, Way::kDirect, Unfinished{level.at_most, ""}, {}});
}

// The ends of a rounded number are close, and mostly equal in six digits.
std::string words_of(const Between<Number>& number) {
  if (!number.exact()) {
    const std::string least = decimal(number.at_least), most = decimal(number.at_most);
    return least == most ? "about " + least : least + " to " + most;
  }
  const std::string exact = number_text(number.at_least), rounded = decimal(number.at_least);
  return exact == rounded || exact.starts_with("about ") ? exact : exact + " = " + rounded;
}

// The quantities in these rows: their names, or how many of each kind they are.
std::string names_of(const DesignComparison& comparison, const std::vector<const ComparedRow*>& rows) {
  constexpr std::size_t kFew = 8;
  std::vector<std::string> names;
  if (rows.size() > kFew) {
    const auto of_kind = [](ComparedRow::Kind kind) { return [kind](const auto& row) { return row.kind == kind; }; };
    for (const auto& [kind, name] :
         {std::pair(ComparedRow::Kind::kLevel, "levels"), std::pair(ComparedRow::Kind::kAverage, "averages"),
          std::pair(ComparedRow::Kind::kError, "errors")}) {
      const auto all = std::count_if(comparison.rows.begin(), comparison.rows.end(), of_kind(kind));
      const auto own = std::count_if(rows.begin(), rows.end(), [kind](const auto* row) { return row->kind == kind; });
      if (own > 0) names.push_back(fmt::format("{} of {} {}", own, all, name));
    }
    return joined(names);
  }
  for (const ComparedRow* row : rows) names.push_back(printable(row->name(), 60));
  return joined(names);
}

std::string best_words(const DesignComparison& comparison, std::size_t design) {
  std::vector<const ComparedRow*> best;
  for (const ComparedRow& row : comparison.rows) {
    if (row.lowest() == std::vector<std::size_t>{design}) best.push_back(&row);
  }
  return best.empty() ? ""
                      : printable(comparison.designs[design].label, 60) + " is lowest in " + names_of(comparison, best);
}

std::string dominated_words(const DesignComparison& comparison, std::size_t design) {
  for (std::size_t other = 0; other < comparison.designs.size(); ++other) {
    if (!comparison.dominates(other, design)) continue;
    return printable(comparison.designs[design].label, 60) + " is dominated by " +
           printable(comparison.designs[other].label, 60) +
           ": higher in some quantity and lower in none that was measured";
  }
  return "";
}

// Lists the quantities in which all designs have the same value.
std::string tie_words(const DesignComparison& comparison) {
  std::vector<const ComparedRow*> ties;
  for (const ComparedRow& row : comparison.rows) {
    if (row.lowest().size() == comparison.designs.size()) ties.push_back(&row);
  }
  return ties.empty() ? "" : "all designs are equal in " + names_of(comparison, ties);
}

std::string open_words(const DesignComparison& comparison) {
  std::vector<const ComparedRow*> open;
  for (const ComparedRow& row : comparison.rows) {
    if (row.not_compared.empty() && row.known() > 1 && row.lowest().empty()) open.push_back(&row);
  }
  return open.empty() ? "" : "open, because known intervals overlap: " + names_of(comparison, open);
}

}  // namespace

std::string cell_words(const ComparedCell& cell) {
  const auto* level = std::get_if<Between<Level>>(&cell.shown());
  const auto* number = std::get_if<Between<Number>>(&cell.shown());
  if (cell.rounded) {
    if (level != nullptr && level->exact()) {
      const MeasuredLevel shown = publishable({level->at_least, {}, Way::kDirect, std::nullopt, {}});
      return shown.rounded ? known_words(shown) : level_words(shown.at_least);
    }
    if (number != nullptr && number->exact()) {
      return number->at_least.is_zero() ? "0" : decimal_text(number->at_least) + " (rounded up)";
    }
  }
  if (level != nullptr) return words_of(*level);
  return number != nullptr ? words_of(*number) : "";
}

std::vector<std::string> notes_of(const ComparedDesign& design) {
  std::vector<std::string> notes = design.notes;
  for (const TableUse& table : design.tables) notes.push_back(table_words(table));
  return notes;
}

std::string lowest_words(const DesignComparison& comparison, const ComparedRow& row) {
  if (!row.not_compared.empty()) return "not compared: " + row.not_compared;
  if (row.known() < 2) return "-";
  const std::vector<std::size_t> lowest = row.lowest();
  if (lowest.empty()) return "open";
  if (lowest.size() == row.known()) return "the same";
  std::vector<std::string> labels;
  for (const std::size_t i : lowest) labels.push_back(printable(comparison.designs[i].label, 60));
  return joined(labels);
}

std::vector<std::string> comparison_words(const DesignComparison& comparison) {
  std::vector<std::string> sentences;
  const auto add = [&](std::string sentence) {
    if (!sentence.empty()) sentences.push_back(std::move(sentence));
  };
  for (std::size_t i = 0; i < comparison.designs.size(); ++i) add(best_words(comparison, i));
  add(tie_words(comparison));
  add(open_words(comparison));
  for (std::size_t i = 0; i < comparison.designs.size(); ++i) add(dominated_words(comparison, i));
  return sentences;
}

namespace {

// Reasons with footnote numbers, each listed once.
class Reasons {
 public:
  std::string mark(const std::string& reason) {
    if (reason.empty()) return "";
    auto found = std::find(reasons_.begin(), reasons_.end(), reason);
    if (found == reasons_.end()) found = reasons_.insert(found, reason);
    return "[" + std::to_string(found - reasons_.begin() + 1) + "]";
  }
  std::string lines() const {
    std::string text;
    for (std::size_t i = 0; i < reasons_.size(); ++i) {
      text += fmt::format("  [{}] {}\n", i + 1, printable(reasons_[i], 400));
    }
    return text;
  }

 private:
  std::vector<std::string> reasons_;
};

// The cells of a row as decimals, with enough digits to see which differ; rounded and uncertain ones as cell_words.
std::vector<std::string> short_cells(const ComparedRow& row) {
  std::vector<std::string> texts;
  std::vector<Level> levels;
  std::vector<std::size_t> of_levels;
  for (const ComparedCell& cell : row.cells) {
    texts.push_back(cell.known() ? cell_words(cell) : "-");
    if (cell.rounded) continue;
    if (const auto* level = std::get_if<Between<Level>>(&cell.value); level != nullptr && level->exact()) {
      of_levels.push_back(texts.size() - 1);
      levels.push_back(level->at_least);
    }
    const auto* number = std::get_if<Between<Number>>(&cell.value);
    if (number == nullptr || !number->exact()) continue;
    texts.back() = decimal(number->at_least);
    for (const ComparedCell& other : row.cells) {
      const auto* beside = std::get_if<Between<Number>>(&other.value);
      if (other.rounded || beside == nullptr || !beside->exact() || beside->at_least == number->at_least) continue;
      if (decimal(beside->at_least) != decimal(number->at_least)) continue;
      const auto apart = distinct_decimals(number->at_least, beside->at_least);
      if (apart && apart->a.size() > texts.back().size()) texts.back() = apart->a;
    }
  }
  const std::vector<std::string> nats = distinct_nats(levels);
  for (std::size_t k = 0; k < nats.size(); ++k) texts[of_levels[k]] = nats[k];
  return texts;
}

constexpr std::size_t kFixed = 2;  // columns: quantity, lowest

std::string table_of(const DesignComparison& comparison, const RenderOptions& options) {
  const bool full = options.detail == Detail::kFull;
  std::vector<std::vector<std::string>> table{{"quantity", "lowest"}};
  for (const ComparedDesign& design : comparison.designs) table[0].push_back(printable(design.label, 60));
  Reasons reasons;
  std::size_t equal = 0, unknown = 0;
  std::set<std::string> why_unknown;
  for (const ComparedRow& row : comparison.rows) {
    if (!full && row.known() == 0) {
      ++unknown;
      for (const ComparedCell& cell : row.cells) why_unknown.insert(reasons.mark(cell.reason));
      continue;
    }
    if (!full && row.lowest().size() == comparison.designs.size()) {
      ++equal;
      continue;
    }
    std::vector<std::string>& line = table.emplace_back();
    line.push_back(printable(row.name(), 60));
    line.push_back(row.not_compared.empty() ? lowest_words(comparison, row)
                                            : "not compared " + reasons.mark(row.not_compared));
    const std::vector<std::string> texts = short_cells(row);
    for (std::size_t k = 0; k < row.cells.size(); ++k) {
      const ComparedCell& cell = row.cells[k];
      const std::string mark = reasons.mark(cell.reason);
      std::string& text = line.emplace_back(!full || !cell.known() ? texts[k] : cell_words(cell));
      if (!mark.empty()) text.append(" ").append(mark);
    }
  }
  std::string text = table.size() > 1 ? in_blocks(table, kFixed, options.width) : "";
  if (unknown > 0) {
    why_unknown.erase("");
    text += fmt::format("  {} without a value for any design left out (-v shows all): {}\n", counted(unknown, "row"),
                        fmt::join(why_unknown, " "));
  }
  text += reasons.lines();
  if (equal > 0)
    text += fmt::format("  {} in which all designs are equal left out (-v shows all)\n", counted(equal, "row"));
  return text;
}

}  // namespace

namespace {

// Notes that every design has: they are printed once.
std::vector<std::string> notes_of_all(const DesignComparison& comparison) {
  std::vector<std::string> common;
  if (comparison.designs.size() < 2) return common;
  for (const std::string& note : notes_of(comparison.designs.front())) {
    const auto has = [&](const ComparedDesign& design) {
      const std::vector<std::string> notes = notes_of(design);
      return std::find(notes.begin(), notes.end(), note) != notes.end();
    };
    if (std::all_of(comparison.designs.begin(), comparison.designs.end(), has)) common.push_back(note);
  }
  return common;
}

}  // namespace

std::string text_comparison(const DesignComparison& comparison, const RenderOptions& options) {
  std::string text;
  const std::vector<std::string> common = notes_of_all(comparison);
  for (const ComparedDesign& design : comparison.designs) {
    text += printable(design.label, 60) + "  " + printable(design.file, 200) + "\n";
    for (const std::string& note : notes_of(design)) {
      const bool is_common = std::find(common.begin(), common.end(), note) != common.end();
      if (!is_common) text += "  note: " + printable(note, 400) + "\n";
    }
  }
  for (const std::string& note : common) text += "note on all designs: " + printable(note, 400) + "\n";
  for (const std::string& note : comparison.notes) text += printable(note, 400) + "\n";
  if (comparison.rows.empty()) return text;
  text += fmt::format(
      "Lower is better in every row. Rows \"error of ...\": the expected squared error of the proportions that are "
      "estimated from {} outputs, summed over values.\n\n",
      comparison.samples);
  text += table_of(comparison, options) + "\n";
  for (const std::string& sentence : comparison_words(comparison)) text += "  " + sentence + "\n";
  return wrapped_lines(text, options.width);
}

}  // namespace oddsbound::reports
