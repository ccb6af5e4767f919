#include "reports/environment.h"

#include <arb.h>
#include <gmp.h>
#include <sys/utsname.h>
#include <z3.h>

#include <flint/flint.h>
#include <openssl/crypto.h>

namespace oddsbound::reports {

std::vector<std::pair<std::string, std::string>> environment() {
  utsname system{};
  uname(&system);
  unsigned major = 0, minor = 0, build = 0, revision = 0;
  Z3_get_version(&major, &minor, &build, &revision);
  return {{"system", std::string(system.sysname) + " " + system.release + " " + system.machine},
#ifdef __clang__
          {"compiler", "Clang " __clang_version__},
#else
          {"compiler", "GCC " __VERSION__},
#endif
          {"GMP", gmp_version},
          {"FLINT", FLINT_VERSION},
          {"Arb", arb_version},
          {"Z3", std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(build)},
          {"OpenSSL", OpenSSL_version(OPENSSL_VERSION)}};
}

std::string random_words(const std::optional<std::uint64_t>& seed) {
  return seed ? "seeded (Threefry): reproducible, not private" : "system (OpenSSL)";
}

}  // namespace oddsbound::reports
