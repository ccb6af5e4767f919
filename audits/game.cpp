#include "audits/game.h"

#include <algorithm>
#include <cassert>
#include <map>
#include <numeric>
#include <optional>

#include "audits/confidence.h"
#include "mechanisms/random/distributions.h"
#include "verifier/exact/interval.h"

namespace oddsbound::audits {

namespace {

constexpr std::uint64_t kLabelPurpose = 0x61756469745f6c61ULL;

// Uniform numbers below n from 16 random bits each (Lemire 2019, with rejection of the biased part).
class ShortUniform {
 public:
  static constexpr std::uint64_t kMost = 1 << 12;
  ShortUniform(std::uint64_t n, RandomSource& source)
      : n_(static_cast<std::uint32_t>(n)), unfair_(65536 % n_), source_(source) {
    assert(n >= 1 && n <= kMost);
  }
  std::uint32_t operator()() {
    for (;;) {
      if (left_ == 0) {
        word_ = source_.word();
        left_ = 4;
      }
      const std::uint32_t product = static_cast<std::uint32_t>(word_ & 0xffff) * n_;
      word_ >>= 16;
      --left_;
      if ((product & 0xffff) >= unfair_) return product >> 16;
    }
  }

 private:
  std::uint32_t n_, unfair_;
  RandomSource& source_;
  std::uint64_t word_ = 0;
  int left_ = 0;
};

}  // namespace

Score& Score::operator+=(const Score& other) {
  rounds += other.rounds;
  guesses += other.guesses;
  right += other.right;
  return *this;
}

bool is_game_of(const Question& question, const Game& game) {
  if (game.sides.size() < 2) return false;
  if ((game.only_first || question.bounds_delta()) && game.sides.size() != 2) return false;
  for (std::size_t i = 0; i < game.sides.size(); ++i) {
    for (std::size_t j = 0; j < game.sides.size(); ++j) {
      if (i == j || (game.only_first && i > j)) continue;
      const std::pair pair(game.sides[i], game.sides[j]);
      if (!std::binary_search(question.pairs.begin(), question.pairs.end(), pair)) return false;
    }
  }
  return true;
}

Tally by_side(const Question& question, const Tally& by_input) {
  assert(question.side_of.size() == by_input.rows());
  Tally result(question.sides.size(), by_input.outputs());
  for (std::uint64_t x = 0; x < by_input.rows(); ++x) {
    if (question.side_of[x] == Question::kNoSide) continue;
    const auto from = by_input.row(x);
    const auto to = result.row(question.side_of[x]);
    for (std::size_t y = 0; y < from.size(); ++y) to[y] += from[y];
  }
  return result;
}

Score play(const Game& game, const Rule& rule, const Tally& sides) {
  assert(rule.size() == sides.outputs());
  Score score;
  for (std::size_t label = 0; label < game.sides.size(); ++label) {
    const auto counts = sides.row(game.sides[label]);
    for (std::size_t y = 0; y < counts.size(); ++y) {
      score.rounds += counts[y];
      assert(rule[y] == kAbstain || (rule[y] >= 0 && static_cast<std::size_t>(rule[y]) < game.sides.size()));
      if (rule[y] == kAbstain) continue;
      score.guesses += counts[y];
      if (rule[y] == static_cast<std::int32_t>(label)) score.right += counts[y];
    }
  }
  return score;
}

double allowed_share(const Question& question, const Game& game, const Level& level, const Number& delta) {
  if (!question.bounds_delta()) return share_of(level, game.sides.size() - 1);
  const Number& v = question.at->exponential();
  return exact::rounded_above((v + delta) / (v + Number(1)));
}

double shown_by(const Question& question, const Game& game, double share) {
  if (!question.bounds_delta()) return level_of_share(share, game.sides.size() - 1);
  // share - v / (1 + v), times 1 + v. Rounded down by more than the error of the three operations.
  const Number& v = question.at->exponential();
  const double excess = share - exact::rounded_above(v / (v + Number(1)));
  const double scale = 1 + v.approx();
  return std::max(0.0, excess * scale * (1 - 0x1p-48) - 0x1p-50 * scale);
}

struct Dealer::Inside {
  std::vector<std::vector<std::uint64_t>> inputs;        // per label
  std::vector<std::optional<Categorical>> inputs_among;  // distribution over these, if there are several
  std::optional<Categorical> weighted;                   // distribution of labels, if not uniform
  Randomness randomness;
  std::uint64_t domain = 0;
  bool labels_are_inputs = true;
  // For sides drawn from the prior: maps the question's labels to the game's labels.
  InputChoicePtr among;
  std::function<std::uint32_t(InputView)> label_at;
  std::vector<std::uint32_t> sides;
  std::map<std::uint32_t, std::size_t> label_of;

  // Draws from the prior until each label has as many inputs as it needs.
  void draw(std::vector<std::uint64_t> needed, RandomSource& source, Deal& deal) const {
    std::uint64_t missing = std::accumulate(needed.begin(), needed.end(), std::uint64_t{0});
    deal.drawn.reserve(missing);  // no reallocation: runs point to the rows
    while (missing > 0) {
      InputRow row = among->drawn->draw(source);
      const auto label = label_of.find(label_at(row));
      if (label == label_of.end() || needed[label->second] == 0) continue;
      --needed[label->second];
      --missing;
      deal.drawn.push_back(std::move(row));
      deal.runs.push_back({domain + sides[label->second], 1, among->input(deal.drawn.back())});
    }
  }
};

Dealer::Dealer(const Question& question, const Game& game, std::uint64_t seed) : inside_(std::make_unique<Inside>()) {
  inside_->randomness = {seed, kLabelPurpose};
  inside_->domain = question.side_of.size();
  inside_->among = question.among;
  inside_->label_at = question.label_at;
  inside_->sides = game.sides;
  for (const std::uint32_t s : game.sides) {
    const Side& side = question.sides[s];
    if (side.drawn) inside_->label_of[*side.drawn] = inside_->inputs.size();
    inside_->inputs.push_back(side.inputs);
    auto& among = inside_->inputs_among.emplace_back();
    if (side.inputs.size() == 1) continue;
    if (!side.drawn) among.emplace(side.probabilities);
    inside_->labels_are_inputs = false;
  }
  if (question.bounds_delta() && game.only_first) {
    const Number first = Number(1) / (question.at->exponential() + Number(1));
    inside_->weighted.emplace(std::vector{first, Number(1) - first});
  }
}

Dealer::~Dealer() = default;

Deal Dealer::deal(std::uint64_t rounds, std::uint64_t stream) const {
  const auto source = inside_->randomness.source(stream);
  const UniformBelow uniform(inside_->inputs.size());
  std::vector<std::uint64_t> counts(inside_->domain);
  std::vector<std::uint64_t> needed(inside_->inputs.size());
  if (inside_->labels_are_inputs && !inside_->weighted && inside_->inputs.size() <= ShortUniform::kMost) {
    std::vector<std::uint64_t> labels(inside_->inputs.size());
    ShortUniform quick(labels.size(), *source);
    for (std::uint64_t i = 0; i < rounds; ++i) ++labels[quick()];
    for (std::size_t label = 0; label < labels.size(); ++label) counts[inside_->inputs[label][0]] = labels[label];
  } else {
    for (std::uint64_t i = 0; i < rounds; ++i) {
      const std::uint64_t label = inside_->weighted ? inside_->weighted->run(*source) : uniform.run(*source);
      if (inside_->inputs[label].empty()) {
        ++needed[label];
        continue;
      }
      const auto& among = inside_->inputs_among[label];
      ++counts[inside_->inputs[label][among ? among->run(*source) : 0]];
    }
  }
  Deal deal;
  std::vector<Runs>& runs = deal.runs;
  const InputChoice* chosen = inside_->among.get();
  for (std::uint64_t x = 0; x < counts.size(); ++x) {
    if (counts[x] > 0) runs.push_back({x, counts[x], chosen ? chosen->input(chosen->rows[x]) : InputRef{x, {}}});
  }
  inside_->draw(std::move(needed), *source, deal);
  for (std::size_t i = runs.size(); i > 1; --i) std::swap(runs[i - 1], runs[UniformBelow(i).run(*source)]);
  return deal;
}

}  // namespace oddsbound::audits
