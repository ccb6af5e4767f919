#include "tests/support/random_table.h"

#include <memory>
#include <string>

#include "verifier/model/product_channel.h"

namespace oddsbound::testing {

namespace {

// Randomized response with this odds factor; `zero`: one answer is impossible for one value.
ChannelPtr response(std::size_t size, const Number& factor, bool zero) {
  std::vector<std::vector<Number>> rows;
  for (std::size_t x = 0; x < size; ++x) {
    std::vector<Number> row(size, Number(1));
    row[x] = factor;
    if (zero && x == 0) row[size - 1] = Number(0);
    Number sum(0);
    for (const Number& entry : row) sum += entry;
    for (Number& entry : row) entry /= sum;
    rows.push_back(std::move(row));
  }
  return channel_of_rows(rows);
}

}  // namespace

Model random_table(Random& random, const KindOfTable& kind, Budget& budget) {
  std::vector<Coordinate> coordinates;
  std::vector<Factor> parts;
  for (std::size_t i = 0; i < kind.attributes; ++i) {
    const std::size_t size = 2 + below(random, kind.most_values - 1);
    std::vector<std::string> values;
    for (std::size_t v = 0; v < size; ++v) values.push_back(std::to_string(v));
    coordinates.push_back({"x" + std::to_string(i), values});
  }
  const Domain domain(coordinates);
  const bool asks_first = below(random, 2) == 0;
  for (std::size_t i = asks_first ? 0 : 1; i < kind.attributes; ++i) {
    const std::size_t size = domain.values(i);
    const Number factor = kind.mixed && i % 2 == 0 ? kind.factor * kind.factor : kind.factor;
    const bool zero = kind.zeros && below(random, 4) == 0;
    if (kind.random) {
      const std::size_t outputs = 2 + below(random, 2);
      std::vector<std::vector<Number>> rows;
      for (std::size_t x = 0; x < size; ++x) rows.push_back(random_distribution(random, outputs, Entries::kRational));
      parts.push_back({channel_of_rows(rows), {i}});
    } else {
      parts.push_back({response(size, factor, zero), {i}});
    }
  }
  std::vector<WeightedRow> rows;
  for (std::size_t r = 0; r < kind.rows; ++r) {
    InputRow row(domain.size());
    const std::size_t kept = below(random, 3);
    for (std::size_t i = 0; i < row.size(); ++i) {
      const bool copies = i > 0 && below(random, 3) < kept;
      row[i] = static_cast<std::uint32_t>(copies ? row[i - 1] % domain.values(i) : below(random, domain.values(i)));
    }
    const auto weight = static_cast<std::int64_t>(kind.symmetric ? 1 : below(random, 6));  // also 0
    rows.push_back({row, Number(weight)});
    if (!kind.symmetric) continue;
    for (std::size_t i = 0; i < row.size(); ++i) row[i] = static_cast<std::uint32_t>(domain.values(i) - 1 - row[i]);
    rows.push_back({row, Number(weight)});
  }
  return {domain, std::make_shared<const ProductChannel>(domain, std::move(parts)),
          Prior::from_rows(domain, std::move(rows), budget)};
}

std::vector<KindOfTable> kinds_of_tables() {
  const Number half = Number::exp_of(Number::ratio(1, 2));
  const Number tiny = Number(1) + Number::ratio(1, 1000000);
  return {
      {"randomized response", 6, 3, 250, false, false, false, false, half},
      {"many values", 4, 6, 250, false, false, false, false, Number::ratio(3, 2)},
      {"different levels", 6, 3, 250, false, false, false, true, Number::ratio(5, 4)},
      {"impossible answers", 5, 3, 120, true, false, false, false, Number(2)},
      {"random channels", 7, 3, 200, false, true, false, false, Number(1)},
      {"symmetric", 6, 3, 120, false, false, true, false, Number(2)},
      {"tiny level", 7, 2, 200, false, false, false, false, tiny},
      {"large level", 6, 3, 200, false, false, false, false, Number(400)},
      {"few rows", 6, 3, 12, false, false, false, true, Number(3)},
      {"a level that doubles do not see", 6, 3, 60, false, false, false, false,
       Number(1) + Number::ratio(1, 100'000'000'000'000'000)},
      {"some levels that doubles do not see", 6, 3, 60, false, false, false, true,
       Number(1) + Number::ratio(1, 40'000'000'000'000'000)},
  };
}

void largest_below(const ProjectedRows& seen, const Suffixes& suffixes, const PathWeights& exact, Path& path,
                   std::size_t depth, const Pair& pair, const Path* known, Budget& budget, LargestRatio& largest) {
  if (depth == suffixes.depths()) {
    if (known != nullptr && *known == path) return;
    const Number above = exact.of(pair.from, depth, path, budget)[0], below = exact.of(pair.to, depth, path, budget)[0];
    if (above.is_zero()) return;
    if (compare_products(above, largest.below, below, largest.above) > 0) largest = {above, below};
    return;
  }
  for (std::uint32_t y = 0; y < seen.factors[suffixes.factor(depth)].outputs.size(); ++y) {
    path[depth] = y;
    largest_below(seen, suffixes, exact, path, depth + 1, pair, known, budget, largest);
  }
}

}  // namespace oddsbound::testing
