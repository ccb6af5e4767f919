#include "verifier/model/joined_values.h"

#include <fmt/ranges.h>

#include <unordered_map>
#include <unordered_set>

namespace oddsbound::model {

namespace {

std::string quoted(const std::string& value) {
  std::string text = "\"";
  for (const char c : value) {
    if (c == '"') text += c;
    text += c;
  }
  return text + '"';
}

}  // namespace

std::string joined_values(const std::vector<std::string>& values, std::string_view separator) {
  if (values.size() == 1) return values[0];
  std::string text;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::string& value = values[i];
    const bool is_plain = value.find(',') == std::string::npos && !value.starts_with('"');
    if (i > 0) text += separator;
    text += is_plain ? value : quoted(value);
  }
  return text;
}

std::vector<std::string> joined_lists(const std::vector<std::vector<std::string>>& lists, std::string_view separator) {
  std::vector<std::string> texts;
  for (const auto& values : lists) texts.push_back(fmt::format("{}", fmt::join(values, separator)));
  if (std::unordered_set<std::string_view>(texts.begin(), texts.end()).size() == texts.size()) return texts;
  for (std::size_t k = 0; k < lists.size(); ++k) texts[k] = joined_values(lists[k], separator);
  return texts;
}

std::vector<std::string> distinct_labels(std::vector<std::string> labels) {
  // A numbered label may be that of another output, and is longer than before: this ends.
  for (;;) {
    std::unordered_map<std::string, std::size_t> count, numbered;
    for (const std::string& label : labels) ++count[label];
    if (count.size() == labels.size()) return labels;
    for (std::string& label : labels) {
      if (count[label] > 1) label += " #" + std::to_string(++numbered[label]);
    }
  }
}

}  // namespace oddsbound::model
