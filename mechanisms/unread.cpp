#include "mechanisms/unread.h"

#include <algorithm>

namespace oddsbound::mechanisms {

namespace {

std::vector<std::size_t> places_without(const std::vector<bool>& read) {
  std::vector<std::size_t> unread;
  for (std::size_t i = 0; i < read.size(); ++i) {
    if (!read[i]) unread.push_back(i);
  }
  return unread;
}

// Whether an entry of this column changes with coordinate i: each is compared with that of the value before.
bool changes_along(const Domain& domain, std::size_t i, std::span<const std::uint32_t> ranks) {
  const std::uint64_t stride = domain.stride(i), block = stride * domain.values(i);
  for (std::uint64_t begin = 0; begin < ranks.size(); begin += block) {
    for (std::uint64_t x = begin + stride; x < begin + block; ++x) {
      if (ranks[x] != ranks[x - stride]) return true;
    }
  }
  return false;
}

}  // namespace

std::vector<std::size_t> unread_by_all(const Domain& domain, std::span<const ReadingPart> parts) {
  std::vector<bool> read(domain.size(), false);
  for (const ReadingPart& part : parts) {
    for (std::size_t place = 0; place < part.coordinates.size(); ++place) {
      const bool unread = std::find(part.unread.begin(), part.unread.end(), place) != part.unread.end();
      if (!unread) read[part.coordinates[place]] = true;
    }
  }
  return places_without(read);
}

std::vector<std::size_t> unread_by_rows(const Domain& domain, const Channel& channel, Budget& budget) {
  const auto columns = channel.columns(budget);
  std::vector<bool> read(domain.size(), false);
  std::vector<std::uint32_t> scratch;
  for (std::uint64_t y = 0; y < columns->outputs(); ++y) {
    if (std::find(read.begin(), read.end(), false) == read.end()) break;
    const auto ranks = columns->ranks(y, scratch);
    for (std::size_t i = 0; i < read.size(); ++i) {
      budget.tick();
      read[i] = read[i] || changes_along(domain, i, ranks);
    }
  }
  return places_without(read);
}

}  // namespace oddsbound::mechanisms
