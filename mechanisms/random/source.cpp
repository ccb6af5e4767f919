#include "mechanisms/random/source.h"

#include <Random123/threefry.h>
#include <openssl/crypto.h>
#include <openssl/rand.h>
#include <stdexcept>

namespace oddsbound::mechanisms {

namespace {
constexpr std::size_t kSystemWords = 1024;
constexpr std::size_t kSeededWords = 256;
}  // namespace

SystemSource::SystemSource() : buffer_(kSystemWords) {}

SystemSource::~SystemSource() { OPENSSL_cleanse(buffer_.data(), buffer_.size() * sizeof(std::uint64_t)); }

void SystemSource::refill() {
  if (RAND_bytes(reinterpret_cast<unsigned char*>(buffer_.data()),
                 static_cast<int>(buffer_.size() * sizeof(std::uint64_t))) != 1) {
    throw std::runtime_error("the system's random generator failed");
  }
  provide(buffer_.data(), buffer_.size());
}

SeededSource::SeededSource(std::uint64_t seed, std::uint64_t purpose, std::uint64_t stream)
    : seed_(seed), purpose_(purpose), stream_(stream), buffer_(kSeededWords) {}

void SeededSource::refill() {
  r123::Threefry4x64 generator;
  const r123::Threefry4x64::key_type key{{seed_, purpose_, 0, 0}};
  for (std::size_t i = 0; i < buffer_.size(); i += 4) {
    const r123::Threefry4x64::ctr_type counter{{block_++, stream_, 0, 0}};
    const r123::Threefry4x64::ctr_type words = generator(counter, key);
    for (std::size_t w = 0; w < 4; ++w) buffer_[i + w] = words[w];
  }
  provide(buffer_.data(), buffer_.size());
}

}  // namespace oddsbound::mechanisms
