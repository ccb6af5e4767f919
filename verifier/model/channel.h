// Mechanisms with finitely many inputs and outputs, as channels P(y given x).
//
// A Channel describes the mechanism. Columns enumerate it one output at a time, as ranks into a pool of interned
// values; memory is proportional to the number of inputs. A channel of independent parts exposes them as factors,
// so that levels that follow from the parts never enumerate the whole. Also channels stored entry by entry
// (DenseChannel) and channels derived from others.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/budget.h"
#include "verifier/model/domain.h"
#include "verifier/model/value_pool.h"

namespace oddsbound::model {

class Channel;
using ChannelPtr = std::shared_ptr<const Channel>;

/// The enumerated entries of a channel. A returned view is valid until its scratch is used again. Thread-safe if
/// each thread passes its own scratch.
class Columns {
 public:
  virtual ~Columns() = default;
  std::uint64_t inputs() const { return inputs_; }
  std::uint64_t outputs() const { return outputs_; }
  virtual const ValuePool& pool() const = 0;
  /// Returns the ranks of P(y given x) for all inputs x.
  virtual std::span<const std::uint32_t> ranks(std::uint64_t y, std::vector<std::uint32_t>& scratch) const = 0;
  /// Returns approximations of the same entries. `ranks` are those of output y.
  virtual std::span<const double> approx(std::uint64_t y, std::span<const std::uint32_t> ranks,
                                         std::vector<double>& scratch) const;

 protected:
  Columns(std::uint64_t inputs, std::uint64_t outputs) : inputs_(inputs), outputs_(outputs) {}

 private:
  std::uint64_t inputs_;
  std::uint64_t outputs_;
};

/// An independent part of a product channel: a channel on some coordinates of the whole domain.
struct Factor {
  ChannelPtr channel;
  std::vector<std::size_t> coordinates;
};

/// A part of a channel whose parts share neither inputs nor outputs. Its outputs are [first_output, first_output +
/// channel->outputs()) of the whole, its inputs are those listed.
struct DisjointPart {
  ChannelPtr channel;
  std::vector<std::uint64_t> inputs;
  std::uint64_t first_output;
};

class Channel {
 public:
  virtual ~Channel() = default;
  /// Returns the number of inputs, for callers that enumerate them. Throws LimitError past --max-inputs, like
  /// Domain::inputs().
  std::uint64_t inputs() const {
    require_listable(inputs_);
    return inputs_;
  }
  std::uint64_t input_numbers() const { return inputs_; }
  /// Returns the number of outputs; UINT64_MAX if it does not fit.
  std::uint64_t outputs() const { return outputs_; }
  virtual Number output_count() const { return Number(static_cast<std::int64_t>(outputs_)); }
  std::string output_label(std::uint64_t y) const { return label_of(split(y)); }
  /// Returns P(y given x), exactly.
  Number entry(std::uint64_t x, std::uint64_t y) const { return entry_of(x, split(y)); }
  /// Throws LimitError if the channel is too large to enumerate within the budget.
  virtual std::unique_ptr<Columns> columns(Budget& budget) const = 0;
  /// Returns the columns of these inputs of the domain alone, in this order. A product then needs rows x outputs
  /// within the budget, other channels inputs x outputs.
  virtual std::unique_ptr<Columns> columns_of(const Domain& domain, std::span<const InputRow> rows,
                                              Budget& budget) const;

  /// Returns the independent parts, none of which is itself a product; empty if the channel is not a product.
  virtual std::span<const Factor> factors() const { return {}; }
  /// Returns parts that share neither inputs nor outputs, so that levels follow by cases; empty if none are known.
  virtual std::span<const DisjointPart> disjoint_parts() const { return {}; }
  /// Returns an output as the outputs of the factors; {y} if the channel is not a product.
  virtual std::vector<std::uint64_t> split(std::uint64_t y) const { return {y}; }
  /// output_label and entry for a split output, which need not have a 64-bit index.
  virtual std::string label_of(std::span<const std::uint64_t> output) const = 0;
  /// Parses a label without a list of all labels. Returns false if the text is not a label or cannot be parsed
  /// this way.
  virtual bool parse_label(std::string_view, std::vector<std::uint64_t>&) const { return false; }
  virtual Number entry_of(std::uint64_t x, std::span<const std::uint64_t> output) const = 0;
  /// entry_of for an input of the domain, which need not have a number if the channel is a product.
  virtual Number entry_at(const Domain& domain, InputView row, std::span<const std::uint64_t> output) const {
    return entry_of(domain.number(row), output);
  }

 protected:
  Channel(std::uint64_t inputs, std::uint64_t outputs) : inputs_(inputs), outputs_(outputs) {}

 private:
  std::uint64_t inputs_;
  std::uint64_t outputs_;
};

/// Returns all output labels, in output order. Throws LimitError past the budget.
std::vector<std::string> output_labels(const Channel& channel, Budget& budget);
/// Returns P(y given x) as [x][y]. Throws LimitError past the budget.
std::vector<std::vector<Number>> rows_of(const Channel& channel, Budget& budget);

// A channel stored entry by entry: explicit matrices, and channels without a more compact form.

class DenseChannel : public Channel {
 public:
  /// Makes a channel from rows: entry x * labels.size() + y of `builder` is P(y given x). Precondition, not
  /// checked: entries are non-negative and each row sums to 1.
  static ChannelPtr from_rows(std::uint64_t inputs, std::vector<std::string> labels, PoolBuilder builder,
                              Budget& budget);
  /// The same from columns: entry y * inputs + x is P(y given x).
  static ChannelPtr from_columns(std::uint64_t inputs, std::vector<std::string> labels, PoolBuilder builder,
                                 Budget& budget);

  std::string label_of(std::span<const std::uint64_t> output) const override { return table_->labels[output[0]]; }
  Number entry_of(std::uint64_t x, std::span<const std::uint64_t> output) const override;
  std::unique_ptr<Columns> columns(Budget& budget) const override;

 private:
  struct Table {
    std::vector<std::string> labels;
    ValuePool pool;
    std::vector<std::uint32_t> ranks;  // column after column
    std::vector<double> approx;        // of `ranks`; only if lookups in the pool would miss the cache
  };
  class TableColumns;
  DenseChannel(std::uint64_t inputs, std::shared_ptr<const Table> table);
  static ChannelPtr finish(std::uint64_t inputs, std::shared_ptr<Table> table);

  std::shared_ptr<const Table> table_;
};

/// Returns "0", "1", ...: labels for outputs that are given as a count.
std::vector<std::string> numbered_labels(std::uint64_t count);

// Channels derived from other channels, entry by entry: mixtures, post-processing, adaptive composition.

/// A term of a derived output: share * P(output given x) of one of the channels.
struct OutputShare {
  std::size_t channel;
  std::uint64_t output;
  Number share;
};
struct DerivedOutput {
  std::string label;
  std::vector<OutputShare> shares;
};

/// Returns P(z given x) = sum over the shares of z of share * P(y given x). All channels have the same inputs.
/// Throws LimitError past the budget.
ChannelPtr derived_channel(const std::vector<ChannelPtr>& channels, std::vector<DerivedOutput> outputs, Budget& budget);

/// Runs `first`, then the channel that its output y selects; both outputs are released as "(y,z)". `then` has one
/// channel per output of `first`.
ChannelPtr adaptive_channel(const ChannelPtr& first, const std::vector<ChannelPtr>& then, Budget& budget);

}  // namespace oddsbound::model
