#include "runs/design.h"

#include <map>
#include <nlohmann/json.hpp>

#include "runs/matrix_spec.h"
#include "runs/spec_text.h"
#include "specs/design.h"
#include "verifier/exact/decimal.h"

namespace oddsbound::runs {

namespace {

using optimal::Charge;
using optimal::Limit;
using optimal::Optimum;
using optimal::Wanted;
using specs::DesignFile;
using Json = nlohmann::ordered_json;

// The rows of the mechanism: one for all inputs that agree on what it reads.
struct ReadRows {
  std::vector<std::uint64_t> of_input;
  std::vector<std::string> names;
};

ReadRows rows_of(const DesignFile& request) {
  ReadRows rows;
  std::map<std::vector<std::string>, std::uint64_t> known;
  const Domain& domain = request.model.domain;
  for (std::uint64_t x = 0; x < domain.inputs(); ++x) {
    const std::vector<std::string> tuple = domain.tuple(x);
    std::vector<std::string> read;
    std::string name;
    for (const std::size_t i : request.reads) {
      read.push_back(tuple[i]);
      name += (name.empty() ? "" : ", ") + tuple[i];
    }
    const auto [found, is_new] = known.emplace(std::move(read), rows.names.size());
    if (is_new) rows.names.push_back(name);
    rows.of_input.push_back(found->second);
  }
  return rows;
}

// Sides over inputs become sides over rows.
void gather(Limit& limit, const ReadRows& rows) {
  for (optimal::Side& side : limit.sides) {
    std::map<std::uint64_t, Number> weights;
    for (const auto& [x, weight] : side) weights[rows.of_input[x]] += weight;
    side.assign(weights.begin(), weights.end());
  }
}

Wanted wanted_of(const DesignFile& request, const ReadRows& rows) {
  Wanted wanted;
  wanted.rows = rows.names.size();
  wanted.outputs = request.outputs.size();
  wanted.largest = request.largest;
  for (std::uint64_t x = 0; x < rows.of_input.size(); ++x) {
    const Number weight = request.largest ? Number(0) : request.model.prior->probability(x);
    wanted.charges.push_back({rows.of_input[x], request.losses[x], weight});
  }
  const LookedAt inputs(request.model.domain);
  for (std::size_t k = 0; k < request.constraints.size(); ++k) {
    const specs::Claim& claim = request.constraints[k];
    std::vector<Limit> limits =
        limits_of(request.model, claim.notion->define(request.model, claim.arguments, inputs), k);
    leave_out_implied(limits);
    for (Limit& limit : limits) {
      gather(limit, rows);
      wanted.limits.push_back(std::move(limit));
    }
  }
  return wanted;
}

// Entries on the diagonal are alike, and so are all others.
std::string family_of(const std::vector<std::vector<Number>>& rows, std::size_t outputs) {
  if (rows.size() != outputs || outputs < 2 || rows[0][0] <= rows[0][1]) return "";
  for (std::size_t x = 0; x < rows.size(); ++x) {
    for (std::size_t y = 0; y < outputs; ++y) {
      if (rows[x][y] != (x == y ? rows[0][0] : rows[0][1])) return "";
    }
  }
  return "k-randomized response";
}

Json spec_of(const DesignFile& request, const ReadRows& rows, const Optimum& optimum, const std::string& folder) {
  Json spec;
  spec["oddsbound"] = 1;
  spec["name"] = request.name;
  spec["description"] = "Made by oddsbound design: " + request.loss_words + " " + decimal_text(optimum.loss) + ".";
  const Domain& domain = request.model.domain;
  for (std::size_t i = 0; i < domain.size(); ++i) {
    spec["domain"].push_back({{"name", domain.coordinate(i).name}, {"values", domain.coordinate(i).values}});
  }
  const Json written = json_of(request.document->root());
  for (const char* key : {"parameters", "prior"}) {
    if (written.contains(key)) spec[key] = written[key];
  }
  name_prior_from(spec, folder, request.file);
  std::vector<std::vector<Number>> entries;
  for (const std::uint64_t row : rows.of_input) entries.push_back(optimum.rows[row]);
  spec["mechanism"] = matrix_of(request.outputs, entries);
  spec["claims"] = written["constraints"];
  return spec;
}

Json certificate_of(const DesignFile& request, const ReadRows& rows, const Wanted& wanted, const Optimum& optimum) {
  Json certificate;
  certificate["oddsbound_design_certificate"] = 1;
  certificate["at_least"] = optimum.loss.to_string();
  for (const char* list : {"limits", "prices", "multipliers"}) certificate[list] = Json::array();
  for (std::size_t k = 0; k < wanted.limits.size(); ++k) {
    const Limit& limit = wanted.limits[k];
    certificate["limits"].push_back(
        {{"constraint", limit.demand}, {"about", limit.about}, {"bound", wanted.bounds[k].to_string()}});
  }
  for (std::size_t x = 0; x < rows.names.size(); ++x) {
    certificate["prices"].push_back({{"row", rows.names[x]}, {"price", optimum.proof.prices[x].to_string()}});
  }
  if (request.largest) {
    certificate["weights"] = Json::array();
    for (const Number& weight : optimum.proof.weights) certificate["weights"].push_back(weight.to_string());
  }
  for (const optimal::Multiplier& one : optimum.proof.multipliers) {
    const Limit& limit = wanted.limits[one.limit];
    certificate["multipliers"].push_back({{"limit", one.limit},
                                          {"from", limit.names[one.from]},
                                          {"to", limit.names[one.to]},
                                          {"output", request.outputs[one.output]},
                                          {"times", one.times.to_string()}});
  }
  return certificate;
}

}  // namespace

results::DesignResult run_design(const std::string& file, const std::string& folder, Budget& budget) {
  const DesignFile request = specs::read_design(file, budget);
  const ReadRows rows = rows_of(request);
  budget.require_cells(rows.names.size(), request.outputs.size());
  Wanted wanted = wanted_of(request, rows);
  optimal::Bounds bounds = optimal::bounds_of(wanted.limits, request.denominator);
  const bool exact = bounds.below == bounds.above;
  wanted.bounds = std::move(bounds.below);
  const Optimum optimum = least_loss(wanted, budget);
  std::optional<Optimum> beyond;
  if (!exact) {
    wanted.bounds = std::move(bounds.above);
    beyond = least_loss(wanted, budget);
  }
  const Optimum& proven = beyond ? *beyond : optimum;
  results::DesignResult result;
  result.name = request.name;
  result.loss_words = request.loss_words;
  result.loss = optimum.loss;
  result.at_least = proven.loss;
  const Json spec = spec_of(request, rows, optimum, folder);
  result.outputs = spec["mechanism"]["outputs"].size();
  result.family = family_of(optimum.rows, request.outputs.size());
  result.spec = spec_text(spec);
  result.certificate = certificate_of(request, rows, wanted, proven).dump(1) + "\n";
  return result;
}

}  // namespace oddsbound::runs
