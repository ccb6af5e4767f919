#include "verifier/smt/sides.h"

#include "verifier/exact/symbols.h"

namespace oddsbound::smt {

namespace {

Number total(const std::vector<Number>& numbers, const std::vector<std::uint64_t>& which) {
  std::vector<WeightedTerm> terms;
  for (const std::uint64_t k : which) terms.push_back({Number(1), numbers[k]});
  return weighted_sum(terms);
}

}  // namespace

std::string party_text(const Label& party) {
  if (is_everyone(party)) return "everyone";
  if (const auto* label = std::get_if<std::string>(&party)) return *label;
  std::string text;
  for (const std::string& value : std::get<std::vector<std::string>>(party)) text += (text.empty() ? "" : ", ") + value;
  return "(" + text + ")";
}

std::string given_text(const Evidence& given) {
  std::string text;
  for (const auto& [coordinate, value] : given) {
    text += (text.empty() ? " given " : ", ") + coordinate + "=" + value;
  }
  return text;
}

std::string label_text(const Comparison& comparison, std::uint64_t label) {
  return party_text(comparison.labels[label]) + (comparison.given.empty() ? "" : given_text(comparison.given[label]));
}

Sides sides_of(const Model& model, const Comparison& comparison, const std::vector<std::vector<Number>>& rows,
               Budget& budget) {
  if (comparison.labels.empty())
    return {rows, std::vector<Number>(rows.size(), Number(1)), InputSubset(model.domain).places()};
  const std::vector<Number>& weights = model.prior->dense(budget).weights;
  const std::size_t outputs = rows[0].size();
  Sides sides{
      {comparison.labels.size(), std::vector<Number>(outputs)}, std::vector<Number>(comparison.labels.size()), {}};
  std::vector<std::vector<std::vector<WeightedTerm>>> terms(comparison.labels.size(),
                                                            std::vector<std::vector<WeightedTerm>>(outputs + 1));
  for (std::uint64_t x = 0; x < rows.size(); ++x) {
    const Number& weight = weights[x];
    auto& own = terms[comparison.label_of[x]];
    for (std::size_t y = 0; y < outputs; ++y) own[y].push_back({weight, rows[x][y]});
    own[outputs].push_back({Number(1), weight});
  }
  for (std::size_t v = 0; v + 1 < terms.size() && comparison.last_is_everyone; ++v) {
    for (std::size_t y = 0; y <= outputs; ++y) {
      terms.back()[y].insert(terms.back()[y].end(), terms[v][y].begin(), terms[v][y].end());
    }
  }
  for (std::size_t v = 0; v < terms.size(); ++v) {
    for (std::size_t y = 0; y < outputs; ++y) sides.joint[v][y] = weighted_sum(terms[v][y]);
    sides.mass[v] = weighted_sum(terms[v][outputs]);
    if (!sides.mass[v].is_zero()) sides.possible.push_back(v);
  }
  return sides;
}

std::strong_ordering weigh(const Comparison& comparison, const Sides& sides, const Violation& violation,
                           const std::vector<Number>& values) {
  const auto at = [&](const Number& number) { return substitute(number, values); };
  Number from(0), to(0);
  for (const std::uint64_t side : violation.from) from += at(total(sides.joint[side], violation.event));
  for (const std::uint64_t side : violation.to) to += at(total(sides.joint[side], violation.event));
  const Number mass_from = at(total(sides.mass, violation.from)), mass_to = at(total(sides.mass, violation.to));
  return compare_products(from * mass_to - at(comparison.delta) * mass_from * mass_to, Number(1),
                          at(comparison.level.exponential()), to * mass_from);
}

std::vector<std::pair<std::uint64_t, std::uint64_t>> pairs_of(const Comparison& comparison, const Sides& sides) {
  if (comparison.labels.empty()) return comparison.pairs;
  if (!comparison.label_pairs) return pairs_among(sides.possible);
  auto pairs = *comparison.label_pairs;
  std::erase_if(
      pairs, [&](const auto& pair) { return sides.mass[pair.first].is_zero() || sides.mass[pair.second].is_zero(); });
  return pairs;
}

bool attains(const Comparison& comparison, const Sides& sides, std::uint64_t from, std::uint64_t to,
             const std::vector<Number>& values) {
  const auto at = [&](const Number& number) { return substitute(number, values); };
  const bool infinite = comparison.level.is_infinite();
  const Number factor = infinite ? Number(0) : at(comparison.level.exponential());
  if (comparison.tight != Comparison::Tight::kDelta && factor.is_one()) return true;
  Number delta(0);
  for (std::uint64_t y = 0; y < sides.joint[0].size(); ++y) {
    const Number left = at(sides.joint[from][y] * sides.mass[to]);
    const Number right = at(sides.joint[to][y] * sides.mass[from]);
    if (left.is_zero()) continue;
    if (comparison.tight == Comparison::Tight::kDelta) {
      if (!infinite && left > factor * right) delta += left - factor * right;
    } else if (infinite ? right.is_zero() : compare_products(left, Number(1), factor, right) >= 0) {
      return true;
    }
  }
  return comparison.tight == Comparison::Tight::kDelta &&
         delta >= at(comparison.delta * sides.mass[from] * sides.mass[to]);
}

}  // namespace oddsbound::smt
