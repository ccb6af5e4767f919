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

// JSON text of documents with long lists, one item per line, that are never held as one value. Include only in files of
// results.

/// A list with one item per line, after this indentation.
template <typename Items, typename TextOf>
std::string list_text(const Items& items, TextOf text_of, const std::string& indentation) {
  std::string text = "[";
  for (const auto& item : items) text += (text.size() == 1 ? "\n" : ",\n") + indentation + text_of(item);
  text += ']';
  return text;
}

/// Appends a member to the text of an object. before: what is written before its key.
inline void add_text(std::string& object, const std::string& key, const std::string& value,
                     const std::string& before = "") {
  object.pop_back();
  object += (object.size() > 1 ? "," : "") + before + "\"" + key + "\":" + value + "}";
}

}  // namespace oddsbound::reports
