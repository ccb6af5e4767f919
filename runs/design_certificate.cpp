#include "runs/design_certificate.h"

#include <fmt/format.h>

#include <set>

#include "base/characters.h"
#include "runs/matrix_spec.h"
#include "verifier/exact/decimal.h"

namespace oddsbound::runs {

namespace {

using Json = nlohmann::ordered_json;
using optimal::Limit;

Json json_of_limit(const specs::DesignFile& request, const Limit& limit, const Number& bound) {
  Json one = {{"constraint", limit.demand}, {"about", limit.about}, {"bound", bound.to_string()}};
  for (const auto& [x, mass] : limit.prior) {
    one["prior"].push_back({{"input", request.model.domain.tuple(x)}, {"mass", mass.to_string()}});
  }
  return one;
}

Json texts_of(const std::vector<Number>& numbers) {
  Json texts = Json::array();
  for (const Number& number : numbers) texts.push_back(number.to_string());
  return texts;
}

}  // namespace

std::string certificate_text(const specs::DesignFile& request, const std::vector<std::string>& row_names,
                             const optimal::Wanted& wanted, const optimal::Proof& proof, const Number& at_least,
                             bool conflict) {
  Json certificate;
  certificate["oddsbound_design_certificate"] = 1;
  certificate[conflict ? "exceeded_by" : "at_least"] = at_least.to_string();
  for (const char* list : {"limits", "prices", "multipliers"}) certificate[list] = Json::array();
  for (std::size_t k = 0; k < wanted.limits.size(); ++k) {
    certificate["limits"].push_back(json_of_limit(request, wanted.limits[k], wanted.bounds[k]));
  }
  for (std::size_t x = 0; x < row_names.size(); ++x) {
    certificate["prices"].push_back({{"row", row_names[x]}, {"index", x}, {"price", proof.prices[x].to_string()}});
  }
  if (!conflict && wanted.largest) certificate["weights"] = texts_of(proof.weights);
  if (!wanted.ceilings.empty()) {
    certificate["losses"] = Json::array();
    for (std::size_t k = 0; k < wanted.ceilings.size(); ++k) {
      Json one = {{"loss", wanted.ceilings[k].of}, {"times", proof.ceilings[k].to_string()}};
      const auto& charges = wanted.ceilings[k].charges;
      if (request.loss_limits[wanted.ceilings[k].of].losses.largest) {
        one["row"] = row_names[charges[0].row];
        one["index"] = charges[0].row;
      }
      certificate["losses"].push_back(std::move(one));
    }
  }
  for (const optimal::Multiplier& one : proof.multipliers) {
    const Limit& limit = wanted.limits[one.limit];
    certificate["multipliers"].push_back({{"limit", one.limit},
                                          {"from", limit.names[one.from]},
                                          {"to", limit.names[one.to]},
                                          {"output", request.outputs[one.output]},
                                          {"times", one.times.to_string()}});
  }
  return json_escaped(certificate.dump(1)) + "\n";
}

std::vector<std::string> needed_by(const specs::DesignFile& request, const optimal::Wanted& wanted,
                                   const optimal::Proof& proof) {
  std::set<std::size_t> constraints, losses;
  for (const optimal::Multiplier& one : proof.multipliers) constraints.insert(wanted.limits[one.limit].demand);
  for (std::size_t k = 0; k < wanted.ceilings.size(); ++k) {
    if (!proof.ceilings[k].is_zero()) losses.insert(wanted.ceilings[k].of);
  }
  std::vector<std::string> words;
  for (const std::size_t k : constraints) {
    words.push_back(fmt::format("constraint {} ({})", k + 1, request.constraints[k].notion->name));
  }
  for (const std::size_t k : losses) {
    const specs::LossLimit& limit = request.loss_limits[k];
    words.push_back(
        fmt::format("limit {} on losses: {} at most {}", k + 1, limit.losses.words, limit.at_most.to_string()));
  }
  return words;
}

}  // namespace oddsbound::runs
