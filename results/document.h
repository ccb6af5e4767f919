// Documents of one result: the head that all have in common, and its fields. For the files of results alone (heavy
// library).
#pragma once

#include <string>

#include "results/fields.h"
#include "results/json_parts.h"

namespace oddsbound::results {

/// The head and the fields of a result as one document.
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

}  // namespace oddsbound::results
