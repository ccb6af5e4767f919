// The files that a spec consists of, and their hashes: of the bytes, for the record; of what matters, for the lock.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/budget.h"
#include "base/bytes.h"
#include "specs/json_document.h"

namespace oddsbound::specs {

struct SourceFile {
  std::string file;
  std::string sha256;    // of its bytes, in hexadecimal
  bool is_spec = false;  // else a table
};

/// SHA-256 in base64, as a Content-Security-Policy names scripts.
std::string sha256_base64(std::string_view bytes);

/// A JSON value in one form: keys sorted, no white space, numbers as fractions.
std::string canonical_json(JsonView value);

/// The SHA-256 of what matters in a spec: its JSON with sorted keys, without white space and free text (name,
/// description, source, names of claims), numbers reduced to fractions.
std::string content_hash(const JsonDocument& spec);
/// The same of a table: its rows, however they end. Throws SpecError for what is no CSV.
std::string table_hash(const std::string& file, std::string_view text, Budget& budget);

}  // namespace oddsbound::specs
