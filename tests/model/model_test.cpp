#include <doctest/doctest.h>

#include <string>

#include "verifier/model/model.h"

namespace oddsbound {
namespace {

TEST_CASE("a lazy value that is kept is the value") {
  Lazy<std::string> lazy = std::string("ab");
  CHECK(lazy.is_kept());
  const Lazy<std::string> before = lazy;
  lazy.update([](std::string& text) { text += "c"; });
  CHECK(lazy.get() == "abc");
  CHECK(before.get() == "ab");
  CHECK(Lazy<std::string>().get().empty());
}

TEST_CASE("a lazy value is made each time, with all later changes in their order") {
  int made = 0;
  auto lazy = Lazy<std::string>::made_by([&made] {
    ++made;
    return std::string("a");
  });
  CHECK_FALSE(lazy.is_kept());
  CHECK(made == 0);
  Lazy<std::string> other = lazy;
  lazy.update([](std::string& text) { text += "b"; });
  lazy.update([](std::string& text) { text += "c"; });
  CHECK(made == 0);
  CHECK(lazy.get() == "abc");
  CHECK(lazy.get() == "abc");
  CHECK(other.get() == "a");
  CHECK(made == 3);
}

TEST_CASE("a lazy value in another form is kept if the value is, and made each time otherwise") {
  int formed = 0;
  const auto size = [&formed](const std::string& text) {
    ++formed;
    return text.size();
  };
  const Lazy<std::size_t> kept = Lazy<std::string>(std::string("ab")).mapped(size);
  REQUIRE(kept.kept() != nullptr);
  CHECK(*kept.kept() == 2);
  CHECK(kept.get() == 2);
  CHECK(formed == 1);
  const Lazy<std::size_t> made = Lazy<std::string>::made_by([] { return std::string("abc"); }).mapped(size);
  CHECK_FALSE(made.is_kept());
  CHECK(made.kept() == nullptr);
  CHECK(formed == 1);
  CHECK(made.get() == 3);
  CHECK(made.get() == 3);
  CHECK(formed == 3);
}

}  // namespace
}  // namespace oddsbound
