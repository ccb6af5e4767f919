// The keys of a lock's promises: one text for each question that a claim or a measurement answers.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/budget.h"
#include "specs/spec.h"

namespace oddsbound::app {

// Text keys of claims' questions. Two questions have the same key if and only if they are equal, wherever they are in
// the file.
class Keys {
 public:
  // With symbols, numbers are functions, and the content in which they are written is locked.
  Keys(const Spec& spec, Budget& budget);

  /// The key of what is measured for a claim.
  std::string of_claim(const Claim& claim) const { return of(claim, Wanted::kMeasured, quoted_set(claim)); }
  /// The same in locks of format 1, where sets of priors are quoted as written.
  std::string of_format_1(const Claim& claim) const;
  /// The key of the question, without the claimed bound.
  std::string of_question(const Claim& claim) const { return of(claim, Wanted::kQuestion, quoted_set(claim)); }

  /// The name of a set of priors in the lock. Different sets with the same description get different names.
  std::string name_of_set(const Claim& claim) const;

 private:
  enum class Wanted { kMeasured, kFormat1, kQuestion };

  std::string quoted_set(const Claim& claim) const;

  std::string of(const Claim& claim, Wanted wanted, const std::string& set) const;

  const Spec& spec_;
  bool symbols_;
  Budget& budget_;
  std::map<std::string, std::set<std::string>> sets_;  // description -> contents
};

/// The key of one coordinate's level. A name that is not a plain word is quoted, so that it cannot be read as part of
/// a question.
std::string key_of_level(const std::string& key, const std::string& coordinate);
/// The key of a quantity of `analyze`: equal to the key of a claim with the same question.
std::string key_of_quantity(const std::string& notion, const std::string& coordinate,
                            const std::vector<std::string>& known);
std::string key_of_pair(const Label& from, const Label& to);

}  // namespace oddsbound::app
