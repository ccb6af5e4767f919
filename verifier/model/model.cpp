#include "verifier/model/model.h"

#include <algorithm>

namespace oddsbound::model {

Witness witness_of(const Model& model, const InputLevel& level) {
  Witness witness;
  witness.outputs = {model.channel->label_of(level.output)};
  witness.from = model.domain.tuple(level.from);
  witness.to = model.domain.tuple(level.to);
  witness.p_from = model.channel->entry_at(model.domain, level.from, level.output);
  witness.p_to = model.channel->entry_at(model.domain, level.to, level.output);
  return witness;
}

MeasuredLevel measured(const Model& model, const InputLevel& level) {
  return {level.level, witness_of(model, level), level.by_cases ? Way::kCases : Way::kDirect};
}

void FoundLevel::attain(FoundOutput found) {
  shown = found.p_from >= found.p_to;
  if (shown) level = level_between(found.p_from, found.p_to);
  attained_by = std::move(found);
}

void take_larger(FoundLevel& largest, FoundLevel other) {
  std::optional<Unfinished> open = open_of_larger({largest.level, largest.unfinished}, {other.level, other.unfinished});
  const std::optional<std::uint64_t> nodes = nodes_of_both(largest.nodes, other.nodes);
  std::optional<Level> bound;
  if (largest.transport_bound && other.transport_bound)
    bound = std::max(*largest.transport_bound, *other.transport_bound);
  if (other.level > largest.level || (other.shown && !largest.shown)) largest = std::move(other);
  largest.nodes = nodes;
  largest.transport_bound = std::move(bound);
  largest.unfinished = std::move(open);
}

Level level_between(const Number& p_from, const Number& p_to) {
  return p_to.is_zero() ? Level::infinite() : Level::of_exponential(p_from / p_to);
}

std::optional<Unfinished> open_of_larger(const KnownLevel& a, const KnownLevel& b) {
  const KnownLevel& further = b.at_most() > a.at_most() ? b : a;
  if (further.at_most() <= std::max(a.at_least, b.at_least)) return std::nullopt;
  return further.unfinished;
}

std::optional<std::uint64_t> nodes_of_both(std::optional<std::uint64_t> a, std::optional<std::uint64_t> b) {
  return a && b ? *a + *b : a ? a : b;
}

}  // namespace oddsbound::model
