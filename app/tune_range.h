// The range and grid of a tuned parameter, and proofs that claims fail on a range.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "reports/tune_result.h"
#include "specs/spec.h"

namespace oddsbound::app {

// A spec in which one number varies: a symbol, a parameter, or any number that a JSON pointer names. The spec is read
// again for every value, as if the file contained it.

class VariedSpec {
 public:
  /// parameter: the name of a symbol or parameter, or a JSON pointer ("/mechanism/epsilon") into the parameters,
  /// domain, prior, mechanism or claims. directory: the base of file names in the spec. Throws SpecError if there is
  /// no such number.
  VariedSpec(std::shared_ptr<const JsonDocument> document, std::string directory, const std::string& parameter);

  const std::string& file() const { return document_->file(); }
  const std::string& parameter() const { return parameter_; }
  /// Returns the number as the spec writes it, or the range of a symbol.
  std::string as_written() const;
  /// Returns nullptr unless the parameter is a symbol.
  const Symbol* symbol() const { return symbol_ ? &*symbol_ : nullptr; }

  /// Returns the spec with this value, an expression of the grammar. Throws SpecError if the result is not a valid
  /// spec.
  Spec at(const std::string& value, Budget& budget) const;
  /// Returns the spec with a symbol named varied_name() over this range, or the logarithm of that symbol. Claims are
  /// then about all values in the range. Throws SpecError where a symbol is not allowed, for example in exp(eps).
  Spec over(Symbol range, bool logarithm, Budget& budget) const;
  /// Returns false for a parameter or symbol to which nothing in the spec refers.
  bool is_used(Budget& budget) const;
  /// True if the parameter is the number of runs of the whole mechanism, a `repeat`. Fewer runs are then a
  /// post-processing of more: some outputs are dropped.
  bool counts_runs() const;
  const std::string& varied_name() const { return symbol_ ? symbol_->name : free_name_; }

 private:
  std::shared_ptr<const JsonDocument> document_;
  std::string directory_;
  std::string parameter_;
  std::optional<Symbol> symbol_;
  std::optional<JsonView> place_;  // set if there is no symbol
  std::optional<JsonView> key_;    // of a parameter or symbol
  std::string free_name_;          // not used anywhere in the spec
};

/// Returns the requested range, or the symbol's. Throws ModelError if there is none or it is empty.
TuneRange range_to_tune(const VariedSpec& spec, const TuneRequest& request);
/// Returns the grid values in the range, in order: the requested ones, or equal steps, including closed ends. Throws
/// ModelError for values outside.
std::vector<Number> grid_in(const TuneRange& range, const TuneRequest& request);

/// Returns the number, or its logarithm.
TunedValue value_of(const Number& number, bool logarithm);
/// Returns the range as that of a symbol, or of a symbol whose logarithm is the parameter. Ends that are not
/// logarithms are then rounded inward, except for the one end that may be rounded outward. nullopt if fewer than two
/// values remain.
enum class Outward { kNone, kLow, kHigh };
std::optional<Symbol> symbol_over(const TuneRange& range, bool logarithm, Outward outward = Outward::kNone);

// Proofs that claims fail at every value of a range

/// Returns the part of the range (all or nearly all) on which some claim provably fails at every value, by one common
/// violation; nullopt if no such proof was found. inner_is_upper: the claims begin to hold at the upper end.
std::optional<TuneRange> failing_range(const VariedSpec& spec, const TuneRange& range, bool inner_is_upper,
                                       std::span<const std::size_t> claims, const SmtOptions& smt, Budget& budget);

}  // namespace oddsbound::app
