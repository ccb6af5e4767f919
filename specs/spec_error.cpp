#include "specs/spec_error.h"

#include <utility>

#include "base/short_message.h"

namespace oddsbound::specs {

namespace {

std::string formatted(const SourcePlace& place, const std::string& message, const std::string& hint) {
  std::string text = printable(place.file, 400);
  if (place.line > 0) text += ":" + std::to_string(place.line);
  if (place.line > 0 && place.column > 0) text += ":" + std::to_string(place.column);
  if (!place.pointer.empty()) text += ": " + printable(place.pointer, 200);
  text += ": " + message;
  if (!hint.empty()) text += " (" + hint + ")";
  return text;
}

}  // namespace

SpecError::SpecError(SourcePlace place, const std::string& message, std::string hint)
    : std::runtime_error(formatted(place, shortened(message), shortened(hint))),
      place_(std::move(place)),
      message_(shortened(message)),
      hint_(shortened(hint)) {}

}  // namespace oddsbound::specs
