#include <doctest/doctest.h>

#include "app/exhaustive.h"
#include "mechanisms/random/choice.h"
#include "reports/check.h"
#include "reports/formats.h"
#include "reports/text.h"
#include "tests/support/families.h"
#include "tests/support/read_back.h"

using namespace oddsbound;
using oddsbound::testing::read_back;
using oddsbound::testing::read_example;

namespace {

// Always answers truthfully (shift 0), or returns an output that does not exist.
class Blunt final : public Sampler {
 public:
  explicit Blunt(std::uint64_t shift) : shift_(shift) {}
  void draw(std::uint64_t x, RandomSource&, std::span<std::uint64_t> output) const override { output[0] = x + shift_; }

 private:
  std::uint64_t shift_;
};

Report audit_of(const Sampler& sampler) {
  Budget budget;
  const Spec spec = read_example(R"j([{"name": "x", "values": ["no", "yes"]}])j",
                                 R"j({"type": "k_randomized_response", "epsilon": "log(3)"})j", budget);
  Report run;
  run.kind = Report::Kind::kExhaustive;
  run.bound = "2^-60";
  ExhaustiveAudit audit;
  audit.derived = derivation_of(spec, check_exhaustively(*spec.model.channel, sampler, ExhaustiveOptions{}, budget));
  run.audits.push_back({"example.json", "example", {}, std::move(audit)});
  return run;
}

ExhaustiveAudit& audit_in(Report& run) { return std::get<ExhaustiveAudit>(run.audits.at(0).found); }

}  // namespace

TEST_CASE("a sampler that differs is named with its entries, and the exit status is 1") {
  const Report run = audit_of(Blunt(0));
  CHECK(run.exit_status() == 1);
  const std::string text = text_audits(run);
  CHECK(text.find("fails: 4 entries") != std::string::npos);
  CHECK(text.find("input no, output `no`: stated 3/4, the code's lies in [1, 1]") != std::string::npos);
  CHECK(text.find("input yes, output `no`: stated 1/4, the code's lies in [0, 0]") != std::string::npos);
  CHECK(text_audits(read_back(run)) == text);
  const std::string json = to_json(run);
  CHECK(json.find("\"verdict\": \"fails\"") != std::string::npos);
  CHECK(json.find("\"failed\": 1") != std::string::npos);
  CHECK(json.find("\"stated\": \"3/4\"") != std::string::npos);
  // A document whose verdict contradicts its own entries is rejected.
  std::string lie = json;
  const std::string fails = "\"verdict\": \"fails\"";
  lie.replace(lie.find(fails), fails.size(), "\"verdict\": \"passes\"");
  CHECK_THROWS_AS(read_back(lie), SpecError);
}

TEST_CASE("an output that the mechanism does not have is named, however large") {
  const Report run = audit_of(Blunt(std::uint64_t{1} << 60));
  CHECK(run.exit_status() == 1);
  CHECK(text_audits(run).find("an output that the mechanism does not have: stated 0, the code's lies in [1, 1]") !=
        std::string::npos);
  CHECK(to_json(run).find("\"output\": null") != std::string::npos);
}

TEST_CASE("a choice of which nothing was shown is named, and does not pass unless that is accepted") {
  Report run = audit_of(Blunt(0));
  audit_in(run).derived->differs.clear();
  audit_in(run).derived->choices.push_back(
      {"uniform below 5000", ShownBy::kNothing, "no proof by induction: Z3 was stopped", 0, "0", false, {}});
  audit_in(run).derived->choices.push_back({"uniform below 3", ShownBy::kInduction, "", 0, "0", false, {}});
  CHECK(run.exit_status() == 3);
  const std::string text = text_audits(run);
  CHECK(
      text.find("passes, except for 1 choice too large to enumerate: uniform below 5000 (no proof by induction: Z3 was "
                "stopped)\n") != std::string::npos);
  CHECK(text.find("2 kinds of random choices, checked down to random words: 1 by induction, 1 not at all") !=
        std::string::npos);
  const std::string json = to_json(run);
  CHECK(json.find("\"verdict\": \"passes except\"") != std::string::npos);
  CHECK(json.find("\"verdict\": \"not enumerated\"") != std::string::npos);
  CHECK(json.find("\"by\": \"induction\"") != std::string::npos);
  CHECK(json.find("\"passed\": 0") != std::string::npos);
  CHECK(json.find("\"excepted\": 1") != std::string::npos);
  audit_in(run).accepted = true;
  CHECK(run.exit_status() == 0);
  CHECK(text_audits(run) == text);
}

TEST_CASE("what was derived of a choice that fails is read back with its entries") {
  Report run = audit_of(Blunt(0));
  const DerivedEntry entry{{}, std::nullopt, 0, 2, Number::ratio(1, 3), "0.14", "0.29"};
  audit_in(run).derived->choices.push_back({"uniform below 3", ShownBy::kEnumeration, "", 9, "0.15", true, {entry}});
  const Report read = read_back(run);
  CHECK(text_audits(read) == text_audits(run));
  CHECK(to_json(read) == to_json(run));
  CHECK(text_audits(read).find("uniform below 3, outcome 2: stated 1/3") != std::string::npos);
}

TEST_CASE("exceptions in results are open, or noted if they were accepted; never passes") {
  Report run = audit_of(Blunt(0));
  audit_in(run).derived->differs.clear();
  audit_in(run).derived->choices.push_back(
      {"uniform below 5000", ShownBy::kNothing, "no proof by induction: Z3 was stopped", 0, "0", false, {}});
  const auto outcome = [&] { return checks_of(read_back(run), run.exit_status()).list.at(0); };
  CHECK(outcome().outcome == Outcome::kUndecided);
  CHECK(outcome().message.find("uniform below 5000") != std::string::npos);
  audit_in(run).accepted = true;
  CHECK(outcome().outcome == Outcome::kNote);
  CHECK(outcome().message.find("uniform below 5000") != std::string::npos);
  // As version 0.5.0 wrote it.
  audit_in(run).accepted = false;
  std::string old = to_json(run);
  const std::string verdict = "passes except";
  REQUIRE(old.find(verdict) != std::string::npos);
  old.replace(old.find(verdict), verdict.size(), "passes");
  CHECK(checks_of(read_back(old), 0).list.at(0).outcome == Outcome::kUndecided);
}
