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

}  // namespace oddsbound::mechanisms
