#include "reports/environment.h"

#include <arb.h>
#include <gmp.h>
#include <sys/utsname.h>
#include <z3.h>

#include <flint/flint.h>
#include <openssl/crypto.h>

#include "base/characters.h"

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

nlohmann::ordered_json json_head() { return json_head(ODDSBOUND_VERSION); }

nlohmann::ordered_json json_head(const std::string& version) {
  nlohmann::ordered_json head;
  head["oddsbound"] = 1;
  head["tool"] = {{"name", "oddsbound"}, {"version", version}};
  return head;
}

std::string json_text(const nlohmann::ordered_json& document) {
  return json_escaped(document.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace)) + "\n";
}

std::string one_line(const nlohmann::ordered_json& part) {
  return json_escaped(part.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
}

}  // namespace oddsbound::reports
