// Designs side by side as JSON, and back.
#include "results/comparison.h"
#include "results/document.h"
#include "results/spec_result_json.h"
#include "verifier/exact/decimal.h"

namespace oddsbound::results {

template <typename Fields, typename Value>
void describe(Fields& fields, Between<Value>& between) {
  fields.object("a value, or two between which it lies");
  fields.field("at_least", between.at_least);
  fields.field("at_most", between.at_most);
  if constexpr (Fields::kReads) {
    if (between.at_most < between.at_least) {
      fields.members().require("at_most").fail("found less than 'at_least'");
    }
  } else {
    fields.derived("lower", decimal_bounds(between.at_least).lower);
    fields.derived("upper", decimal_bounds(between.at_most).upper);
  }
}

namespace {

template <typename Value>
bool read_value(FieldReader& fields, const char* key, ComparedCell& cell) {
  const auto found = fields.members().find(key);
  if (found) cell.value = Codec<Between<Value>>::read(*found, fields.context());
  return found.has_value();
}

}  // namespace

template <typename Fields>
void describe(Fields& fields, ComparedCell& cell) {
  fields.object("what is known of a design");
  if constexpr (Fields::kReads) {
    if (!read_value<Level>(fields, "level", cell)) read_value<Number>(fields, "number", cell);
  } else {
    if (const auto* level = std::get_if<Between<Level>>(&cell.value)) fields.field("level", *level);
    if (const auto* number = std::get_if<Between<Number>>(&cell.value)) fields.field("number", *number);
  }
  fields.where(!cell.reason.empty(), "reason", cell.reason);
  fields.where(cell.confidential, "confidential", cell.confidential);
  if constexpr (Fields::kReads) {
    if (!cell.known() && cell.reason.empty()) fields.members().view().fail("expected a value, or a reason why not");
  }
}

template <typename Fields>
void describe(Fields& fields, ComparedRow& row) {
  fields.object("a quantity");
  fields.word("kind", row.kind, {"level", "average", "error"});
  fields.field("quantity", row.quantity);
  fields.where(!row.coordinate.empty(), "coordinate", row.coordinate);
  fields.field("cells", row.cells);
  fields.where(!row.not_compared.empty(), "not_compared", row.not_compared);
  if constexpr (Fields::kReads) {
    const JsonView lowest = fields.members().require("lowest");
    std::vector<std::size_t> said;
    for (const JsonView& place : read_array(lowest, "a list")) {
      said.push_back(Codec<std::size_t>::read(place, fields.context()));
    }
    if (said != row.lowest()) lowest.fail("the cells say otherwise");
  } else {
    fields.derived("lowest", written(row.lowest()));
  }
}

template <typename Fields>
void describe(Fields& fields, ComparedDesign& design) {
  fields.object("a design");
  fields.field("label", design.label);
  fields.field("file", design.file);
  fields.field("name", design.name);
  fields.field("coordinates", design.coordinates);
  fields.field("files", design.files);
  fields.where(!design.notes.empty(), "notes", design.notes);
  if constexpr (Fields::kReads) {
    if (const auto tables = fields.members().find("tables")) design.tables = read_tables(*tables, fields.context());
  } else {
    if (!design.tables.empty()) fields.derived("tables", tables_json(design.tables));
  }
  fields.where(design.confidential, "confidential", design.confidential);
}

template <typename Fields>
void describe(Fields& fields, DesignComparison& comparison) {
  fields.object("a comparison");
  fields.field("samples", comparison.samples);
  fields.field("designs", comparison.designs);
  fields.field("notes", comparison.notes);
  fields.field("rows", comparison.rows);
  fields.field("open", comparison.open);
  fields.field("errors", comparison.errors);
  if constexpr (Fields::kReads) {
    const JsonView rows = fields.members().require("rows");
    for (const ComparedRow& row : comparison.rows) {
      if (row.cells.size() != comparison.designs.size()) rows.fail("expected one cell for each design in every row");
    }
  } else {
    fields.derived("conclusions", written(comparison_words(comparison)));
  }
}

std::string to_json(const DesignComparison& comparison) { return document_of(comparison); }

DesignComparison comparison_from_json(const JsonDocument& document, Budget& budget) {
  return read_document<DesignComparison>(document, budget);
}

}  // namespace oddsbound::results
