#include "base/bytes.h"

#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <stdexcept>

namespace oddsbound::base {

Digest digest_of(std::string_view bytes) {
  Digest digest;
  unsigned int size = 0;
  if (EVP_Digest(bytes.data(), bytes.size(), digest.data(), &size, EVP_sha256(), nullptr) != 1) {
    throw std::runtime_error("SHA-256 failed");
  }
  return digest;
}

namespace {

std::string hexadecimal(const Digest& digest) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string hex;
  for (const unsigned char byte : digest) {
    hex += kDigits[byte >> 4];
    hex += kDigits[byte & 15];
  }
  return hex;
}

}  // namespace

std::string sha256(std::string_view bytes) { return hexadecimal(digest_of(bytes)); }

std::string hmac_sha256(std::string_view key, std::string_view bytes) {
  Digest digest;
  unsigned int size = 0;
  if (HMAC(EVP_sha256(), key.data(), static_cast<int>(key.size()), reinterpret_cast<const unsigned char*>(bytes.data()),
           bytes.size(), digest.data(), &size) == nullptr) {
    throw std::runtime_error("HMAC-SHA-256 failed");
  }
  return hexadecimal(digest);
}

}  // namespace oddsbound::base
