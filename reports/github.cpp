#include <fmt/format.h>

#include "reports/writers.h"
#include "specs/spec_error.h"

namespace oddsbound::reports {

namespace {

// As GitHub's own toolkit escapes them.
std::string escaped(const std::string& text, bool property) {
  constexpr std::size_t kLongest = 4000;
  std::string result;
  for (const char c : printable(text, kLongest)) {
    const bool special = c == '%' || c == '\r' || c == '\n' || (property && (c == ':' || c == ','));
    special ? void(result += fmt::format("%{:02X}", static_cast<unsigned char>(c))) : void(result += c);
  }
  return result;
}

std::string command_of(Outcome outcome) {
  if (outcome == Outcome::kNote) return "notice";
  return outcome == Outcome::kUndecided ? "warning" : "error";
}

}  // namespace

std::string github_annotations(const Checks& checks) {
  std::string text;
  for (const Check& check : checks.list) {
    if (check.outcome == Outcome::kPass) continue;
    text += fmt::format("::{} file={}", command_of(check.outcome), escaped(check.place.file, true));
    if (check.place.line > 0) text += fmt::format(",line={},col={}", check.place.line, check.place.column);
    text += fmt::format(",title={}::{}\n", escaped("oddsbound: " + check.title, true), escaped(check.message, false));
  }
  return text;
}

}  // namespace oddsbound::reports
