#include "app/regression.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

#include "app/estimates.h"
#include "app/theory.h"
#include "base/errors.h"

namespace oddsbound::app {

namespace {

// The number of copies in an answer.
std::size_t copies_of(const Mechanism& mechanism) {
  return mechanism.continuous ? mechanism.continuous->copies() : std::max<std::size_t>(1, mechanism.copies.size());
}

// True if the answers of a continuous mechanism depend on every coordinate. Otherwise their mean is 0 in some
// coordinate.
bool tells_all(const ContinuousMechanism& mechanism, std::uint64_t inputs) {
  std::vector<bool> told(mechanism.dimension() / mechanism.copies(), false);
  std::size_t untold = told.size();
  for (std::uint64_t x = 0; x < inputs && untold > 0; ++x) {
    const std::vector<double> mean = mechanism.mean(x);
    for (std::size_t i = 0; i < mean.size(); ++i) {
      if (mean[i] == 0 || told[i]) continue;
      told[i] = true;
      --untold;
    }
  }
  return untold == 0;
}

void require_two_copies(const Spec& spec) {
  const auto& continuous = spec.mechanism.continuous;
  if (copies_of(spec.mechanism) == 2 && (!continuous || tells_all(*continuous, spec.model.domain.inputs()))) return;
  throw ModelError(
      "least squares needs answers in 2 copies, each about every coordinate: bcdp_mean or bcdp_mean_l2 with "
      "\"copies\": 2, and a first step that has a level");
}

// Sums the symmetrized products of the copies.
class Products {
 public:
  explicit Products(std::size_t size) : sum_{size, std::vector<double>(size * size)} {}
  void add(const std::vector<double>& first, const std::vector<double>& second, double times) {
    for (std::size_t i = 0; i < sum_.size; ++i) {
      for (std::size_t j = 0; j < sum_.size; ++j) {
        sum_.at(i, j) += times * (first[i] * second[j] + second[i] * first[j]) / 2;
      }
    }
    total_ += times;
  }
  double total() const { return total_; }
  SymmetricMatrix mean() const {
    SymmetricMatrix result = sum_;
    for (double& entry : result.entries) entry /= total_;
    return result;
  }

 private:
  SymmetricMatrix sum_;
  double total_ = 0;
};

Products products(const Spec& spec, const CollectedOutputs& collected, Budget& budget) {
  const std::size_t size = spec.model.domain.size();
  Products result(size);
  std::vector<double> told[2] = {std::vector<double>(size), std::vector<double>(size)};
  for (const auto& [output, count] : collected.counts) {
    for (std::size_t copy = 0; copy < 2; ++copy) {
      for (std::size_t i = 0; i < size; ++i) told[copy][i] = spec.mechanism.copies[copy]->weight(i, output).approx();
    }
    result.add(told[0], told[1], static_cast<double>(count));
    budget.check_every();
  }
  return result;
}

Products products(const Spec& spec, const std::string& file, std::string_view text, Budget& budget) {
  const auto size = static_cast<std::ptrdiff_t>(spec.model.domain.size());
  Products result(spec.model.domain.size());
  each_vector(file, text, vector_columns(spec.model.domain, 2), budget, [&](const std::vector<double>& values) {
    result.add({values.begin(), values.begin() + size}, {values.begin() + size, values.end()}, 1);
  });
  return result;
}

}  // namespace

SymmetricMatrix second_moments(const Spec& spec, const CollectedOutputs& collected, Budget& budget) {
  require_two_copies(spec);
  return products(spec, collected, budget).mean();
}

namespace {

// The coordinates beside the label, and the coefficients that are allowed for them.
struct Allowed {
  std::size_t label;
  std::vector<std::size_t> features;
  Region region = Region::kBall;
  double radius = 0;
  std::vector<double> center{}, lower{}, upper{};  // by feature
};

std::size_t place_of_feature(const Domain& domain, const Allowed& allowed, const std::string& name) {
  const std::size_t place = place_of(domain, name);
  if (place == allowed.label) throw ModelError("the label '" + printable(name, 60) + "' has no coefficient");
  return static_cast<std::size_t>(std::find(allowed.features.begin(), allowed.features.end(), place) -
                                  allowed.features.begin());
}

// Throws ModelError if a coordinate is named twice.
class Named {
 public:
  explicit Named(const char* what) : what_(what) {}
  void add(const std::string& name) {
    if (!seen_.insert(name).second) {
      throw ModelError(std::string(what_) + (name.empty() ? " for all other coordinates is given twice"
                                                          : " of '" + printable(name, 60) + "' is given twice"));
    }
  }

 private:
  const char* what_;
  std::set<std::string> seen_;
};

void read_center(const Domain& domain, const EstimateOptions& options, Allowed& allowed) {
  allowed.center.assign(allowed.features.size(), 0.0);
  Named named("the center");
  for (const auto& [name, value] : options.center) {
    named.add(name);
    if (!std::isfinite(value)) throw ModelError("the center must be a finite number");
    allowed.center[place_of_feature(domain, allowed, name)] = value;
  }
}

void read_box(const Domain& domain, const EstimateOptions& options, Allowed& allowed) {
  const double missing = std::nan("");
  allowed.lower.assign(allowed.features.size(), missing);
  allowed.upper = allowed.lower;
  Named named("the range");
  std::optional<std::pair<double, double>> others;
  for (const auto& [name, range] : options.box) {
    named.add(name);
    if (!(std::isfinite(range.first) && std::isfinite(range.second) && range.first <= range.second)) {
      throw ModelError("a range of coefficients goes from a finite number to one that is not below it");
    }
    if (name.empty()) {
      others = range;
      continue;
    }
    const std::size_t place = place_of_feature(domain, allowed, name);
    allowed.lower[place] = range.first;
    allowed.upper[place] = range.second;
  }
  for (std::size_t i = 0; i < allowed.lower.size(); ++i) {
    if (!std::isnan(allowed.lower[i])) continue;
    if (!others) {
      throw ModelError("the box has no range for the coordinate '" +
                       printable(domain.coordinate(allowed.features[i]).name, 60) + "'");
    }
    allowed.lower[i] = others->first;
    allowed.upper[i] = others->second;
  }
}

Allowed read_allowed(const Domain& domain, std::size_t label, const EstimateOptions& options) {
  Allowed allowed{label, {}};
  for (std::size_t i = 0; i < domain.size(); ++i) {
    if (i != allowed.label) allowed.features.push_back(i);
  }
  if (allowed.features.empty()) throw ModelError("there is no coordinate beside the label to predict it by");
  if ((!options.box.empty() || options.simplex) && !options.center.empty()) {
    throw ModelError("a center belongs to a ball, and the coefficients are in a box or a simplex: leave one out");
  }
  if (!options.box.empty() && options.simplex) {
    throw ModelError("the coefficients are in a box or in a simplex: leave one out");
  }
  if (!options.box.empty()) {
    allowed.region = Region::kBox;
    read_box(domain, options, allowed);
  } else if (options.simplex) {
    allowed.region = Region::kSimplex;
  } else {
    if (!(options.radius > 0 && std::isfinite(options.radius))) {
      throw ModelError("the radius must be a number above 0");
    }
    allowed.radius = options.radius;
    read_center(domain, options, allowed);
  }
  return allowed;
}

// The ball is moved to 0 and back: with x = center + y, the function of y has A and b - A center.
QuadraticMinimum minimum_around(const SymmetricMatrix& a, std::vector<double> b, const Allowed& allowed) {
  double at_center = 0;
  const std::vector<double>& center = allowed.center;
  const std::vector<double> linear = b;
  for (std::size_t i = 0; i < a.size; ++i) {
    double product = 0;
    for (std::size_t j = 0; j < a.size; ++j) product += a.at(i, j) * center[j];
    b[i] -= product;
    at_center += center[i] * product / 2 - linear[i] * center[i];
  }
  QuadraticMinimum found = minimum_in_ball(a, b, allowed.radius);
  for (std::size_t i = 0; i < a.size; ++i) found.place[i] += center[i];
  found.value += at_center;
  return found;
}

QuadraticMinimum minimum_among(const SymmetricMatrix& a, const std::vector<double>& b, const Allowed& allowed,
                               Budget& budget) {
  switch (allowed.region) {
    case Region::kBox: return minimum_in_box(a, b, allowed.lower, allowed.upper, budget);
    case Region::kSimplex: return minimum_in_simplex(a, b, budget);
    case Region::kBall: break;
  }
  return minimum_around(a, b, allowed);
}

// The greatest length of allowed coefficients.
double reach_of(const Allowed& allowed) {
  if (allowed.region == Region::kSimplex) return 1;
  double square = 0;
  for (std::size_t i = 0; i < allowed.features.size(); ++i) {
    const double most = allowed.region == Region::kBall
                            ? allowed.center[i]
                            : std::max(std::abs(allowed.lower[i]), std::abs(allowed.upper[i]));
    square += most * most;
  }
  return std::sqrt(square) + allowed.radius;
}

}  // namespace

LeastSquaresResult least_squares(const Spec& spec, const std::string& outputs_file, std::string_view outputs,
                                 const EstimateOptions& options, Budget& budget) {
  const Domain& domain = spec.model.domain;
  const std::size_t label = place_of(domain, options.label);
  require_two_copies(spec);
  const Allowed allowed = read_allowed(domain, label, options);
  const Channel* channel = spec.model.channel.get();
  const Products told = channel == nullptr
                            ? products(spec, outputs_file, outputs, budget)
                            : products(spec, read_output_table(outputs_file, outputs, *channel, budget), budget);
  const SymmetricMatrix moments = told.mean();
  const std::vector<std::size_t>& features = allowed.features;
  SymmetricMatrix a{features.size(), std::vector<double>(features.size() * features.size())};
  std::vector<double> b;
  for (std::size_t i = 0; i < features.size(); ++i) {
    for (std::size_t j = 0; j < features.size(); ++j) a.at(i, j) = moments.at(features[i], features[j]);
    b.push_back(moments.at(features[i], allowed.label));
  }
  const QuadraticMinimum found = minimum_among(a, b, allowed, budget);
  LeastSquaresResult result;
  result.file = spec.file;
  result.name = spec.name;
  result.label = domain.coordinate(allowed.label).name;
  result.region = allowed.region;
  result.radius = allowed.radius;
  result.outputs = static_cast<std::uint64_t>(told.total());
  double square = 0;
  for (std::size_t i = 0; i < features.size(); ++i) {
    Coefficient& one = result.coefficients.emplace_back(domain.coordinate(features[i]).name, found.place[i]);
    if (allowed.region == Region::kBall) one.center = allowed.center[i];
    if (allowed.region == Region::kBox) {
      one.lower = allowed.lower[i];
      one.upper = allowed.upper[i];
    }
    square += (one.value - one.center) * (one.value - one.center);
  }
  result.length = std::sqrt(square);
  result.gain = -found.value;
  result.least_eigenvalue = found.least_eigenvalue;
  result.above_minimum = found.above_minimum;
  if (options.theory) result.theory = theory_of_prediction(spec, allowed.label, reach_of(allowed), result.outputs);
  return result;
}

}  // namespace oddsbound::app
