#include "app/regression.h"

#include <cmath>

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

LeastSquaresResult least_squares(const Spec& spec, const std::string& outputs_file, std::string_view outputs,
                                 std::size_t label, double radius, Budget& budget) {
  if (!(radius > 0 && std::isfinite(radius))) throw ModelError("the radius must be a number above 0");
  require_two_copies(spec);
  const Domain& domain = spec.model.domain;
  if (domain.size() < 2) throw ModelError("there is no coordinate beside the label to predict it by");
  const Channel* channel = spec.model.channel.get();
  const Products told = channel == nullptr
                            ? products(spec, outputs_file, outputs, budget)
                            : products(spec, read_output_table(outputs_file, outputs, *channel, budget), budget);
  const SymmetricMatrix moments = told.mean();
  std::vector<std::size_t> features;
  for (std::size_t i = 0; i < domain.size(); ++i) {
    if (i != label) features.push_back(i);
  }
  SymmetricMatrix a{features.size(), std::vector<double>(features.size() * features.size())};
  std::vector<double> b;
  for (std::size_t i = 0; i < features.size(); ++i) {
    for (std::size_t j = 0; j < features.size(); ++j) a.at(i, j) = moments.at(features[i], features[j]);
    b.push_back(moments.at(features[i], label));
  }
  const BallMinimum found = minimum_in_ball(a, b, radius);
  LeastSquaresResult result;
  result.file = spec.file;
  result.name = spec.name;
  result.label = domain.coordinate(label).name;
  result.radius = radius;
  result.outputs = static_cast<std::uint64_t>(told.total());
  double square = 0;
  for (std::size_t i = 0; i < features.size(); ++i) {
    result.coefficients.push_back({domain.coordinate(features[i]).name, found.place[i]});
    square += found.place[i] * found.place[i];
  }
  result.length = std::sqrt(square);
  result.gain = -found.value;
  result.least_eigenvalue = found.least_eigenvalue;
  return result;
}

}  // namespace oddsbound::app
