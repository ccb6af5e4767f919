// SHA-256.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "base/namespaces.h"

namespace oddsbound::base {

using Digest = std::array<unsigned char, 32>;

/// Throws std::runtime_error where the library fails.
Digest digest_of(std::string_view bytes);

/// The same in hexadecimal.
std::string sha256(std::string_view bytes);

}  // namespace oddsbound::base
