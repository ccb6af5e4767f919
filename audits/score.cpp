#include "audits/score.h"

#include <Eigen/Dense>
#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <set>

#include "audits/attack.h"

namespace oddsbound {

namespace {

constexpr std::size_t kMostTokens = 512;
constexpr std::uint64_t kMostOneHot = 16;
constexpr std::size_t kMostProducts = 8;  // coordinates up to which their products are features
constexpr double kCertain = 1e6;          // the log-ratio where one side is impossible

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-' || c == '.'; }

std::set<std::string> tokens_of(const std::string& label) {
  std::set<std::string> tokens;
  std::string token;
  for (const char c : label + ",") {
    if (is_word(c)) {
      token += c;
    } else if (!token.empty()) {
      tokens.insert(std::move(token));
      token.clear();
    }
  }
  return tokens;
}

double trailing_zeros(double value) {
  const auto bits = std::bit_cast<std::uint64_t>(value) | (std::uint64_t{1} << 52);
  return std::countr_zero(bits);
}

using Scorer = std::function<double(const Output&)>;  // positive where the first side is likelier

class ThresholdRule final : public ScoredRule {
 public:
  ThresholdRule(Scorer scorer, double center, double least, bool only_first, std::string words)
      : scorer_(std::move(scorer)), center_(center), least_(least), only_first_(only_first), words_(std::move(words)) {}
  std::int32_t answer(const Output& output) const override {
    const double score = scorer_(output) - center_;
    if (score > 0 && score >= least_) return 0;
    return only_first_ || -score < least_ ? kAbstain : 1;
  }
  std::string describe() const override { return words_; }

 private:
  Scorer scorer_;
  double center_, least_;
  bool only_first_;
  std::string words_;
};

double log_ratio(double a, double b) {
  if (a <= 0 && b <= 0) return 0;
  if (b <= 0) return kCertain;
  return a <= 0 ? -kCertain : std::log(a / b);
}

// P(output given input), for some inputs of a channel; of a product by tables of its factors.
class StatedEntries {
 public:
  StatedEntries(ChannelPtr channel, const Domain& domain) : channel_(std::move(channel)), domain_(domain) {}

  void prepare(std::uint64_t input) {
    for (const Factor& factor : channel_->factors()) {
      if (factor.channel->outputs() > kMostTabled) return;
    }
    std::vector<std::vector<double>> tables;
    for (const Factor& factor : channel_->factors()) {
      const std::uint64_t x = Projection(domain_, factor.coordinates)(input);
      auto& table = tables.emplace_back();
      for (std::uint64_t y = 0; y < factor.channel->outputs(); ++y)
        table.push_back(factor.channel->entry(x, y).approx());
    }
    if (!tables.empty()) tables_[input] = std::move(tables);
  }

  double operator()(std::uint64_t input, std::span<const std::uint64_t> words) const {
    const auto place = tables_.find(input);
    if (place == tables_.end()) return channel_->entry_of(input, words).approx();
    double product = 1;
    for (std::size_t f = 0; f < words.size(); ++f) product *= place->second[f][words[f]];
    return product;
  }

 private:
  static constexpr std::uint64_t kMostTabled = 4096;
  ChannelPtr channel_;
  Domain domain_;
  std::map<std::uint64_t, std::vector<std::vector<double>>> tables_;
};

// The log-ratio of the stated probabilities; none where there are no such.
std::optional<Scorer> stated_score(const Question& question, const Game& game, const Mechanism& mechanism,
                                   const Domain& domain) {
  struct Term {
    std::uint64_t input;
    double weight;
  };
  std::vector<std::vector<Term>> sides;
  for (const std::uint32_t s : game.sides) {
    auto& terms = sides.emplace_back();
    for (std::size_t i = 0; i < question.sides[s].inputs.size(); ++i) {
      terms.push_back({question.sides[s].inputs[i], question.sides[s].probabilities[i].approx()});
    }
  }
  if (mechanism.channel) {
    StatedEntries entries(mechanism.channel, domain);
    for (const auto& side : sides) {
      for (const Term& term : side) entries.prepare(term.input);
    }
    return [sides, entries = std::move(entries)](const Output& output) {
      double mass[2] = {0, 0};
      for (int s = 0; s < 2; ++s) {
        for (const Term& term : sides[static_cast<std::size_t>(s)]) {
          mass[s] += term.weight * entries(term.input, output.words);
        }
      }
      return log_ratio(mass[0], mass[1]);
    };
  }
  if (!mechanism.continuous->has_density()) return std::nullopt;
  return [sides, density = mechanism.continuous](const Output& output) {
    double mass[2] = {0, 0};
    for (int s = 0; s < 2; ++s) {
      for (const Term& term : sides[static_cast<std::size_t>(s)]) {
        mass[s] += term.weight * density->density(term.input, output.values);
      }
    }
    return log_ratio(mass[0], mass[1]);
  };
}

// Newton's method with a ridge; features come standardized.
Eigen::VectorXd logistic_weights(const Eigen::MatrixXd& rows, const Eigen::VectorXd& first) {
  const Eigen::Index size = rows.cols();
  Eigen::VectorXd weights = Eigen::VectorXd::Zero(size);
  for (int round = 0; round < 12; ++round) {
    const Eigen::VectorXd chance = (1 + (-(rows * weights).array()).exp()).inverse();
    const Eigen::VectorXd spread = chance.array() * (1 - chance.array()) + 1e-9;
    Eigen::MatrixXd curvature = rows.transpose() * spread.asDiagonal() * rows;
    curvature.diagonal().array() += 1;
    const Eigen::VectorXd step = curvature.ldlt().solve(rows.transpose() * (first - chance) - weights);
    if (!step.allFinite()) break;
    weights += step;
    if (step.norm() < 1e-6 * (1 + weights.norm())) break;
  }
  return weights;
}

Scorer learned_score(const Game& game, const std::shared_ptr<const Features>& features, const KeptOutputs& outputs,
                     std::size_t count) {
  const auto size = static_cast<Eigen::Index>(features->size()) + 1;
  Eigen::MatrixXd rows(static_cast<Eigen::Index>(count), size);
  Eigen::VectorXd first(static_cast<Eigen::Index>(count));
  for (std::size_t i = 0; i < count; ++i) {
    const auto r = static_cast<Eigen::Index>(i);
    const std::vector<double> row = features->of(outputs.output(i));
    for (std::size_t f = 0; f < row.size(); ++f) rows(r, static_cast<Eigen::Index>(f)) = row[f];
    rows(r, size - 1) = 1;
    first(r) = outputs.side[i] == game.sides[0] ? 1 : 0;
  }
  const Eigen::VectorXd weights = logistic_weights(rows, first);
  return [weights, features](const Output& output) {
    const std::vector<double> row = features->of(output);
    double score = weights(weights.size() - 1);
    for (std::size_t f = 0; f < row.size(); ++f) score += weights(static_cast<Eigen::Index>(f)) * row[f];
    return score;
  };
}

// The least distance from even at which it pays to guess, seen on outputs from `begin` on.
ScoredAttack with_threshold(const Question& question, const Game& game, const Scorer& scorer, const std::string& words,
                            const KeptOutputs& outputs, std::size_t begin, std::uint64_t rounds, double alpha,
                            std::size_t candidates) {
  const double center = question.bounds_delta() ? question.at->approx() : 0;
  const Prediction prediction(question, rounds, alpha);
  const double doubt = doubt_of(candidates);
  ScoredAttack attack{game, nullptr, -1};
  double least = 0;
  Score score;
  score.rounds = outputs.size() - begin;
  const auto offer = [&](double at) {
    const double value = prediction(score, game.sides.size(), doubt);
    if (value <= attack.predicted) return;
    attack.predicted = value;
    least = at;
  };
  std::vector<std::pair<double, bool>> guesses;  // strength, right
  for (std::size_t i = begin; i < outputs.size(); ++i) {
    const double value = scorer(outputs.output(i)) - center;
    const bool is_first = outputs.side[i] == game.sides[0];
    if (value > 0 || !game.only_first || question.bounds_delta()) {
      guesses.emplace_back(std::abs(value), (value > 0) == is_first);
    }
  }
  std::sort(guesses.begin(), guesses.end(), std::greater<>());
  for (std::size_t k = 0; k < guesses.size(); ++k) {
    ++score.guesses;
    score.right += guesses[k].second ? 1 : 0;
    const bool last_of_equals = k + 1 == guesses.size() || guesses[k + 1].first < guesses[k].first;
    const bool allowed = !question.bounds_delta() || k + 1 == guesses.size();  // there every round is guessed
    if (last_of_equals && allowed) offer(guesses[k].first);
  }
  const bool only_first = game.only_first && !question.bounds_delta();
  attack.rule =
      std::make_shared<const ThresholdRule>(scorer, center, question.bounds_delta() ? 0 : least, only_first, words);
  return attack;
}

}  // namespace

void KeptOutputs::add(std::uint32_t of, const Output& output) {
  side.push_back(of);
  words.emplace_back(output.words.begin(), output.words.end());
  values.emplace_back(output.values.begin(), output.values.end());
}

Features::Features(const Mechanism& mechanism, const KeptOutputs& outputs) : mechanism_(mechanism) {
  if (mechanism.channel && mechanism.channel->factors().empty()) {
    std::map<std::string, std::size_t> seen;
    for (std::size_t i = 0; i < std::min<std::size_t>(outputs.size(), 4096); ++i) {
      for (const std::string& token : tokens_of(mechanism.channel->label_of(outputs.words[i]))) ++seen[token];
    }
    std::vector<std::pair<std::size_t, std::string>> common;
    for (const auto& [token, times] : seen) common.emplace_back(times, token);
    std::sort(common.rbegin(), common.rend());
    for (std::size_t t = 0; t < std::min(common.size(), kMostTokens); ++t) tokens_.push_back(common[t].second);
    std::sort(tokens_.begin(), tokens_.end());
  }
  std::vector<double> sum, square;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const std::vector<double> row = raw(outputs.output(i));
    sum.resize(row.size());
    square.resize(row.size());
    for (std::size_t f = 0; f < row.size(); ++f) {
      sum[f] += row[f];
      square[f] += row[f] * row[f];
    }
  }
  const auto count = static_cast<double>(std::max<std::size_t>(1, outputs.size()));
  for (std::size_t f = 0; f < sum.size(); ++f) {
    mean_.push_back(sum[f] / count);
    const double variance = square[f] / count - mean_[f] * mean_[f];
    scale_.push_back(variance > 1e-12 * (1 + mean_[f] * mean_[f]) ? 1 / std::sqrt(variance) : 0);
  }
}

std::vector<double> Features::raw(const Output& output) const {
  std::vector<double> row;
  if (!mechanism_.channel) {
    const auto values = output.values;
    for (const double value : values) {
      row.insert(row.end(), {value, value * value, value > 0 ? 1.0 : -1.0, trailing_zeros(value)});
    }
    if (values.size() > kMostProducts) return row;
    for (std::size_t i = 0; i < values.size(); ++i) {
      for (std::size_t j = i + 1; j < values.size(); ++j) row.push_back(values[i] * values[j]);
    }
    return row;
  }
  const auto factors = mechanism_.channel->factors();
  if (factors.empty()) {
    const std::set<std::string> tokens = tokens_of(mechanism_.channel->label_of(output.words));
    for (const std::string& token : tokens_) row.push_back(tokens.contains(token) ? 1 : 0);
    return row;
  }
  for (std::size_t f = 0; f < factors.size(); ++f) {
    const std::uint64_t values = factors[f].channel->outputs();
    if (values > kMostOneHot) {
      row.push_back(static_cast<double>(output.words[f]));
      continue;
    }
    for (std::uint64_t v = 1; v < values; ++v) row.push_back(output.words[f] == v ? 1 : 0);
  }
  return row;
}

std::vector<double> Features::of(const Output& output) const {
  std::vector<double> row = raw(output);
  for (std::size_t f = 0; f < row.size(); ++f) row[f] = (row[f] - mean_[f]) * scale_[f];
  return row;
}

std::vector<Game> separated_pairs(const Question& question, const Features& features, const KeptOutputs& outputs,
                                  std::size_t count) {
  constexpr std::size_t kMostPairs = 20'000;
  std::vector<std::vector<double>> mean(question.sides.size(), std::vector<double>(features.size()));
  std::vector<double> runs(question.sides.size(), 1e-9);
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const std::vector<double> row = features.of(outputs.output(i));
    for (std::size_t f = 0; f < row.size(); ++f) mean[outputs.side[i]][f] += row[f];
    runs[outputs.side[i]] += 1;
  }
  std::vector<std::pair<double, std::pair<std::uint32_t, std::uint32_t>>> ranked;
  const std::size_t step = 1 + question.pairs.size() / kMostPairs;
  for (std::size_t p = 0; p < question.pairs.size(); p += step) {
    const auto& [from, to] = question.pairs[p];
    double most = 0;
    for (std::size_t f = 0; f < features.size(); ++f) {
      most = std::max(most, std::abs(mean[from][f] / runs[from] - mean[to][f] / runs[to]));
    }
    ranked.emplace_back(most, question.pairs[p]);
  }
  std::sort(ranked.rbegin(), ranked.rend());
  std::vector<Game> games;
  for (const auto& [most, pair] : ranked) {
    const bool both =
        std::binary_search(question.pairs.begin(), question.pairs.end(), std::pair(pair.second, pair.first));
    const bool directed = question.bounds_delta() || !both;
    Game game{{pair.first, pair.second}, directed};
    if (!directed && pair.first > pair.second) std::swap(game.sides[0], game.sides[1]);
    if (std::find(games.begin(), games.end(), game) == games.end()) games.push_back(std::move(game));
    if (games.size() == count) break;
  }
  return games;
}

ScoredAttack learn_score(const Question& question, const Game& game, const Mechanism& mechanism, const Domain& domain,
                         std::shared_ptr<const Features> features, const KeptOutputs& outputs, std::uint64_t rounds,
                         double alpha, std::size_t candidates) {
  const std::size_t half = outputs.size() / 2;
  const auto judged = [&](const Scorer& scorer, const std::string& words, std::size_t begin) {
    return with_threshold(question, game, scorer, words, outputs, begin, rounds, alpha, candidates);
  };
  ScoredAttack best =
      judged(learned_score(game, features, outputs, half), "a logistic regression on features of the output", half);
  if (const auto stated = stated_score(question, game, mechanism, domain)) {
    ScoredAttack by_spec = judged(*stated, "the log-ratio of the stated probabilities", half);
    if (by_spec.predicted >= best.predicted) best = std::move(by_spec);
  }
  return best;
}

}  // namespace oddsbound
