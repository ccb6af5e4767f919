// What was claimed, in one of a few forms: a notion names its own, and every result of a claim about it is written,
// read and put into words by that.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "verifier/exact/level.h"
#include "verifier/model/arguments.h"
#include "verifier/model/domain.h"

namespace oddsbound::notions {

/// The forms of what is claimed: a level; levels of coordinates; a level and delta; a level for every ordered pair of
/// inputs; to be made from a mechanism that is given.
enum class ClaimForm { kLevel, kByCoordinate, kLevelAndDelta, kMatrix, kMechanism };

/// A level (or, after "delta", a number) as it was claimed. Where it is a function of symbols it is known as text only.
class Stated {
 public:
  Stated() = default;
  explicit Stated(Level level) : level_(std::move(level)) {}
  explicit Stated(Number number) : number_(std::move(number)) {}
  explicit Stated(std::string text) : text_(std::move(text)) {}
  /// Exact, in the grammar.
  std::string text() const;
  /// Null where it is no level, or a function of symbols.
  const Level* level() const { return level_ ? &*level_ : nullptr; }
  const Number* number() const { return number_ ? &*number_ : nullptr; }
  std::size_t text_size() const;

 private:
  std::optional<Level> level_;
  std::optional<Number> number_;
  std::string text_;
};

struct Claimed {
  ClaimForm form = ClaimForm::kLevel;
  /// By coordinate; "epsilon" and "delta" of kLevelAndDelta; one without a name of kLevel.
  std::vector<std::pair<std::string, Stated>> values;
  std::vector<std::vector<Stated>> matrix;  // of kMatrix: [from][to]

  /// The level that is claimed for a coordinate (or for "", the one there is); null if there is none.
  const Level* level_of(const std::string& name) const;
};

struct Notion;
/// What the fields that are claimed say: of forms of levels, the one that the notion locks. A level that may be claimed
/// by coordinate is in that form where it is. symbols: they are functions of symbols, and kept as text.
Claimed claimed_of(const Notion& notion, const Domain& domain, const Arguments& arguments, bool symbols);

/// A matrix of bounds as text, row after row.
std::vector<std::vector<std::string>> matrix_text(const LevelMatrix& matrix, std::uint64_t inputs);

}  // namespace oddsbound::notions
