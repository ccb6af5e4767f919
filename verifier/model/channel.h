// A mechanism with finitely many inputs and outputs, as its channel P(y given x).
//
// A Channel says what the mechanism is; Columns enumerate it one output at a time, as ranks into a pool of interned
// values, in memory proportional to the number of inputs. A channel made of independent parts names them as factors,
// so that levels which follow from the parts never enumerate the whole.
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

/// The enumerated entries of a channel. Views stay valid until the scratch they were given is used again. Several
/// threads may ask at once, each with scratch of its own.
class Columns {
 public:
  virtual ~Columns() = default;
  std::uint64_t inputs() const { return inputs_; }
  std::uint64_t outputs() const { return outputs_; }
  virtual const ValuePool& pool() const = 0;
  /// The ranks of P(y given x) for all inputs x.
  virtual std::span<const std::uint32_t> ranks(std::uint64_t y, std::vector<std::uint32_t>& scratch) const = 0;
  /// The approximations of the same entries; ranks: those of output y.
  virtual std::span<const double> approx(std::uint64_t y, std::span<const std::uint32_t> ranks,
                                         std::vector<double>& scratch) const;

 protected:
  Columns(std::uint64_t inputs, std::uint64_t outputs) : inputs_(inputs), outputs_(outputs) {}

 private:
  std::uint64_t inputs_;
  std::uint64_t outputs_;
};

/// An independent part of a product channel: a channel that sees some coordinates of the whole domain.
struct Factor {
  ChannelPtr channel;
  std::vector<std::size_t> coordinates;
};

/// A part of a channel whose parts share neither inputs nor outputs: outputs [first_output, first_output + count) of
/// the whole are those of `channel`, and its inputs are those listed.
struct DisjointPart {
  ChannelPtr channel;
  std::vector<std::uint64_t> inputs;
  std::uint64_t first_output;
};

class Channel {
 public:
  virtual ~Channel() = default;
  /// The number of inputs, for who goes through all of them: throws LimitError past --max-inputs, as Domain::inputs().
  std::uint64_t inputs() const {
    require_listable(inputs_);
    return inputs_;
  }
  std::uint64_t input_numbers() const { return inputs_; }
  /// The number of outputs; UINT64_MAX if there are more.
  std::uint64_t outputs() const { return outputs_; }
  virtual Number output_count() const { return Number(static_cast<std::int64_t>(outputs_)); }
  std::string output_label(std::uint64_t y) const { return label_of(split(y)); }
  /// P(y given x), exactly.
  Number entry(std::uint64_t x, std::uint64_t y) const { return entry_of(x, split(y)); }
  /// Throws LimitError if the channel is too large to enumerate within the budget.
  virtual std::unique_ptr<Columns> columns(Budget& budget) const = 0;

  /// The independent parts, none of which is a product itself; empty if the channel is not a product.
  virtual std::span<const Factor> factors() const { return {}; }
  /// The parts that share neither inputs nor outputs, so that levels follow by cases; empty if there are none known.
  virtual std::span<const DisjointPart> disjoint_parts() const { return {}; }
  /// An output as the outputs of the factors; of a channel that is not a product, {y}.
  virtual std::vector<std::uint64_t> split(std::uint64_t y) const { return {y}; }
  /// The same as output_label and entry for an output that was split. It need not have a 64-bit index.
  virtual std::string label_of(std::span<const std::uint64_t> output) const = 0;
  /// Reads a label back where labels need not be listed for that; false if it is not one, or is not read that way.
  virtual bool parse_label(std::string_view, std::vector<std::uint64_t>&) const { return false; }
  virtual Number entry_of(std::uint64_t x, std::span<const std::uint64_t> output) const = 0;
  /// The same of an input of the domain, which need not have a number where the channel is a product.
  virtual Number entry_at(const Domain& domain, InputView row, std::span<const std::uint64_t> output) const {
    return entry_of(domain.number(row), output);
  }

 protected:
  Channel(std::uint64_t inputs, std::uint64_t outputs) : inputs_(inputs), outputs_(outputs) {}

 private:
  std::uint64_t inputs_;
  std::uint64_t outputs_;
};

/// All output labels, in output order. Throws LimitError past the budget.
std::vector<std::string> output_labels(const Channel& channel, Budget& budget);
/// P(y given x) as [x][y]. Throws LimitError past the budget.
std::vector<std::vector<Number>> rows_of(const Channel& channel, Budget& budget);

// A channel held entry by entry: explicit matrices, and whatever has no more economical form.

class DenseChannel : public Channel {
 public:
  /// The entries of `builder` are the rows one after another: entry x * labels.size() + y is P(y given x).
  /// Entries must be non-negative and each row must sum to 1; the caller has checked that.
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
    std::vector<double> approx;        // the same, only where gathering from the pool would miss the cache
  };
  class TableColumns;
  DenseChannel(std::uint64_t inputs, std::shared_ptr<const Table> table);
  static ChannelPtr finish(std::uint64_t inputs, std::shared_ptr<Table> table);

  std::shared_ptr<const Table> table_;
};

/// "0", "1", ..., for outputs given as a count.
std::vector<std::string> numbered_labels(std::uint64_t count);

// Channels computed from other channels, entry by entry: mixtures, post-processing, adaptive composition.

/// A term of a derived output: this share of that output of that channel.
struct OutputShare {
  std::size_t channel;
  std::uint64_t output;
  Number share;
};
struct DerivedOutput {
  std::string label;
  std::vector<OutputShare> shares;
};

/// P(z given x) = sum over the shares of z of share * P(y given x). All channels have the same inputs. Throws
/// LimitError past the budget.
ChannelPtr derived_channel(const std::vector<ChannelPtr>& channels, std::vector<DerivedOutput> outputs, Budget& budget);

/// First `first`, then the channel that its output y chooses; both outputs are released as "(y,z)".
/// then: one channel per output of `first`.
ChannelPtr adaptive_channel(const ChannelPtr& first, const std::vector<ChannelPtr>& then, Budget& budget);

}  // namespace oddsbound::model
