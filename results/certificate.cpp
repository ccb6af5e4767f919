#include "results/certificate.h"

#include <fmt/format.h>

#include <algorithm>

#include "results/json_parts.h"
#include "specs/spec_error.h"

namespace oddsbound::results {

namespace {

using Json = nlohmann::ordered_json;

// Trees are large: they are written without being made as a document first.
class TreeText {
 public:
  explicit TreeText(const std::vector<std::string>& values) {
    for (const std::string& value : values) values_.push_back(one_line(value));
  }
  std::string of(const ProofNode& root) {
    write(root);
    return std::move(text_);
  }

 private:
  void write(const ProofNode& node) {
    text_ += '{';
    if (node.enumerated) text_ += "\"enumerate\":true";
    if (!node.closed.empty()) {
      list("\"closed\":", node.closed, [this](const ClosedPair& pair) { write(pair); });
      if (!node.next.empty()) text_ += ',';
    }
    if (!node.next.empty()) list("\"next\":", node.next, [this](const ProofNode& child) { write(child); });
    text_ += '}';
  }

  void write(const ClosedPair& pair) {
    text_ += "{\"from\":" + values_[pair.from] + ",\"to\":" + values_[pair.to];
    if (pair.shares.empty()) {
      text_ += fmt::format(",\"credit\":{}", pair.credit);
    } else {
      list(",\"plan\":", pair.shares, [this](double share) { text_ += fmt::format("{}", share); });
    }
    text_ += '}';
  }

  template <typename Items, typename Write>
  void list(const char* key, const Items& items, Write write_item) {
    text_ += key;
    char before = '[';
    for (const auto& item : items) {
      text_ += before;
      write_item(item);
      before = ',';
    }
    text_ += ']';
  }

  std::vector<std::string> values_;
  std::string text_;
};

Json step_json(const Certificate::Step& step) {
  Json outputs = Json::array();
  for (const auto& output : step.outputs) {
    Json counts = Json::object();
    for (const auto& [label, count] : output) counts[label] = count;
    outputs.push_back(std::move(counts));
  }
  return {{"parts", step.parts}, {"outputs", std::move(outputs)}};
}

std::vector<std::string> names_of(const std::vector<std::size_t>& coordinates, const std::vector<std::string>& names) {
  std::vector<std::string> result;
  for (const std::size_t i : coordinates) result.push_back(names[i]);
  return result;
}

Json set_json(const ProofSet& set, const std::vector<std::string>& names) {
  Json json;
  if (set.factor) {
    json["part"] = *set.factor;
  } else {
    json["tables"] = names_of(set.tables, names);
    json["sets"] = set.sets;
    json["over"] = names_of(set.over, names);
  }
  if (set.keeps_all) return json;
  json["kept"] = set.kept;
  Json others = Json::object();
  for (const LeftOut& out : set.left_out) {
    Json& weights = others[std::to_string(out.ray)];
    for (std::size_t k = 0; k < out.of.size(); ++k) weights[std::to_string(out.of[k])] = out.weights[k];
  }
  json["others"] = std::move(others);
  return json;
}

std::string coordinate_text(const Certificate::Coordinate& coordinate) {
  Json json;
  json["coordinate"] = coordinate.name;
  json["lower"] = coordinate.lower;
  json["upper"] = coordinate.upper;
  json["witness"] = {{"from", coordinate.values[coordinate.from]},
                     {"to", coordinate.values[coordinate.to]},
                     {"output", coordinate.output}};
  if (!coordinate.sets.empty()) {  // along a network, where there is a set at least
    json["sets"] = coordinate.sets;
    return one_line(json);
  }
  json["within"] = coordinate.within;
  json["steps"] = Json::array();
  for (const Certificate::Step& step : coordinate.steps) json["steps"].push_back(step_json(step));
  std::string text = one_line(json);
  text.back() = ',';
  return text + "\n  \"tree\":" + TreeText(coordinate.values).of(coordinate.root) + "}";
}

}  // namespace

std::string to_json(const Certificate& certificate) {
  Json head = json_head();
  const bool is_network = !certificate.names.empty();
  head["certificate"] = is_network ? "network" : "search";
  head["notion"] = "bcdp";
  head["file"] = certificate.file;
  head["spec"] = certificate.name;
  if (certificate.confidential) head["confidential"] = true;
  Json without = Json::array();
  for (const auto& [name, reason] : certificate.without) without.push_back({{"coordinate", name}, {"reason", reason}});
  head["without"] = std::move(without);
  std::string text = one_line(head);
  text.back() = ',';
  const auto add = [&text](const char* key, const auto& items, const auto& text_of) {
    text += key;
    for (std::size_t i = 0; i < items.size(); ++i) text += (i == 0 ? "\n " : ",\n ") + text_of(items[i]);
  };
  if (is_network) {
    add("\n\"sets\":[", certificate.sets,
        [&](const ProofSet& set) { return one_line(set_json(set, certificate.names)); });
    text += "],";
  }
  add("\n\"coordinates\":[", certificate.coordinates, coordinate_text);
  return text + "]}\n";
}

std::vector<std::string> missing_proofs(const Certificate& certificate) {
  constexpr std::size_t kMostNames = 12;
  std::vector<std::string> lines;
  for (auto first = certificate.without.begin(); first != certificate.without.end();) {
    const std::string& reason = first->second;
    const auto end =
        std::find_if(first, certificate.without.end(), [&](const auto& own) { return own.second != reason; });
    std::string line = "no certificate for ";
    for (auto at = first; at != end; ++at) {
      const auto place = static_cast<std::size_t>(at - first);
      if (place == kMostNames) {
        line += " and " + std::to_string(end - at) + " more";
        break;
      }
      line += (place == 0 ? "" : ", ") + printable(at->first, 60);
    }
    lines.push_back(line + ": " + printable(reason, 400));
    first = end;
  }
  return lines;
}

}  // namespace oddsbound::results
