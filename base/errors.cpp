#include "base/errors.h"

namespace oddsbound::base {

std::string shortened(std::string_view text, std::size_t longest) {
  if (text.size() <= longest) return std::string(text);
  const auto boundary = [&](std::size_t position) {
    while (position < text.size() && (static_cast<unsigned char>(text[position]) & 0xc0) == 0x80) ++position;
    return position;
  };
  return std::string(text.substr(0, boundary(longest / 2))) + "..." +
         std::string(text.substr(boundary(text.size() - longest / 4)));
}

}  // namespace oddsbound::base
