// The text of a table before its rows are read: what separates its cells, and its encoding.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/budget.h"
#include "oddsbound/options.h"

namespace oddsbound::specs {

/// For a table whose reader knows what to expect: the first of ',', ';' and the tab under which `is_meant` accepts the
/// cells of the first row. ',' if none is accepted.
char separator_by(std::string_view text, Budget& budget,
                  const std::function<bool(const std::vector<std::string>&)>& is_meant);
/// The same for a header that has at least one of these columns.
char separator_with(std::string_view text, Budget& budget, const std::vector<std::string>& columns);
/// Records what separates the cells of a file that was read: the lock parses it again.
void note_separator(const std::string& path, char separator, std::vector<SourceFile>& files);

// Tables may hold any bytes, but names and values of a spec must be UTF-8.

/// Throws SpecError at the first byte that is not UTF-8. The message guesses the encoding, and the hint converts the
/// file.
void require_utf8(const std::string& file, std::string_view text);
/// "this is not UTF-8; convert it: iconv -f ..."; empty if the cell is UTF-8.
std::string hint_of_encoding(const std::string& file, std::string_view cell);

}  // namespace oddsbound::specs
