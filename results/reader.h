// What the readers of results share: members of objects, numbers for drawing.
#pragma once

#include "results/report.h"
#include "specs/reading.h"

namespace oddsbound {

/// An object of a results document. Unlike a spec's, its unknown keys are no error: later versions add some.
class ResultObject {
 public:
  ResultObject(JsonView object, std::string what);
  /// Throws SpecError at the object if there is no such key.
  JsonView require(const std::string& key) const;
  /// None if it is missing or null.
  std::optional<JsonView> find(const std::string& key) const;
  std::string string(const std::string& key) const;
  /// Empty if it is missing or null.
  std::string optional_string(const std::string& key) const;
  bool boolean(const std::string& key) const;
  std::vector<JsonView::Member> members() const { return members_; }
  JsonView view() const { return object_; }

 private:
  JsonView object_;
  std::string what_;
  std::vector<JsonView::Member> members_;
};

std::vector<std::string> result_strings(JsonView value, const std::string& what);
std::vector<SourceFile> result_files(const ResultObject& object);
/// A JSON number (finite), or "inf" where that is allowed.
double result_double(JsonView value, const std::string& what, bool may_be_infinite = false);
/// One of the words.
std::string result_word(JsonView value, const std::vector<std::string>& words);
/// An array of strings as "(a,b)", or a string.
std::string result_party(JsonView value);
/// A decimal within a string, as "lower" and "upper" of levels are.
double result_decimal(JsonView value);

ReportSpec read_spec_result(JsonView value, ReadingContext& context);
ReportAudit read_audit_result(JsonView value, ReadingContext& context);

}  // namespace oddsbound
