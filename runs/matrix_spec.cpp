#include "runs/matrix_spec.h"

#include <algorithm>
#include <filesystem>

#include "runs/spec_text.h"

namespace oddsbound::runs {

nlohmann::ordered_json json_of(specs::JsonView value) {
  switch (value.kind()) {
    case specs::JsonKind::kObject: {
      nlohmann::ordered_json object = nlohmann::ordered_json::object();
      for (const specs::JsonView::Member& member : value.members()) {
        object[std::string(member.key.text())] = json_of(member.value);
      }
      return object;
    }
    case specs::JsonKind::kArray: {
      nlohmann::ordered_json array = nlohmann::ordered_json::array();
      for (const specs::JsonView item : value.items()) array.push_back(json_of(item));
      return array;
    }
    case specs::JsonKind::kNumber: {
      // A string says the same in a spec, and is no double on the way. Whole numbers of few digits are none either.
      const std::string text(value.text());
      constexpr std::size_t kDigits = 15;
      const bool whole = text.find_first_not_of("-0123456789") == std::string::npos && text.size() <= kDigits;
      return whole ? nlohmann::ordered_json::parse(text) : nlohmann::ordered_json(text);
    }
    case specs::JsonKind::kString: return std::string(value.text());
    case specs::JsonKind::kBoolean: return value.text() == "true";
    case specs::JsonKind::kNull: break;
  }
  return nullptr;
}

nlohmann::ordered_json matrix_of(const std::vector<std::string>& outputs,
                                 const std::vector<std::vector<Number>>& rows) {
  nlohmann::ordered_json matrix = {{"type", "matrix"}, {"outputs", nlohmann::ordered_json::array()}};
  std::vector<std::size_t> given;
  for (std::size_t y = 0; y < outputs.size(); ++y) {
    const auto is_given = [&](const std::vector<Number>& row) { return !row[y].is_zero(); };
    if (std::none_of(rows.begin(), rows.end(), is_given)) continue;
    given.push_back(y);
    matrix["outputs"].push_back(outputs[y]);
  }
  for (const std::vector<Number>& row : rows) {
    nlohmann::ordered_json entries = nlohmann::ordered_json::array();
    for (const std::size_t y : given) entries.push_back(row[y].to_string());
    matrix["rows"].push_back(std::move(entries));
  }
  return matrix;
}

void name_prior_from(nlohmann::ordered_json& spec, const std::string& folder, const std::string& file) {
  if (!spec.contains("prior") || !spec["prior"].is_object() || !spec["prior"].contains("file")) return;
  const std::filesystem::path beside = std::filesystem::path(file).parent_path();
  spec["prior"]["file"] = name_from(folder, (beside / spec["prior"]["file"].get<std::string>()).string());
}

}  // namespace oddsbound::runs
