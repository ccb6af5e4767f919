#include "audits/composition.h"

#include <doctest/doctest.h>

#include <array>
#include <functional>

#include "audits/exhaustive.h"
#include "base/errors.h"
#include "tests/support/families.h"

using namespace oddsbound;
using oddsbound::testing::kPair;
using oddsbound::testing::read_example;

namespace {

// 2^24 entries: too many to be replayed as a whole.
const std::string kEleven =
    R"j({"type": "repeat", "times": 11, "mechanism": {"type": "per_coordinate", "mechanisms": {
         "a": {"type": "k_randomized_response", "epsilon": "log(2)"},
         "b": {"type": "k_randomized_response", "epsilon": "log(3)"}}}})j";

// The parts of another sampler, drawn by a function.
class Recomposed final : public Sampler {
 public:
  using Draw = std::function<void(std::span<const SamplerPart> parts, std::uint64_t x, RandomSource& source,
                                  std::span<std::uint64_t> output)>;
  Recomposed(const Sampler& sampler, Draw draw)
      : parts_(sampler.parts().begin(), sampler.parts().end()), draw_(std::move(draw)) {}
  void draw(std::uint64_t x, RandomSource& source, std::span<std::uint64_t> output) const override {
    draw_(parts_, x, source, output);
  }
  std::span<const SamplerPart> parts() const override { return parts_; }
  std::vector<SamplerPart>& parts() { return parts_; }

 private:
  std::vector<SamplerPart> parts_;
  Draw draw_;
};

void draw_one(const SamplerPart& part, std::uint64_t x, RandomSource& source, std::span<std::uint64_t> output,
              std::size_t place) {
  draw_part(*part.channel, *part.sampler, x, source, output.subspan(2 * place, 2));
}

void draw_all(std::span<const SamplerPart> parts, std::uint64_t x, RandomSource& source,
              std::span<std::uint64_t> output) {
  for (std::size_t p = 0; p < parts.size(); ++p) draw_one(parts[p], x, source, output, p);
}

}  // namespace

TEST_CASE("parts whose answers are exchanged do not make up the product, whichever they are") {
  Budget budget;
  const Spec spec =
      read_example(R"j([{"name": "x", "size": 30}])j", R"j({"type": "unary_encoding", "epsilon": "log(3)"})j", budget);
  const auto sampler = spec.mechanism.sampler_or_rows();
  const std::vector<std::array<std::size_t, 2>> exchanged{{0, 1}, {0, 2}, {1, 3}, {0, 16}, {13, 29}};
  for (const auto& places : exchanged) {
    const Recomposed faulty(*sampler, [&](auto, std::uint64_t x, RandomSource& source, auto output) {
      sampler->draw(x, source, output);
      std::swap(output[places[0]], output[places[1]]);
    });
    CHECK_THROWS_WITH_AS(check_exhaustively(*spec.model.channel, faulty, {}, budget),
                         doctest::Contains("does not draw its parts"), LimitError);
  }
}

TEST_CASE("a product too large to be replayed as a whole is checked part by part, and that these make up the whole") {
  Budget budget;
  const Spec spec = read_example(kPair, kEleven, budget);
  const Sampler& sampler = *spec.mechanism.sampler;
  const auto check = [&](const Sampler& checked) {
    return check_exhaustively(*spec.model.channel, checked, ExhaustiveOptions{}, budget);
  };
  SUBCASE("without a fault") {
    const ExhaustiveResult result = check(sampler);
    CHECK(result.passed());
    CHECK(result.parts == 11);
    CHECK(result.composed == 4);
    CHECK(check(Recomposed(sampler, draw_all)).passed());
  }
  SUBCASE("a part for another input") {
    const Recomposed faulty(sampler, [](auto parts, std::uint64_t x, RandomSource& source, auto output) {
      for (std::size_t p = 0; p < parts.size(); ++p) draw_one(parts[p], p == 7 ? x ^ 1 : x, source, output, p);
    });
    CHECK_THROWS_WITH_AS(check(faulty), doctest::Contains("for input number 0 the sampler does not draw its parts"),
                         LimitError);
  }
  SUBCASE("a part for another input, of one input alone") {
    const Recomposed faulty(sampler, [](auto parts, std::uint64_t x, RandomSource& source, auto output) {
      draw_all(parts, x == 3 ? 2 : x, source, output);
    });
    CHECK_THROWS_WITH_AS(check(faulty), doctest::Contains("for input number 3"), LimitError);
  }
  SUBCASE("an answer used twice") {
    const Recomposed faulty(sampler, [](auto parts, std::uint64_t x, RandomSource& source, auto output) {
      draw_all(parts, x, source, output);
      output[20] = output[18];
      output[21] = output[19];
    });
    CHECK_THROWS_AS(check(faulty), LimitError);
  }
  SUBCASE("a part that is not drawn") {
    const Recomposed faulty(sampler, [](auto parts, std::uint64_t x, RandomSource& source, auto output) {
      std::fill(output.begin(), output.end(), 0);
      draw_all(parts.first(10), x, source, output);
    });
    CHECK_THROWS_AS(check(faulty), LimitError);
  }
  SUBCASE("a part that is drawn twice") {
    const Recomposed faulty(sampler, [](auto parts, std::uint64_t x, RandomSource& source, auto output) {
      draw_all(parts, x, source, output);
      draw_one(parts[10], x, source, output, 10);
    });
    CHECK_THROWS_AS(check(faulty), LimitError);
  }
  SUBCASE("answers in each other's places") {
    const Recomposed faulty(sampler, [](auto parts, std::uint64_t x, RandomSource& source, auto output) {
      draw_all(parts, x, source, output);
      std::swap(output[0], output[2]);
      std::swap(output[1], output[3]);
    });
    CHECK_THROWS_AS(check(faulty), LimitError);
  }
  SUBCASE("words drawn past the parts") {
    const Recomposed faulty(sampler, [](auto parts, std::uint64_t x, RandomSource& source, auto output) {
      draw_all(parts, x, source, output);
      output[0] ^= source.word() & 1;
    });
    CHECK_THROWS_AS(check(faulty), ModelError);
  }
  SUBCASE("parts on other coordinates than the channel's factors") {
    Recomposed faulty(sampler, draw_all);
    faulty.parts()[4].coordinates = {1, 0};
    CHECK_THROWS_WITH_AS(check(faulty), doctest::Contains("the sampler's parts are not the channel's factors"),
                         LimitError);
  }
}

TEST_CASE("the bits of an encoding too large to be replayed are drawn by the code that is checked bit by bit") {
  Budget budget;
  const Spec spec =
      read_example(R"j([{"name": "x", "size": 18}])j", R"j({"type": "unary_encoding", "epsilon": "log(3)"})j", budget);
  const ExhaustiveResult result =
      check_exhaustively(*spec.model.channel, *spec.mechanism.sampler, ExhaustiveOptions{}, budget);
  CHECK(result.passed());
  CHECK(result.parts == 18);
  CHECK(result.composed == 18);
}
