#include "runs/spec_text.h"

#include <algorithm>
#include <cctype>
#include <filesystem>

#include "base/characters.h"
#include "base/errors.h"

namespace oddsbound::runs {

namespace {

using Json = nlohmann::ordered_json;

std::string key_of(const Json::const_iterator& item, const Json& json) {
  return json.is_object() ? json_escaped(Json(item.key()).dump()) + ": " : "";
}

std::string in_one_line(const Json& json) {
  if (!json.is_structured()) return json_escaped(json.dump());
  std::string text;
  for (auto item = json.begin(); item != json.end(); ++item) {
    text += (text.empty() ? "" : ", ") + key_of(item, json) + in_one_line(*item);
  }
  return json.is_object() ? "{" + text + "}" : "[" + text + "]";
}

// column: where it begins.
std::string laid_out(const Json& json, std::size_t indent, std::size_t column) {
  constexpr std::size_t kWidth = 140;
  const bool list =
      json.is_array() && std::any_of(json.begin(), json.end(), [](const Json& j) { return j.is_object(); });
  std::string line = in_one_line(json);
  if (!json.is_structured() || (column > 0 && !list && column + line.size() < kWidth)) return line;
  const std::string inner(indent + 2, ' ');
  std::string text;
  for (auto item = json.begin(); item != json.end(); ++item) {
    const std::string key = key_of(item, json);
    text.append(text.empty() ? "\n" : ",\n").append(inner).append(key);
    text += laid_out(*item, indent + 2, indent + 2 + key.size());
  }
  text += "\n" + std::string(indent, ' ');
  return json.is_object() ? "{" + text + "}" : "[" + text + "]";
}

}  // namespace

std::string spec_text(const Json& spec) {
  try {
    return laid_out(spec, 0, 0) + "\n";
  } catch (const Json::type_error&) {
    throw ModelError("a name in the table, or that of the file, is not UTF-8: a spec cannot hold it");
  }
}

std::string name_from(const std::string& folder, const std::string& file) {
  namespace fs = std::filesystem;
  const auto called = [](const fs::path& path) { return fs::absolute(path).lexically_normal(); };
  return called(file).lexically_relative(called(folder.empty() ? "." : folder)).generic_string();
}

std::string as_file_name(const std::string& text) {
  std::string name;
  for (const char c : text) name += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '-';
  return name;
}

}  // namespace oddsbound::runs
