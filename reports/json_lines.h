// JSON text of documents with long lists, one item per line, that are never held as one value. Include only in files of
// results.
#pragma once

#include <string>

#include "reports/json_parts.h"

namespace oddsbound::reports {

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
