#include "results/release_words.h"

#include <fmt/format.h>

#include "results/csv_text.h"
#include "results/rounded_up.h"
#include "results/wrap.h"
#include "verifier/exact/decimal.h"

namespace oddsbound::results {

namespace {

std::string budget_words(const LedgerEntry& entry) {
  std::string words;
  if (entry.most_pure) {
    words =
        "epsilon " + (is_short_decimal(*entry.most_pure) ? rounded_up(*entry.most_pure) : entry.most_pure->to_string());
  }
  if (entry.most_delta) words += " at delta " + decimal_text(*entry.most_delta);
  if (entry.most_rho) words += (words.empty() ? "rho " : ", rho ") + decimal_text(*entry.most_rho);
  return words;
}

std::string epsilons_words(const LedgerEntry& entry) {
  std::string words;
  for (const EpsilonAtDelta& one : entry.at) {
    words += fmt::format("{}({}, {})", words.empty() ? "" : " ", decimal_text(one.epsilon), decimal_text(one.delta));
  }
  return words;
}

// Of steps, and of what numbers are about: a number of 32 digits is readable.
constexpr std::size_t kWide = 400;

std::string numbers_text(const std::vector<ReleasedNumber>& numbers) {
  std::vector<std::vector<std::string>> rows;
  for (const ReleasedNumber& number : numbers) {
    rows.push_back(
        {printable(number.about, kWide), number.number ? std::to_string(*number.number) : "", margin_words(number)});
  }
  return rows.empty() ? "  none\n" : aligned(rows);
}

std::string steps_text(const ReleaseResult& result) {
  std::string text;
  for (const ReleasedStep& step : result.steps) {
    text += printable(step.what, kWide) + "\n";
    if (step.numbers) text += numbers_text(*step.numbers);
    for (const std::string& note : step.notes) text += "  note: " + printable(note, kWide) + "\n";
  }
  return text;
}

}  // namespace

LedgerWords ledger_words(const LedgerEntry& entry) {
  return {rounded_up(entry.pure), odds_at_most(entry.pure), belief_at_most(entry.pure), bits_at_most(entry),
          rho_at_most(entry.rho), epsilons_words(entry),    budget_words(entry)};
}

std::string noise_words(const ReleaseResult& result) {
  return result.seed ? "seeded: NOT private, who knows the seed knows the noise" : "noise from the system's generator";
}

std::string margin_words(const ReleasedNumber& number) {
  return number.margin ? fmt::format("within {:.0f} in 95 of 100 runs", *number.margin) : "";
}

std::string text_release(const ReleaseResult& result) {
  std::string text = printable(result.name);
  if (result.people) text += fmt::format(": {} people, {}", *result.people, noise_words(result));
  text += "\n\n" + steps_text(result) + "\nWhat it costs, between tables that differ in one record:\n";
  std::vector<std::vector<std::string>> rows{
      {"in", "loss", "odds move by", "belief by", "bits", "rho", "(epsilon, delta)", "budget"}};
  for (const LedgerEntry& entry : result.ledger) {
    const LedgerWords words = ledger_words(entry);
    rows.push_back({printable(entry.of), words.loss, words.odds, words.belief, words.bits, words.rho, words.at,
                    words.budget + (entry.exceeded ? ": EXCEEDED" : "")});
  }
  text += aligned(rows) + "All figures are rounded up.\n";
  if (result.exit_status() != 0) text += "The budget is exceeded: no table was read, nothing was released.\n";
  return text;
}

std::string csv_release(const ReleaseResult& result) {
  const std::string random = result.seed ? "seeded: NOT private" : "system";
  std::string text = "step,about,number,margin_95,random\n";
  for (std::size_t s = 0; s < result.steps.size(); ++s) {
    if (!result.steps[s].numbers) continue;
    for (const ReleasedNumber& number : *result.steps[s].numbers) {
      text += fmt::format("{},{},{},{},{}\n", s + 1, csv_cell_for_people(number.about),
                          number.number ? std::to_string(*number.number) : "",
                          number.margin ? csv_cell(*number.margin) : "", random);
    }
  }
  return text;
}

}  // namespace oddsbound::results
