// The mechanism with the least loss within limits, as a linear program: its entries are the unknowns. Limits hold among
// all sides of a group by two inequalities for each of them, which compare it with a number of the output that lies
// below all of them: t <= P(y given side) <= bound t.
#pragma once

#include "base/budget.h"
#include "verifier/optimal/limits.h"

namespace oddsbound::optimal {

/// What an input loses by the outputs that the mechanism gives it.
struct Charge {
  std::uint64_t row = 0;       // the mechanism's
  std::vector<Number> losses;  // by output, nowhere negative
  Number weight;               // in the expected loss
};

/// How far a mechanism is from another one: by the largest change of an entry, or by the largest total variation
/// between rows for one input.
enum class Distance { kEntries, kRows };

struct Wanted {
  std::uint64_t rows = 0, outputs = 0;  // of the mechanism; inputs of sides are rows
  std::vector<Charge> charges;
  bool largest = false;  // the largest loss of all charges is to be least; else the expected one
  std::vector<Limit> limits;
  std::vector<Number> bounds;  // by limit, rational: e^level, or what stands for it
};

/// A proof that no mechanism within the limits has a smaller loss. With what every charge weighs (where the largest
/// loss is wanted: these weights, which add up to 1 at most), for every row x and output y
///   sum over charges of x: weight loss(y) + sum over multipliers m of y: m.times (P_from - bound P_to)(x) >= price(x),
/// and all prices, less delta times the largest multiplier of each pair of a limit with delta, add up to the loss.
struct Multiplier {
  std::size_t limit = 0, from = 0, to = 0;  // sides
  std::uint64_t output = 0;
  Number times;
};
struct Proof {
  std::vector<Number> weights, prices;  // by charge, and by row
  std::vector<Multiplier> multipliers;
};

struct Optimum {
  std::vector<std::vector<Number>> rows;  // P(y given x)
  Number loss;
  Proof proof;
};

/// Throws LimitError past the budget.
Optimum least_loss(const Wanted& wanted, Budget& budget);

/// Whether a mechanism is within limits, exactly.
bool is_within(const std::vector<Limit>& limits, const std::vector<std::vector<Number>>& rows);

/// The mechanism within the limits of what is wanted that is nearest to these rows; its distance is the loss. Charges
/// do not matter, and nothing is said of the proof.
Optimum nearest(const Wanted& wanted, const std::vector<std::vector<Number>>& rows, Distance distance, Budget& budget);

/// The least share of a mechanism that tells any output with the same probability, for all inputs, in a mixture with
/// these rows that is within the limits, which have no delta: each is linear in the share and holds at 1.
Number least_share(const Wanted& wanted, const std::vector<std::vector<Number>>& rows);

}  // namespace oddsbound::optimal
