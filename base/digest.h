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
/// HMAC-SHA-256 in hexadecimal (RFC 2104): who does not have the key cannot tell which bytes it is of.
std::string hmac_sha256(std::string_view key, std::string_view bytes);

}  // namespace oddsbound::base
