// The values of one coordinate while a table is read: those that the spec lists, or whatever its column holds.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace oddsbound::specs {

/// What an empty cell is called where missing cells are values.
inline const std::string kEmptyCell = "missing";

class ColumnValues {
 public:
  /// declared: in their order; none where the column gives them.
  explicit ColumnValues(const std::vector<std::string>& declared);

  std::optional<std::uint32_t> find(const std::string& value) const;
  /// The same, added at the end if it is new.
  std::uint32_t find_or_add(const std::string& value);
  std::size_t size() const { return numbers_.size(); }

  /// The values in the order of a coordinate that has them from its column: plain integers first, by their size, then
  /// all others, by their bytes. places[v] becomes where the value that was number v stands.
  std::vector<std::string> sorted(std::vector<std::uint32_t>& places) const;

 private:
  std::unordered_map<std::string, std::uint32_t> numbers_;
};

}  // namespace oddsbound::specs
