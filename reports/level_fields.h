// The fields of levels and of the witnesses that show them, in both directions. Reading checks that they agree:
// decimals with the exact level, a witness with the level that it shows.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "base/budget.h"
#include "reports/fields.h"
#include "specs/csv.h"
#include "specs/json_document.h"

namespace oddsbound::reports {

// JSON documents of results: their head, their text, and the document of a single result. Include only in files of
// results, app and modules (heavy library).

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

/// A level with its decimals as members of an object: exp, epsilon, lower, upper. Throws SpecError if they contradict
/// one another.
void describe_level(FieldWriter& fields, const Level& level);
void describe_level(FieldReader& fields, Level& level);
/// The same as a separate object.
struct LevelAlone {
  static nlohmann::ordered_json write(const Level& level);
  static Level read(JsonView json, ReadingContext& context);
};
/// The known part of a level: the level, or at_least, at_most, their decimals lower and upper, the relative gap, and
/// the reason. Throws SpecError as above.
void describe_known(FieldWriter& fields, const MeasuredLevel& measured);
void describe_known(FieldReader& fields, MeasuredLevel& measured);
/// Throws SpecError unless the witness attains the level. A level that is known only from above may have no witness.
void require_shown(const ResultObject& object, const MeasuredLevel& measured);

template <typename Fields>
void describe(Fields& fields, MemberPrior& prior) {
  fields.object("a prior");
  fields.field("rows", prior.rows);
  fields.field("attains", prior.attains);
  fields.where(!prior.line.empty(), "line", prior.line);
}

template <typename Fields>
void describe(Fields& fields, Witness::Lowest& lowest) {
  fields.object("an output");
  fields.field("output", lowest.output);
  fields.field("p_from", lowest.p_from);
  fields.field("p_to", lowest.p_to);
}

template <typename Fields>
void describe(Fields& fields, Witness::Also& also) {
  fields.object("an input");
  fields.field("input", also.input);
  fields.field("p", also.p);
}

/// The names of Witness::likelihood_event in results; the second one for an event of large lifts, whose sides are
/// everyone.
inline constexpr const char* kLikelihoodEvent = "P(y given from) > e^epsilon P(y given to)";
inline constexpr const char* kLiftEvent = "P(y given a value) > e^epsilon P(y)";

/// event: the witness has several outputs or none. A divergence has `order` in place of outputs and probabilities.
template <typename Fields>
void describe_witness(Fields& fields, Witness& witness, bool event) {
  fields.object("a witness");
  fields.where(!witness.coordinate.empty(), "coordinate", witness.coordinate);
  if constexpr (Fields::kReads) {
    fields.where(true, "order", witness.order);
    if (const auto named = fields.members().find("event")) {
      const std::string_view text = named->text();
      if (text != kLikelihoodEvent && text != kLiftEvent) {
        named->fail(std::string("expected '") + kLikelihoodEvent + "' or '" + kLiftEvent + "'");
      }
      witness.likelihood_event = true;
      witness.unlisted = !fields.members().find("p_from");
    } else if (!witness.order) {
      const bool several = fields.members().find("outputs").has_value();
      several ? fields.field("outputs", witness.outputs) : fields.field("output", witness.outputs.emplace_back());
    } else if (*witness.order < Number(1)) {
      fields.members().require("order").fail("found less than 1, expected the order of a divergence");
    }
  } else if (witness.likelihood_event) {
    fields.field("event", std::string(is_of_lifts(witness) ? kLiftEvent : kLikelihoodEvent));
  } else if (!witness.order) {
    event ? fields.field("outputs", witness.outputs) : fields.field("output", witness.outputs.at(0));
  }
  fields.field("from", witness.from);
  fields.field("to", witness.to);
  fields.where(!witness.given.empty(), "given", witness.given);
  fields.where(!witness.others.empty(), "others", witness.others);
  if (!witness.order && !witness.unlisted) {
    fields.field("p_from", witness.p_from);
    fields.field("p_to", witness.p_to);
  } else if constexpr (!Fields::kReads) {
    if (witness.order) fields.field("order", *witness.order);
  }
  fields.where(witness.lowest.has_value(), "lowest", witness.lowest);
  fields.where(witness.also.has_value(), "also", witness.also);
  fields.where(witness.unprotected, "unprotected", witness.unprotected);
  fields.where(witness.prior != nullptr, "prior", witness.prior);
  if constexpr (Fields::kReads) require_sides(fields.members(), witness);
}

template <typename Fields>
void describe(Fields& fields, Witness& witness) {
  describe_witness(fields, witness, witness.outputs.size() != 1);
}

template <typename Fields>
void describe(Fields& fields, MeasuredLevel& measured) {
  fields.object("a level");
  describe_known(fields, measured);
  std::optional<Witness> witness;
  if (measured.shows_something()) witness = measured.witness.get();
  fields.field("witness", witness);
  if constexpr (Fields::kReads) {
    if (witness) measured.witness = *std::move(witness);
    require_shown(fields.members(), measured);
  }
}

}  // namespace oddsbound::reports
