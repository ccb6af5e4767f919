// A disjoint union of channels: every input belongs to one part, and every output to one part, so that an output tells
// the part of its input. Entries across parts are zero.
#pragma once

#include "verifier/model/channel.h"

namespace oddsbound::model {

class UnionChannel final : public Channel {
 public:
  /// Every input of 0..inputs-1 is in exactly one case. An output of case c is labelled "(c,label)".
  UnionChannel(std::uint64_t inputs, std::vector<DisjointPart> parts);

  std::unique_ptr<Columns> columns(Budget& budget) const override;
  std::span<const DisjointPart> disjoint_parts() const override { return parts_; }
  std::string label_of(std::span<const std::uint64_t> output) const override;
  Number entry_of(std::uint64_t x, std::span<const std::uint64_t> output) const override;
  /// The case of an input or an output, and the position in it.
  struct Place {
    std::uint32_t part;
    std::uint32_t position;
  };
  Place input_place(std::uint64_t x) const { return place_of_[x]; }
  Place output_place(std::uint64_t y) const;

 private:
  class UnionColumns;
  std::vector<DisjointPart> parts_;
  std::vector<Place> place_of_;  // per input
};

}  // namespace oddsbound::model
