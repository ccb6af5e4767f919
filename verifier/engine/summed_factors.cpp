#include "verifier/engine/sum_plan.h"

#include <algorithm>
#include <deque>
#include <unordered_map>
#include <utility>

#include "base/errors.h"
#include "verifier/engine/projected_rows.h"
#include "verifier/exact/interval.h"
#include "verifier/exact/number.h"

namespace oddsbound::engine {

namespace {

constexpr slong kFactorBits = 256;

using Ratios = std::vector<Number>;  // the entries of an output, divided by the first that is not 0

struct RatiosHash {
  std::size_t operator()(const Ratios& ratios) const {
    std::size_t hash = ratios.size();
    for (const Number& ratio : ratios) hash = hash * 1000003 + ratio.hash();
    return hash;
  }
};

// An entropy of nearly certain outputs is known to an absolute error only, which is enough.
double rounded_entropy(const Ball& entropy) {
  constexpr slong kAbsolute = -240;
  if (mag_cmp_2exp_si(arb_radref(entropy.get()), kAbsolute) >= 0) return nearest_double(entropy);
  return std::max(0.0, arf_get_d(arb_midref(entropy.get()), ARF_RND_NEAR));
}

// A merged output: its probabilities are ratios x scale. The ratios are exact, the scale is a ball.
struct MergedOutput {
  Ratios ratios;
  Ball scale;
  SummedFactor::Sequence likeliest;  // the most likely of the outputs
  Ball likeliest_scale;              // of this output alone
  Number likeliest_share;            // the same, exactly; of one run only
};

class MergedOutputs {
 public:
  explicit MergedOutputs(bool of_one_run) : of_one_run_(of_one_run) {}

  // Adds an output, or a type of `sequences` times its most likely output. `scale` is that of the most likely one.
  void add(Ratios ratios, const Ball& scale, const Ball& sequences, SummedFactor::Sequence outputs) {
    const auto first = std::find_if(ratios.begin(), ratios.end(), [](const Number& ratio) { return !ratio.is_zero(); });
    if (first == ratios.end()) return;
    Ball own, all;
    const Ball by(*first, kFactorBits);
    arb_mul(own.get(), scale.get(), by.get(), kFactorBits);
    arb_mul(all.get(), own.get(), sequences.get(), kFactorBits);
    const Number share = *first;
    for (Number& ratio : ratios) ratio /= share;
    const auto [place, added] = known_.try_emplace(std::move(ratios), outputs_.size());
    if (added) {
      MergedOutput& merged = outputs_.emplace_back();
      merged.ratios = place->first;
      merged.likeliest = std::move(outputs);
      arb_swap(merged.scale.get(), all.get());
      arb_swap(merged.likeliest_scale.get(), own.get());
      merged.likeliest_share = share;
      return;
    }
    MergedOutput& merged = outputs_[place->second];
    arb_add(merged.scale.get(), merged.scale.get(), all.get(), kFactorBits);
    const bool larger =
        of_one_run_ ? share > merged.likeliest_share : arb_gt(own.get(), merged.likeliest_scale.get()) != 0;
    if (!of_one_run_ && arb_overlaps(own.get(), merged.likeliest_scale.get()) != 0) knows_likeliest_ = false;
    if (!larger) return;
    merged.likeliest = std::move(outputs);
    arb_swap(merged.likeliest_scale.get(), own.get());
    merged.likeliest_share = share;
  }

  const std::deque<MergedOutput>& outputs() const { return outputs_; }

  SummedFactor rounded(std::size_t classes) const {
    SummedFactor factor;
    factor.classes = classes;
    factor.knows_likeliest = knows_likeliest_;
    std::deque<Ball> entropies(classes);
    Ball entry, log;
    for (const MergedOutput& output : outputs_) {
      for (std::size_t c = 0; c < classes; ++c) {
        const Ball ratio(output.ratios[c], kFactorBits);
        arb_mul(entry.get(), output.scale.get(), ratio.get(), kFactorBits);
        factor.entries.push_back(nearest_double(entry));
        if (output.ratios[c].is_zero()) continue;  // 0 log 0 = 0
        arb_log(log.get(), entry.get(), kFactorBits);
        arb_submul(entropies[c].get(), entry.get(), log.get(), kFactorBits);
      }
      arb_div(entry.get(), output.likeliest_scale.get(), output.scale.get(), kFactorBits);
      factor.parts.push_back(nearest_double(entry));
      factor.outputs.push_back(output.likeliest);
    }
    // With a single output, or for a row with one, the entropy is 0, which an enclosure cannot show.
    for (std::size_t c = 0; c < classes; ++c) {
      const auto possible = std::count_if(outputs_.begin(), outputs_.end(),
                                          [&](const MergedOutput& output) { return !output.ratios[c].is_zero(); });
      factor.entropies.push_back(possible == 1 ? 0 : rounded_entropy(entropies[c]));
    }
    return factor;
  }

 private:
  std::unordered_map<Ratios, std::size_t, RatiosHash> known_;
  std::deque<MergedOutput> outputs_;
  bool of_one_run_;
  bool knows_likeliest_ = true;
};

// One run of a factor; sets the classes of the inputs in `class_of`. Returns the number of classes.
std::size_t merge_once(const Channel& channel, std::map<std::uint64_t, std::uint32_t>& class_of, MergedOutputs& merged,
                       Budget& budget) {
  budget.require_cells(class_of.size(), channel.outputs());
  std::unordered_map<Ratios, std::uint32_t, RatiosHash> classes;
  std::vector<const Ratios*> rows;
  for (auto& [input, number] : class_of) {
    Ratios row;
    for (std::uint64_t y = 0; y < channel.outputs(); ++y) {
      budget.check_every();
      row.push_back(channel.entry(input, y));
    }
    const auto [place, added] = classes.emplace(std::move(row), static_cast<std::uint32_t>(rows.size()));
    if (added) rows.push_back(&place->first);
    number = place->second;
  }
  const Ball one(1.0);
  for (std::uint64_t y = 0; y < channel.outputs(); ++y) {
    budget.check_every();
    Ratios column;
    for (const Ratios* row : rows) column.push_back((*row)[y]);
    merged.add(std::move(column), one, one, {{y, 1}});
  }
  return rows.size();
}

// Several runs of a factor: places the outputs with their numbers of occurrences, one after another.
class TypesOfRuns {
 public:
  TypesOfRuns(const std::deque<MergedOutput>& once, std::size_t classes, Budget& budget)
      : once_(once), classes_(classes), budget_(budget) {}

  SummedFactor take(std::size_t runs) {
    const Ball one(1.0);
    place(0, runs, {}, Ratios(classes_, Number(1)), one, one, one);
    return types_.rounded(classes_);
  }

 private:
  // ratios x scale: the probabilities of one sequence of the merged outputs placed so far. `sequences`: the number of
  // these sequences. `likeliest`: the fraction of a sequence's probability that its most likely outputs have.
  void place(std::size_t y, std::size_t left, const SummedFactor::Sequence& placed, const Ratios& ratios,
             const Ball& scale, const Ball& sequences, const Ball& likeliest) {
    budget_.check_every();
    const bool last = y + 1 == once_.size();
    for (std::size_t count = last ? left : 0; count <= left; ++count) {
      SummedFactor::Sequence outputs = placed;
      if (count > 0) outputs.emplace_back(once_[y].likeliest[0].first, count);
      Ratios own = ratios;
      for (std::size_t c = 0; c < classes_; ++c) {
        if (count > 0) own[c] *= once_[y].ratios[c].pow(static_cast<std::int64_t>(count));
      }
      Ball power, ways, own_likeliest;
      arb_pow_ui(power.get(), once_[y].scale.get(), count, kFactorBits);
      arb_mul(power.get(), power.get(), scale.get(), kFactorBits);
      arb_bin_uiui(ways.get(), left, count, kFactorBits);
      arb_mul(ways.get(), ways.get(), sequences.get(), kFactorBits);
      arb_div(own_likeliest.get(), once_[y].likeliest_scale.get(), once_[y].scale.get(), kFactorBits);
      arb_pow_ui(own_likeliest.get(), own_likeliest.get(), count, kFactorBits);
      arb_mul(own_likeliest.get(), own_likeliest.get(), likeliest.get(), kFactorBits);
      if (!last) {
        place(y + 1, left - count, outputs, own, power, ways, own_likeliest);
        continue;
      }
      // One sequence of the most likely outputs; merged outputs stand for several sequences of outputs each.
      std::sort(outputs.begin(), outputs.end());
      arb_mul(power.get(), power.get(), own_likeliest.get(), kFactorBits);
      arb_div(ways.get(), ways.get(), own_likeliest.get(), kFactorBits);
      types_.add(std::move(own), power, ways, std::move(outputs));
    }
  }

  const std::deque<MergedOutput>& once_;
  std::size_t classes_;
  Budget& budget_;
  MergedOutputs types_{false};
};

}  // namespace

double nearest_double(const Ball& ball) {
  constexpr slong kEnough = 80;
  if (arb_is_zero(ball.get()) != 0) return 0;
  if (arb_rel_accuracy_bits(ball.get()) < kEnough) throw LimitError("a probability is not known closely enough");
  return arf_get_d(arb_midref(ball.get()), ARF_RND_NEAR);
}

double nearest_double(const Number& number) { return nearest_double(Ball(number, kFactorBits)); }

std::vector<SummedFactor> summed_factors(const Model& model, Budget& budget) {
  const std::span<const Factor> factors = model.channel->factors();
  std::vector<EqualFactors> groups = equal_factors(factors);
  const DomainShape& shape = model.prior->shape();
  model.prior->each_row(budget, [&](InputView row, const Number&) {
    budget.check_every();
    for (EqualFactors& group : groups) {
      group.class_of.emplace(index_of(shape, row, factors[group.factors[0]].coordinates), 0);
    }
  });
  std::vector<SummedFactor> all;
  for (EqualFactors& group : groups) {
    MergedOutputs once(true);
    const std::size_t classes = merge_once(*factors[group.factors[0]].channel, group.class_of, once, budget);
    const std::size_t runs = runs_together(group.factors.size(), once.outputs().size());
    std::map<std::size_t, SummedFactor> batches;  // by number of runs
    for (std::size_t begun = 0; begun < group.factors.size(); begun += runs) {
      const std::size_t together = std::min(runs, group.factors.size() - begun);
      if (!batches.contains(together)) {
        batches[together] =
            together == 1 ? once.rounded(classes) : TypesOfRuns(once.outputs(), classes, budget).take(together);
      }
      SummedFactor added = batches[together];
      const auto first = group.factors.begin() + static_cast<std::ptrdiff_t>(begun);
      added.factors.assign(first, first + static_cast<std::ptrdiff_t>(together));
      added.class_of = group.class_of;
      all.push_back(std::move(added));
    }
  }
  return all;
}

}  // namespace oddsbound::engine
