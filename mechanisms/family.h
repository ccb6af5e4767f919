// The registry of mechanism families.
//
// A new family is one file that defines a function returning a Family, and one line in family.cpp; the spec reader, the
// samplers' check and the command line take it from there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/errors.h"
#include "mechanisms/mechanism.h"
#include "verifier/exact/level.h"
#include "verifier/model/definition.h"
#include "verifier/model/domain.h"

namespace oddsbound::mechanisms {

/// A parameter out of range; the spec reader places it at the parameter.
class ParameterError : public ModelError {
 public:
  ParameterError(std::string parameter, const std::string& message)
      : ModelError(message), parameter_(std::move(parameter)) {}
  const std::string& parameter() const { return parameter_; }

 private:
  std::string parameter_;
};

struct Family {
  std::string name;
  std::string summary;
  std::string source;
  std::vector<Field> parameters;
  /// The mechanism on the domain. Throws ParameterError for a parameter out of range, ModelError for a domain that the
  /// family does not fit.
  std::function<Mechanism(const Domain&, const Arguments&, Budget&)> build;
  /// It draws an answer that is to be kept for all reports.
  bool keeps_an_answer = false;
};

/// All families, in the order of the documentation.
std::span<const Family> families();
/// The family of that name, or null.
const Family* find_family(std::string_view name);

// Formulas that several families share.

/// An integer as a Number. Throws LimitError from 2^63 on.
Number whole(std::uint64_t integer);

/// e^level * weight / (e^level * weight + rest): the probability of the favoured side. rest may be 0 if weight is not.
Number odds_share(const Level& level, const Number& weight, const Number& rest);

/// Whether outputs at this level can be turned back into estimates: it is above 0, and no function of symbols.
bool is_informative(const Level& level);

/// (e^level + 1) / (e^level - 1), what a sign that was flipped with odds e^level is to be multiplied with; the level
/// must be positive (inf: 1).
Number sign_gain(const Level& level);

/// The integer nearest to a number, halves up. Throws LimitError outside of 64 bits.
std::int64_t nearest_integer(const Number& number);

/// n choose k; throws LimitError from 2^62 on.
std::uint64_t binomial(std::uint64_t n, std::uint64_t k);

// Coordinates that a mechanism does not read: whoever draws an output may leave their values out.
//
// A coordinate is unread if neither the channel's rows nor the sampler's use of randomness depend on it. Both follow
// from how the mechanism is written, never from its numbers: a family and a matrix read all that they are given, so
// that no parameter changes which values inputs must have.

/// A part of a mechanism: the coordinates it is given, and which of these (by their places here) it does not read.
struct ReadingPart {
  std::vector<std::size_t> coordinates;
  std::vector<std::size_t> unread;
};

/// Of the domain's coordinates, those that no part is given and reads.
std::vector<std::size_t> unread_by_all(const Domain& domain, std::span<const ReadingPart> parts);

}  // namespace oddsbound::mechanisms
