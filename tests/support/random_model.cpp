#include "tests/support/random_model.h"

#include <map>
#include <string>

#include "verifier/model/channel.h"

namespace oddsbound::testing {

namespace {

// Raises the level to log(p/q) if that is larger.
void take(Level& level, const Number& p, const Number& q) {
  if (p.is_zero() || p <= q) return;
  const Level loss = q.is_zero() ? Level::infinite() : Level::of_exponential(p / q);
  if (loss > level) level = loss;
}

bool differ_only_in(const Domain& domain, std::uint64_t x, std::uint64_t z, std::size_t coordinate) {
  for (std::size_t i = 0; i < domain.size(); ++i) {
    if (i != coordinate && domain.digit(x, i) != domain.digit(z, i)) return false;
  }
  return true;
}

// P(y given x_i = a); nullopt if a has no mass.
std::optional<Number> conditional(const Model& model, std::size_t coordinate, std::uint64_t a, std::uint64_t y) {
  Number joint, mass;
  for (std::uint64_t x = 0; x < model.domain.inputs(); ++x) {
    if (model.domain.digit(x, coordinate) != a) continue;
    joint += model.prior->probability(x) * model.channel->entry(x, y);
    mass += model.prior->probability(x);
  }
  if (mass.is_zero()) return std::nullopt;
  return joint / mass;
}

}  // namespace

std::uint64_t below(Random& random, std::uint64_t limit) { return random() % limit; }

Domain random_domain(Random& random, std::size_t most_coordinates, std::uint64_t most_values) {
  std::vector<Coordinate> coordinates;
  const std::size_t count = 1 + below(random, most_coordinates);
  for (std::size_t i = 0; i < count; ++i) {
    Coordinate coordinate{"x" + std::to_string(i), {}};
    const std::uint64_t values = 1 + below(random, most_values);
    for (std::uint64_t v = 0; v < values; ++v) coordinate.values.push_back(std::to_string(v));
    coordinates.push_back(std::move(coordinate));
  }
  return Domain(std::move(coordinates));
}

std::vector<Number> random_distribution(Random& random, std::size_t size, Entries entries) {
  std::vector<Number> weights;
  Number total;
  for (std::size_t k = 0; k < size; ++k) {
    Number weight(static_cast<std::int64_t>(below(random, 4) == 0 ? 0 : 1 + below(random, 9)));
    if (entries == Entries::kWithExp && below(random, 3) == 0) {
      weight *= Number::exp_of(Number::ratio(static_cast<std::int64_t>(below(random, 5)) - 2, 2));
    }
    weights.push_back(weight);
    total += weight;
  }
  if (total.is_zero()) {
    weights[below(random, size)] = Number(1);
    total = Number(1);
  }
  for (Number& weight : weights) weight /= total;
  return weights;
}

ChannelPtr channel_of_rows(const std::vector<std::vector<Number>>& rows) {
  PoolBuilder builder;
  for (const auto& row : rows) {
    for (const Number& entry : row) builder.add(entry);
  }
  Budget budget;
  return DenseChannel::from_rows(rows.size(), numbered_labels(rows[0].size()), std::move(builder), budget);
}

ChannelPtr random_possible_outputs(Random& random, std::size_t inputs) {
  std::vector<std::vector<Number>> rows;
  for (std::size_t x = 0; x < inputs; ++x) {
    std::vector<std::int64_t> weights;
    std::int64_t total = 0;
    for (int y = 0; y < 3; ++y) total += weights.emplace_back(1 + static_cast<std::int64_t>(below(random, 6)));
    auto& row = rows.emplace_back();
    for (const std::int64_t weight : weights) row.push_back(Number::ratio(weight, total));
  }
  return channel_of_rows(rows);
}

std::vector<std::vector<Number>> rows_of(const Channel& channel) {
  std::vector<std::vector<Number>> rows(channel.inputs());
  for (std::uint64_t x = 0; x < channel.inputs(); ++x) {
    for (std::uint64_t y = 0; y < channel.outputs(); ++y) rows[x].push_back(channel.entry(x, y));
  }
  return rows;
}

ChannelPtr random_channel(Random& random, const Domain& domain, Entries entries, std::size_t most_outputs) {
  const std::size_t outputs = 1 + below(random, most_outputs);
  std::vector<std::vector<Number>> rows;
  for (std::uint64_t x = 0; x < domain.inputs(); ++x) {
    // Repeated rows make ties, which exercise interning and exact comparison.
    if (x > 0 && below(random, 3) == 0) {
      rows.push_back(rows[below(random, x)]);
    } else {
      rows.push_back(random_distribution(random, outputs, entries));
    }
  }
  return channel_of_rows(rows);
}

Prior random_prior(Random& random, const Domain& domain) {
  Budget budget;
  std::vector<Number> weights;
  for (std::uint64_t x = 0; x < domain.inputs(); ++x) {
    weights.emplace_back(static_cast<std::int64_t>(below(random, 3) == 0 ? 0 : below(random, 20)));
  }
  weights[below(random, weights.size())] = Number(7);
  return Prior::from_weights(domain, std::move(weights), budget);
}

Model random_model(Random& random, Entries entries) {
  Model model;
  model.domain = random_domain(random);
  model.channel = random_channel(random, model.domain, entries);
  model.prior = random_prior(random, model.domain);
  return model;
}

Level naive_ldp(const Model& model) {
  Level level;
  for (std::uint64_t y = 0; y < model.channel->outputs(); ++y) {
    for (std::uint64_t x = 0; x < model.domain.inputs(); ++x) {
      for (std::uint64_t z = 0; z < model.domain.inputs(); ++z) {
        take(level, model.channel->entry(x, y), model.channel->entry(z, y));
      }
    }
  }
  return level;
}

Level naive_bdp(const Model& model) {
  Level level;
  for (std::uint64_t y = 0; y < model.channel->outputs(); ++y) {
    for (std::uint64_t x = 0; x < model.domain.inputs(); ++x) {
      for (std::uint64_t z = 0; z < model.domain.inputs(); ++z) {
        if (model.prior->probability(x).is_zero() || model.prior->probability(z).is_zero()) continue;
        take(level, model.channel->entry(x, y), model.channel->entry(z, y));
      }
    }
  }
  return level;
}

Level naive_cdp(const Model& model, std::size_t coordinate) {
  Level level;
  for (std::uint64_t y = 0; y < model.channel->outputs(); ++y) {
    for (std::uint64_t x = 0; x < model.domain.inputs(); ++x) {
      for (std::uint64_t z = 0; z < model.domain.inputs(); ++z) {
        if (differ_only_in(model.domain, x, z, coordinate)) {
          take(level, model.channel->entry(x, y), model.channel->entry(z, y));
        }
      }
    }
  }
  return level;
}

Level naive_bcdp(const Model& model, std::size_t coordinate, const AllowedPairs& direction) {
  Level level;
  for (std::uint64_t y = 0; y < model.channel->outputs(); ++y) {
    for (std::uint64_t a = 0; a < model.domain.values(coordinate); ++a) {
      for (std::uint64_t b = 0; b < model.domain.values(coordinate); ++b) {
        if (!direction.allows(a, b)) continue;
        const auto p = conditional(model, coordinate, a, y);
        const auto q = conditional(model, coordinate, b, y);
        if (p && q) take(level, *p, *q);
      }
    }
  }
  return level;
}

Number naive_delta(const Model& model, std::uint64_t from, std::uint64_t to, const Number& factor) {
  Number delta;
  for (std::uint64_t y = 0; y < model.channel->outputs(); ++y) {
    const Number term = model.channel->entry(from, y) - factor * model.channel->entry(to, y);
    if (term.sign() > 0) delta += term;
  }
  return delta;
}

Number naive_correlation(const Model& model, std::size_t coordinate) {
  const Domain& domain = model.domain;
  Number largest;
  const auto mass = [&](std::uint64_t value) {
    Number sum;
    for (std::uint64_t x = 0; x < domain.inputs(); ++x) {
      if (domain.digit(x, coordinate) == value) sum += model.prior->probability(x);
    }
    return sum;
  };
  for (std::uint64_t a = 0; a < domain.values(coordinate); ++a) {
    for (std::uint64_t b = 0; b < domain.values(coordinate); ++b) {
      if (mass(a).is_zero() || mass(b).is_zero()) continue;
      Number distance;
      for (std::uint64_t x = 0; x < domain.inputs(); ++x) {
        if (domain.digit(x, coordinate) != a) continue;
        const std::uint64_t z = x - a * domain.stride(coordinate) + b * domain.stride(coordinate);
        const Number term = model.prior->probability(x) / mass(a) - model.prior->probability(z) / mass(b);
        distance += term.sign() < 0 ? -term : term;
      }
      largest = std::max(largest, distance / Number(2));
    }
  }
  return largest;
}

Domain domain_of_sizes(const std::vector<std::size_t>& sizes) {
  std::vector<Coordinate> coordinates;
  for (const std::size_t size : sizes) {
    Coordinate coordinate{"x" + std::to_string(coordinates.size()), {}};
    for (std::size_t v = 0; v < size; ++v) coordinate.values.push_back(std::to_string(v));
    coordinates.push_back(std::move(coordinate));
  }
  return Domain(coordinates);
}

std::size_t differing(const Domain& domain, std::uint64_t x, std::uint64_t z) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < domain.size(); ++i) count += domain.digit(x, i) != domain.digit(z, i) ? 1 : 0;
  return count;
}

std::pair<std::vector<Number>, std::vector<Number>> merged_outputs(const std::vector<Number>& from,
                                                                   const std::vector<Number>& to) {
  std::map<std::pair<std::string, std::string>, std::pair<std::size_t, std::int64_t>> counts;  // output, number
  for (std::size_t y = 0; y < from.size(); ++y) {
    ++counts.try_emplace({from[y].to_string(), to[y].to_string()}, y, 0).first->second.second;
  }
  std::pair<std::vector<Number>, std::vector<Number>> merged;
  for (const auto& [texts, found] : counts) {
    merged.first.push_back(Number(found.second) * from[found.first]);
    merged.second.push_back(Number(found.second) * to[found.first]);
  }
  return merged;
}

}  // namespace oddsbound::testing
