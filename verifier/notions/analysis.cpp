#include "verifier/notions/analysis.h"

#include <algorithm>

#include "base/errors.h"
#include "verifier/measures/correlation.h"
#include "verifier/measures/tradeoff.h"
#include "verifier/notions/bcdp.h"
#include "verifier/notions/ldp.h"
#include "verifier/notions/table.h"
#include "verifier/notions/tolerance.h"
#include "verifier/priors/prior_set.h"

namespace oddsbound::notions {

namespace {

template <typename Result, typename Compute>
void attempt(MeasuredModel& subject, Analysis& analysis, const std::string& name, std::optional<Result>& result,
             Compute compute) {
  try {
    result = compute();
    subject.budget().reserve_output(written_size(*result));
  } catch (const LimitError& error) {
    result.reset();
    analysis.undecided[name] = error.what();
  }
}

std::vector<Number> all_correlations(MeasuredModel& subject) {
  std::vector<Number> result;
  for (std::size_t i = 0; i < subject.domain().size(); ++i) {
    result.push_back(correlation(subject.domain(), subject.prior(), i, subject.budget()));
  }
  return result;
}

std::vector<Level> all_bounds(const Analysis& analysis) {
  std::vector<Level> cdp;
  for (const MeasuredLevel& level : *analysis.by_coordinate("cdp")) cdp.push_back(level.at_most());
  std::vector<Level> bounds;
  for (std::size_t i = 0; i < cdp.size(); ++i) {
    bounds.push_back(proposition_4_bound(cdp, (*analysis.correlation)[i], i, analysis.level("ldp")->at_most()));
  }
  return bounds;
}

std::vector<Level> all_compositions(MeasuredModel& subject, const Analysis& analysis) {
  std::vector<Level> bounds;
  for (const MeasuredLevel& cdp : *analysis.by_coordinate("cdp")) {
    const Level shift = prior_shift(subject.domain(), subject.prior(), bounds.size(), subject.budget());
    bounds.push_back(composition_bound(cdp.at_most(), shift));
  }
  return bounds;
}

void add_given_public(MeasuredModel& subject, Analysis& analysis) {
  std::vector<std::size_t> known;
  Analysis::GivenPublic given;
  for (std::size_t i = 0; i < subject.domain().size(); ++i) {
    const Coordinate& coordinate = subject.domain().coordinate(i);
    if (coordinate.is_public) known.push_back(i);
    (coordinate.is_public ? given.known : given.others).push_back(coordinate.name);
  }
  if (known.empty() || given.others.empty()) return;
  for (const Notion& notion : notion_table()) {
    if (!notion.measure_given || (notion.needs_prior && !subject.model().prior)) continue;
    std::optional<Measured> measured;
    attempt(subject, analysis, notion.name + " given what is public", measured,
            [&] { return notion.measure_given(subject, known); });
    if (measured) given.levels.emplace_back(notion.name, std::move(*measured));
  }
  analysis.given_public = std::move(given);
}

// nullopt if no coordinate has a transport bound.
std::optional<std::vector<std::optional<Level>>> transport_bounds(MeasuredModel& subject) {
  std::vector<std::optional<Level>> bounds;
  for (const GroupLevel& level : bcdp_levels(subject)) bounds.push_back(level.transport_bound);
  const bool any = std::any_of(bounds.begin(), bounds.end(), [](const auto& bound) { return bound.has_value(); });
  return any ? std::optional(std::move(bounds)) : std::nullopt;
}

// A pair of distributions whose trade-off curve is not yet computed.
struct Compared {
  Tradeoff curve;  // without vertices
  GivenInputs from;
  GivenInputs to;
};

// Gathers all distributions in one pass over the columns.
std::vector<Tradeoff> all_tradeoffs(MeasuredModel& subject) {
  subject.columns();  // may throw LimitError: nothing is gathered for curves that are not drawn
  const Domain& domain = subject.domain();
  std::vector<Compared> compared;
  const InputPair ldp = ldp_level(subject).witness.get();
  // Compute values that may throw first: GCC 12 destroys aggregate members twice if a later initializer throws.
  GivenInputs from = given_input(domain.number(ldp.from));
  GivenInputs to = given_input(domain.number(ldp.to));
  compared.push_back({{"ldp", domain.tuple(ldp.from), domain.tuple(ldp.to), {}}, std::move(from), std::move(to)});
  for (std::size_t i = 0; subject.model().prior && i < domain.size(); ++i) {
    const GroupLevel& bcdp = bcdp_levels(subject)[i];
    const Coordinate& coordinate = domain.coordinate(i);
    from = given_value(subject, i, bcdp.from);
    to = given_value(subject, i, bcdp.to);
    compared.push_back({{coordinate.name, coordinate.values[bcdp.from], coordinate.values[bcdp.to], {}},
                        std::move(from),
                        std::move(to)});
  }
  std::vector<GivenInputs> given;
  for (Compared& pair : compared) {
    given.push_back(std::move(pair.from));
    given.push_back(std::move(pair.to));
  }
  const std::vector<std::vector<Number>> distributions = output_distributions(subject, given);
  std::vector<Tradeoff> result;
  for (std::size_t k = 0; k < compared.size(); ++k) {
    compared[k].curve.vertices = tradeoff_curve(distributions[2 * k], distributions[2 * k + 1]);
    result.push_back(std::move(compared[k].curve));
  }
  return result;
}

}  // namespace

const MeasuredLevel* Analysis::level(const std::string& notion) const {
  for (const auto& [name, measured] : levels) {
    if (name == notion) return std::get_if<MeasuredLevel>(&measured);
  }
  return nullptr;
}

const std::vector<MeasuredLevel>* Analysis::by_coordinate(const std::string& notion) const {
  for (const auto& [name, measured] : levels) {
    if (name == notion) return std::get_if<std::vector<MeasuredLevel>>(&measured);
  }
  return nullptr;
}

void expect_levels(MeasuredModel& subject) {
  for (const Notion& notion : notion_table()) {
    const bool possible = !notion.needs_prior || subject.model().prior;
    if (!notion.measure || !notion.expect || !possible) continue;
    try {
      notion.expect(subject, Arguments());
    } catch (const LimitError&) {
      // Ignored here: `notion.measure` runs into the limit again and reports it.
    }
  }
}

Analysis analyze(MeasuredModel& subject) {
  expect_levels(subject);
  Analysis analysis;
  const bool prior = subject.model().prior.has_value();
  for (const Notion& notion : notion_table()) {
    if (!notion.measure || (notion.needs_prior && !prior)) continue;
    std::optional<Measured> measured;
    attempt(subject, analysis, notion.name, measured, [&] { return notion.measure(subject); });
    if (measured) analysis.levels.emplace_back(notion.name, std::move(*measured));
  }
  if (prior) {
    if (analysis.by_coordinate("bcdp") != nullptr) analysis.transport_bound = transport_bounds(subject);
    attempt(subject, analysis, "correlation", analysis.correlation, [&] { return all_correlations(subject); });
    if (analysis.level("ldp") != nullptr && analysis.by_coordinate("cdp") != nullptr && analysis.correlation) {
      attempt(subject, analysis, "proposition_4", analysis.proposition_4, [&] { return all_bounds(analysis); });
    }
    const bool composed = subject.domain().size() > 1 && has_several_runs(subject.channel());
    if (composed && analysis.by_coordinate("cdp") != nullptr) {
      attempt(subject, analysis, "composition", analysis.composition,
              [&] { return all_compositions(subject, analysis); });
    }
  }
  add_given_public(subject, analysis);
  if (subject.wants_tradeoffs())
    attempt(subject, analysis, "tradeoff", analysis.tradeoffs, [&] { return all_tradeoffs(subject); });
  return analysis;
}

void add_levels_over(MeasuredModel& subject, const std::string& name, const ForAll& set, Analysis& analysis) {
  Arguments arguments;
  arguments.set(kForAll, set);
  Analysis::OverSet over{name, claimed_scope(subject.domain(), arguments), {}};
  over.confidential = set.confidential;
  for (std::size_t i = 0; i < subject.domain().size(); ++i) {
    const Coordinate& coordinate = subject.domain().coordinate(i);
    if (coordinate.is_public) continue;
    if (std::string complaint = set.set->complaint(subject.domain(), i); !complaint.empty()) {
      over.without[coordinate.name] = std::move(complaint);
      continue;
    }
    std::optional<MeasuredLevel> level;
    attempt(subject, analysis, "bcdp " + coordinate.name + " for all " + name, level,
            [&] { return value_level_over(subject, *set.set, i, {}, 1, subject.domain().size() - 1 - i); });
    if (level) over.levels.emplace_back(coordinate.name, std::move(*level));
  }
  analysis.over_sets.push_back(std::move(over));
}

void add_tolerance(MeasuredModel& subject, std::size_t coordinate, const Level& claimed, Analysis& analysis) {
  const std::string& name = subject.domain().coordinate(coordinate).name;
  std::optional<Tolerance> tolerance;
  attempt(subject, analysis, "tolerance of " + name + " <= " + claimed.to_string(), tolerance,
          [&] { return tolerance_of(subject, coordinate, claimed); });
  if (tolerance) analysis.tolerances.push_back(std::move(*tolerance));
}

namespace {

// Shorter texts are counted as 0.
constexpr std::size_t kLong = 1000;

std::size_t counted(const std::string& text) { return text.size() < kLong ? 0 : text.size(); }

struct SizeOfActual {
  std::size_t operator()(std::monostate) const { return 0; }
  std::size_t operator()(const MeasuredLevel& measured) const { return written_size(measured); }
  std::size_t operator()(const NamedLevels& levels) const {
    std::size_t size = 0;
    for (const auto& [coordinate, level] : levels) size += written_size(level);
    return size;
  }
  std::size_t operator()(const MeasuredNumber& delta) const {
    return written_size(delta.at_least) + written_size(delta.witness);
  }
  std::size_t operator()(const Refinement& refinement) const {
    return written_size(refinement.kernel) + written_size(refinement.gain) + written_size(refinement.value) +
           written_size(refinement.best);
  }
  std::size_t operator()(const Average& average) const {
    const std::size_t level = written_size(average.level);
    if (!average.guesses) return level;
    return level + written_size(average.guesses->prior) + written_size(average.guesses->posterior);
  }
};

}  // namespace

std::size_t written_size(const Number& number) {
  const std::size_t size = number.text_size();
  return size < kLong ? 0 : size;
}

std::size_t written_size(const Level& level) {
  const std::size_t size = level.text_size();
  return size < kLong ? 0 : size;
}

std::size_t written_size(const Witness& witness) {
  constexpr std::size_t kOfValue = 16;  // characters per value of an input, with punctuation, at least
  std::size_t size = written_size(witness.p_from) + written_size(witness.p_to);
  if (witness.prior) {
    for (const auto& [input, mass] : witness.prior->rows) size += kOfValue * input.size() + mass.text_size();
  }
  for (const std::string& output : witness.outputs) size += counted(output);
  return size;
}

std::size_t written_size(const MeasuredLevel& measured) {
  // A lazy witness counts as 0: writers compute it, write it and drop it before the next one.
  const std::size_t witness = measured.witness.is_kept() ? written_size(measured.witness.get()) : 0;
  return written_size(measured.at_least) + written_size(measured.at_most()) + witness;
}

std::size_t written_size(const Tradeoff& tradeoff) {
  std::size_t size = 0;
  for (const ErrorPair& vertex : tradeoff.vertices)
    size += written_size(vertex.type_one) + written_size(vertex.type_two);
  return size;
}

std::size_t written_size(const LossMatrix& losses) { return written_size(losses.loss); }

std::size_t written_size(const HeatMaps& pairs) {
  std::size_t size = written_size(pairs.correlation);
  if (pairs.inputs) size += written_size(*pairs.inputs);
  for (const auto& losses : pairs.values) size += losses ? written_size(*losses) : 0;
  return size;
}

std::size_t written_size(const Decision& decision) {
  std::size_t size = std::visit(SizeOfActual{}, decision.actual);
  if (decision.witness) size += written_size(*decision.witness);
  if (decision.tradeoff) size += written_size(*decision.tradeoff);
  return size;
}

std::size_t written_size(const Claimed& claimed) {
  std::size_t size = 0;
  const auto add = [&](const ClaimedValue& stated) { size += stated.text_size() < kLong ? 0 : stated.text_size(); };
  for (const auto& [name, stated] : claimed.values) add(stated);
  for (const auto& row : claimed.matrix) std::for_each(row.begin(), row.end(), add);
  return size + (claimed.function.size() < kLong ? 0 : claimed.function.size());
}

std::size_t written_size(const Measured& measured) {
  return std::visit([](const auto& one) { return written_size(one); }, measured);
}

std::size_t written_size(const Tolerance& tolerance) {
  std::size_t size = written_size(tolerance.claimed);
  for (const Tolerance::Within& within : tolerance.within) {
    for (const auto& level : within.levels) {
      size += written_size(level.at_least) + (level.at_most ? written_size(*level.at_most) : 0);
    }
  }
  return size;
}

}  // namespace oddsbound::notions
