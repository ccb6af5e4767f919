// The files that a spec consists of, their text, and two hashes: of the bytes (for the record) and of the content
// (for the lock).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/budget.h"
#include "base/bytes.h"
#include "oddsbound/options.h"
#include "specs/json_document.h"

namespace oddsbound::specs {

/// Returns SHA-256 in base64, the form that Content-Security-Policy uses for scripts.
std::string sha256_base64(std::string_view bytes);

/// Returns a JSON value in canonical form: keys sorted, no white space, numbers as fractions.
std::string canonical_json(JsonView value);

/// Returns the SHA-256 of the relevant content of a spec: canonical JSON without free text (name, description,
/// source, names of claims).
std::string content_hash(const JsonDocument& spec);
/// Returns the same for a table: the hash of its rows, independent of line endings. Throws SpecError if it is not
/// CSV with this separator.
std::string table_hash(const std::string& file, std::string_view text, Budget& budget, char separator = ',');
/// Returns the names of files and the hashes of their bytes.
Bytes digests_of(const std::vector<SourceFile>& files);

}  // namespace oddsbound::specs
