#include "audits/score.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "audits/attack.h"
#include "audits/findings.h"

namespace oddsbound::audits {

namespace {

// The weights of a logistic regression, by Newton's method with a ridge. rows: standardized features; first: 1 for
// those of the first side, else 0.
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

constexpr std::size_t kMostTerms = 1024;  // of a sum over inputs, for each output
constexpr std::uint64_t kMostStatedWork = 20'000'000;
constexpr double kCertain = 1e6;  // the log-ratio where one side is impossible

using Scorer = std::function<double(const Output&)>;  // positive where the first side is more likely

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

// P(output given input) for some inputs of a channel. For a product: tables of its factors.
class StatedEntries {
 public:
  StatedEntries(ChannelPtr channel, const Domain& domain) : channel_(std::move(channel)), domain_(domain) {}

  void prepare(std::uint64_t key, const InputRef& input) {
    inputs_[key] = input;
    for (const Factor& factor : channel_->factors()) {
      if (factor.channel->outputs() > kMostTabled) return;
    }
    std::vector<std::vector<double>> tables;
    for (const Factor& factor : channel_->factors()) {
      const Projection projection(domain_, factor.coordinates);
      const std::uint64_t x = input.row.empty() ? projection(input.number) : projection(input.row);
      auto& table = tables.emplace_back();
      for (std::uint64_t y = 0; y < factor.channel->outputs(); ++y)
        table.push_back(factor.channel->entry(x, y).approx());
    }
    if (!tables.empty()) tables_[key] = std::move(tables);
  }

  double operator()(std::uint64_t key, std::span<const std::uint64_t> words) const {
    const auto place = tables_.find(key);
    if (place == tables_.end()) {
      const InputRef& input = inputs_.at(key);
      return (input.row.empty() ? channel_->entry_of(input.number, words)
                                : channel_->entry_at(domain_, input.row, words))
          .approx();
    }
    double product = 1;
    for (std::size_t f = 0; f < words.size(); ++f) product *= place->second[f][words[f]];
    return product;
  }

 private:
  static constexpr std::uint64_t kMostTabled = 4096;
  ChannelPtr channel_;
  Domain domain_;
  std::map<std::uint64_t, InputRef> inputs_;
  std::map<std::uint64_t, std::vector<std::vector<double>>> tables_;
};

// The log-ratio of the stated probabilities; nullopt if they are not available.
std::optional<Scorer> stated_score(const Question& question, const Game& game, const Mechanism& mechanism,
                                   const Domain& domain) {
  struct Term {
    std::uint64_t input;
    double weight;
    InputRef who;
  };
  std::size_t inputs = 0;
  for (const std::uint32_t s : game.sides) inputs += question.sides[s].inputs.size();
  if (question.is_drawn() || (question.among && inputs > kMostTerms)) return std::nullopt;
  const InputChoice* among = question.among.get();
  std::vector<std::vector<Term>> sides;
  for (const std::uint32_t s : game.sides) {
    auto& terms = sides.emplace_back();
    for (std::size_t i = 0; i < question.sides[s].inputs.size(); ++i) {
      const std::uint64_t x = question.sides[s].inputs[i];
      const InputRef who = among != nullptr ? among->input(among->rows[x]) : InputRef{x, {}};
      terms.push_back({x, question.sides[s].probabilities[i].approx(), who});
    }
  }
  if (mechanism.channel) {
    StatedEntries entries(mechanism.channel, domain);
    for (const auto& side : sides) {
      for (const Term& term : side) entries.prepare(term.input, term.who);
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
  if (!mechanism.continuous || !mechanism.continuous->has_density()) return std::nullopt;
  return [sides, density = mechanism.continuous](const Output& output) {
    double mass[2] = {0, 0};
    for (int s = 0; s < 2; ++s) {
      for (const Term& term : sides[static_cast<std::size_t>(s)]) {
        mass[s] += term.weight * density->density(term.who.number, output.values);
      }
    }
    return log_ratio(mass[0], mass[1]);
  };
}

// even: the log-ratio at which both sides are equally likely in the learning data.
Scorer learned_score(const Game& game, const std::shared_ptr<const Features>& features, const KeptOutputs& outputs,
                     std::size_t count, double even) {
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
  return [weights, features, even](const Output& output) {
    const std::vector<double> row = features->of(output);
    double score = even + weights(weights.size() - 1);
    for (std::size_t f = 0; f < row.size(); ++f) score += weights(static_cast<Eigen::Index>(f)) * row[f];
    return score;
  };
}

// Chooses the smallest distance from even at which guessing pays, on outputs from `begin` on.
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
    const bool allowed = !question.bounds_delta() || k + 1 == guesses.size();  // delta: every round is guessed
    if (last_of_equals && allowed) offer(guesses[k].first);
  }
  const bool only_first = game.only_first && !question.bounds_delta();
  attack.rule =
      std::make_shared<const ThresholdRule>(scorer, center, question.bounds_delta() ? 0 : least, only_first, words);
  return attack;
}

// Adds the game of a pair unless it is present; two-way if the question compares both directions.
void add_game(const Question& question, const std::pair<std::uint32_t, std::uint32_t>& pair, std::vector<Game>& games) {
  const bool both =
      std::binary_search(question.pairs.begin(), question.pairs.end(), std::pair(pair.second, pair.first));
  const bool directed = question.bounds_delta() || !both;
  Game game{{pair.first, pair.second}, directed};
  if (!directed && pair.first > pair.second) std::swap(game.sides[0], game.sides[1]);
  if (std::find(games.begin(), games.end(), game) == games.end()) games.push_back(std::move(game));
}

}  // namespace

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
    add_game(question, pair, games);
    if (games.size() == count) break;
  }
  return games;
}

std::vector<Game> stated_pairs(const Question& question, const Mechanism& mechanism, std::size_t count) {
  if (!question.among || !question.compares_inputs || !mechanism.channel) return {};
  const std::span<const Factor> factors = mechanism.channel->factors();
  std::uint64_t entries = 0;
  for (const Factor& factor : factors) entries += std::min<std::uint64_t>(factor.channel->outputs(), kMostStatedWork);
  if (factors.empty() || entries * question.sides.size() > kMostStatedWork) return {};
  // Per side, log P of every output of each factor.
  std::vector<std::vector<double>> logs(question.sides.size());
  for (std::size_t s = 0; s < logs.size(); ++s) {
    const InputRow& row = question.among->rows[question.sides[s].inputs[0]];
    for (const Factor& factor : factors) {
      const std::uint64_t x = Projection(question.among->domain, factor.coordinates)(row);
      for (std::uint64_t y = 0; y < factor.channel->outputs(); ++y) {
        logs[s].push_back(std::log(std::max(factor.channel->entry(x, y).approx(), 1e-300)));
      }
    }
  }
  std::vector<std::pair<double, std::size_t>> ranked;
  const std::size_t step = 1 + question.pairs.size() * entries / kMostStatedWork;
  for (std::size_t p = 0; p < question.pairs.size(); p += step) {
    const auto& [from, to] = question.pairs[p];
    double loss = 0;
    std::size_t place = 0;
    for (const Factor& factor : factors) {
      double most = -std::numeric_limits<double>::infinity();
      for (std::uint64_t y = 0; y < factor.channel->outputs(); ++y, ++place) {
        most = std::max(most, logs[from][place] - logs[to][place]);
      }
      loss += most;
    }
    ranked.emplace_back(loss, p);
  }
  std::stable_sort(ranked.begin(), ranked.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<Game> games;
  for (std::size_t k = 0; k < ranked.size() && games.size() < count; ++k) {
    add_game(question, question.pairs[ranked[k].second], games);
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
  const double even = question.bounds_delta() ? question.at->approx() : 0;
  ScoredAttack best = judged(learned_score(game, features, outputs, half, even),
                             "a logistic regression on features of the output", half);
  if (mechanism.unlisted) {
    for (const std::size_t ranges : {2U, 4U, 16U}) {
      const auto frequencies =
          std::make_shared<const ToldFrequencies>(features->keys(), game.sides[0], outputs, half, ranges);
      const Scorer scorer = [frequencies](const Output& output) { return frequencies->log_ratio(output); };
      ScoredAttack by_number = judged(scorer, "how often each number was told of either", half);
      if (by_number.predicted > best.predicted) best = std::move(by_number);
    }
  }
  if (const auto stated = stated_score(question, game, mechanism, domain)) {
    ScoredAttack by_spec = judged(*stated, "the log-ratio of the stated probabilities", half);
    if (by_spec.predicted >= best.predicted) best = std::move(by_spec);
  }
  return best;
}

}  // namespace oddsbound::audits
