// Products and disjoint unions of channels.
//
// ProductChannel: independent runs of several mechanisms on (parts of) the same input, all released;
// per_coordinate, on, compose and repeat of the spec language. The output is the tuple of the parts' outputs, the
// last part fastest.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <vector>

#include "verifier/model/channel.h"

namespace oddsbound::model {

/// The projections of many parts. Parts with the same coordinates share one: those of a million runs take 4 MB.
class Projections {
 public:
  /// parts: a list of anything with `coordinates`.
  template <typename Parts>
  Projections(const Domain& domain, const Parts& parts) {
    constexpr std::size_t kMostKnown = 4096;  // lists of coordinates that are looked for
    std::map<std::vector<std::size_t>, std::uint32_t> known;
    place_of_.reserve(parts.size());
    for (const auto& part : parts) {
      const auto same = known.find(part.coordinates);
      place_of_.push_back(same == known.end() ? static_cast<std::uint32_t>(distinct_.size()) : same->second);
      if (same != known.end()) continue;
      distinct_.emplace_back(domain, part.coordinates);
      if (known.size() < kMostKnown) known.emplace(part.coordinates, place_of_.back());
    }
  }
  const Projection& operator[](std::size_t part) const { return distinct_[place_of_[part]]; }

 private:
  std::vector<Projection> distinct_;
  std::vector<std::uint32_t> place_of_;
};

class ProductChannel : public Channel {
 public:
  /// Each part sees the projection of the input to its coordinates (in their order). With `tuple`, outputs are
  /// labelled "(a,b)", even for a single part; without it, a single part keeps its own labels.
  ProductChannel(const Domain& domain, std::vector<Factor> parts, bool tuple = true);

  Number output_count() const override { return output_count_; }
  std::unique_ptr<Columns> columns(Budget& budget) const override;
  std::unique_ptr<Columns> columns_of(const Domain& domain, std::span<const InputRow> rows,
                                      Budget& budget) const override;
  std::span<const Factor> factors() const override { return all_factors(); }
  /// True if the factors' entries have few combinations of distinct values (combined_columns.h).
  bool has_few_products(Budget& budget) const;
  /// The parts as given; a part may itself be a product.
  std::span<const Factor> parts() const { return parts_; }
  bool labels_are_tuples() const { return tuple_; }
  /// Returns the part of an input that factor f sees.
  std::uint64_t factor_input(std::size_t f, std::uint64_t x) const { return projections_[f](x); }
  std::vector<std::uint64_t> split(std::uint64_t y) const override;
  std::string label_of(std::span<const std::uint64_t> output) const override;
  Number entry_of(std::uint64_t x, std::span<const std::uint64_t> output) const override;
  Number entry_at(const Domain& domain, InputView row, std::span<const std::uint64_t> output) const override;

 private:
  const std::vector<Factor>& all_factors() const { return factors_.empty() ? parts_ : factors_; }
  /// project(f, x): the input of factor f in input x of `inputs` inputs.
  std::unique_ptr<Columns> enumerate(std::uint64_t inputs,
                                     const std::function<std::uint64_t(std::size_t, std::uint64_t)>& project,
                                     Budget& budget) const;
  /// Returns the product of the factors' entries; input(f) is the input of factor f.
  Number product_of_entries(const std::function<std::uint64_t(std::size_t)>& input,
                            std::span<const std::uint64_t> output) const;

  std::vector<Factor> parts_;
  std::vector<Factor> factors_;  // the parts, with products replaced by their factors; empty if no part is a product
  Projections projections_;
  Number output_count_;
  bool tuple_;
};

// A disjoint union of channels: every input and every output belongs to one part, so an output reveals the part of
// its input. Entries across parts are 0.

class UnionChannel final : public Channel {
 public:
  /// Every input of 0..inputs-1 is in exactly one part. An output of part c is labelled "(c,label)".
  UnionChannel(std::uint64_t inputs, std::vector<DisjointPart> parts);

  std::unique_ptr<Columns> columns(Budget& budget) const override;
  std::span<const DisjointPart> disjoint_parts() const override { return parts_; }
  std::string label_of(std::span<const std::uint64_t> output) const override;
  Number entry_of(std::uint64_t x, std::span<const std::uint64_t> output) const override;
  /// The part of an input or output, and the position in it.
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
