// Fields of JSON objects, and their plain values: strings, lists, whole numbers, types. Errors name the place.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/errors.h"
#include "mechanisms/family.h"
#include "specs/json_document.h"
#include "specs/spec_error.h"

namespace oddsbound::specs {

/// Runs `work`. Errors of numbers, models and limits become SpecErrors at the value; Interrupted and ParameterError
/// pass through.
template <typename Work>
auto at_place(JsonView value, Work work) {
  try {
    return work();
  } catch (const SpecError&) {
    throw;
  } catch (const ParameterError&) {
    throw;
  } catch (const Interrupted&) {
    throw;
  } catch (const std::runtime_error& error) {
    value.fail(error.what());
  }
}

/// The fields of an object. Unknown keys and missing required keys are errors, with a suggestion for unknown ones.
class Fields {
 public:
  Fields(JsonView object, const std::vector<std::string>& known, std::string_view what);
  /// The fields of a whole file: "$schema", which editors need, may be there too. A file of another kind is an error
  /// that names the kind and the command that reads it. kind: spec, plan, design, release, ledger or lock.
  static Fields of_file(const JsonDocument& document, std::string_view kind, const std::vector<std::string>& known,
                        std::string_view what);
  bool has(const std::string& name) const { return members_.contains(name); }
  JsonView require(const std::string& name) const;
  std::optional<JsonView> find(const std::string& name) const;
  /// All fields that are present, by name.
  const std::map<std::string, JsonView::Member>& members() const { return members_; }
  JsonView object() const { return object_; }

 private:
  Fields(JsonView object, const std::vector<std::string>& known, std::string_view what, bool is_file);

  JsonView object_;
  std::string what_;
  std::map<std::string, JsonView::Member> members_;
};

/// Throws SpecError unless the version is 1. `format` is the name of the format in the message.
void require_version_1(JsonView version, const std::string& format);

/// Throws SpecError at the key unless it is a valid name for a parameter or symbol.
void require_name(JsonView key, const std::string& what);

/// Returns the string at the key `type` (or `key`) of an object.
std::string read_type(JsonView value, std::string_view what, std::string_view key = "type");
[[noreturn]] void fail_unknown_type(JsonView value, const std::string& type, const std::vector<std::string>& known,
                                    const std::string& what, std::string_view key = "type");

/// Returns the entry of the table for the type of an object. Fails with the known types otherwise.
template <typename Reader>
Reader reader_of_type(JsonView value, const std::vector<std::pair<std::string, Reader>>& readers, std::string_view what,
                      const std::string& what_type, std::string_view key = "type") {
  const std::string type = read_type(value, what, key);
  std::vector<std::string> known;
  for (const auto& [name, reader] : readers) {
    if (name == type) return reader;
    known.push_back(name);
  }
  fail_unknown_type(value, type, known, what_type, key);
}

std::string read_string(JsonView value, std::string_view what);
std::vector<JsonView> read_array(JsonView value, std::string_view what);
/// Reads a whole number in [least, most].
std::int64_t read_integer(JsonView value, std::string_view what, std::int64_t least, std::int64_t most);
bool read_boolean(JsonView value, std::string_view what);

}  // namespace oddsbound::specs
