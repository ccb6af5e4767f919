// How long what was found is, as text: numbers may be found within the limits and be too long to be written within
// them.
#pragma once

#include <cstddef>
#include <vector>

#include "verifier/measures/heat_maps.h"
#include "verifier/notions/notion.h"
#include "verifier/notions/tolerance.h"

namespace oddsbound::notions {

/// Characters of all long numbers and labels, or somewhat more. Short ones are left out.
std::size_t written_size(const Number& number);
std::size_t written_size(const Level& level);
std::size_t written_size(const Witness& witness);
std::size_t written_size(const MeasuredLevel& measured);
std::size_t written_size(const Tradeoff& tradeoff);
std::size_t written_size(const PairwiseLosses& losses);
std::size_t written_size(const HeatMaps& pairs);
std::size_t written_size(const Decision& decision);
std::size_t written_size(const Claimed& claimed);
std::size_t written_size(const Measured& measured);
std::size_t written_size(const Tolerance& tolerance);

template <typename T>
std::size_t written_size(const std::vector<T>& values) {
  std::size_t size = 0;
  for (const T& value : values) size += written_size(value);
  return size;
}

}  // namespace oddsbound::notions
