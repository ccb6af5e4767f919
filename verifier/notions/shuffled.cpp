#include "verifier/notions/shuffled.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/errors.h"
#include "verifier/engine/shuffled_draws.h"
#include "verifier/engine/shuffled_reports.h"
#include "verifier/exact/decimal.h"
#include "verifier/model/adaptive_channel.h"
#include "verifier/notions/approximate.h"
#include "verifier/notions/scope.h"

namespace oddsbound::notions {

namespace {

using engine::DrawnExcess;
using engine::DrawnReport;
using engine::LocalReports;
using engine::RowPair;
using engine::ShuffledEvent;

constexpr double kMostPowerBits = 0x1p18;  // of a probability to the number of people

bool has_short_power(const Number& each, std::uint64_t people) {
  return static_cast<double>(each.bits()) * static_cast<double>(people) <= kMostPowerBits;
}

// Makes the witness of one report one of n equal reports.
class EqualReports {
 public:
  EqualReports(MeasuredModel& local, std::uint64_t people, OtherPeople others)
      : local_(local), people_(people), others_(others), labels_(output_labels(local.channel(), local.budget())) {}

  void change(Witness& witness) const {
    if (witness.outputs.size() != 1) return;
    const auto found = std::find(labels_.begin(), labels_.end(), witness.outputs[0]);
    if (std::find(found + 1, labels_.end(), witness.outputs[0]) != labels_.end()) return leave_unlisted(witness);
    const auto y = static_cast<std::size_t>(found - labels_.begin());
    std::vector<std::uint64_t> counts(labels_.size(), 0);
    counts.at(y) = people_;
    const Number each = others_ == OtherPeople::kDraws ? drawn(y) : witness.p_from;
    if (!has_short_power(each, people_)) return leave_unlisted(witness);
    witness.outputs[0] = model::count_label(labels_, counts);
    const Number all = each.pow(static_cast<std::int64_t>(people_ - 1));
    witness.p_from *= all;
    witness.p_to *= all;
    if (others_ == OtherPeople::kDraws || people_ == 1) return;
    witness.others = {
        {std::get<std::vector<std::string>>(witness.from), Number(static_cast<std::int64_t>(people_ - 1))}};
  }

  void change(MeasuredLevel& level) const {
    if (!level.shows_something()) return;
    Witness witness = level.witness.get();
    change(witness);
    level.witness = std::move(witness);
  }

 private:
  // The histogram has no label of its own, or its probability has too many digits.
  static void leave_unlisted(Witness& witness) {
    witness.outputs.clear();
    witness.p_from = witness.p_to = Number(0);
    witness.likelihood_event = witness.unlisted = true;
  }

  Number drawn(std::size_t y) const {
    std::vector<WeightedTerm> terms;
    local_.prior().each_row(local_.budget(), [&](InputView row, const Number& weight) {
      terms.push_back({weight, local_.channel().entry_at(local_.domain(), row, local_.channel().split(y))});
    });
    return weighted_sum(terms) / local_.prior().total();
  }

  MeasuredModel& local_;
  std::uint64_t people_;
  OtherPeople others_;
  std::vector<std::string> labels_;
};

// The pairs of rows of neighbors, with the first inputs that have them.
std::map<RowPair, std::pair<std::uint64_t, std::uint64_t>> neighbors_by_rows(const MeasuredModel& local,
                                                                             const LocalReports& reports,
                                                                             const Arguments& arguments) {
  std::map<RowPair, std::pair<std::uint64_t, std::uint64_t>> pairs;
  for_all_neighbors(local.domain(), neighborhoods(local.domain(), arguments),
                    [&](std::uint64_t from, std::uint64_t to) {
                      local.budget().check_every();
                      const RowPair rows{reports.row_of[from], reports.row_of[to]};
                      if (rows.first != rows.second) pairs.try_emplace(rows, from, to);
                    });
  return pairs;
}

// Labels of the histograms, if every class is a single report; empty otherwise.
std::vector<std::string> labels_of(const MeasuredModel& local, const LocalReports& reports,
                                   const ShuffledEvent& event) {
  if (reports.classes() != reports.class_of.size()) return {};
  const std::vector<std::string> labels = output_labels(local.channel(), local.budget());
  std::vector<std::string> outputs;
  std::vector<std::uint64_t> counts(labels.size());
  for (const std::vector<std::uint64_t>& histogram : event.histograms) {
    for (std::size_t y = 0; y < labels.size(); ++y) counts[y] = histogram[reports.class_of[y]];
    outputs.push_back(model::count_label(labels, counts));
  }
  return outputs;
}

}  // namespace

DecideShuffled as_one_report(std::function<Decision(MeasuredModel&, const Arguments&)> decide, OtherPeople others) {
  return [decide = std::move(decide), others](MeasuredModel& local, std::uint64_t people, const Arguments& arguments) {
    Decision decision = decide(local, arguments);
    const EqualReports reports(local, people, others);
    if (auto* level = std::get_if<MeasuredLevel>(&decision.actual)) reports.change(*level);
    if (auto* levels = std::get_if<NamedLevels>(&decision.actual)) {
      for (auto& [name, level] : *levels) reports.change(level);
    }
    if (decision.witness) reports.change(*decision.witness);
    if (decision.slack) reports.change(decision.slack->level);
    return decision;
  };
}

namespace {

// Returns true if a > factor b, or if the exponents of a and b have too large a common denominator to compare them.
bool may_exceed(const Number& a, const Number& b, const Number& factor) {
  if (a.is_zero() || b.is_zero()) return !a.is_zero();
  try {
    return a / b > factor;
  } catch (const LimitError&) {
    return true;
  }
}

// Whether some report may be more likely by more than the factor. If none is, neither is any histogram.
bool some_may_exceed(const std::vector<Number>& from, const std::vector<Number>& to, const Number& factor,
                     Budget& budget) {
  for (std::size_t y = 0; y < from.size(); ++y) {
    budget.check_every();
    if (may_exceed(from[y], to[y], factor)) return true;
  }
  return false;
}

// The excess of n equal reports, of which each other person sends one with probability `each`. nullopt if it is 0 or
// less, or too long to compute.
std::optional<DrawnExcess> equal_reports(const Number& from, const Number& to, const Number& each, std::uint64_t people,
                                         const Number& factor) {
  try {
    const Number others = each.pow(static_cast<std::int64_t>(people - 1));
    DrawnExcess shown{from * others, to * others, {}, {}};
    shown.excess.lower = shown.excess.upper = shown.p - factor * shown.q;
    if (shown.excess.lower > Number(0)) return shown;
  } catch (const LimitError&) {
  }
  return std::nullopt;
}

// Bounds may leave it open whether a tiny delta is above 0. If a report y has P(y given from) > factor P(y given to),
// then so has the histogram of y alone, for any inputs of the other people. This sets the witness to that histogram,
// where each of the other people sends y with the largest probability.
void show_equal_reports(MeasuredModel& local, std::uint64_t people, const Number& factor,
                        const std::map<RowPair, std::pair<std::uint64_t, std::uint64_t>>& neighbors,
                        MeasuredNumber& delta) {
  const Channel& channel = local.channel();
  const std::vector<std::string> labels = output_labels(channel, local.budget());
  std::vector<std::uint64_t> likeliest(channel.outputs(), 0);  // [report]: the input that sends it most often
  for (std::uint64_t y = 0; y < channel.outputs(); ++y) {
    for (std::uint64_t x = 1; x < local.domain().inputs(); ++x) {
      local.budget().check_every();
      if (channel.entry(x, y) > channel.entry(likeliest[y], y)) likeliest[y] = x;
    }
  }
  std::optional<std::uint64_t> best_output;
  Number best_each(0);
  std::pair<std::uint64_t, std::uint64_t> best_pair;
  for (const auto& [rows, pair] : neighbors) {
    for (std::uint64_t y = 0; y < channel.outputs(); ++y) {
      local.budget().check_every();
      if (!may_exceed(channel.entry(pair.first, y), channel.entry(pair.second, y), factor)) continue;
      if (best_output == y || std::count(labels.begin(), labels.end(), labels[y]) != 1) continue;
      const Number each = channel.entry(likeliest[y], y);
      if (each <= best_each || !has_short_power(each, people)) continue;
      best_output = y;
      best_each = each;
      best_pair = pair;
    }
  }
  if (!best_output) return;
  const Number& from = channel.entry(best_pair.first, *best_output);
  const Number& to = channel.entry(best_pair.second, *best_output);
  const auto shown = equal_reports(from, to, best_each, people, factor);
  if (!shown) return;
  std::vector<std::uint64_t> counts(labels.size(), 0);
  counts[*best_output] = people;
  Witness& witness = delta.witness;
  witness = {{model::count_label(labels, counts)},
             local.domain().tuple(best_pair.first),
             local.domain().tuple(best_pair.second),
             shown->p,
             shown->q,
             "",
             {}};
  if (people > 1) {
    witness.others = {{local.domain().tuple(likeliest[*best_output]), Number(static_cast<std::int64_t>(people - 1))}};
  }
  delta.at_least = shown->excess.lower;
}

}  // namespace

Decision decide_shuffled_delta(MeasuredModel& local, std::uint64_t people, const Arguments& arguments) {
  const Domain& domain = local.domain();
  const Level& epsilon = arguments.get<Level>("epsilon");
  MeasuredNumber delta{Number(0), {{}, domain.tuple(0), domain.tuple(0), Number(0), Number(0), "", {}}};
  const Number& claimed = arguments.get<Number>("delta");
  if (epsilon.is_infinite()) return decide_number(std::move(delta), claimed);
  const Number factor = epsilon.exponential();
  const LocalReports reports = LocalReports::of(local.channel(), local.budget());
  const auto neighbors = neighbors_by_rows(local, reports, arguments);
  std::vector<RowPair> pairs;
  for (const auto& [rows, inputs] : neighbors) {
    if (some_may_exceed(reports.rows[rows.first], reports.rows[rows.second], factor, local.budget())) {
      pairs.push_back(rows);
    }
  }
  if (pairs.empty()) return decide_number(std::move(delta), claimed);
  ShuffledEvent event = engine::excess_beside_any(reports, pairs, people, factor, local.budget());
  if (event.others.empty()) return decide_number(std::move(delta), claimed);
  const auto [from, to] = neighbors.at(event.rows);
  Witness& witness = delta.witness;
  witness.from = domain.tuple(from);
  witness.to = domain.tuple(to);
  for (std::uint32_t row = 0; row < event.others.size(); ++row) {
    if (event.others[row] == 0) continue;
    const auto first = std::find(reports.row_of.begin(), reports.row_of.end(), row) - reports.row_of.begin();
    witness.others.emplace_back(domain.tuple(static_cast<std::uint64_t>(first)),
                                Number(static_cast<std::int64_t>(event.others[row])));
  }
  // Bounds may meet where no event is known.
  const bool is_listed = event.is_exact() && event.p - factor * event.q == event.excess.lower;
  if (is_listed) witness.outputs = labels_of(local, reports, event);
  witness.likelihood_event = witness.outputs.empty() && event.excess.upper.sign() > 0;
  witness.unlisted = !is_listed;
  witness.p_from = event.p;
  witness.p_to = event.q;
  delta.at_least = event.excess.lower;
  if (!event.is_exact()) {
    delta.at_least = rounded_decimal(event.excess.lower, false);
    delta.unfinished = MeasuredNumber::Unfinished{rounded_decimal(event.excess.upper, true), event.reason};
    if (delta.at_least.is_zero()) show_equal_reports(local, people, factor, neighbors, delta);
  }
  return decide_number(std::move(delta), claimed);
}

namespace {

// The distribution of a report under the prior.
std::vector<Number> drawn_row(MeasuredModel& local, std::size_t coordinate) {
  const ValueRows of_values = rows_of_values(local, coordinate);
  const Number total = sum_of(of_values.masses);
  std::vector<Number> drawn;
  std::vector<WeightedTerm> terms;
  for (std::uint64_t y = 0; y < local.channel().outputs(); ++y) {
    local.budget().check_every();
    terms.clear();
    for (std::size_t a = 0; a < of_values.rows.size(); ++a)
      terms.push_back({of_values.masses[a], of_values.rows[a][y]});
    drawn.push_back(weighted_sum(terms) / total);
  }
  return drawn;
}

std::vector<DrawnReport> drawn_reports(const std::vector<Number>& drawn, const std::vector<Number>& from,
                                       const std::vector<Number>& to) {
  std::vector<DrawnReport> reports;
  for (std::size_t y = 0; y < drawn.size(); ++y) {
    if (!drawn[y].is_zero()) reports.push_back({drawn[y], from[y], to[y]});
  }
  return reports;
}

// The labels of the histograms with P > factor Q; empty if all histograms are too many to list.
std::vector<std::string> labels_of_event(const MeasuredModel& local, std::uint64_t people,
                                         const std::vector<Number>& drawn, const std::vector<Number>& from,
                                         const std::vector<Number>& to, const Number& factor) {
  const model::Counts counts(drawn.size(), people);
  if (counts.size() > ShuffledEvent::kMostListed) return {};
  std::vector<Number> scores;
  for (std::size_t y = 0; y < drawn.size(); ++y) {
    scores.push_back(drawn[y].is_zero() ? Number(0) : (from[y] - factor * to[y]) / drawn[y]);
  }
  const std::vector<std::string> labels = output_labels(local.channel(), local.budget());
  std::vector<std::string> event;
  for (std::uint64_t h = 0; h < counts.size(); ++h) {
    local.budget().check_every();
    const std::vector<std::uint64_t> histogram = counts.at(h);
    Number score;
    bool is_possible = true;
    for (std::size_t y = 0; y < drawn.size(); ++y) {
      if (histogram[y] == 0) continue;
      is_possible = is_possible && !drawn[y].is_zero();
      score += Number(static_cast<std::int64_t>(histogram[y])) * scores[y];
    }
    if (is_possible && score.sign() > 0) event.push_back(model::count_label(labels, histogram));
  }
  return event;
}

// As show_equal_reports, for reports that are drawn from the prior: sets the excess to that of n equal reports, and
// returns which. nullopt if there is none with a short probability.
std::optional<std::uint64_t> equal_draws(const std::vector<Number>& drawn, const std::vector<Number>& from,
                                         const std::vector<Number>& to, std::uint64_t people, const Number& factor,
                                         DrawnExcess& excess) {
  std::optional<std::uint64_t> best;
  for (std::uint64_t y = 0; y < drawn.size(); ++y) {
    if (!may_exceed(from[y], to[y], factor) || !has_short_power(drawn[y], people)) continue;
    if (!best || drawn[y] > drawn[*best]) best = y;
  }
  if (!best) return std::nullopt;
  const auto shown = equal_reports(from[*best], to[*best], drawn[*best], people, factor);
  if (!shown) return std::nullopt;
  excess.p = shown->p;
  excess.q = shown->q;
  excess.excess.lower = shown->excess.lower;
  return best;
}

// The largest excess so far: the witness is that of the largest lower end.
struct LargestDrawn {
  const Number& factor;
  MeasuredNumber delta{};
  Number upper{};
  std::string reason{};
  bool is_known = false;

  bool take(const DrawnExcess& excess, const Witness& sides) {
    upper = std::max(upper, excess.excess.upper);
    if (!excess.is_exact()) reason = excess.reason;
    if (is_known && excess.excess.lower <= delta.at_least) return false;
    delta = {excess.excess.lower, sides};
    delta.witness.p_from = excess.p;
    delta.witness.p_to = excess.q;
    delta.witness.unlisted = !excess.is_exact() || excess.p - factor * excess.q != excess.excess.lower;
    return is_known = true;
  }
};

}  // namespace

Decision decide_shuffled_delta_of_values(MeasuredModel& local, std::uint64_t people, const Arguments& arguments) {
  const Level& epsilon = arguments.get<Level>("epsilon");
  const Number& claimed = arguments.get<Number>("delta");
  if (epsilon.is_infinite()) return decide_number(MeasuredNumber{}, claimed);
  const Number factor = epsilon.exponential();
  LargestDrawn largest{factor};
  const std::size_t coordinate = claimed_coordinates(arguments)[0];
  const Scope scope(arguments);
  const AllowedPairs direction = direction_of(scope, parties_of(local.domain(), coordinate));
  const std::vector<Number> drawn = drawn_row(local, coordinate);
  for (const GivenModel& given : models_given(local.model(), local.prior(), scope.known, local.budget())) {
    MeasuredModel part(given.model, local.budget());
    const ValueRows of_values = rows_of_values(part, coordinate);
    const Coordinate& own = local.domain().coordinate(coordinate);
    for (std::size_t a = 0; a < of_values.values.size(); ++a) {
      for (std::size_t b = 0; b < of_values.values.size(); ++b) {
        if (!direction.allows(of_values.values[a], of_values.values[b])) continue;
        const std::vector<Number>&from = of_values.rows[a], &to = of_values.rows[b];
        DrawnExcess excess;
        if (some_may_exceed(from, to, factor, local.budget())) {
          excess = engine::excess_beside_draws(drawn_reports(drawn, from, to), people, factor, local.budget());
        }
        std::optional<std::uint64_t> equal;
        if (!excess.is_exact() && excess.excess.lower.is_zero()) {
          equal = equal_draws(drawn, from, to, people, factor, excess);
        }
        const Witness sides{{},
                            own.values[of_values.values[a]],
                            own.values[of_values.values[b]],
                            Number(0),
                            Number(0),
                            own.name,
                            given.given};
        if (!largest.take(excess, sides)) continue;
        Witness& witness = largest.delta.witness;
        if (equal) {
          std::vector<std::uint64_t> counts(drawn.size(), 0);
          counts[*equal] = people;
          witness.unlisted = false;
          witness.outputs = {model::count_label(output_labels(local.channel(), local.budget()), counts)};
          continue;
        }
        if (!witness.unlisted) witness.outputs = labels_of_event(local, people, drawn, from, to, factor);
        witness.likelihood_event = witness.outputs.empty() && excess.excess.upper.sign() > 0;
      }
    }
  }
  if (largest.upper > largest.delta.at_least) {
    if (largest.delta.witness.unlisted) largest.delta.at_least = rounded_decimal(largest.delta.at_least, false);
    largest.delta.unfinished = MeasuredNumber::Unfinished{rounded_decimal(largest.upper, true), largest.reason};
  }
  return decide_number(std::move(largest.delta), claimed);
}

}  // namespace oddsbound::notions
