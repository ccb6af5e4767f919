// How often each output was seen for each input (or side).
#pragma once

#include <cassert>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "base/bytes.h"
#include "base/namespaces.h"

namespace oddsbound::audits {

class Tally {
 public:
  Tally() = default;
  Tally(std::uint64_t rows, std::uint64_t outputs) : outputs_(outputs), counts_(rows * outputs) {}

  std::uint64_t rows() const { return outputs_ == 0 ? 0 : counts_.size() / outputs_; }
  std::uint64_t outputs() const { return outputs_; }
  std::span<std::uint64_t> row(std::uint64_t x) { return std::span(counts_).subspan(x * outputs_, outputs_); }
  std::span<const std::uint64_t> row(std::uint64_t x) const {
    return std::span(counts_).subspan(x * outputs_, outputs_);
  }
  std::uint64_t at(std::uint64_t x, std::uint64_t y) const {
    assert(x < rows() && y < outputs_);
    return counts_[x * outputs_ + y];
  }
  std::uint64_t total(std::uint64_t x) const {
    const auto counts = row(x);
    return std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
  }
  std::uint64_t total() const { return std::accumulate(counts_.begin(), counts_.end(), std::uint64_t{0}); }
  Tally& operator+=(const Tally& other) {
    assert(outputs_ == other.outputs_ && counts_.size() == other.counts_.size());
    for (std::size_t i = 0; i < counts_.size(); ++i) counts_[i] += other.counts_[i];
    return *this;
  }

 private:
  std::uint64_t outputs_ = 0;
  std::vector<std::uint64_t> counts_;
};

/// Its counts, and those of one of the same shape back.
inline void pack(Packer& packer, const Tally& tally) {
  for (std::uint64_t x = 0; x < tally.rows(); ++x) {
    for (const std::uint64_t count : tally.row(x)) packer.put(count);
  }
}

inline Tally unpack(Unpacker& unpacker, const Tally& zero) {
  Tally tally = zero;
  for (std::uint64_t x = 0; x < tally.rows(); ++x) {
    for (std::uint64_t& count : tally.row(x)) count = unpacker.word();
  }
  return tally;
}

/// Throws BytesError where so many rounds cannot have given these counts.
inline void require_sum_of(std::uint64_t rounds, const Tally& tally) {
  std::uint64_t left = rounds;
  for (std::uint64_t x = 0; x < tally.rows(); ++x) {
    for (const std::uint64_t count : tally.row(x)) {
      if (count > left) throw BytesError("outputs were counted more often than there were rounds");
      left -= count;
    }
  }
  if (left > 0) throw BytesError("outputs were counted less often than there were rounds");
}

}  // namespace oddsbound::audits
