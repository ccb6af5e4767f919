#include "releases/page.h"

#include <algorithm>
#include <utility>

#include "reports/html/frame.h"
#include "reports/html/svg.h"
#include "reports/words.h"
#include "verifier/exact/decimal.h"

namespace oddsbound::releases {

namespace {

constexpr const char* kReading =
    "The number of people is public. Numbers were published with random integers added to them: an error bar holds the "
    "true "
    "number with probability 95 %; where there is none, nothing bounds the error. Losses are between tables that "
    "differ in "
    "one record, in these attributes alone: the "
    "odds of two values there move by at most e to the loss, for somebody who knows everything else. Epsilon at a "
    "delta follows from rho, of zero-concentrated differential privacy. Bits are how many the release reveals "
    "on average of what somebody has there, if that is independent of all else in the table. All figures of the ledger "
    "are rounded up. The "
    "ledger speaks of this release and of what was accounted with it, and of nothing else that is published about the "
    "same "
    "people.";

bool has_budget(const LedgerEntry& entry) { return entry.most_pure || entry.most_rho; }

Html badge_of(const ReleaseResult& result) {
  if (result.exit_status() != 0) return Html::badge(Tone::kBad, "budget exceeded");
  const bool any = std::any_of(result.ledger.begin(), result.ledger.end(), has_budget);
  return any ? Html::badge(Tone::kGood, "within the budget") : Html::badge(Tone::kOpen, "no budget");
}

// The source of the data and of the noise.
Html source_words(const ReleaseResult& result) {
  if (result.exit_status() != 0) return "The budget is exceeded: no table was read, nothing was released.";
  if (!result.people) return "No table was read: this is what the release would cost.";
  if (!result.seed) return "Made with noise from the system's generator (OpenSSL).";
  return Html::badge(Tone::kBad, "NOT private") +
         (" The noise is made from a seed, so that the run can be repeated. Who knows the seed, " +
          std::to_string(*result.seed) + ", knows the noise, and with it the true numbers: not for release.");
}

void add_tiles(const ReleaseResult& result, Page& page) {
  if (!result.people) return;
  std::size_t told = 0;
  for (const ReleasedStep& step : result.steps) told += step.numbers ? step.numbers->size() : 0;
  page.tiles({{"people", std::to_string(*result.people)},
              {"told", std::to_string(told)},
              {"randomness", result.seed ? "seeded" : "system", result.seed ? Tone::kBad : Tone::kNone}});
}

// Many numbers are split into several figures, up to a limit, to keep the page readable.
constexpr std::size_t kInOneFigure = 40, kInFigures = 400;

std::vector<Drawing> figures_of(const std::string& what, const std::vector<ReleasedNumber>& counted) {
  const std::size_t shown = std::min(counted.size(), kInFigures);
  std::vector<Drawing> drawings;
  for (std::size_t first = 0; first < shown; first += kInOneFigure) {
    const std::size_t end = std::min(shown, first + kInOneFigure);
    const std::string part =
        ": " + std::to_string(first + 1) + " to " + std::to_string(end) + " of " + std::to_string(counted.size());
    reports::Counts counts{shown <= kInOneFigure ? what : what + part, "people", {}};
    for (std::size_t i = first; i < end; ++i) {
      counts.rows.push_back({counted[i].about, static_cast<double>(counted[i].number.value()), counted[i].margin});
    }
    drawings.push_back(draw(counts));
  }
  return drawings;
}

// Collects the figures of consecutive steps with numbers, and writes the other steps between them.
class StepsWriter {
 public:
  explicit StepsWriter(Page& page) : page_(page) {}

  void add(const ReleasedStep& step) {
    if (!step.numbers) {
      std::string& item = not_run_.emplace_back(step.what);
      for (const PlannedFigure& figure : step.plan) item += " " + figure_words(figure) + ".";
      for (const std::string& note : step.notes) item += " Note: " + note + ".";
      return;
    }
    std::vector<ReleasedNumber> counted;
    HtmlRows listed;
    for (const ReleasedNumber& number : *step.numbers) {
      if (number.number) {
        counted.push_back(number);
      } else if (listed.size() < kInFigures) {
        listed.push_back({number.about});
      }
    }
    if (counted.empty() || !listed.empty() || !step.notes.empty()) {
      flush();
      page_.heading(step.what);
    }
    if (step.numbers->empty()) page_.paragraph("None: it found nothing to publish.");
    if (!listed.empty()) page_.table({"listed"}, listed);
    for (const std::string& note : step.notes) page_.paragraph("Note: " + note + ".");
    for (Drawing& drawing : figures_of(step.what, counted)) drawings_.push_back(std::move(drawing));
    const std::size_t left = step.numbers->size() - listed.size() - std::min(counted.size(), kInFigures);
    if (left == 0) return;
    flush();
    page_.paragraph(Html::faint(std::to_string(left) + " more are in the CSV and the JSON."));
  }
  /// Lists the steps without published numbers: run before, elsewhere, or not yet.
  void finish(const std::string& not_told) {
    flush();
    if (not_run_.empty()) return;
    page_.heading(not_told);
    page_.list(not_run_);
  }

 private:
  void flush() { page_.figures(std::exchange(drawings_, {}), ""); }

  Page& page_;
  std::vector<Drawing> drawings_;
  std::vector<std::string> not_run_;
};

// Labels the sets of attributes as groups of bars, and keeps equal names apart. A set may have several budget
// lines.
std::vector<std::string> groups_of(const std::vector<LedgerEntry>& ledger) {
  std::vector<std::string> groups;
  for (std::size_t i = 0; i < ledger.size(); ++i) {
    groups.push_back(ledger[i].of);
    for (std::size_t before = 0; before < i; ++before) {
      const bool same = ledger[before].attributes == ledger[i].attributes;
      if (groups[before] == groups[i] && !same) groups[i] += " (" + std::to_string(i + 1) + ")";
    }
  }
  return groups;
}

void add_bar(Bars& bars, const Bars::Row& row) {
  const bool there = std::any_of(bars.rows.begin(), bars.rows.end(), [&](const Bars::Row& other) {
    return other.group == row.group && other.series == row.series;
  });
  if (!there) bars.rows.push_back(row);
  if (std::find(bars.series.begin(), bars.series.end(), row.series) == bars.series.end()) {
    bars.series.push_back(row.series);
  }
}

Drawing against_budget(Bars bars) {
  if (!bars.claims.empty()) bars.title += ", against the budget";
  return draw(bars);
}

std::string epsilon_at(const Number& delta) { return "epsilon at delta " + decimal_text(delta); }

// Pure losses, and epsilons if losses are infinite or the budget is about them, against the budget.
Drawing losses_figure(const ReleaseResult& result) {
  Bars bars{"Losses by attributes", "nats", {}, {}, {}, "loss or epsilon", "budget"};
  const bool bounded = std::any_of(result.ledger.begin(), result.ledger.end(), [](const LedgerEntry& entry) {
    return !entry.pure.is_infinite() || (entry.most_pure && !entry.most_delta);
  });
  const std::vector<std::string> groups = groups_of(result.ledger);
  for (std::size_t i = 0; i < groups.size(); ++i) {
    const LedgerEntry& entry = result.ledger[i];
    const LedgerWords words = ledger_words(entry);
    if (bounded) add_bar(bars, {groups[i], "loss", {rounded_nats(entry.pure), words.loss}});
    for (const EpsilonAtDelta& at : entry.at) {
      if (entry.most_delta != at.delta && !entry.pure.is_infinite()) continue;
      add_bar(bars, {groups[i], epsilon_at(at.delta), {at.epsilon.approx(), decimal_text(at.epsilon)}});
    }
    if (!entry.most_pure) continue;
    bars.claims.push_back({groups[i],
                           entry.most_delta ? epsilon_at(*entry.most_delta) : "loss",
                           {rounded_nats(*entry.most_pure), words.budget}});
  }
  return against_budget(std::move(bars));
}

Drawing rho_figure(const ReleaseResult& result) {
  Bars bars{"Rho by attributes", "", {}, {}, {}, "rho", "budget"};
  const std::vector<std::string> groups = groups_of(result.ledger);
  for (std::size_t i = 0; i < groups.size(); ++i) {
    const LedgerEntry& entry = result.ledger[i];
    const LedgerWords words = ledger_words(entry);
    add_bar(bars, {groups[i], "rho", {entry.rho.approx(), words.rho}});
    if (entry.most_rho) bars.claims.push_back({groups[i], "rho", {entry.most_rho->approx(), words.budget}});
  }
  return against_budget(std::move(bars));
}

Html budget_of(const LedgerEntry& entry, const std::string& words) {
  if (words.empty()) return Html::faint("none");
  return words + " " + (entry.exceeded ? Html::badge(Tone::kBad, "exceeded") : Html::badge(Tone::kGood, "within"));
}

void add_ledger(const ReleaseResult& result, Page& page) {
  HtmlRows rows;
  for (const LedgerEntry& entry : result.ledger) {
    const LedgerWords words = ledger_words(entry);
    rows.push_back({entry.of, words.loss, words.odds, words.belief, words.bits, words.rho, words.at,
                    budget_of(entry, words.budget)});
  }
  page.section("ledger", "Privacy cost");
  page.paragraph("Between tables that differ in one record, in these attributes.");
  page.table({"attributes", "loss", "odds factor", "belief change", "bits", "rho", "(epsilon, delta)", "budget"}, rows);
  page.figures({losses_figure(result), rho_figure(result)});
}

}  // namespace

std::string html_release(const ReleaseResult& result, const RenderOptions& options) {
  Page page("A release and its privacy cost", options, result.name + " " + badge_of(result));
  page.paragraph(Html::faint(result.file));
  page.paragraph(source_words(result));
  add_tiles(result, page);
  page.section("told", result.people ? "What was told" : "Steps");
  StepsWriter steps(page);
  for (const ReleasedStep& step : result.steps) steps.add(step);
  steps.finish(result.people ? "Accounted besides" : "Accounted, not run");
  add_ledger(result, page);
  return page.finish(kReading);
}

}  // namespace oddsbound::releases
