#include "audits/induction.h"

#include <doctest/doctest.h>

#include <optional>
#include <vector>

using namespace oddsbound;

namespace {

const ChildLimits kLimits{60, 2048};

// The induction step, with faults.
enum class Fault {
  kNone,
  kCertainTooEarly,
  kCarryLate,
  kNoCarryLate,
  kNoCarry,
  kMask,
  kOldFraction,
  kNeverEnds,
  kTruncated
};

template <Fault kFault>
struct FaultyStep {
  template <class Word>
  using Begun = UniformStep::Begun<Word>;
  template <class Word>
  using Wide = typename Widened<Word>::Type;
  static std::uint64_t mask(unsigned width) { return UniformStep::mask(width) >> (kFault == Fault::kMask ? 1 : 0); }

  template <class Word>
  static Begun<Word> first(Word word, Word n, unsigned width) {
    const auto product = static_cast<Wide<Word>>(word) * n;
    const Word ones = mask(width);
    const auto whole = static_cast<Word>(product >> width);
    const Word fraction = static_cast<Word>(product) & ones;
    const Word least = ones - (n - (kFault == Fault::kCertainTooEarly ? 2 : 1));
    return {whole, fraction, static_cast<bool>(fraction <= least)};
  }

  template <class Word>
  static Carry next(Word word, Word n, unsigned width, Word& fraction) {
    const auto product = static_cast<Wide<Word>>(word) * n;
    const Word ones = mask(width);
    auto sum = static_cast<Wide<Word>>(fraction) + (product >> width);
    if (kFault == Fault::kTruncated) sum = static_cast<Word>(sum);
    if (kFault == Fault::kCarryLate ? sum >= ones : sum > ones) {
      return kFault == Fault::kNoCarry ? Carry::kNone : Carry::kOne;
    }
    if (kFault == Fault::kNoCarryLate ? sum <= ones : sum < ones) return Carry::kNone;
    if (kFault != Fault::kOldFraction) fraction = static_cast<Word>(product) & ones;
    if (kFault == Fault::kNeverEnds) return Carry::kOpen;
    return fraction <= ones - (n - 1) ? Carry::kNone : Carry::kOpen;
  }
};

// Checks the proof for all n at once, and for some n individually.
template <Fault kFault>
void check_refuted(const std::string& lemma, const std::vector<std::uint64_t>& alone = {}) {
  std::vector<std::optional<std::uint64_t>> all{std::nullopt};
  all.insert(all.end(), alone.begin(), alone.end());
  for (const std::optional<std::uint64_t> n : all) {
    const InductionProof proof = prove_uniform<FaultyStep<kFault>>(64, n, kLimits);
    CAPTURE(proof.reason);
    CHECK_FALSE(proof.proved);
    CHECK(proof.refuted);
    CHECK(proof.reason.find(lemma) == 0);
    CHECK(proof.reason.find(" does not hold for n = " + (n ? std::to_string(*n) + "," : "")) != std::string::npos);
  }
}

}  // namespace

TEST_CASE("uniform choices below every n are proved by induction, at the width of words that they run with") {
  const InductionProof proof = uniform_choices_proof(kLimits);
  CHECK(proof.proved);
  CHECK(proof.reason.empty());
}

TEST_CASE("the step of uniform choices is proved for words of other widths as well, and for a single n") {
  for (const unsigned width : {1U, 2U, 8U, 16U}) CHECK(prove_uniform<UniformStep>(width, std::nullopt, kLimits).proved);
  CHECK(prove_uniform<UniformStep>(64, 1'000'003, kLimits).proved);
  CHECK(prove_uniform<FaultyStep<Fault::kNone>>(64, std::nullopt, kLimits).proved);
}

TEST_CASE("faults of the step are refuted for every n at once, and for large n") {
  SUBCASE("a floor that is called certain one too early") {
    check_refuted<Fault::kCertainTooEarly>("the lemma of the certain floor", {5000, 1'000'003});
  }
  SUBCASE(">= for >") { check_refuted<Fault::kCarryLate>("the lemma of a carry"); }
  SUBCASE("<= for <") { check_refuted<Fault::kNoCarryLate>("the lemma of no carry", {5000, 1'000'003}); }
  SUBCASE("a carry that is forgotten") { check_refuted<Fault::kNoCarry>("the lemma of no carry", {5000, 1'000'003}); }
  SUBCASE("a mask that is one digit too short") { check_refuted<Fault::kMask>("the lemma of", {5000, 1'000'003}); }
  SUBCASE("the fraction of the word before") { check_refuted<Fault::kOldFraction>("the lemma of"); }
  SUBCASE("words that are drawn on when all is decided") { check_refuted<Fault::kNeverEnds>("the lemma of an end"); }
  SUBCASE("a sum that wraps around") { check_refuted<Fault::kTruncated>("the lemma of no carry"); }
}

TEST_CASE("a limit leaves the proof open, and refutes nothing") {
  const InductionProof proof = prove_uniform<UniformStep>(64, std::nullopt, {0.0001, 2048});
  CHECK_FALSE(proof.proved);
  CHECK_FALSE(proof.refuted);
  CHECK(proof.reason.find("--smt-seconds") != std::string::npos);
}

TEST_CASE("the lemmas hold of the step on machine words, for every n, state and word of up to eight bits") {
  std::uint64_t wrong = 0;
  for (unsigned width = 1; width <= 8; ++width) {
    const std::uint64_t words = std::uint64_t{1} << width;
    const std::uint64_t square = words * words;
    for (std::uint64_t n = 2; n <= words; ++n) {
      for (std::uint64_t word = 0; word < words; ++word) {
        const auto begun = UniformStep::first<std::uint64_t>(word, n, width);
        const std::uint64_t most = (begun.whole + (begun.certain ? 1 : 2)) * words;
        wrong +=
            word * n == begun.whole * words + begun.fraction && begun.fraction < words && word * n + n <= most ? 0 : 1;
        for (std::uint64_t before = 0; before < words; ++before) {
          std::uint64_t fraction = before;
          const std::uint64_t sum = before * words + word * n;
          switch (UniformStep::next<std::uint64_t>(word, n, width, fraction)) {
            case Carry::kNone: wrong += sum + n <= square ? 0 : 1; break;
            case Carry::kOne: wrong += sum >= square ? 0 : 1; break;
            case Carry::kOpen:
              wrong += sum + words == square + fraction && sum < square && sum + n > square ? 0 : 1;
              break;
          }
        }
      }
    }
  }
  CHECK(wrong == 0);
}
