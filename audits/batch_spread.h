// A permutation test whether counts of outputs vary between requests as counts of independent runs do. They vary less
// if a sampler shuffles exact proportions, and more if it changes its probabilities from request to request.
//
// Two consecutive requests of equal size for one input are cut into eight parts each. If runs are independent and
// identically distributed, the 16 parts are exchangeable, so the true division into 8 and 8 parts is exchangeable with
// random divisions. The true division alone has the least difference of counts among 16 divisions with probability at
// most 1/16, and the greatest among 64 with probability at most 1/64, given the past. Bets at these odds are
// supermartingales, and so is their mean. It reaches 1/alpha with probability at most alpha (Ville's inequality).
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "audits/request_sizes.h"
#include "mechanisms/random/source.h"

namespace oddsbound::audits {

/// Two sets of outputs are compared: those that the stated channel favors for the input, and the odd-numbered ones.
constexpr std::size_t kSpreadSets = 2;

/// Counts of won bets. The counts of shards add up.
struct SpreadCounts {
  std::uint64_t pairs = 0;                                     // of requests
  std::array<std::uint64_t, kSpreadSets> least{}, greatest{};  // how often the true division had that

  SpreadCounts& operator+=(const SpreadCounts& other);
};

class BatchesOfBlock {
 public:
  void clear() { inputs_.clear(); }
  /// The outputs of a request, in any order that depends on nothing but chance.
  void see(const OutputSets& sets, std::uint64_t input, std::span<const std::uint32_t> outputs);
  /// source: for the divisions to compare with.
  void count(RandomSource& source, SpreadCounts& counts) const;

 private:
  static constexpr std::size_t kParts = 8;  // of a request
  struct Pair {
    std::size_t size = 0;  // of the first request
    std::vector<std::array<std::uint64_t, kSpreadSets>> parts;
  };
  std::map<std::uint64_t, std::vector<Pair>> inputs_;
};

/// Words about counts that vary too little or too much; empty if they were not seen to. False with probability at most
/// alpha.
std::string find_odd_spread(const SpreadCounts& counts, double alpha);

}  // namespace oddsbound::audits
