// Do the counts of outputs vary from request to request as those of independent runs do? A sampler that draws exact
// proportions and shuffles them has counts that vary less; one that draws other probabilities for each request has
// counts that vary more.
//
// Two equally large requests for one input, one after the other, are cut into eight parts each. If runs are independent
// and alike, all 16 parts are exchangeable: the true division into 8 and 8 and random ones are too. So the true one
// has, alone, the least difference between the counts of a set of outputs among 16 divisions with probability at most
// 1/16, and the greatest among 64 with probability at most 1/64, whatever happened before. Every bet on that at these
// odds is a supermartingale, and so is the mean of such bets: it passes 1/alpha at any time with probability at most
// alpha (Ville's inequality).
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

/// Of two sets of outputs: those which the stated channel favors for the input, and every second one.
constexpr std::size_t kSpreadSets = 2;

/// What was counted. Counts of parts of an audit add up.
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
