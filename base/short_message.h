// Messages quote numbers and names from files, which may have millions of characters. An error is cut to a few lines
// where it becomes one (SpecError, FileError, what the command line prints), so that no place that words one has to.
#pragma once

#include <string>
#include <string_view>

#include "base/namespaces.h"

namespace oddsbound::base {

/// No message is longer, in bytes, but for the name of its file, its place and its hint.
inline constexpr std::size_t kLongestMessage = 1500;

/// The text as it is, and cut in the middle, between characters, if it has more bytes than `longest`.
std::string shortened(std::string_view text, std::size_t longest = kLongestMessage);

}  // namespace oddsbound::base
