#include "app/split.h"

#include <algorithm>
#include <map>

#include "base/characters.h"
#include "base/errors.h"
#include "verifier/exact/expression.h"
#include "verifier/measures/budget_split.h"

namespace oddsbound::app {

namespace {

constexpr std::size_t kMostCoordinates = 1000;

template <typename Read>
auto read_value(const std::string& what, const std::string& text, const Read& read) {
  try {
    return read(text);
  } catch (const NumberError& error) {
    throw ModelError(what + ": found '" + printable(text, 60) + "': " + error.what());
  }
}

Level read_nats(const std::string& what, const std::string& text) {
  const Level level = read_value(what, text, [](const std::string& given) { return parse_level(given); });
  if (level.surd() != nullptr) throw ModelError(what + ": expected a level without a square root");
  return level;
}

// Names, in the order in which they are given.
std::vector<std::string> names_of(const SplitRequest::Values& values, const std::string& what) {
  std::vector<std::string> names;
  for (const auto& [name, text] : values) {
    if (name.empty()) throw ModelError(what + ": found '" + printable(text, 60) + "', expected COORDINATE=LEVEL");
    if (std::find(names.begin(), names.end(), name) != names.end()) {
      throw ModelError(what + ": the coordinate '" + printable(name, 60) + "' is given twice");
    }
    names.push_back(name);
    if (names.size() > kMostCoordinates) throw LimitError("more than 1000 coordinates are given");
  }
  return names;
}

std::vector<Level> levels_of(const SplitRequest::Values& values, const std::string& what) {
  std::vector<Level> levels;
  for (const auto& [name, text] : values) levels.push_back(read_nats(what + " of '" + printable(name, 60) + "'", text));
  return levels;
}

std::vector<Number> correlations_of(const SplitRequest& request, const std::vector<std::string>& names) {
  std::map<std::string, Number> given;
  for (const auto& [name, text] : request.correlation) {
    const std::string what = name.empty() ? "correlation" : "correlation of '" + printable(name, 60) + "'";
    if (!name.empty() && std::find(names.begin(), names.end(), name) == names.end()) {
      throw ModelError(what + ": no level is given for this coordinate");
    }
    const Number number = read_value(what, text, [](const std::string& one) { return parse_number(one); });
    if (!number.is_rational() || number.sign() < 0 || number > Number(1)) {
      throw ModelError(what + ": found " + printable(text, 60) + ", expected a rational number from 0 to 1");
    }
    if (!given.emplace(name, number).second) throw ModelError(what + " is given twice");
  }
  const auto others = given.find("");
  std::vector<Number> correlations;
  for (const std::string& name : names) {
    const auto own = given.find(name);
    correlations.push_back(own != given.end() ? own->second : others != given.end() ? others->second : Number(1));
  }
  return correlations;
}

struct SplitQuestion {
  std::vector<std::string> names;
  std::vector<Number> correlations;
  std::vector<std::optional<Level>> deltas;
};

Split split_of(const SplitQuestion& question, std::string by, const std::vector<Level>& cdp, const Level& ldp) {
  Split split{std::move(by), ldp, {}};
  const std::vector<Level> bounds = measures::proposition_4_bounds(cdp, question.correlations, question.deltas, ldp);
  std::vector<Level> deltas;
  for (std::size_t i = 0; i < cdp.size(); ++i) {
    split.levels.push_back({question.names[i], question.correlations[i], question.deltas[i], cdp[i], bounds[i]});
    if (question.deltas[i]) deltas.push_back(*question.deltas[i]);
  }
  if (deltas.size() == cdp.size()) split.proposition_6 = measures::proposition_6(deltas, question.correlations, cdp);
  return split;
}

SplitResult of_cdp(const SplitRequest& request) {
  const std::vector<std::string> names = names_of(request.cdp, "CDP level");
  std::vector<Level> cdp = levels_of(request.cdp, "CDP level");
  SplitQuestion question{names, correlations_of(request, names), std::vector<std::optional<Level>>(names.size())};
  names_of(request.delta, "BCDP level");
  const std::vector<Level> deltas = levels_of(request.delta, "BCDP level");
  for (std::size_t k = 0; k < deltas.size(); ++k) {
    const auto place = std::find(names.begin(), names.end(), request.delta[k].first);
    if (place == names.end()) {
      throw ModelError("BCDP level: no CDP level is given for '" + printable(request.delta[k].first, 60) + "'");
    }
    question.deltas[static_cast<std::size_t>(place - names.begin())] = deltas[k];
  }
  Level ldp = measures::total_at_most(cdp);
  if (!request.ldp.empty()) {
    const Level given = read_nats("LDP level", request.ldp);
    for (Level& level : cdp) level = std::min(level, given);  // no CDP level is above the LDP level
    ldp = std::min(ldp, given);
  }
  return {{split_of(question, "given", cdp, ldp)}};
}

SplitResult of_delta(const SplitRequest& request) {
  if (!request.ldp.empty())
    throw ModelError("found an LDP level without CDP levels, expected both or only BCDP levels");
  const std::vector<std::string> names = names_of(request.delta, "BCDP level");
  const std::vector<Level> deltas = levels_of(request.delta, "BCDP level");
  SplitQuestion question{names, correlations_of(request, names), {deltas.begin(), deltas.end()}};
  const Level least = *std::min_element(deltas.begin(), deltas.end());
  for (std::size_t i = 0; i < deltas.size(); ++i) {
    if (deltas[i].is_infinite()) {
      throw ModelError("BCDP level of '" + printable(names[i], 60) +
                       "': found inf, expected a finite level: levels are split in proportion");
    }
  }
  SplitResult result;
  result.splits.push_back(split_of(question, "one LDP budget", std::vector<Level>(names.size(), least), least));
  for (const auto& [by, name] : {std::pair(measures::SplitBy::kProposition6, "proposition 6"),
                                 std::pair(measures::SplitBy::kProposition4, "proposition 4")}) {
    const std::vector<Level> cdp = measures::largest_split(deltas, question.correlations, by);
    result.splits.push_back(split_of(question, name, cdp, measures::total_at_most(cdp)));
  }
  return result;
}

}  // namespace

SplitResult split(const SplitRequest& request) {
  if (request.cdp.empty() && request.delta.empty()) {
    throw ModelError("found no levels, expected BCDP levels to split or CDP levels to bound");
  }
  return request.cdp.empty() ? of_delta(request) : of_cdp(request);
}

}  // namespace oddsbound::app
