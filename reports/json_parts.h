// JSON documents of results: their head, their text, and the document of a single result. Include only in files of
// results, app and modules (heavy library).
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "base/budget.h"
#include "reports/fields.h"
#include "specs/csv.h"
#include "specs/json_document.h"

namespace oddsbound::reports {

/// Returns {"oddsbound": 1, "tool": ...}, the head of every document. version: of the program that computed the
/// result; default: this program.
nlohmann::ordered_json json_head();
nlohmann::ordered_json json_head(const std::string& version);

/// The document as text, for strings with arbitrary bytes.
std::string json_text(const nlohmann::ordered_json& document);

/// One line of JSON, for documents that are assembled from lines.
std::string one_line(const nlohmann::ordered_json& part);

/// Returns the head and the fields of a result as one document.
template <typename Result>
std::string document_of(const Result& result) {
  nlohmann::ordered_json json = json_head();
  json.update(written(result));
  return json_text(json);
}

/// Reads what document_of wrote. Throws SpecError.
template <typename Result>
Result read_document(const JsonDocument& document, Budget& budget) {
  ResultContext context(document.file(), budget);
  return Codec<Result>::read(document.root(), context);
}

/// Throws SpecError for impossible counts of rows and cells.
void require_possible(const ResultObject& object, const TableUse& table);

/// A table that a spec was read from.
template <typename Fields>
void describe(Fields& fields, TableUse& table) {
  fields.object("a table");
  fields.field("file", table.file);
  fields.word("missing", table.missing, {"drop", "as", "value"});
  fields.where(table.missing == Missing::kAs, "as", table.as);
  fields.field("rows", table.rows);
  fields.field("dropped", table.dropped);
  fields.derived("kept", table.rows - table.dropped);
  fields.where(table.counted.has_value(), "counted", table.counted);
  fields.where(table.counted.has_value(), "counted_dropped", table.counted_dropped);
  fields.field("missing_cells", table.missing_cells);
  if constexpr (Fields::kReads) require_possible(fields.members(), table);
}

}  // namespace oddsbound::reports
