#include "bench/workloads.h"

#include <Eigen/Dense>
#include <algorithm>
#include <boost/multiprecision/gmp.hpp>
#include <cmath>
#include <nlohmann/json.hpp>
#include <random>

#include "verifier/model/channel.h"

namespace oddsbound::bench {

Weights random_weights() {
  std::mt19937_64 random(20250101);
  Weights result;
  for (std::size_t x = 0; x < kSize; ++x) {
    std::int64_t sum = 0;
    for (std::size_t y = 0; y < kSize; ++y) {
      result.weights.push_back(static_cast<std::int64_t>(1 + random() % 1000));
      sum += result.weights.back();
    }
    result.row_sums.push_back(sum);
    result.counts.push_back(static_cast<std::int64_t>(1 + random() % 100));
  }
  return result;
}

Model exact_model(const Weights& weights) {
  std::vector<Coordinate> coordinates;
  for (std::size_t i = 0; i < kCoordinates; ++i) coordinates.push_back({"x" + std::to_string(i), {"0", "1"}});
  Model model;
  model.domain = Domain(coordinates);
  Budget budget;
  PoolBuilder builder;
  builder.reserve(kSize * kSize);
  for (std::size_t k = 0; k < weights.weights.size(); ++k) {
    builder.add(SmallFraction{weights.weights[k], weights.row_sums[k / kSize]});
  }
  model.channel = DenseChannel::from_rows(kSize, numbered_labels(kSize), std::move(builder), budget);
  std::vector<Number> counts(weights.counts.begin(), weights.counts.end());
  model.prior = Prior::from_weights(model.domain, std::move(counts), budget);
  return model;
}

std::string spec_text(const Weights& weights) {
  std::string text = R"({"oddsbound": 1, "name": "random-1024", "domain": [)";
  for (std::size_t i = 0; i < kCoordinates; ++i) {
    text += (i > 0 ? ", " : "") + std::string(R"({"name": "x)") + std::to_string(i) + R"(", "values": ["0", "1"]})";
  }
  text += R"(], "prior": {"type": "counts", "counts": [)";
  for (std::size_t x = 0; x < kSize; ++x) text += (x > 0 ? "," : "") + std::to_string(weights.counts[x]);
  text += R"(]}, "mechanism": {"type": "matrix", "outputs": 1024, "rows": [)";
  for (std::size_t x = 0; x < kSize; ++x) {
    text += x > 0 ? ",\n[" : "\n[";
    for (std::size_t y = 0; y < kSize; ++y) {
      text += (y > 0 ? ",\"" : "\"") + std::to_string(weights.weights[x * kSize + y]) + "/" +
              std::to_string(weights.row_sums[x]) + "\"";
    }
    text += "]";
  }
  return text + "]}}\n";
}

std::vector<double> double_channel(const Weights& weights) {
  std::vector<double> channel;
  for (std::size_t k = 0; k < weights.weights.size(); ++k) {
    channel.push_back(static_cast<double>(weights.weights[k]) / static_cast<double>(weights.row_sums[k / kSize]));
  }
  return channel;
}

namespace {

double largest_quotient(const std::vector<double>& high, const std::vector<double>& low) {
  double best = 0;
  for (std::size_t y = 0; y < high.size(); ++y) best = std::max(best, high[y] / low[y]);
  return best;
}

double ldp_loop(const std::vector<double>& channel) {
  std::vector<double> high(channel.begin(), channel.begin() + kSize);
  std::vector<double> low = high;
  for (std::size_t x = 1; x < kSize; ++x) {
    for (std::size_t y = 0; y < kSize; ++y) {
      high[y] = std::max(high[y], channel[x * kSize + y]);
      low[y] = std::min(low[y], channel[x * kSize + y]);
    }
  }
  return largest_quotient(high, low);
}

double cdp_loop(const std::vector<double>& channel, std::size_t stride) {
  double best = 0;
  for (std::size_t x = 0; x < kSize; ++x) {
    if ((x & stride) != 0) continue;
    const double* a = channel.data() + x * kSize;
    const double* b = a + stride * kSize;
    for (std::size_t y = 0; y < kSize; ++y) best = std::max(best, std::max(a[y], b[y]) / std::min(a[y], b[y]));
  }
  return best;
}

double bcdp_loop(const std::vector<double>& channel, const std::vector<std::int64_t>& counts, std::size_t stride) {
  std::vector<double> sums[2] = {std::vector<double>(kSize, 0.0), std::vector<double>(kSize, 0.0)};
  double mass[2] = {0, 0};
  for (std::size_t x = 0; x < kSize; ++x) {
    const std::size_t value = (x & stride) != 0 ? 1 : 0;
    const double weight = static_cast<double>(counts[x]);
    mass[value] += weight;
    for (std::size_t y = 0; y < kSize; ++y) sums[value][y] += weight * channel[x * kSize + y];
  }
  double best = 0;
  for (std::size_t y = 0; y < kSize; ++y) {
    const double quotient = (sums[0][y] / mass[0]) / (sums[1][y] / mass[1]);
    best = std::max(best, std::max(quotient, 1 / quotient));
  }
  return best;
}

double correlation_loop(const std::vector<std::int64_t>& counts, std::size_t stride) {
  double mass[2] = {0, 0};
  for (std::size_t x = 0; x < kSize; ++x) mass[(x & stride) != 0 ? 1 : 0] += static_cast<double>(counts[x]);
  double distance = 0;
  for (std::size_t x = 0; x < kSize; ++x) {
    if ((x & stride) != 0) continue;
    distance += std::abs(static_cast<double>(counts[x]) / mass[0] - static_cast<double>(counts[x + stride]) / mass[1]);
  }
  return distance / 2;
}

}  // namespace

DoubleLevels double_loops(const Weights& weights, const std::vector<double>& channel) {
  DoubleLevels levels;
  levels.ldp = ldp_loop(channel);
  levels.bdp = ldp_loop(channel);
  for (std::size_t stride = kSize / 2; stride > 0; stride /= 2) {
    levels.cdp.push_back(cdp_loop(channel, stride));
    levels.bcdp.push_back(bcdp_loop(channel, weights.counts, stride));
    levels.correlation.push_back(correlation_loop(weights.counts, stride));
  }
  return levels;
}

std::vector<double> eigen_bcdp(const Weights& weights, const std::vector<double>& channel) {
  using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const Eigen::Map<const Matrix> rows(channel.data(), kSize, kSize);
  Matrix groups = Matrix::Zero(2 * kCoordinates, kSize);
  for (std::size_t x = 0; x < kSize; ++x) {
    for (std::size_t i = 0; i < kCoordinates; ++i) {
      const auto value = static_cast<Eigen::Index>((x >> (kCoordinates - 1 - i)) & 1);
      groups(static_cast<Eigen::Index>(2 * i) + value, static_cast<Eigen::Index>(x)) =
          static_cast<double>(weights.counts[x]);
    }
  }
  const Matrix sums = groups * rows;
  const Eigen::VectorXd mass = groups.rowwise().sum();
  std::vector<double> best;
  for (Eigen::Index i = 0; i < static_cast<Eigen::Index>(kCoordinates); ++i) {
    const Eigen::ArrayXd quotient =
        (sums.row(2 * i).array() / mass(2 * i)) / (sums.row(2 * i + 1).array() / mass(2 * i + 1));
    best.push_back(std::max(quotient.maxCoeff(), 1 / quotient.minCoeff()));
  }
  return best;
}

void naive_mpq_bcdp(const Weights& weights, std::size_t columns) {
  using Mpq = boost::multiprecision::mpq_rational;
  for (std::size_t stride = kSize / 2; stride > 0; stride /= 2) {
    for (std::size_t y = 0; y < columns; ++y) {
      Mpq sums[2];
      Mpq mass[2];
      for (std::size_t x = 0; x < kSize; ++x) {
        const std::size_t value = (x & stride) != 0 ? 1 : 0;
        sums[value] += weights.counts[x] * Mpq(weights.weights[x * kSize + y], weights.row_sums[x]);
        mass[value] += weights.counts[x];
      }
      Mpq quotient = (sums[0] / mass[0]) / (sums[1] / mass[1]);
      if (quotient < 1) quotient = 1 / quotient;
    }
  }
}

namespace {

struct CountingHandler : nlohmann::json_sax<nlohmann::json> {
  std::size_t values = 0;
  bool null() override { return count(); }
  bool boolean(bool) override { return count(); }
  bool number_integer(number_integer_t) override { return count(); }
  bool number_unsigned(number_unsigned_t) override { return count(); }
  bool number_float(number_float_t, const string_t&) override { return count(); }
  bool string(string_t&) override { return count(); }
  bool binary(binary_t&) override { return count(); }
  bool start_object(std::size_t) override { return true; }
  bool key(string_t&) override { return true; }
  bool end_object() override { return true; }
  bool start_array(std::size_t) override { return true; }
  bool end_array() override { return true; }
  bool parse_error(std::size_t, const std::string&, const nlohmann::json::exception&) override { return false; }
  bool count() {
    ++values;
    return true;
  }
};

}  // namespace

std::size_t bare_sax_pass(const std::string& text) {
  CountingHandler handler;
  nlohmann::json::sax_parse(text, &handler);
  return handler.values;
}

Refined random_refinement() {
  const std::size_t kSymbols = sized(64, 8);
  std::mt19937_64 random(64);
  const auto rows = [&] {
    std::vector<std::vector<Number>> matrix(kSymbols);
    for (auto& row : matrix) {
      Number sum(0);
      for (std::size_t j = 0; j < kSymbols; ++j) {
        row.emplace_back(static_cast<std::int64_t>(1 + random() % 1000));
        sum += row.back();
      }
      for (Number& entry : row) entry /= sum;
    }
    return matrix;
  };
  Refined refined{rows(), rows()};
  const auto kernel = refined.channel;
  for (std::size_t x = 0; x < kSymbols; ++x) {
    for (std::size_t z = 0; z < kSymbols; ++z) {
      std::vector<WeightedTerm> terms;
      for (std::size_t y = 0; y < kSymbols; ++y) terms.push_back({refined.other[x][y], kernel[y][z]});
      refined.channel[x][z] = weighted_sum(terms);
    }
  }
  return refined;
}

double eigen_kernel(const Refined& refined) {
  const auto size = static_cast<Eigen::Index>(refined.other.size());
  Eigen::MatrixXd other(size, size), channel(size, size);
  for (Eigen::Index i = 0; i < size; ++i) {
    for (Eigen::Index j = 0; j < size; ++j) {
      other(i, j) = refined.other[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)].approx();
      channel(i, j) = refined.channel[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)].approx();
    }
  }
  return other.fullPivLu().solve(channel).minCoeff();
}

}  // namespace oddsbound::bench
