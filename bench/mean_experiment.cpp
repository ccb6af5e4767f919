// `mean_experiment`: Figures 3 and 4 of the BCDP paper, mean estimation by Mechanism 1 (zeta = (1 + q)/2) against
// one step at the least delta, with four evaluations; writes CSV. bench/plot_means.py draws it.
//
//   mean_experiment [TRIALS] > means.csv && python3 bench/plot_means.py means.csv means.svg
//
// - scripts: reproduces the published curves. Uses the printed radius of Mechanism 3, which doubles every answer.
//   The mean of each step is projected to the ball of its inputs, in Figure 3 for Mechanism 1 only. c_i = c_d only
//   if c_d < delta_i. n = 3000 in Figure 4 (a), q = 0.01 in 4 (b).
// - text: the printed radius; c_i, n and q as stated. The average is projected to the cube, as in Theorem 2; so is
//   the one step where the text states that its error is cut off (Figure 4).
// - unbiased: the correct radius, no projection.
// - cube: the correct radius, both projected to the cube.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <optional>
#include <string>

#include "mechanisms/bcdp_budget.h"
#include "mechanisms/duchi.h"
#include "mechanisms/random/source.h"

namespace {

using namespace oddsbound;
using namespace oddsbound::mechanisms;

using Vector = std::vector<double>;

struct Setting {
  std::string figure;
  double x;      // the quantity that the figure varies
  Vector delta;  // increasing
  double epsilon;
  double q;
  std::size_t people;
  double copied;  // probability that all coordinates of a person are equal
};

Vector capped(const Setting& setting) {
  Vector result;
  for (const double level : setting.delta) result.push_back(std::min(level, setting.epsilon));
  return result;
}

double zeta_of(const Setting& setting) { return (1 + setting.q) / 2; }

// c_i = c_d only if c_d < delta_i. If c_d is the last coordinate's own delta, that coordinate is split off.
Vector steps_of_scripts(const Setting& setting) {
  const Vector levels = capped(setting);
  const double root = std::exp(zeta_of(setting) * levels.front());
  const double last = std::min(std::log((root + setting.q - 1) / setting.q), levels.back());
  const double loss = std::log1p(setting.q * std::expm1(last));
  Vector steps;
  double before = 0;
  for (std::size_t i = 0; i < levels.size(); ++i) {
    const double c = i + 1 == levels.size() || last < levels[i] ? last : levels[i] - loss;
    steps.push_back(c - before);
    before = c;
  }
  return steps;
}

Vector one_step(const Setting& setting) {
  Vector steps(setting.delta.size(), 0.0);
  steps.front() = capped(setting).front();
  return steps;
}

struct Best {
  double error;
  double zeta;  // 1: one step
};

Best best(const Setting& setting) {
  Best result{bcdp_error(one_step(setting), ball_variance), 1};
  for (int part = 1; part < 200; ++part) {
    const double zeta = part / 200.0;
    const double error = bcdp_error(bcdp_steps(capped(setting), setting.q, zeta), ball_variance);
    if (error < result.error) result = {error, zeta};
  }
  return result;
}

double uniform(RandomSource& source) { return static_cast<double>(source.word() >> 11) * 0x1p-53; }

Vector person(const Setting& setting, RandomSource& source) {
  Vector values(setting.delta.size());
  const bool copies = uniform(source) < setting.copied;
  for (double& value : values) value = (source.word() & 1) == 1 ? 1 : -1;
  if (copies) std::fill(values.begin(), values.end(), values.front());
  return values;
}

struct Trial {
  Vector truth;               // the people's mean
  std::vector<Vector> means;  // unbiased mean of each step's answers; empty if it has no budget
};

Level level_of(double level) {
  return Level::of_exponential(Number::ratio(std::llround(std::exp(level) * 0x1p40), std::int64_t{1} << 40));
}

Trial run(const Setting& setting, const Vector& steps, RandomSource& source) {
  const std::size_t d = steps.size();
  const auto n = static_cast<double>(setting.people);
  Trial trial{Vector(d), std::vector<Vector>(d)};
  std::vector<std::optional<BallDraw>> draws(d);
  for (std::size_t k = 0; k < d; ++k) {
    // A smaller step is only the rounding error of c_k - c_(k-1).
    if (steps[k] < 1e-9) continue;
    draws[k].emplace(d - k, std::sqrt(static_cast<double>(d - k)), level_of(steps[k]));
    trial.means[k].assign(d - k, 0.0);
  }
  Vector answer(d);
  for (std::size_t i = 0; i < setting.people; ++i) {
    const Vector input = person(setting, source);
    for (std::size_t j = 0; j < d; ++j) trial.truth[j] += input[j] / n;
    for (std::size_t k = 0; k < d; ++k) {
      if (!draws[k]) continue;
      (*draws[k])(std::span(input).subspan(k), source, std::span(answer).first(d - k));
      for (std::size_t j = 0; j < d - k; ++j) trial.means[k][j] += answer[j] / n;
    }
  }
  return trial;
}

void into_ball(Vector& vector) {
  const double length = length_of(vector);
  const double radius = std::sqrt(static_cast<double>(vector.size()));
  for (double& value : vector) value *= length > radius ? radius / length : 1;
}

struct Way {
  double gain;  // 2: the printed radius
  bool balls;   // project every step's mean to its ball
  bool cube;    // project the average to the cube
};

double error_of(const Trial& trial, const Vector& steps, const Way& way) {
  std::vector<Vector> means = trial.means;
  for (Vector& mean : means) {
    for (double& value : mean) value *= way.gain;
    if (way.balls && !mean.empty()) into_ball(mean);
  }
  double error = 0;
  for (std::size_t j = 0; j < steps.size(); ++j) {
    const Vector weights = bcdp_weights(steps, j);
    double value = 0;
    for (std::size_t k = 0; k <= j; ++k) value += means[k].empty() ? 0 : weights[k] * means[k][j - k];
    if (way.cube) value = std::clamp(value, -1.0, 1.0);
    error += (value - trial.truth[j]) * (value - trial.truth[j]);
  }
  return error;
}

double quantile(Vector errors, double share) {
  std::sort(errors.begin(), errors.end());
  const double place = share * static_cast<double>(errors.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const double above = errors[std::min(below + 1, errors.size() - 1)];
  return errors[below] + (place - static_cast<double>(below)) * (above - errors[below]);
}

struct Experiment {
  const char* name;
  Way way;
};

// All evaluations use the same draws; they differ only in the processing of the means.
void print(const Setting& setting, const char* estimator, const Vector& steps, const std::vector<Experiment>& ways,
           int trials) {
  static std::uint64_t stream = 0;
  std::vector<Vector> errors(ways.size());
  for (int t = 0; t < trials; ++t) {
    SeededSource source(1, 11, stream++);
    const Trial trial = run(setting, steps, source);
    for (std::size_t w = 0; w < ways.size(); ++w) errors[w].push_back(error_of(trial, steps, ways[w].way));
  }
  const double exact = bcdp_error(steps, ball_variance) / static_cast<double>(setting.people);
  for (std::size_t w = 0; w < ways.size(); ++w) {
    const std::string mean = std::string(ways[w].name) == "unbiased" ? std::to_string(exact) : "";
    std::printf("%s,%.4g,%s,%s,%.4f,%.4f,%.4f,%s,%.4g\n", setting.figure.c_str(), setting.x, ways[w].name, estimator,
                quantile(errors[w], 0.5), quantile(errors[w], 0.25), quantile(errors[w], 0.75), mean.c_str(),
                std::string(estimator) == "mechanism 1" ? zeta_of(setting) : 1);
    std::fflush(stdout);
  }
}

void compare(const Setting& scripts, const Setting& text, int trials) {
  const bool cut_off = text.figure != "3";
  const Experiment as_scripts{"scripts", {2, true, false}};
  const Experiment one_as_scripts{"scripts", {2, cut_off, false}};
  const std::vector<Experiment> as_stated{
      {"text", {2, false, true}}, {"unbiased", {1, false, false}}, {"cube", {1, false, true}}};
  std::vector<Experiment> one_as_stated = as_stated;
  one_as_stated.front().way.cube = cut_off;
  print(scripts, "mechanism 1", steps_of_scripts(scripts), {as_scripts}, trials);
  print(scripts, "one step", one_step(scripts), {one_as_scripts}, trials);
  print(text, "mechanism 1", bcdp_steps(capped(text), text.q, zeta_of(text)), as_stated, trials);
  print(text, "one step", one_step(text), one_as_stated, trials);
  const Best found = best(text);
  std::printf("%s,%.4g,unbiased,best zeta,,,,%f,%.4g\n", text.figure.c_str(), text.x,
              found.error / static_cast<double>(text.people), found.zeta);
}

// The first coordinates, a fraction `share` of all, have the low level.
Vector two_levels(std::size_t dimension, double share, double low, double high) {
  Vector result(dimension, high);
  std::fill_n(result.begin(), std::lround(share * static_cast<double>(dimension)), low);
  return result;
}

}  // namespace

int main(int count, char** arguments) {
  const int trials = count > 1 ? std::atoi(arguments[1]) : 400;
  std::printf("figure,x,way,estimator,median,quartile_1,quartile_3,exact_mean,zeta\n");
  for (int i = 0; i < 10; ++i) {
    const double q = 0.01 + 0.11 * i;
    const Setting setting{"3", q, two_levels(10, 0.2, 0.2, 2), 2, q, 10000, 0};
    compare(setting, setting, trials);
  }
  for (const std::size_t d : {10U, 20U, 30U, 50U, 75U, 120U}) {
    const Setting setting{"4a", static_cast<double>(d), two_levels(d, 0.2, 0.8, 8), 8, 0.1, 5000, 0.1};
    Setting scripts = setting;
    scripts.people = 3000;
    compare(scripts, setting, (trials + 3) / 4);
  }
  for (int i = 0; i <= 10; ++i) {
    const Setting setting{"4b", i / 10.0, two_levels(50, i / 10.0, 0.2, 2), 2, 0.1, 5000, 0.1};
    Setting scripts = setting;
    scripts.q = scripts.copied = 0.01;
    compare(scripts, setting, (trials + 3) / 4);
  }
}
