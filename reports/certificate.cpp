#include "reports/certificate.h"

#include <fmt/format.h>
#include <algorithm>
#include <variant>

#include "reports/fields.h"
#include "reports/level_fields.h"
#include "reports/levels.h"
#include "specs/spec_error.h"

namespace oddsbound::reports {

namespace {

using Json = nlohmann::ordered_json;

// Trees are large, so they are written as text directly, without a JSON document in memory.
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
    if (pair.averaged) {
      const AveragedProof& proof = *pair.averaged;
      text_ += fmt::format(",\"averaged\":{{\"block\":{},\"base\":{}", proof.block, proof.base);
      list(",\"powers\":", proof.powers, [this](std::uint64_t power) { text_ += std::to_string(power); });
      text_ += '}';
    } else if (pair.shares.empty()) {
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
  for (const RedundantRay& out : set.left_out) {
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
  if (!coordinate.sets.empty()) {  // network: at least one set
    json["sets"] = coordinate.sets;
    return one_line(json);
  }
  json["within"] = coordinate.within;
  json["steps"] = Json::array();
  for (const Certificate::Step& step : coordinate.steps) {
    json["steps"].push_back({{"parts", step.parts}, {"outputs", written(step.outputs)}});
  }
  std::string text = one_line(json);
  add_text(text, "tree", TreeText(coordinate.values).of(coordinate.root), "\n  ");
  return text;
}

}  // namespace

std::string to_json(const Certificate& certificate) {
  Json head = json_head();
  const bool is_network = !certificate.names.empty();
  head["certificate"] = is_network ? "network" : "search";
  head["notion"] = notion_drawn(DrawnBeside::kValues)->name;
  head["file"] = certificate.file;
  head["spec"] = certificate.name;
  if (certificate.confidential) head["confidential"] = true;
  Json without = Json::array();
  for (const auto& [name, reason] : certificate.without) without.push_back({{"coordinate", name}, {"reason", reason}});
  head["without"] = std::move(without);
  std::string text = one_line(head);
  if (is_network) {
    const auto text_of = [&](const ProofSet& set) { return one_line(set_json(set, certificate.names)); };
    add_text(text, "sets", list_text(certificate.sets, text_of, " "), "\n");
  }
  add_text(text, "coordinates", list_text(certificate.coordinates, coordinate_text, " "), "\n");
  return text + "\n";
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

namespace {

Json rows_json(const RowProof& proof) {
  if (const auto* cuts = std::get_if<MeanCuts>(&proof.why)) {
    return {{"means", written(cuts->means)}, {"shares", written(cuts->shares)}};
  }
  const RowSplit& split = std::get<RowSplit>(proof.why);
  Json json{{"coordinate", split.coordinate}, {"row", split.row}};
  if (split.at) {
    json["value"] = split.at->first;
    json["at"] = split.at->second.to_string();
  }
  if (!split.points.empty()) json["points"] = written(split.points);
  for (const RowProof& part : proof.parts) json["parts"].push_back(rows_json(part));
  return json;
}

// The name and content of a proof.
struct ProofJson {
  Json& json;
  void operator()(const ByForm&) const { json["proof"] = "recompute"; }
  void operator()(const ByPrices& proof) const { json["prices"] = written(proof.duals); }
  void operator()(const BySquares& proof) const { json["squares"] = proof.pairs; }
  void operator()(const ByBets& proof) const { json["bets"] = written(std::vector{proof.slope, proof.shift}); }
  void operator()(const ByLimits& proof) const { json["limits"] = written(std::vector{proof.from, proof.to}); }
  void operator()(const ByRows& proof) const {
    json["rows"] = {{"bound", proof.bound.to_string()}, {"order", proof.order}, {"proof", rows_json(proof.proof)}};
  }
};

Json pair_json(const SetCertificate::Pair& pair) {
  Json json{{"output", pair.output}, {"from", written(pair.from)}, {"to", written(pair.to)}};
  std::visit(ProofJson{json}, pair.proof);
  return json;
}

std::string level_text(const SetCertificate::Level& level) {
  Json json = Json::object();
  if (!level.coordinate.empty()) json["coordinate"] = level.coordinate;
  if (level.pairs.empty()) {
    json["proof"] = level.way;
    return one_line(json);
  }
  for (const SetCertificate::Mass& mass : level.masses) {
    json["masses"].push_back({{"label", written(mass.label)},
                              {"at_most", written(mass.proof.at_most)},
                              {"at_least", written(mass.proof.at_least)}});
  }
  std::string text = one_line(json);
  const auto text_of = [](const SetCertificate::Pair& pair) { return one_line(pair_json(pair)); };
  add_text(text, "pairs", list_text(level.pairs, text_of, "   "));
  return text;
}

std::size_t size_of(const std::vector<Number>& numbers) {
  std::size_t size = 0;
  for (const Number& number : numbers) size += number.text_size() + 3;
  return size;
}

std::size_t size_of(const RowProof& proof) {
  constexpr std::size_t kAround = 64;  // keys
  std::size_t size = kAround;
  if (const auto* cuts = std::get_if<MeanCuts>(&proof.why)) return size + size_of(cuts->means) + size_of(cuts->shares);
  for (const auto& point : std::get<RowSplit>(proof.why).points) size += size_of(point);
  for (const RowProof& part : proof.parts) size += size_of(part);
  return size;
}

struct ProofSize {
  std::size_t operator()(const ByForm&) const { return 0; }
  std::size_t operator()(const ByPrices& proof) const { return size_of(proof.duals); }
  std::size_t operator()(const BySquares& proof) const { return proof.pairs.size() * 16; }
  std::size_t operator()(const ByBets& proof) const { return size_of({proof.slope, proof.shift}); }
  std::size_t operator()(const ByLimits& proof) const { return size_of({proof.from, proof.to}); }
  std::size_t operator()(const ByRows& proof) const { return size_of(proof.proof) + proof.order.size() * 8; }
};

}  // namespace

std::size_t written_size(const SetCertificate::Level& level) {
  constexpr std::size_t kAround = 64;  // keys and sides of a pair
  std::size_t size = kAround;
  for (const auto& mass : level.masses) size += size_of(mass.proof.at_most) + size_of(mass.proof.at_least) + kAround;
  for (const auto& pair : level.pairs) size += std::visit(ProofSize(), pair.proof) + pair.output.size() + kAround;
  return size;
}

std::string levels_text(const SetCertificate::Claim& claim) { return list_text(claim.levels, level_text, "  "); }

}  // namespace oddsbound::reports
