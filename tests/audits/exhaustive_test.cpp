#include "audits/exhaustive.h"

#include <doctest/doctest.h>

#include <bit>
#include <functional>

#include "base/errors.h"
#include "mechanisms/mechanism.h"
#include "mechanisms/random/distributions.h"
#include "tests/support/effort.h"
#include "tests/support/families.h"
#include "tests/support/function_sampler.h"

using namespace oddsbound;
using oddsbound::testing::effort;
using oddsbound::testing::finite_examples;
using oddsbound::testing::FunctionSampler;
using oddsbound::testing::kFive;
using oddsbound::testing::kThree;
using oddsbound::testing::read_example;

TEST_CASE("the sampler of every family draws from its channel") {
  for (const auto& example : finite_examples()) {
    CAPTURE(example.mechanism);
    Budget budget;
    const Spec spec = read_example(example.domain, example.mechanism, budget);
    const ExhaustiveResult result =
        check_exhaustively(*spec.model.channel, *spec.mechanism.sampler_or_rows(), ExhaustiveOptions{}, budget);
    CHECK(result.passed());
    CHECK(result.entries == spec.model.channel->inputs() * spec.model.channel->outputs());
    CHECK(result.widest <= Number::ratio(1, std::int64_t{1} << 56));
    for (const CheckedEntry& entry : result.differs) {
      MESSAGE("input " << entry.input << " output " << entry.output << ": " << entry.stated.to_string() << " not in ["
                       << entry.lower.approx() << ", " << entry.upper.approx() << "]");
    }
    for (const CheckedChoice* choice : result.exceptions()) FAIL_CHECK(choice->what);
  }
}

namespace {

std::uint64_t drawn_below(std::uint64_t n, RandomSource& source) { return oddsbound::draw(UniformBelow(n), source); }
bool hadamard_sign(std::uint64_t row, std::uint64_t y) { return std::popcount(row & y) % 2 == 0; }

// Checks a sampler against the channel of a mechanism.
ExhaustiveResult check_against(const std::string& domain, const std::string& mechanism, const Sampler& sampler) {
  Budget budget;
  const Spec spec = read_example(domain, mechanism, budget);
  return check_exhaustively(*spec.model.channel, sampler, ExhaustiveOptions{}, budget);
}

// A choice with code that may be faulty.
class FaultyChoice final : public CodedChoice<FaultyChoice> {
 public:
  using Code = std::function<std::uint64_t(RandomSource& source)>;
  FaultyChoice(std::uint64_t id, std::vector<Number> stated, unsigned width, Code code)
      : id_(id), stated_(std::move(stated)), width_(width), code_(std::move(code)) {}
  Key key() const override { return {id_, 0, 0}; }
  std::string describe() const override { return "a choice under test"; }
  std::uint64_t outcomes() const override { return stated_.size(); }
  Number probability(std::uint64_t outcome) const override { return stated_[outcome]; }
  unsigned check_width() const override { return width_; }
  std::uint64_t run(RandomSource& source) const { return code_(source); }

 private:
  std::uint64_t id_;
  std::vector<Number> stated_;
  unsigned width_;
  Code code_;
};

const std::string kFair =
    R"j({"type": "matrix", "outputs": 2, "rows": [["1/3", "2/3"], ["1/3", "2/3"], ["1/3", "2/3"]]})j";

// Checks a sampler that answers with the choice, against a mechanism with P(0) = 1/3.
ExhaustiveResult check_choice(const FaultyChoice& choice) {
  return check_against(kThree, kFair,
                       FunctionSampler([&](std::uint64_t, RandomSource& source) { return draw(choice, source); }));
}

const std::vector<Number> kThirds{Number::ratio(1, 3), Number::ratio(2, 3)};

}  // namespace

TEST_CASE("faults of samplers are caught") {
  const Bernoulli keep(Number::ratio(3, 7));
  const std::string response = R"j({"type": "k_randomized_response", "epsilon": "log(3)"})j";
  const auto respond = [&](auto&& skips) {
    return FunctionSampler([&, skips](std::uint64_t x, RandomSource& source) {
      if (keep(source) == 1) return x;
      const std::uint64_t other = drawn_below(4, source);
      return other + (skips(other, x) ? 1 : 0);
    });
  };
  SUBCASE("the same code without a fault passes") {
    CHECK(check_against(kFive, response, respond([](auto other, auto x) { return other >= x; })).passed());
  }
  SUBCASE("> for >=") {
    const auto result = check_against(kFive, response, respond([](auto other, auto x) { return other > x; }));
    CHECK_FALSE(result.passed());
    CHECK(result.differs[0].stated != result.differs[0].lower);
  }
  SUBCASE("others drawn with the input among them") {
    CHECK_FALSE(check_against(kFive, response, FunctionSampler([&](std::uint64_t x, RandomSource& source) {
                                return keep(source) == 1 ? x : drawn_below(5, source);
                              }))
                    .passed());
  }
  const std::string hadamard = R"j({"type": "hadamard_response", "epsilon": "log(3)"})j";
  const Bernoulli sign(Number::ratio(3, 4));
  const auto respond_by_row = [&](std::uint64_t shift, std::uint64_t order) {
    return FunctionSampler([&sign, shift, order](std::uint64_t x, RandomSource& source) {
      const std::uint64_t row = x + shift;
      const bool positive = sign(source) == 1;
      const std::uint64_t y = drawn_below(order, source);
      return hadamard_sign(row, y) == positive ? y : y ^ (row & -row);
    });
  };
  SUBCASE("the Hadamard code without a fault passes") {
    CHECK(check_against(kFive, hadamard, respond_by_row(1, 8)).passed());
  }
  SUBCASE("a Hadamard row off by one") { CHECK_FALSE(check_against(kFive, hadamard, respond_by_row(0, 8)).passed()); }
  SUBCASE("another Hadamard row off by one") {
    CHECK_FALSE(check_against(kFive, hadamard, respond_by_row(2, 8)).passed());
  }
  SUBCASE("half of the power of two") { CHECK_FALSE(check_against(kFive, hadamard, respond_by_row(1, 4)).passed()); }
  SUBCASE("a Hadamard output that is not flipped") {
    CHECK_FALSE(check_against(kFive, hadamard, FunctionSampler([&](std::uint64_t, RandomSource& source) {
                                (void)sign(source);
                                return drawn_below(8, source);
                              }))
                    .passed());
  }
  SUBCASE("a reused bit") {
    const std::string twice =
        R"j({"type": "matrix", "outputs": 4, "rows": [["1/4","1/4","1/4","1/4"], ["1/4","1/4","1/4","1/4"],
             ["1/4","1/4","1/4","1/4"]]})j";
    CHECK(check_against(kThree, twice, FunctionSampler([](std::uint64_t, RandomSource& source) {
                          const std::uint64_t high = drawn_below(2, source);
                          return 2 * high + drawn_below(2, source);
                        }))
              .passed());
    const auto result = check_against(kThree, twice, FunctionSampler([](std::uint64_t, RandomSource& source) {
                                        const std::uint64_t bit = drawn_below(2, source);
                                        return 2 * bit + bit;
                                      }));
    CHECK(result.differs.size() == 12);
  }
  const std::string geometric = R"j({"type": "truncated_geometric", "epsilon": "log(2)"})j";
  const auto noise = [](bool one_further) {
    const auto none = std::make_shared<const Bernoulli>(Number::ratio(1, 3));
    return FunctionSampler([=](std::uint64_t x, RandomSource& source) {
      if ((*none)(source) == 1) return x;
      const bool up = drawn_below(2, source) == 1;
      const std::uint64_t room = up ? 4 - x : x;
      std::uint64_t steps = one_further ? 0 : 1;
      while (steps < room && drawn_below(2, source) == 1) ++steps;
      steps = std::min(steps, room);
      return up ? x + steps : x - steps;
    });
  };
  SUBCASE("noise that starts from one passes, from zero does not") {
    CHECK(check_against(kFive, geometric, noise(false)).passed());
    CHECK_FALSE(check_against(kFive, geometric, noise(true)).passed());
  }
  SUBCASE("words drawn past the choices") {
    CHECK_THROWS_AS(check_against(kFive, response, FunctionSampler([](std::uint64_t, RandomSource& source) {
                                    return source.word() % 5;
                                  })),
                    ModelError);
  }
  SUBCASE("an output that the channel does not have") {
    CHECK_FALSE(
        check_against(kFive, response, FunctionSampler([](std::uint64_t, RandomSource&) { return 7; })).passed());
  }
}

TEST_CASE("what is cut off may belong to any outcome, also of a sampler that draws again") {
  // Half of all attempts are accepted. Of those, the output is 1 if three fair coins in a row are tails. The runs
  // that are cut off are the long ones, and all of them give 1.
  class Patient final : public RejectionSampler {
   public:
    bool attempt(std::uint64_t, RandomSource& source, std::span<std::uint64_t> output) const override {
      if (drawn_below(2, source) == 0) return false;
      std::uint64_t tails = 0;
      while (drawn_below(2, source) == 1) ++tails;
      output[0] = tails >= 3 ? 1 : 0;
      return true;
    }
  };
  Budget budget;
  const Spec spec = read_example(R"j([{"name": "x", "size": 1}])j",
                                 R"j({"type": "matrix", "outputs": 2, "rows": [["7/8", "1/8"]]})j", budget);
  for (const unsigned bits : {10U, 30U, 60U}) {
    ExhaustiveOptions options;
    options.bound_bits = bits;
    options.keep_intervals = true;
    const ExhaustiveResult result = check_exhaustively(*spec.model.channel, Patient(), options, budget);
    CHECK(result.passed());
    CHECK(result.intervals[1].lower < Number::ratio(1, 8));
    CHECK(result.intervals[1].upper >= Number::ratio(1, 8));
    CHECK(result.widest < Number::ratio(1, std::int64_t{1} << (bits - 4)));
    CHECK(result.widest > Number(0));
  }
}

TEST_CASE("faults in the code of a choice are caught, word by word") {
  SUBCASE("an exact choice passes") {
    CHECK(check_choice(FaultyChoice(1, kThirds, 2, [](RandomSource& source) {
            return UniformBelow(3).run(source) < 1 ? 0 : 1;
          })).passed());
  }
  SUBCASE("<= for <") {
    const auto result = check_choice(
        FaultyChoice(2, kThirds, 2, [](RandomSource& source) { return UniformBelow(3).run(source) <= 1 ? 0 : 1; }));
    CHECK_FALSE(result.passed());
    CHECK(result.differs.empty());  // the sampler uses its choice correctly; the choice is wrong
    CHECK(result.choices[0].differs.size() == 2);
  }
  SUBCASE("a remainder for a uniform choice") {
    CHECK_FALSE(check_choice(FaultyChoice(3, kThirds, 4, [](RandomSource& source) {
                  return source.word() % 3 == 0 ? 0 : 1;
                })).passed());
  }
  SUBCASE("a carry that is forgotten") {
    CHECK_FALSE(check_choice(FaultyChoice(4, kThirds, 5, [](RandomSource& source) {
                  return (source.word() * 3) >> source.width() == 0 ? 0 : 1;
                })).passed());
  }
  SUBCASE("a word used twice") {
    const std::vector<Number> quarters(4, Number::ratio(1, 4));
    CHECK_FALSE(check_choice(FaultyChoice(5, quarters, 3, [](RandomSource& source) {
                  const std::uint64_t word = source.word();
                  return 2 * (word >> 2) + (word >> 2);
                })).passed());
  }
  SUBCASE("digits compared the wrong way where they are equal") {
    CHECK_FALSE(check_choice(FaultyChoice(6, kThirds, 1, [](RandomSource& source) {
                  for (std::uint64_t digit = 0;; digit = 1 - digit) {  // 1/3 = 0.010101...
                    if (source.word() != digit) return digit == 1 ? 1 : 0;
                  }
                })).passed());
  }
}

TEST_CASE("uniform choices below every small n, with words of every width that holds n") {
  for (std::uint64_t n = 1; n <= std::uint64_t{effort(40, 17)}; ++n) {
    for (unsigned width = static_cast<unsigned>(std::bit_width(n - 1)); width <= 8; ++width) {
      if (width == 0) continue;
      const FaultyChoice choice(100 * n + width, std::vector<Number>(n, Number::ratio(1, static_cast<std::int64_t>(n))),
                                width, [n](RandomSource& source) { return UniformBelow(n).run(source); });
      Budget budget;
      const std::string outputs = std::to_string(n);
      std::string row;
      for (std::uint64_t y = 0; y < n; ++y) row += (y > 0 ? ",\"1/" : "\"1/") + outputs + "\"";
      const Spec spec =
          read_example(R"j([{"name": "x", "size": 1}])j",
                       R"j({"type": "matrix", "outputs": )j" + outputs + ", \"rows\": [[" + row + "]]}", budget);
      const auto result = check_exhaustively(
          *spec.model.channel, FunctionSampler([&](std::uint64_t, RandomSource& s) { return draw(choice, s); }),
          ExhaustiveOptions{}, budget);
      CHECK_MESSAGE(result.passed(), n << " with words of " << width << " bits");
    }
  }
}

TEST_CASE("a choice of which nothing can be shown is an exception, and is not counted as shown") {
  const FaultyChoice unknown(200, kThirds, 0, [](RandomSource& source) { return source.word() % 2; });
  const ExhaustiveResult result = check_choice(unknown);
  CHECK(result.passed());
  REQUIRE(result.exceptions().size() == 1);
  CHECK(result.exceptions()[0]->what == "a choice under test");
  CHECK(result.exceptions()[0]->by == ShownBy::kNothing);
}

TEST_CASE("uniform and rational choices of any size are shown, not only those with few words") {
  const std::string one = R"j([{"name": "x", "size": 1}])j";
  const std::string halves = R"j({"type": "matrix", "outputs": 2, "rows": [["1/4", "3/4"]]})j";
  for (const std::uint64_t quarter : {1ULL, 1'000'003ULL, 1ULL << 40, 4'000'000'000'000'000'037ULL}) {
    const BernoulliRatio choice(3 * quarter, 4 * quarter);
    const ExhaustiveResult result = check_against(
        one, halves, FunctionSampler([&](std::uint64_t, RandomSource& source) { return draw(choice, source); }));
    CHECK(result.passed());
    CHECK(result.exceptions().empty());
    REQUIRE(result.choices.size() == 2);
    CHECK(result.choices[0].by == ShownBy::kBranches);
    CHECK(result.choices[0].widest.is_zero());
    CHECK(result.choices[0].runs == 2);
    CHECK(result.choices[1].by == ShownBy::kInduction);
  }
}

namespace {

// Compares a uniform integer below one million with a threshold that may be wrong.
class Threshold final : public ComparingChoice<Threshold> {
 public:
  explicit Threshold(std::uint64_t ones) : ones_(ones) {}
  Key key() const override { return {ones_, 0, 0}; }
  std::string describe() const override { return "a threshold under test"; }
  std::uint64_t outcomes() const override { return 2; }
  Number probability(std::uint64_t outcome) const override {
    return Number::ratio(outcome == 1 ? 250'000 : 750'000, 1'000'000);
  }
  template <class Source>
  std::uint64_t run(Source& source) const {
    return draw(UniformBelow(1'000'000), source) < ones_ ? 1 : 0;
  }

 private:
  std::uint64_t ones_;
};

// Compares words of an even width with the digits of 1/3; with those of 2/3 if words are wider than `right`.
class LongWords final : public ComparingChoice<LongWords> {
 public:
  explicit LongWords(unsigned right) : right_(right) {}
  Key key() const override { return {right_, 0, 0}; }
  std::string describe() const override { return "a choice under test"; }
  std::uint64_t outcomes() const override { return 2; }
  Number probability(std::uint64_t outcome) const override { return kThirds[outcome]; }
  template <class Source>
  std::uint64_t run(Source& source) const {
    const unsigned width = source.width();
    const std::uint64_t digits = 0x5555555555555555 >> (64 - width) << (width > right_ ? 1 : 0);
    for (;;) {
      const auto word = source.word();
      if (word < digits) return 0;
      if (digits < word) return 1;
    }
  }

 private:
  unsigned right_;
};

ExhaustiveResult check_comparing(const std::string& mechanism, const Sampler& sampler) {
  return check_against(R"j([{"name": "x", "size": 1}])j", mechanism, sampler);
}

}  // namespace

TEST_CASE("faults of code that only compares are caught, also those that only words of full width show") {
  const std::string quarters = R"j({"type": "matrix", "outputs": 2, "rows": [["3/4", "1/4"]]})j";
  const auto threshold = [&](std::uint64_t ones) {
    const Threshold choice(ones);
    return check_comparing(quarters,
                           FunctionSampler([&](std::uint64_t, RandomSource& source) { return draw(choice, source); }));
  };
  CHECK(threshold(250'000).passed());
  CHECK_FALSE(threshold(250'001).passed());
  CHECK_FALSE(threshold(249'999).passed());
  const std::string thirds = R"j({"type": "matrix", "outputs": 2, "rows": [["1/3", "2/3"]]})j";
  const auto words = [&](unsigned right) {
    const LongWords choice(right);
    return check_comparing(thirds,
                           FunctionSampler([&](std::uint64_t, RandomSource& source) { return draw(choice, source); }));
  };
  CHECK(words(64).passed());
  CHECK_FALSE(words(63).passed());
}

TEST_CASE("what a sampler does not write is no output, nor is a part of one that the part does not have") {
  const std::string coin =
      R"j({"type": "matrix", "outputs": 2, "rows": [["1/2","1/2"], ["1/2","1/2"], ["1/2","1/2"]]})j";
  class Forgetful final : public Sampler {
   public:
    void draw(std::uint64_t, RandomSource& source, std::span<std::uint64_t> output) const override {
      if (drawn_below(2, source) == 1) output[0] = 1;
    }
  };
  CHECK_FALSE(check_against(kThree, coin, Forgetful()).passed());
  // (0, 2) is not (1, 0), though both would have the number 2.
  class Overflowing final : public Sampler {
   public:
    void draw(std::uint64_t, RandomSource& source, std::span<std::uint64_t> output) const override {
      const std::uint64_t y = drawn_below(4, source);
      output[0] = y == 2 ? 0 : y / 2;
      output[1] = y == 2 ? 2 : y % 2;
    }
  };
  const std::string two_coins = R"j({"type": "repeat", "times": 2, "mechanism": )j" + coin + "}";
  CHECK_FALSE(check_against(kThree, two_coins, Overflowing()).passed());
}

TEST_CASE("samplers that cannot be replayed are refused") {
  SUBCASE("one that remembers its last run") {
    std::uint64_t runs = 0;
    CHECK_THROWS_AS(check_against(kThree, kFair, FunctionSampler([&](std::uint64_t, RandomSource& source) {
                                    return drawn_below(++runs % 2 == 0 ? 2 : 3, source) == 0 ? 0 : 1;
                                  })),
                    ModelError);
  }
  SUBCASE("one that stops drawing") {
    std::uint64_t runs = 0;
    CHECK_THROWS_AS(check_against(kThree, kFair, FunctionSampler([&](std::uint64_t, RandomSource& source) {
                                    return runs++ == 0 ? drawn_below(3, source) : 0;
                                  })),
                    ModelError);
  }
  SUBCASE("a choice that is made by making it") {
    const FaultyChoice* self = nullptr;
    const FaultyChoice circular(201, kThirds, 1, [&](RandomSource& source) { return draw(*self, source); });
    self = &circular;
    CHECK_THROWS_AS(check_choice(circular), ModelError);
  }
}

TEST_CASE("choices of two classes are two choices, whatever their keys") {
  // The second choice has the key of the uniform choice; its code is faulty.
  const FaultyChoice faulty(3, kThirds, 1, [](RandomSource& source) { return source.word(); });
  CHECK_FALSE(check_against(kThree, kFair, FunctionSampler([&](std::uint64_t x, RandomSource& source) {
                              if (x == 0) return drawn_below(3, source) == 0 ? std::uint64_t{0} : 1;
                              return draw(faulty, source);
                            }))
                  .passed());
}

TEST_CASE("a choice that calls itself uniform must be") {
  class Crooked final : public CodedChoice<Crooked> {
   public:
    explicit Crooked(std::int64_t first) : first_(first) {}
    Key key() const override { return {0, 0, 0}; }
    std::string describe() const override { return "a choice under test"; }
    std::uint64_t outcomes() const override { return 2; }
    Number probability(std::uint64_t outcome) const override { return Number::ratio(outcome == 0 ? first_ : 1, 4); }
    bool is_uniform() const override { return true; }
    unsigned check_width() const override { return 2; }
    std::uint64_t run(RandomSource& source) const { return source.word() == 0 ? 1 : 0; }

   private:
    std::int64_t first_;
  };
  const auto check = [&](const Crooked& crooked) {
    return check_against(kThree, R"j({"type": "matrix", "outputs": 2,
                                      "rows": [["1/2","1/2"], ["1/2","1/2"], ["1/2","1/2"]]})j",
                         FunctionSampler([&](std::uint64_t, RandomSource& source) { return draw(crooked, source); }));
  };
  CHECK_THROWS_AS(check(Crooked(3)), ModelError);
  CHECK_FALSE(check(Crooked(2)).passed());  // the code gives 3/4 and 1/4, like probability(1)
}
