// What the readers of results share: members of objects, rounded numbers, words.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "specs/reading.h"
#include "verifier/model/witness.h"

namespace oddsbound::results {

/// An object of a results document. Unlike a spec's, its unknown keys are no error: later versions add some.
class ResultObject {
 public:
  ResultObject(JsonView object, std::string what);
  /// Throws SpecError at the object if there is no such key.
  JsonView require(const std::string& key) const;
  /// None if it is missing or null.
  std::optional<JsonView> find(const std::string& key) const;
  std::string string(const std::string& key) const;
  const std::vector<JsonView::Member>& members() const& { return members_; }
  std::vector<JsonView::Member> members() && { return std::move(members_); }
  JsonView view() const { return object_; }

 private:
  JsonView object_;
  std::string what_;
  std::vector<JsonView::Member> members_;
};

/// What a document that the program wrote is read with: no parameters, numbers of any length.
class ResultContext {
 public:
  ResultContext(const std::string& file, Budget& budget)
      : none_({}, {}, budget), context_{file, none_, budget, {}, files_, remarks_} {
    none_.allow_long_literals();
  }
  ResultContext(const ResultContext&) = delete;
  ResultContext& operator=(const ResultContext&) = delete;
  operator ReadingContext&() { return context_; }

 private:
  Parameters none_;
  std::vector<SourceFile> files_;
  Remarks remarks_;
  ReadingContext context_;
};

std::vector<std::string> result_strings(JsonView value, const std::string& what);
/// A JSON number (finite), or "inf" where that is allowed.
double result_double(JsonView value, const std::string& what, bool may_be_infinite = false);
/// One of the words, by its position.
std::size_t result_word(JsonView value, const std::vector<std::string>& words);
/// Throws SpecError at a witness whose sides are not of one kind and size, or whose probabilities are negative.
void require_sides(const ResultObject& object, const Witness& witness);

}  // namespace oddsbound::results
