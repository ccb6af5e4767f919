// The registry of mechanism families.
//
// A new family is one file that defines a function returning a Family, and one line in family.cpp. The spec
// reader, the check of samplers and the command line then support it.
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

/// A parameter out of range. The spec reader reports it at the parameter's position.
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
  /// Builds the mechanism on the domain. Throws ParameterError for a parameter out of range, ModelError for a
  /// domain that does not fit the family.
  std::function<Mechanism(const Domain&, const Arguments&, Budget&)> build;
  /// The mechanism draws one answer that is kept for all reports.
  bool keeps_an_answer = false;
  /// The mechanism is LDP at its parameter `epsilon`, whatever the domain and the other parameters.
  bool ldp_at_epsilon = false;
};

/// All families, in the order of the documentation.
std::span<const Family> families();
/// The kind of a parameter in words, such as "level" or "list of inputs".
std::string kind_words(FieldKind kind);
/// The family of that name, or null.
const Family* find_family(std::string_view name);

// Formulas shared by several families.

/// Returns an integer as a Number. Throws LimitError from 2^63 on.
Number whole(std::uint64_t integer);

/// Returns e^level * weight / (e^level * weight + rest): the probability of the favoured side. rest may be 0 if
/// weight is not.
Number odds_share(const Level& level, const Number& weight, const Number& rest);

/// Whether outputs at this level allow estimates: the level is above 0 and not a function of symbols.
bool is_informative(const Level& level);

/// Returns (e^level + 1) / (e^level - 1): the factor that makes a sign that was kept with odds e^level unbiased.
/// Requires level > 0 (inf gives 1).
Number sign_gain(const Level& level);

/// Returns e^(level/2) / (e^(level/2) + 1), the probability of the favoured side. Throws ParameterError if e^(level/2)
/// cannot be written; subject: what needs it, such as "the symmetric variant".
Number half_odds_share(const Level& level, const std::string& parameter, const std::string& subject);

/// Returns the integer nearest to a number, halves rounded up. Throws LimitError outside of 64 bits.
std::int64_t nearest_integer(const Number& number);

/// Returns n choose k. Throws LimitError from 2^62 on.
std::uint64_t binomial(std::uint64_t n, std::uint64_t k);

// Coordinates that a mechanism does not read: an output can be drawn without their values.
//
// A coordinate is unread if neither the channel's rows nor the sampler's use of randomness depend on it. Both
// follow from the form of the mechanism and never from its numbers: a family and a matrix read all coordinates
// that they are given. So no parameter changes which values inputs must have.

/// A part of a mechanism: the coordinates it is given, and the positions among these that it does not read.
struct ReadingPart {
  std::vector<std::size_t> coordinates;
  std::vector<std::size_t> unread;
};

/// Returns the coordinates of the domain that no part reads.
std::vector<std::size_t> unread_by_all(const Domain& domain, std::span<const ReadingPart> parts);

}  // namespace oddsbound::mechanisms
