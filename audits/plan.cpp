#include "audits/plan.h"

#include <algorithm>
#include <boost/math/distributions/binomial.hpp>
#include <cmath>
#include <filesystem>

#include "audits/attack.h"
#include "audits/confidence.h"
#include "audits/exhaustive.h"
#include "audits/findings.h"
#include "audits/replay.h"
#include "base/errors.h"
#include "specs/reading.h"
#include "specs/spec_error.h"
#include "verifier/engine/measured_model.h"

namespace oddsbound::audits {

namespace {

const std::vector<std::pair<std::string, Expectation>> kExpectations{
    {"passes", Expectation::kPasses},
    {"passes for the inputs tried", Expectation::kPassesForTried},
    {"contradicted", Expectation::kContradicted},
    {"deviates", Expectation::kDeviates},
    {"fails", Expectation::kFails}};

Expectation read_expectation(JsonView value) {
  const std::string word = read_string(value, "the expectation");
  std::vector<std::string> words;
  for (const auto& [name, expectation] : kExpectations) {
    if (name == word) return expectation;
    words.push_back(name);
  }
  value.fail("found the expectation '" + printable(word) + "', expected " + listing(words), suggestion(word, words));
}

std::string beside(const std::string& directory, const std::string& file) {
  return (std::filesystem::path(directory) / file).lexically_normal().string();
}

void read_sampler(JsonView value, const std::string& directory, AuditRequest& request) {
  if (value.is_string()) {
    if (value.text() != "built in")
      value.fail("found '" + printable(value.text()) + "', expected \"built in\" or an object");
    return;
  }
  const Fields fields(value, {"program", "transcript", "one_process_per_sample"}, "a sampler");
  if (const auto program = fields.find("program")) {
    request.program = read_string(*program, "the program");
    if (request.program.empty()) program->fail("the program is empty");
    if (fields.has("transcript")) value.fail("found a program and a transcript, expected one of them");
  } else {
    request.transcript = beside(directory, read_string(fields.require("transcript"), "the transcript"));
  }
  if (const auto each = fields.find("one_process_per_sample")) {
    request.one_process_per_sample = read_boolean(*each, "one_process_per_sample");
    if (request.program.empty()) each->fail("only a program has processes");
  }
}

}  // namespace

std::string word_of(Expectation expectation) {
  return std::find_if(kExpectations.begin(), kExpectations.end(),
                      [&](const auto& item) { return item.second == expectation; })
      ->first;
}

double error_of_confidence(const Number& confidence) {
  if (confidence < Number::ratio(1, 2) || confidence >= Number(1)) {
    throw ModelError("found " + confidence.to_string() + ", expected a confidence from 1/2 to below 1");
  }
  const double error = (Number(1) - confidence).approx();
  constexpr double kLeast = 1e-12;
  if (error < kLeast) throw ModelError("a confidence above 1 - 1e-12 is more than can be had");
  return error;
}

AuditRequest read_plan(const std::string& path, Budget& budget) {
  return read_plan_text(path, read_file(path, budget.limits()), budget);
}

AuditRequest read_plan_text(const std::string& path, std::string text, Budget& budget) {
  const JsonDocument document(path, std::move(text));
  const std::string directory = std::filesystem::path(path).parent_path().string();
  const Fields fields = Fields::of_file(document, "plan",
                                        {"oddsbound", "name", "description", "spec", "sampler", "samples", "confidence",
                                         "seed", "until", "all_levels", "expect"},
                                        "an audit plan");
  Parameters none({}, {}, budget);
  AuditRequest request;
  request.files.push_back({path, sha256(document.text())});
  Remarks remarks;
  ReadingContext context{directory, none, budget, {}, request.files, remarks};
  read_integer(fields.require("oddsbound"), "the version", 1, 1);
  constexpr std::int64_t kMostSamples = 1'000'000'000'000;
  FoundErrors errors;
  errors.attempt([&] { request.name = read_string(fields.require("name"), "the name"); });
  const auto read = [&](const char* key, const auto& take) {
    errors.attempt([&] {
      if (const auto value = fields.find(key)) take(*value);
    });
  };
  read("description", [&](JsonView value) { read_string(value, "the description"); });
  errors.attempt([&] { request.spec = beside(directory, read_string(fields.require("spec"), "the spec")); });
  request.program_limits.directory = directory;
  read("sampler", [&](JsonView value) { read_sampler(value, directory, request); });
  read("samples", [&](JsonView value) {
    request.options.samples = static_cast<std::uint64_t>(read_integer(value, "the samples", 100, kMostSamples));
  });
  read("confidence", [&](JsonView value) {
    request.options.alpha = at_place(value, [&] { return error_of_confidence(read_number(value, context)); });
  });
  errors.attempt([&] {
    request.options.seed = static_cast<std::uint64_t>(read_integer(fields.require("seed"), "the seed", 0, INT64_MAX));
  });
  request.seed_given = true;
  read("until", [&](JsonView value) { request.until = read_boolean(value, "until"); });
  read("all_levels", [&](JsonView value) { request.options.all_levels = read_boolean(value, "all_levels"); });
  read("expect", [&](JsonView value) { request.expect = read_expectation(value); });
  errors.finish();
  return request;
}

namespace {

using Binomial = boost::math::binomial;

constexpr std::uint64_t kMostSamples = 1'000'000'000'000;
// The probability that there are fewer guesses than the plan counts on.
constexpr double kUnlucky = 0.005;
// About 15 % of the rounds of a question are a pilot. The pilot may miss the best attack, which costs as much again
// and more. With this share and this minimum, audits of randomized response, unary encoding and other mechanisms find
// nine of ten violations.
constexpr double kPlayed = 0.5;
constexpr std::uint64_t kFewest = 500;

class Planner {
 public:
  Planner(const Question& question, const Rates& rows, const Channel& channel, double alpha, double error,
          Budget& budget)
      : question_(question),
        strategist_(question, stated_rates(question, rows)),
        stated_(exact_answer(question, channel, budget)),
        unknown_(why_no_exact_answer(question, channel)),
        alpha_(alpha),
        error_(error),
        budget_(budget) {}

  PlannedClaim plan(const ClaimedLevel& claimed, double margin, std::uint64_t questions) {
    PlannedClaim planned{question_.implied.empty() ? question_.title() : question_.implied, question_.at, claimed,
                         std::nullopt};
    if (!stated_.level && !stated_.delta) {
      planned.reason = unknown_;
      return planned;
    }
    if (question_.bounds_delta() && claimed.delta.approx() + margin >= 1) {
      planned.reason = "no delta is so large";
      return planned;
    }
    const std::uint64_t most = kMostSamples / questions;
    std::uint64_t enough = kFewest;
    while (!finds(planned, margin, enough)) {
      if (enough >= most) {
        planned.reason = "it takes more than 10^12 runs";
        return planned;
      }
      enough = std::min(2 * enough, most);
    }
    for (std::uint64_t few = enough / 2; few >= kFewest && enough - few > enough / 200 + 1;) {
      const std::uint64_t middle = few + (enough - few) / 2;
      (finds(planned, margin, middle) ? enough : few) = middle;
    }
    finds(planned, margin, enough);
    planned.samples = enough * questions;
    return planned;
  }

 private:
  // True if this many rounds of a question find the violation. Records the attack's shares.
  bool finds(PlannedClaim& planned, double margin, std::uint64_t rounds) {
    budget_.check();
    const auto played = static_cast<std::uint64_t>(kPlayed * static_cast<double>(rounds));
    const Strategist::Expected expected = strategist_.as_stated(played, error_);
    const Score& score = expected.score;
    const ClaimedLevel& claimed = planned.claimed;
    planned.guessed = static_cast<double>(score.guesses) / static_cast<double>(score.rounds);
    planned.allowed = allowed_share(question_, expected.attack.game, claimed.level, claimed.delta);
    planned.violated = violated_share(expected, claimed, margin);
    if (planned.guessed <= 0 || planned.violated <= planned.allowed) return false;
    const auto all = static_cast<double>(played);
    const double guesses =
        planned.guessed >= 1 ? all : std::floor(boost::math::quantile(Binomial(all, planned.guessed), kUnlucky));
    if (guesses < 1) return false;
    using boost::math::complement;
    const double right = std::ceil(boost::math::quantile(complement(Binomial(guesses, planned.allowed), alpha_))) + 1;
    if (right > guesses) return false;
    const double power = boost::math::cdf(complement(Binomial(guesses, planned.violated), right - 1));
    return power * (1 - kUnlucky) >= kPlannedPower;
  }

  // The odds of a right guess grow by the factor e^(difference of levels).
  double violated_share(const Strategist::Expected& expected, const ClaimedLevel& claimed, double margin) const {
    if (question_.bounds_delta()) {
      const double factor = std::exp(question_.at->approx());
      return (factor + claimed.delta.approx() + margin) / (1 + factor);
    }
    const std::size_t others = expected.attack.game.sides.size() - 1;
    const double wanted = claimed.level.approx() + margin;
    const double share = static_cast<double>(expected.score.right) / static_cast<double>(expected.score.guesses);
    const bool infinite = stated_.level->is_infinite() || share >= 1;
    const double shift = infinite ? 0 : wanted - stated_.level->approx();
    return share_of(infinite ? wanted : std::max(0.0, level_of_share(share, others) + shift), others);
  }

  const Question& question_;
  Strategist strategist_;
  ExactAnswer stated_;
  std::string unknown_;  // why there is none
  double alpha_, error_;
  Budget& budget_;
};

}  // namespace

ClaimPlans plan_runs(const Spec& spec, const AuditOptions& options, double margin, Budget& budget) {
  require_no_symbols(spec, "an audit");
  if (!outputs_are_counted(spec)) {
    throw ModelError("runs are planned for outputs that can be counted, of at most " + std::to_string(kMostInputs) +
                     " inputs");
  }
  AskedClaims asked = asked_claims(spec, options.all_levels, budget);
  const std::size_t asked_questions = asked.questions.size();
  ClaimPlans plans;
  plans.left_out = leave_out(asked, spec);
  const std::vector<Question>& questions = asked.questions;
  if (questions.empty()) throw ModelError("--plan-runs needs a claim that should hold and could be contradicted");
  const double alpha = alpha_of_levels(options.alpha, asked_questions);
  const Rates rows = rounded_rows(*spec.model.channel, budget);
  for (const Question& question : questions) {
    Planner planner(question, rows, *spec.model.channel, alpha, options.alpha / static_cast<double>(asked_questions),
                    budget);
    for (const ClaimedLevel& claimed : question.claims) {
      if (claimed.expect_holds) {
        plans.claims.push_back(planner.plan(claimed, margin, asked_questions));
      } else {
        plans.left_out.push_back({claimed.claim, question.title(), "it is expected to be refuted"});
      }
    }
  }
  std::stable_sort(plans.left_out.begin(), plans.left_out.end(),
                   [](const ClaimLeftOut& a, const ClaimLeftOut& b) { return a.claim < b.claim; });
  return plans;
}

}  // namespace oddsbound::audits
