#include "results/csv_text.h"

#include <charconv>

namespace oddsbound::results {

std::string csv_cell(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos && !text.empty()) return text;
  std::string cell = "\"";
  for (const char c : text) cell += c == '"' ? "\"\"" : std::string(1, c);
  return cell + "\"";
}

std::string csv_cell(double value) {
  char buffer[64];
  return {buffer, std::to_chars(buffer, buffer + sizeof buffer, value).ptr};
}

std::string csv_cell_for_people(const std::string& text) {
  const bool formula = text.find_first_of("=+-@\t\r\n") == 0;
  return csv_cell(formula ? "'" + text : text);
}

}  // namespace oddsbound::results
