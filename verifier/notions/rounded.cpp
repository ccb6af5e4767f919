// Worst-case levels over all matrices Q that agree with a printed matrix up to rounding.
//
// A claim compares sides: rows of Q, or labels, whose rows are mixed by the prior. Under one Q its level is the largest
// log(P(y given from) / P(y given to)) over pairs of sides and outputs y. Therefore
//
//   the largest level over the set  = max over pairs and outputs of the largest quotient,
//   the smallest level over the set >= max over pairs and outputs of the smallest quotient.
//
// Each quotient is about one column. Rows of Q are free of each other, so the entries of a column take all values of a
// box at once, and quotients are extreme at its corners:
//
//   sides without a common row:  most(from) / least(to) and least(from) / most(to),
//   a label v and everyone:      A / (A + B) with A the mass of v and B that of the others; it rises in A, falls in B.
//
// One Q attains the largest quotient, so the upper bound is attained. The lower bound need not be: one Q has to satisfy
// all pairs. Exact minima are linear programs at every candidate level, and gain less than the width of the interval.
#include "verifier/notions/rounded.h"

#include <algorithm>
#include <optional>

#include "base/errors.h"
#include "verifier/notions/scope.h"
#include "verifier/smt/sides.h"

namespace oddsbound::notions {

namespace {

constexpr const char* kReason = "the matrix is known up to rounding only (--row-tolerance)";

// An output, two sides, and a quotient of their probabilities.
struct Quotient {
  Number p{0};
  Number q{1};
  std::size_t comparison = 0;
  std::uint64_t from = 0, to = 0, output = 0;

  bool is_infinite() const { return q.is_zero(); }
  bool is_below(const Number& other_p, const Number& other_q) const {
    if (other_p.is_zero() || is_infinite()) return false;
    return other_q.is_zero() || p * other_q < other_p * q;
  }
  Level level() const { return p < q ? Level() : level_between(p, q); }
};

class Extremes {
 public:
  Extremes(const Definition& definition, const Model& model, const RoundedRows& rows, Budget& budget)
      : definition_(definition), model_(model), rows_(rows), budget_(budget) {}

  void add(std::size_t place) {
    const Comparison& comparison = definition_[place];
    const Sides least = sides_of(model_, comparison, rows_.least, budget_);
    const Sides most = sides_of(model_, comparison, rows_.most, budget_);
    const std::uint64_t outputs = rows_.least.empty() ? 0 : rows_.least[0].size();
    const std::uint64_t everyone =
        comparison.last_is_everyone ? comparison.labels.size() - 1 : static_cast<std::uint64_t>(-1);
    const std::vector<Number>& mass = least.mass;
    for (const auto& [from, to] : pairs_of(comparison, least)) {
      for (std::uint64_t y = 0; y < outputs; ++y) {
        budget_.check_every();
        const Number &from_least = least.joint[from][y], &from_most = most.joint[from][y];
        const Number &to_least = least.joint[to][y], &to_most = most.joint[to][y];
        const Quotient at{Number(0), Number(1), place, from, to, y};
        if (to == everyone) {
          take(smallest_, at, from_least / mass[from], (from_least + to_most - from_most) / mass[to]);
          take(largest_, at, from_most / mass[from], (from_most + to_least - from_least) / mass[to]);
        } else if (from == everyone) {
          take(smallest_, at, (to_most + from_least - to_least) / mass[from], to_most / mass[to]);
          take(largest_, at, (to_least + from_most - to_most) / mass[from], to_least / mass[to]);
        } else {
          take(smallest_, at, from_least / mass[from], to_most / mass[to]);
          take(largest_, at, from_most / mass[from], to_least / mass[to]);
        }
      }
    }
  }

  MeasuredLevel level() const {
    MeasuredLevel level;
    level.at_least = smallest_.level();
    if (smallest_.p >= smallest_.q) level.witness = witness_of(smallest_);
    const Level most = largest_.level();
    if (most > level.at_least) level.unfinished = {most, kReason};
    return level;
  }

 private:
  static void take(Quotient& best, Quotient at, Number p, Number q) {
    if (!best.is_below(p, q)) return;
    at.p = std::move(p);
    at.q = std::move(q);
    best = std::move(at);
  }

  Witness witness_of(const Quotient& quotient) const {
    const Comparison& comparison = definition_[quotient.comparison];
    const auto label = [&](std::uint64_t side) -> Label {
      return comparison.labels.empty() ? Label(model_.domain.tuple(side)) : comparison.labels[side];
    };
    Witness witness;
    witness.outputs = {model_.channel->output_label(quotient.output)};
    witness.from = label(quotient.from);
    witness.to = label(quotient.to);
    witness.p_from = quotient.p;
    witness.p_to = quotient.q;
    witness.coordinate = comparison.about;
    if (!comparison.given.empty()) witness.given = comparison.given[quotient.from];
    return witness;
  }

  const Definition& definition_;
  const Model& model_;
  const RoundedRows& rows_;
  Budget& budget_;
  Quotient smallest_, largest_;
};

// Comparisons of pairs that need all inputs at once are listed.
void require_listed(const Model& model) {
  constexpr std::uint64_t kMostInputs = 2048;
  if (model.domain.inputs() <= kMostInputs) return;
  throw LimitError("levels of a rounded matrix (--row-tolerance) need at most " + std::to_string(kMostInputs) +
                   " inputs, and there are " + std::to_string(model.domain.inputs()));
}

// One level for all comparisons; by coordinate: one each, in their order.
std::vector<MeasuredLevel> rounded_levels(const Notion& notion, const Arguments& arguments, const Model& model,
                                          const RoundedRows& rows, Budget& budget) {
  if (const std::string complaint = complaint_about_rounding(notion, arguments); !complaint.empty()) {
    throw LimitError(complaint);
  }
  require_listed(model);
  const Definition definition = notion.define(model, arguments, InputSubset(model.domain));
  const bool by_coordinate = form_of(notion, arguments) == ClaimForm::kByCoordinate;
  std::vector<MeasuredLevel> levels;
  Extremes all(definition, model, rows, budget);
  for (std::size_t k = 0; k < definition.size(); ++k) {
    if (!definition[k].delta.is_zero()) throw LimitError("not supported with --row-tolerance: a claim with a delta");
    // Sums of levels of several coordinates hold if the levels do.
    if (definition[k].tight == Comparison::Tight::kNone) continue;
    if (by_coordinate) {
      Extremes own(definition, model, rows, budget);
      own.add(k);
      levels.push_back(own.level());
    } else {
      all.add(k);
    }
  }
  if (!by_coordinate) levels.push_back(all.level());
  return levels;
}

}  // namespace

std::string complaint_about_rounding(const Notion& notion, const Arguments& arguments) {
  const std::string start = "not supported with --row-tolerance: ";
  if (arguments.has(kForAll)) return start + "claims over a set of priors";
  if (knows_anything(arguments)) return start + R"("known": "any")";
  const ClaimForm form = form_of(notion, arguments);
  const bool of_levels = form == ClaimForm::kLevel || form == ClaimForm::kByCoordinate;
  if (!notion.define || !of_levels) {
    return start + "claims about " + notion.name + (notion.allows_tail(arguments) ? " with a delta" : "");
  }
  return "";
}

Decision decide_rounded(const Notion& notion, const Arguments& arguments, const Model& model, const RoundedRows& rows,
                        Budget& budget) {
  const std::vector<MeasuredLevel> levels = rounded_levels(notion, arguments, model, rows, budget);
  const std::string& field = notion.locking.bounds.front();
  if (form_of(notion, arguments) != ClaimForm::kByCoordinate) {
    return decide_level(levels.front(), arguments.get<Level>(field));
  }
  const CoordinateLevels& claimed = arguments.get<CoordinateLevels>(field);
  std::vector<MeasuredLevel> by_coordinate(claimed.size());
  for (std::size_t i = 0, k = 0; i < claimed.size(); ++i) {
    if (claimed[i]) by_coordinate[i] = levels.at(k++);
  }
  return decide_coordinates(model.domain, by_coordinate, claimed);
}

Measured measure_rounded(const Notion& notion, const Model& model, const RoundedRows& rows, Budget& budget) {
  Arguments arguments;
  const bool by_coordinate = notion.form == ClaimForm::kByCoordinate;
  if (by_coordinate) {
    arguments.set("epsilon", CoordinateLevels(model.domain.size(), Level()));
  } else {
    arguments.set("epsilon", Level());
  }
  std::vector<MeasuredLevel> levels = rounded_levels(notion, arguments, model, rows, budget);
  if (by_coordinate) return levels;
  return levels.front();
}

}  // namespace oddsbound::notions
