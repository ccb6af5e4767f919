#include "base/bytes.h"

#include <doctest/doctest.h>

using namespace oddsbound;

TEST_CASE("FNV-1a has the published values, and goes on from a hash") {
  CHECK(fnv1a("") == 0xcbf29ce484222325ULL);
  CHECK(fnv1a("a") == 0xaf63dc4c8601ec8cULL);
  CHECK(fnv1a("foobar") == 0x85944171f73967e8ULL);
  CHECK(fnv1a("bar", fnv1a("foo")) == fnv1a("foobar"));
}
