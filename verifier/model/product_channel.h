// Independent runs of several mechanisms on (parts of) the same input, all released: per_coordinate, on, compose and
// repeat of the spec language. The output is the tuple of the parts' outputs, the last part fastest.
#pragma once

#include <functional>

#include "verifier/model/channel.h"

namespace oddsbound::model {

class ProductChannel : public Channel {
 public:
  /// Each part sees the projection of the input to its coordinates (in their order). With `tuple` an output is
  /// labelled "(a,b)", even of a single part; without it the single part's own labels are kept.
  ProductChannel(const Domain& domain, std::vector<Factor> parts, bool tuple = true);

  Number output_count() const override { return output_count_; }
  std::unique_ptr<Columns> columns(Budget& budget) const override;
  std::span<const Factor> factors() const override { return factors_; }
  /// Whether the products of the factors' entries are few enough to be ranked once, as columns do; else they multiply
  /// out every entry.
  bool has_few_products(Budget& budget) const;
  /// As they were given; a part may be a product itself.
  std::span<const Factor> parts() const { return parts_; }
  bool labels_are_tuples() const { return tuple_; }
  /// What a factor sees of an input.
  std::uint64_t factor_input(std::size_t f, std::uint64_t x) const { return projections_[f](x); }
  std::vector<std::uint64_t> split(std::uint64_t y) const override;
  std::string label_of(std::span<const std::uint64_t> output) const override;
  Number entry_of(std::uint64_t x, std::span<const std::uint64_t> output) const override;
  Number entry_at(const Domain& domain, InputView row, std::span<const std::uint64_t> output) const override;

 private:
  class TableColumns;
  class MaterialisedColumns;

  /// Of inputs of the factors.
  Number product_of_entries(const std::function<std::uint64_t(std::size_t)>& input,
                            std::span<const std::uint64_t> output) const;

  Domain domain_;
  std::vector<Factor> parts_;
  std::vector<Factor> factors_;  // the parts, with products among them replaced by their factors
  std::vector<Projection> projections_;
  Number output_count_;
  bool tuple_;
};

// A disjoint union of channels: every input belongs to one part, and every output to one part, so that an output tells
// the part of its input. Entries across parts are zero.

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
