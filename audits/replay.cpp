#include "audits/replay.h"

#include <algorithm>
#include <bit>

#include "base/errors.h"
#include "verifier/engine/factor_losses.h"
#include "verifier/model/channel.h"

namespace oddsbound::audits {

namespace {

struct CutOff {};

// Decides choices: the current run follows one path of outcomes.
class Path final : public ChoiceObserver {
 public:
  Path(unsigned cut_bits, ChoiceRegistry& registry) : cut_bits_(cut_bits), registry_(registry) {}

  void restart() { path_.restart(); }
  const FixedInterval& mass() const { return path_.weight(); }
  void finish() const { path_.finish(); }
  bool advance() { return path_.advance(); }

  std::uint64_t choose(const Choice& choice) override {
    const ChoiceName name(choice);
    if (path_.is_known()) return path_.again(name);
    return begin(registry_.find(choice), name);
  }

  std::uint64_t choose_word(unsigned width) {
    if (path_.is_known()) return path_.again(std::nullopt);
    StatedMasses& words = words_[width];
    words.outcomes = std::uint64_t{1} << width;
    words.each = FixedInterval::half_power(width);
    return begin(words, std::nullopt);
  }

 private:
  std::uint64_t begin(const StatedMasses& stated, const std::optional<ChoiceName>& name) {
    if (mass().below(cut_bits_)) throw CutOff{};
    return path_.begin(stated, name);
  }

  unsigned cut_bits_;
  ChoiceRegistry& registry_;
  std::map<unsigned, StatedMasses> words_;
  mechanisms::ChoicePath<FixedInterval> path_{FixedInterval::one()};
};

class ReplaySource final : public RandomSource {
 public:
  ReplaySource(unsigned width, Path& path) : RandomSource(width, &path), path_(path) {}

 protected:
  void refill() override {
    if (width() > 64) throw ModelError("a sampler draws random words itself, past the choices that are checked");
    word_ = path_.choose_word(width());
    provide(&word_, 1);
  }

 private:
  Path& path_;
  std::uint64_t word_ = 0;
};

}  // namespace

const StatedMasses& ChoiceRegistry::find(const Choice& choice) {
  const ChoiceName name(choice);
  const auto place = known_.find(name);
  if (place != known_.end()) {
    if (place->second.open) throw ModelError("the choice '" + choice.describe() + "' is made by making it");
    return place->second;
  }
  StatedMasses stated;
  stated.outcomes = choice.outcomes();
  if (choice.is_uniform()) {
    if (!(choice.probability(0) * number_of(stated.outcomes)).is_one()) {
      throw ModelError("the probabilities of the choice '" + choice.describe() + "' do not sum to 1");
    }
    stated.each = FixedInterval::of(choice.probability(0));
  } else {
    for (std::uint64_t o = 0; o < stated.outcomes; ++o)
      stated.weights.push_back(FixedInterval::of(choice.probability(o)));
  }
  StatedMasses& kept = known_.emplace(name, std::move(stated)).first->second;
  announce_(choice);
  kept.open = false;
  return kept;
}

Distribution replay(const Choice& choice, unsigned cut_bits, ChoiceRegistry& registry, Budget& budget) {
  Distribution result;
  result.outcomes.resize(choice.outcomes() + 1);
  Path path(cut_bits, registry);
  do {
    budget.check_every();
    ++result.runs;
    path.restart();
    ReplaySource source(std::max(1U, choice.check_width()), path);
    std::uint64_t outcome = 0;
    try {
      const bool accepted = choice.attempt(source, outcome);
      path.finish();
      if (accepted) {
        result.outcomes[std::min<std::uint64_t>(outcome, choice.outcomes())] += path.mass();
      } else {
        result.rejected += path.mass();
      }
    } catch (const CutOff&) {
      result.cut += path.mass();
    }
  } while (path.advance());
  return result;
}

namespace {

using Rows = std::vector<std::vector<Number>>;

constexpr std::uint64_t kMostReplayedCells = std::uint64_t{1} << 18;
constexpr std::uint64_t kMostComparisons = std::uint64_t{1} << 22;

// P(y given side), for every side.
Rows rows_of_sides(const Question& question, const Channel& channel, Budget& budget) {
  const Rows entries = rows_of(channel, budget);
  Rows rows;
  for (const Side& side : question.sides) {
    std::vector<Number>& row = rows.emplace_back();
    for (std::uint64_t y = 0; y < channel.outputs(); ++y) {
      std::vector<WeightedTerm> terms;
      for (std::size_t i = 0; i < side.inputs.size(); ++i) {
        budget.check_every();
        terms.push_back({side.probabilities[i], entries[side.inputs[i]][y]});
      }
      row.push_back(weighted_sum(terms));
    }
  }
  return rows;
}

Level largest_level(const Question& question, const Rows& rows, Budget& budget) {
  PoolBuilder builder;
  for (const auto& row : rows) {
    for (const Number& p : row) builder.add(p);
  }
  const auto sides = DenseChannel::from_rows(rows.size(), numbered_labels(rows[0].size()), std::move(builder), budget);
  LossValues values;
  const FactorLosses losses(*sides, values, budget);
  Level largest;
  for (const auto& [from, to] : question.pairs) {
    const std::uint32_t loss = losses.loss(from, to);
    largest = std::max(largest,
                       loss == LossValues::kInfinite ? Level::infinite() : Level::of_exponential(values.value(loss)));
  }
  return largest;
}

Number largest_delta(const Question& question, const Rows& rows, Budget& budget) {
  Number largest(0);
  if (question.at->is_infinite()) return largest;
  for (const auto& [from, to] : question.pairs) {
    std::vector<WeightedTerm> excess;
    for (std::size_t y = 0; y < rows[from].size(); ++y) {
      budget.check_every();
      const Number difference = rows[from][y] - question.at->exponential() * rows[to][y];
      if (difference.sign() > 0) excess.push_back({Number(1), difference});
    }
    largest = std::max(largest, weighted_sum(excess));
  }
  return largest;
}

}  // namespace

std::string why_no_exact_answer(const Question& question, const Channel& channel) {
  const std::uint64_t inputs = channel.input_numbers(), outputs = channel.outputs(), sides = question.sides.size();
  if (sides == 0) return "the claim compares nothing";
  const auto over = [](const std::string& what, std::uint64_t most) {
    return what + ", more than the limit of " + std::to_string(most) + " (2^" +
           std::to_string(std::bit_width(most) - 1) + ")";
  };
  if (outputs > kMostReplayedCells || inputs > kMostReplayedCells / outputs) {
    return over("the stated channel has " + std::to_string(inputs) + " inputs x " + channel.output_count().to_string() +
                    " outputs",
                kMostReplayedCells);
  }
  if (sides <= kMostComparisons / outputs / sides) return "";
  return over("the claim compares " + std::to_string(sides) + " x " + std::to_string(sides) + " distributions of " +
                  std::to_string(outputs) + " outputs",
              kMostComparisons);
}

ExactAnswer exact_answer(const Question& question, const Channel& channel, Budget& budget) {
  if (!why_no_exact_answer(question, channel).empty()) return {};
  const Rows rows = rows_of_sides(question, channel, budget);
  if (question.bounds_delta()) return {std::nullopt, largest_delta(question, rows, budget)};
  return {largest_level(question, rows, budget), std::nullopt};
}

}  // namespace oddsbound::audits
