#include "results/set_certificate.h"

#include <variant>

#include "results/json_parts.h"

namespace oddsbound::results {

namespace {

using Json = nlohmann::ordered_json;

Json party_json(const Party& party) {
  return std::visit([](const auto& side) { return Json(side); }, party);
}

Json numbers_json(const std::vector<Number>& numbers) {
  Json json = Json::array();
  for (const Number& number : numbers) json.push_back(number.to_string());
  return json;
}

Json rows_json(const RowProof& proof) {
  if (const auto* cuts = std::get_if<MeanCuts>(&proof.why)) {
    return {{"means", numbers_json(cuts->means)}, {"shares", numbers_json(cuts->shares)}};
  }
  const RowSplit& split = std::get<RowSplit>(proof.why);
  Json json{{"coordinate", split.coordinate}, {"row", split.row}};
  if (split.at) {
    json["value"] = split.at->first;
    json["at"] = split.at->second.to_string();
  }
  for (const auto& point : split.points) json["points"].push_back(numbers_json(point));
  for (const RowProof& part : proof.parts) json["parts"].push_back(rows_json(part));
  return json;
}

// What a proof is called, and what it holds.
struct ProofJson {
  Json& json;
  void operator()(const ByForm&) const { json["proof"] = "recompute"; }
  void operator()(const ByPrices& proof) const { json["prices"] = numbers_json(proof.prices); }
  void operator()(const BySquares& proof) const { json["squares"] = proof.pairs; }
  void operator()(const ByBets& proof) const { json["bets"] = numbers_json({proof.slope, proof.shift}); }
  void operator()(const ByLimits& proof) const { json["limits"] = numbers_json({proof.from, proof.to}); }
  void operator()(const ByRows& proof) const {
    json["rows"] = {{"bound", proof.bound.to_string()}, {"order", proof.order}, {"proof", rows_json(proof.proof)}};
  }
};

Json pair_json(const SetCertificate::Pair& pair) {
  Json json{{"output", pair.output}, {"from", party_json(pair.from)}, {"to", party_json(pair.to)}};
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
    json["masses"].push_back({{"label", party_json(mass.label)},
                              {"at_most", numbers_json(mass.proof.at_most)},
                              {"at_least", numbers_json(mass.proof.at_least)}});
  }
  json["pairs"] = Json::array();
  std::string text = one_line(json);
  text.resize(text.size() - 2);  // what ends the list and the object
  for (std::size_t k = 0; k < level.pairs.size(); ++k) {
    text += (k == 0 ? "\n   " : ",\n   ") + one_line(pair_json(level.pairs[k]));
  }
  return text + "]}";
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
  std::size_t operator()(const ByPrices& proof) const { return size_of(proof.prices); }
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

std::string levels_text(const SetCertificate::Claim& claim) {
  std::string text = "[";
  for (std::size_t k = 0; k < claim.levels.size(); ++k) {
    text += (k == 0 ? "\n  " : ",\n  ") + level_text(claim.levels[k]);
  }
  return text + "]";
}

}  // namespace oddsbound::results
