#include "app/tune.h"

#include <algorithm>

#include "app/decide_claim.h"
#include "app/tune_range.h"
#include "base/errors.h"
#include "reports/publishable.h"
#include "specs/source_file.h"
#include "specs/spec_error.h"
#include "verifier/exact/expression.h"
#include "verifier/exact/interval.h"
#include "verifier/smt/solver.h"

namespace oddsbound::app {

namespace {

// The claim with this name or index.
std::size_t find_claim(const Spec& spec, const std::string& asked) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < spec.claims.size(); ++i) {
    if (asked == std::to_string(i) || (!asked.empty() && spec.claims[i].name == asked)) return i;
    if (!spec.claims[i].name.empty()) names.push_back(spec.claims[i].name);
  }
  const std::string near = suggestion(asked, names);
  const std::string known = names.empty() ? "" : "names: " + listing(names) + "; ";
  throw ModelError("there is no claim '" + printable(asked) + "' (" + (near.empty() ? known : near + " ") +
                   "the spec has " + std::to_string(spec.claims.size()) + ", and they count from 0)");
}

std::vector<std::size_t> chosen_claims(const Spec& spec, const TuneRequest& request) {
  std::vector<std::size_t> chosen;
  for (const std::string& asked : request.claims) chosen.push_back(find_claim(spec, asked));
  for (std::size_t i = 0; request.claims.empty() && i < spec.claims.size(); ++i) {
    if (spec.claims[i].expect_holds) chosen.push_back(i);
  }
  if (chosen.empty()) throw ModelError("the spec claims nothing that should hold");
  std::sort(chosen.begin(), chosen.end());
  chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
  return chosen;
}

class Tuner {
 public:
  Tuner(const VariedSpec& spec, const TuneRequest& request, Budget& budget, const TuneProgress& progress)
      : spec_(spec), request_(request), smt_(request.smt), budget_(budget), progress_(progress) {
    smt_.solver = caching_solver(smt_, budget);
    result_.file = result_.name = spec.file();
    result_.parameter = spec.parameter();
    if (spec.symbol() == nullptr) result_.written = spec.as_written();
    result_.smallest = request.smallest;
    result_.integers = request.integers;
    result_.range = range_to_tune(spec, request);
    const Number whole = result_.range.to.number - result_.range.from.number;
    result_.width = request.integers ? Number(1) : request.width.value_or(whole / Number(2).pow(20));
    if (!result_.width.is_rational() || result_.width.sign() <= 0) {
      throw ModelError("found the width " + printable(result_.width.to_string(), 40) + ", expected a rational above 0");
    }
  }

  TuneResult tune() {
    const std::vector<Number> grid = grid_in(result_.range, request_);
    const bool runs = request_.integers && request_.grid.empty() && !request_.smallest && spec_.counts_runs();
    planned_ = grid.size() + 30;
    if (runs) {
      count_up(grid);
    } else {
      for (const Number& value : grid) point_at({value}).on_grid = true;
    }
    look_closer();
    if (runs) conclude_for_runs();
    if (request_.prove && !request_.integers) {
      prove();
      prove_failure();
    }
    if (result_.confidential()) decide_near_values();
    note_what_is_missing();
    return std::move(result_);
  }

 private:
  // Stores what is the same for all values, from the first spec read.
  void learn(const Spec& spec) {
    claims_ = chosen_claims(spec, request_);
    only_events_ = std::all_of(claims_.begin(), claims_.end(),
                               [&](std::size_t i) { return spec.claims[i].notion->defines(spec.claims[i].arguments); });
    result_.name = spec.name;
    result_.files = spec.files;
    result_.notes = spec.notes;
    for (std::size_t i = 0; i < spec.model.domain.size(); ++i) {
      result_.coordinates.push_back(spec.model.domain.coordinate(i).name);
    }
    if (spec.symbols) {
      for (const Symbol& symbol : spec.symbols->symbols()) result_.symbols.push_back(symbol.range_text());
    }
    if (!spec_.is_used(budget_)) {
      result_.notes.push_back("nothing in the spec refers to '" + printable(result_.parameter) +
                              "': every value gives the same levels");
    }
    if (request_.claims.empty() && claims_.size() < spec.claims.size()) {
      result_.notes.emplace_back("claims that are expected to be refuted are left out");
    }
    const bool tight = std::any_of(claims_.begin(), claims_.end(), [&](auto i) { return spec.claims[i].tight; });
    if (tight) result_.notes.emplace_back("that claims are tight is left out: what is decided is whether they hold");
  }

  // value: of the parameter; identifies the spec for other processes. Empty: not shared.
  std::vector<ClaimResult> decide(Spec spec, const std::string& value) {
    const Model model = model_of_claims(spec);
    if (!model.channel) {
      throw ModelError("the mechanism's outputs are " + spec.mechanism.outputs_word() +
                       ": it has no exact levels to tune");
    }
    if (claims_.empty()) learn(spec);
    for (Claim& claim : spec.claims) claim.tight = false;
    std::vector<Disagreement> disagreements;
    MeasuredModel subject(model, budget_);
    if (!value.empty()) subject.share_as("the mechanism at " + value + " of " + sha256(digests_of(spec.files)));
    std::vector<ClaimResult> results = decide_claims(spec, claims_, subject, Engine::kExact, smt_, disagreements);
    for (const Disagreement& disagreement : disagreements) {
      throw SpecError(disagreement.error.place, disagreement.error.message, disagreement.error.hint);
    }
    return results;
  }

  void report(const std::string& work) const {
    if (progress_) progress_(result_.points.size(), planned_, work);
  }

  // True if a limit of the whole run explains any error while reading a spec.
  bool is_over() const { return budget_.seconds_left() <= 0 || budget_.limits().stop.stop_requested(); }

  TunedPoint decided_at(const TunedValue& value) {
    TunedPoint point{value, false, {}, ""};
    report(result_.parameter + " = " + value.text());
    try {
      budget_.check();
      point.claims = decide(spec_.at(value.text(), budget_), value.text());
    } catch (const SpecError& error) {
      if (!is_over()) {
        throw SpecError(error.place(),
                        error.message() + " (where " + printable(result_.parameter) + " is " + value.text() + ")",
                        error.hint());
      }
      point.reason = error.message();
    } catch (const LimitError& error) {
      point.reason = error.what();
    }
    return point;
  }

  TunedPoint& put(TunedPoint point) {
    auto& points = result_.points;
    const auto place = std::lower_bound(points.begin(), points.end(), point.value,
                                        [](const TunedPoint& p, const TunedValue& value) { return p.value < value; });
    return *points.insert(place, std::move(point));
  }

  TunedPoint& point_at(const TunedValue& value) { return put(decided_at(value)); }

  // The two ends in order, if the outer one is known to fail.
  std::optional<std::pair<TunedValue, TunedValue>> ends() const {
    const auto holds = result_.holds_at(), fails = result_.fails_at();
    if (!fails || result_.points[*fails].verdict() != Verdict::kRefuted) return std::nullopt;
    return std::minmax(result_.points[*holds].value, result_.points[*fails].value);
  }

  // Numbers of runs: from the smallest one in doubling steps, up to the first that is too large. The largest numbers
  // take the longest.
  void count_up(const std::vector<Number>& grid) {
    const Number &first = grid.front(), &last = grid.back();
    for (Number step(1), value = first; value <= last; step *= Number(2), value = first + step - Number(1)) {
      TunedPoint& point = point_at({value});
      point.on_grid = true;
      if (point.verdict() != Verdict::kHolds) return;
    }
    if (result_.points.back().value.number < last) point_at({last}).on_grid = true;
  }

  // A claim that compares probabilities of events holds for fewer runs if it holds for more of them.
  void conclude_for_runs() {
    if (!only_events_ || result_.confidential()) return;
    TuneRange whole = result_.range;
    const auto holds = result_.holds_at(), fails = result_.fails_at();
    if (holds) {
      result_.proven = whole;
      result_.proven->to = result_.points[*holds].value;
      result_.proven->to_open = false;
    }
    if (!holds || !fails || !ends() || !result_.narrow()) return;
    result_.proven_to_fail = whole;
    result_.proven_to_fail->from = result_.points[*holds].value;
    result_.proven_to_fail->from_open = true;
  }

  void look_closer() {
    narrow_down();
    if (!request_.integers) try_simple_values();
  }

  // Bisection with values of small denominators near the middle: easier to read, and faster to decide.
  void narrow_down() {
    for (auto between = ends(); between && !result_.narrow(); between = ends()) {
      const Number &low = between->first.number, &high = between->second.number;
      const Number width = high - low;
      const Number middle =
          request_.integers ? floor_of((low + high) / Number(2))
                            : simplest_between(low + width * Number::ratio(2, 5), low + width * Number::ratio(3, 5));
      point_at({middle});
    }
  }

  // Tries whether the exact answer is a simple rational between the two ends, or the logarithm of one.
  void try_simple_values() {
    constexpr int kMost = 4;
    for (int i = 0; i < kMost && ends(); ++i) {
      const auto [low, high] = *ends();
      const Number inset = (high.number - low.number) / Number(1024);
      const Number simplest = simplest_between(low.number + inset, high.number - inset);
      if (simplest.text_size() >= std::min(low.number.text_size(), high.number.text_size())) break;
      point_at({simplest});
    }
    if (const auto between = ends(); between && spec_.symbol() == nullptr)
      try_logarithm(between->first.number, between->second.number);
  }

  void try_logarithm(const Number& low, const Number& high) {
    constexpr unsigned kBits = 64;
    constexpr std::size_t kSimple = 5;  // in characters
    const Number most(100);
    if (high > most || low < -most) return;
    const Number above = rational_bounds(Number::exp_of(low), kBits).second;
    const Number below = rational_bounds(Number::exp_of(high), kBits).first;
    if (above >= below) return;
    const Number simplest = simplest_between(above, below);
    if (simplest.to_string().size() > kSimple || simplest.is_one()) return;
    if (can_be_read({simplest, true})) point_at({simplest, true});
  }

  // Decides values of three significant digits on either side of the result. Published results have no more digits
  // (reports/publishable.h), and every published verdict was decided.
  void decide_near_values() {
    const auto between = ends();
    if (!between) return;
    for (const Number& value :
         {rounded_outward(between->first.approx(), false), rounded_outward(between->second.approx(), true)}) {
      const auto is_there = [&](const TunedPoint& point) { return point.value == TunedValue{value}; };
      const TuneRange& range = result_.range;
      const bool low = range.from_open ? value > range.from.number : value >= range.from.number;
      const bool high = range.to_open ? value < range.to.number : value <= range.to.number;
      if (!low || !high || std::any_of(result_.points.begin(), result_.points.end(), is_there)) continue;
      TunedPoint point = decided_at({value});
      if (point.verdict() != Verdict::kUndecided) put(std::move(point));
    }
  }

  // Values that a limit left undecided show themselves; proofs and near values that were not tried do not.
  void note_what_is_missing() {
    const bool proofs = request_.prove && !request_.integers;
    const bool all = result_.proven && (result_.proven_to_fail || !result_.fails_at());
    if (!is_over() || result_.undecided() > 0 || (!result_.confidential() && (!proofs || all))) return;
    result_.stopped = true;
    result_.notes.emplace_back("a limit was reached before all proofs and near values were tried");
  }

  // False for example for a logarithm in place of a probability.
  bool can_be_read(const TunedValue& value) const {
    try {
      spec_.at(value.text(), budget_);
      return true;
    } catch (const SpecError&) {
      return false;
    }
  }

  // The values of a run. A run over all values covers the whole range.
  TuneRange range_of(const TunedRun& run) const {
    const auto& points = result_.points;
    TuneRange range{points[run.first].value, points[run.last].value};
    const TuneRange& whole = result_.range;
    if (run.first == 0 && whole.from_open) range.from = whole.from, range.from_open = true;
    if (run.last + 1 == points.size() && whole.to_open) range.to = whole.to, range.to_open = true;
    return range;
  }

  void prove() {
    constexpr int kMost = 4;
    for (int i = 0; i < kMost; ++i) {
      const auto holds = result_.holds_at();
      if (!holds) return;
      const auto runs = result_.runs();
      const auto run = std::find_if(runs.begin(), runs.end(), [&](const TunedRun& r) { return r.last >= *holds; });
      if (!prove_over(range_of(*run))) return;
      look_closer();
    }
  }

  // Tries the parameter as a symbol, then, for a level, as the logarithm of a symbol. Returns true if a value was
  // found at which the claims fail, so that another attempt makes sense.
  bool prove_over(const TuneRange& range) {
    std::string why;
    for (const bool logarithm : {false, true}) {
      const auto bounds = symbol_over(range, logarithm);
      if (!bounds || (logarithm && spec_.symbol() != nullptr)) continue;
      report("Z3 looks for a value at which the claims fail, " + range.text(result_.parameter));
      try {
        const Spec spec = spec_.over(*bounds, logarithm, budget_);
        return prove_of(
            spec,
            {value_of(*bounds->low, logarithm), value_of(*bounds->high, logarithm), range.from_open, range.to_open},
            logarithm);
      } catch (const SpecError& error) {
        if (why.empty()) why = "Z3 cannot be asked, with a symbol there: " + error.message();
      } catch (const LimitError& error) {
        why = error.what();
      }
    }
    result_.not_proven = why;
    return false;
  }

  bool prove_of(const Spec& spec, const TuneRange& range, bool logarithm) {
    const TunedPoint all{{}, false, decide(spec, ""), ""};
    if (all.verdict() == Verdict::kHolds) {
      result_.proven = range;
      result_.not_proven.clear();
      return false;
    }
    result_.not_proven = all.open_reason();
    return all.verdict() == Verdict::kRefuted && add_counterexample(all.claims, logarithm);
  }

  // From the result outward, up to the end of the failing values. If some claim holds slightly beyond the result,
  // from the first failing value.
  void prove_failure() {
    const auto between = ends();
    if (!between || !result_.symbols.empty()) return;
    const auto runs = result_.runs();
    const std::size_t fails = *result_.fails_at();
    const auto run = std::find_if(runs.begin(), runs.end(), [&](const TunedRun& r) { return r.last >= fails; });
    TuneRange range = range_of(*run);
    TunedValue& inner = result_.smallest ? range.to : range.from;
    bool& open = result_.smallest ? range.to_open : range.from_open;
    const TunedValue at_failure = inner;
    inner = result_.points[*result_.holds_at()].value;
    open = true;
    const auto prove = [&] {
      report("Z3 looks for a value at which the claims hold, " + range.text(result_.parameter));
      result_.proven_to_fail = failing_range(spec_, range, result_.smallest, claims_, smt_, budget_);
      return result_.proven_to_fail.has_value();
    };
    if (prove()) return;
    inner = at_failure;
    open = false;
    prove();
  }

  bool add_counterexample(const std::vector<ClaimResult>& results, bool logarithm) {
    for (const ClaimResult& claim : results) {
      for (const auto& [symbol, text] : claim.values) {
        if (symbol != spec_.varied_name()) continue;
        const TunedValue value = value_of(parse_number(text), logarithm);
        const bool known = std::any_of(result_.points.begin(), result_.points.end(),
                                       [&](const TunedPoint& point) { return point.value == value; });
        if (!known) point_at(value);
        result_.not_proven = "Z3 found that the claims fail at " + value.text();
        return !known;
      }
    }
    return false;
  }

  const VariedSpec& spec_;
  const TuneRequest& request_;
  SmtOptions smt_;
  Budget& budget_;
  const TuneProgress& progress_;
  std::vector<std::size_t> claims_;
  bool only_events_ = false;  // all claims compare probabilities of events
  std::size_t planned_ = 0;
  TuneResult result_;
};

}  // namespace

TuneResult tune(const VariedSpec& spec, const TuneRequest& request, Budget& budget, const TuneProgress& progress) {
  return Tuner(spec, request, budget, progress).tune();
}

}  // namespace oddsbound::app
