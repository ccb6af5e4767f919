#include "verifier/model/model.h"

#include <algorithm>

namespace oddsbound::model {

namespace {

// True if a probability of the output is a product of so many quotients in exp that it would take more than 2^24
// digits. The product of n of them has about n coefficients of n digits.
bool is_long_to_write(const Model& model, const InputRow& row, std::span<const std::uint64_t> output) {
  constexpr std::size_t kMostQuotients = 4096;
  const std::span<const Factor> factors = model.channel->factors();
  std::size_t quotients = 0;
  for (std::size_t f = 0; f < factors.size() && factors.size() > kMostQuotients; ++f) {
    const Projection project(model.domain, factors[f].coordinates);
    const Number entry = factors[f].channel->entry(project(row), output[f]);
    if (entry.is_zero()) return false;
    Number coefficient, exponent;
    if (!entry.is_rational() && !entry.is_monomial(coefficient, exponent)) ++quotients;
  }
  return quotients > kMostQuotients;
}

}  // namespace

Witness witness_of(const Model& model, const InputPair& pair) {
  Witness witness;
  witness.from = model.domain.tuple(pair.from);
  witness.to = model.domain.tuple(pair.to);
  const auto is_long = [&](const InputRow& row) { return is_long_to_write(model, row, pair.output); };
  if (is_long(pair.from) && is_long(pair.to)) {
    witness.likelihood_event = true;
    witness.unlisted = true;
    return witness;
  }
  witness.outputs = {model.channel->label_of(pair.output)};
  witness.p_from = model.channel->entry_at(model.domain, pair.from, pair.output);
  witness.p_to = model.channel->entry_at(model.domain, pair.to, pair.output);
  return witness;
}

MeasuredLevel measured(const Model& model, const InputLevel& level) {
  return {level.at_least, witness_of(model, level.witness.get()), level.way};
}

MeasuredLevel measured(const Model& model, const GroupLevel& level, Label from, Label to, std::string coordinate) {
  return level.shown_as([channel = model.channel, from = std::move(from), to = std::move(to),
                         coordinate = std::move(coordinate)](FoundOutput found) {
    std::vector<std::string> outputs;
    if (found.shows_something()) outputs.push_back(channel->label_of(found.output));
    return Witness{std::move(outputs),    from,       to,         std::move(found.p_from),
                   std::move(found.p_to), coordinate, Evidence(), std::move(found.prior)};
  });
}

void GroupLevel::attain(FoundOutput found) {
  if (found.p_from >= found.p_to) {
    at_least = level_between(found.p_from, found.p_to);
  } else {
    found.output.clear();
  }
  witness = std::move(found);
}

void take_larger(GroupLevel& largest, GroupLevel other) {
  std::optional<Level> bound;
  if (largest.transport_bound && other.transport_bound)
    bound = std::max(*largest.transport_bound, *other.transport_bound);
  take_larger<GroupLevel>(largest, std::move(other));
  largest.transport_bound = std::move(bound);
}

Level level_between(const Number& p_from, const Number& p_to) {
  return p_to.is_zero() ? Level::infinite() : Level::of_exponential(p_from / p_to);
}

}  // namespace oddsbound::model
