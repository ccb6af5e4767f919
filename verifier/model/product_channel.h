// Independent runs of several mechanisms on (parts of) the same input, all released: per_coordinate, on, compose and
// repeat of the spec language. The output is the tuple of the parts' outputs, the last part fastest.
#pragma once

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
  /// What a factor sees of an input.
  std::uint64_t factor_input(std::size_t f, std::uint64_t x) const { return projections_[f](x); }
  std::vector<std::uint64_t> split(std::uint64_t y) const override;
  std::string label_of(std::span<const std::uint64_t> output) const override;
  Number entry_of(std::uint64_t x, std::span<const std::uint64_t> output) const override;

 private:
  class TableColumns;
  class MaterialisedColumns;

  Domain domain_;
  std::vector<Factor> parts_;
  std::vector<Factor> factors_;  // the parts, with products among them replaced by their factors
  std::vector<Projection> projections_;
  Number output_count_;
  bool tuple_;
};

}  // namespace oddsbound::model
