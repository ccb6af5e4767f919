#include "verifier/notions/text_size.h"

#include <algorithm>

namespace oddsbound::notions {

namespace {

// Shorter ones cost nothing that is worth counting.
constexpr std::size_t kLong = 1000;

std::size_t counted(const std::string& text) { return text.size() < kLong ? 0 : text.size(); }

struct SizeOfActual {
  std::size_t operator()(std::monostate) const { return 0; }
  std::size_t operator()(const MeasuredLevel& measured) const { return written_size(measured); }
  std::size_t operator()(const std::vector<CoordinateLevel>& levels) const {
    std::size_t size = 0;
    for (const CoordinateLevel& level : levels) size += written_size(level.measured);
    return size;
  }
  std::size_t operator()(const Delta& delta) const { return written_size(delta.delta) + written_size(delta.witness); }
  std::size_t operator()(const Refinement& refinement) const {
    return written_size(refinement.kernel) + written_size(refinement.gain) + written_size(refinement.value) +
           written_size(refinement.best);
  }
  std::size_t operator()(const Average& average) const {
    const std::size_t level = written_size(average.level);
    if (!average.guesses) return level;
    return level + written_size(average.guesses->prior) + written_size(average.guesses->posterior);
  }
};

}  // namespace

std::size_t written_size(const Number& number) {
  const std::size_t size = number.text_size();
  return size < kLong ? 0 : size;
}

std::size_t written_size(const Level& level) {
  const std::size_t size = level.text_size();
  return size < kLong ? 0 : size;
}

std::size_t written_size(const Witness& witness) {
  constexpr std::size_t kOfValue = 16;  // what a value of an input and its punctuation take, at least
  std::size_t size = written_size(witness.p_from) + written_size(witness.p_to);
  if (witness.prior) {
    for (const auto& [input, mass] : witness.prior->rows) size += kOfValue * input.size() + mass.text_size();
  }
  for (const std::string& output : witness.outputs) size += counted(output);
  return size;
}

std::size_t written_size(const MeasuredLevel& measured) {
  // Writers compute a lazy witness, write it and drop it before the next one.
  const std::size_t witness = measured.witness.is_kept() ? written_size(measured.witness.get()) : 0;
  return written_size(measured.at_least) + written_size(measured.at_most()) + witness;
}

std::size_t written_size(const Tradeoff& tradeoff) {
  std::size_t size = 0;
  for (const ErrorPair& vertex : tradeoff.vertices)
    size += written_size(vertex.type_one) + written_size(vertex.type_two);
  return size;
}

std::size_t written_size(const PairwiseLosses& losses) { return written_size(losses.loss); }

std::size_t written_size(const HeatMaps& pairs) {
  std::size_t size = written_size(pairs.correlation);
  if (pairs.inputs) size += written_size(*pairs.inputs);
  for (const auto& losses : pairs.values) size += losses ? written_size(*losses) : 0;
  return size;
}

std::size_t written_size(const Decision& decision) {
  std::size_t size = std::visit(SizeOfActual{}, decision.actual);
  if (decision.witness) size += written_size(*decision.witness);
  if (decision.tradeoff) size += written_size(*decision.tradeoff);
  return size;
}

std::size_t written_size(const Claimed& claimed) {
  std::size_t size = 0;
  const auto add = [&](const Stated& stated) { size += stated.text_size() < kLong ? 0 : stated.text_size(); };
  for (const auto& [name, stated] : claimed.values) add(stated);
  for (const auto& row : claimed.matrix) std::for_each(row.begin(), row.end(), add);
  return size;
}

std::size_t written_size(const Measured& measured) {
  return std::visit([](const auto& one) { return written_size(one); }, measured);
}

std::size_t written_size(const Tolerance& tolerance) {
  std::size_t size = written_size(tolerance.claimed);
  for (const Tolerance::Within& within : tolerance.within) {
    for (const auto& level : within.levels) {
      size += written_size(level.at_least) + (level.at_most ? written_size(*level.at_most) : 0);
    }
  }
  return size;
}

}  // namespace oddsbound::notions
