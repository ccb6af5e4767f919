#include "mechanisms/estimator_by_parts.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>

#include "base/errors.h"
#include "verifier/linear/basis.h"

namespace oddsbound::mechanisms {

namespace {

constexpr std::uint64_t kMostInputs = 256;
constexpr std::size_t kMostFeatures = 2048;
// The most cells of a part's rows.
constexpr std::uint64_t kMostCells = std::uint64_t{1} << 16;

// A channel, with its inputs in classes of equal rows.
struct ClassesOfRows {
  std::vector<std::size_t> class_of;  // [input]
  std::size_t classes = 0;
  Matrix weights;               // [class][output]; empty if the rows of the classes are dependent
  Matrix means;                 // [class][class a]: E[weight of a]
  std::vector<Matrix> moments;  // [class][class a][class b]: E[weight of a * weight of b]
};

ClassesOfRows classes_of(const Channel& channel, Budget& budget) {
  ClassesOfRows result;
  const Matrix rows = rows_of(channel, budget);
  Matrix distinct;
  for (const std::vector<Number>& row : rows) {
    const auto same = std::find(distinct.begin(), distinct.end(), row);
    result.class_of.push_back(static_cast<std::size_t>(same - distinct.begin()));
    if (same == distinct.end()) distinct.push_back(row);
    budget.check();
  }
  result.classes = distinct.size();
  PoolBuilder entries;
  for (const std::vector<Number>& row : distinct) {
    for (const Number& entry : row) entries.add(entry);
  }
  const Domain domain({{"class", ValueNames::numbered(result.classes)}});
  const ChannelPtr reduced =
      DenseChannel::from_rows(result.classes, numbered_labels(channel.outputs()), std::move(entries), budget);
  const EstimatorPtr estimator = least_squares_estimator(domain, *reduced, budget);
  if (!estimator) return result;
  const std::uint64_t outputs = channel.outputs();
  for (std::size_t c = 0; c < result.classes; ++c) {
    std::vector<Number>& weights = result.weights.emplace_back();
    for (std::uint64_t y = 0; y < outputs; ++y) weights.push_back(estimator->weight(c, std::vector{y}));
  }
  for (const std::vector<Number>& row : distinct) {
    std::vector<Number>& means = result.means.emplace_back();
    for (const std::vector<Number>& weights : result.weights) means.push_back(linear::dot(row, weights));
    Matrix& moments = result.moments.emplace_back(result.classes, std::vector<Number>(result.classes));
    for (std::size_t a = 0; a < result.classes; ++a) {
      for (std::size_t b = 0; b <= a; ++b) {
        std::vector<WeightedTerm> terms;
        for (std::uint64_t y = 0; y < outputs; ++y)
          terms.push_back({row[y], result.weights[a][y] * result.weights[b][y]});
        moments[a][b] = moments[b][a] = weighted_sum(terms);
      }
      budget.check();
    }
  }
  return result;
}

// A part that sees at least two classes.
struct SeeingPart {
  std::shared_ptr<const ClassesOfRows> rows;
  std::vector<std::size_t> class_of;  // [input of the domain]
  std::size_t word;
};

// One class for each of some parts, by ascending part. Class 0 is in no feature: its weight is 1 minus the others.
struct Choice {
  std::size_t part, chosen;
};
using Feature = std::vector<Choice>;

bool is_in(const Feature& feature, std::span<const SeeingPart> parts, std::uint64_t x) {
  return std::all_of(feature.begin(), feature.end(),
                     [&](const Choice& one) { return parts[one.part].class_of[x] == one.chosen; });
}

// E[product of two features given x].
Number moment(const Feature& a, const Feature& b, std::span<const SeeingPart> parts, std::uint64_t x) {
  Number product(1);
  auto at = b.begin();
  const auto indicator = [&](const Choice& one) {
    if (parts[one.part].class_of[x] != one.chosen) product = Number(0);
  };
  for (const Choice& one : a) {
    while (at != b.end() && at->part < one.part) indicator(*at++);
    if (at != b.end() && at->part == one.part) {
      const SeeingPart& part = parts[one.part];
      product *= part.rows->moments[part.class_of[x]][one.chosen][at->chosen];
      ++at;
    } else {
      indicator(one);
    }
    if (product.is_zero()) return product;
  }
  while (at != b.end()) indicator(*at++);
  return product;
}

class EstimatorByParts final : public SharesOfSome {
 public:
  EstimatorByParts(const Domain& domain, std::span<const std::size_t> coordinates, std::vector<SeeingPart> parts,
                   std::vector<Feature> features, Matrix factors)
      : SharesOfSome(domain, coordinates),
        parts_(std::move(parts)),
        features_(std::move(features)),
        factors_(std::move(factors)) {}

  Number weight(std::uint64_t j, std::span<const std::uint64_t> output) const override {
    std::vector<WeightedTerm> terms;
    for (std::size_t f = 0; f < features_.size(); ++f) {
      if (factors_[j][f].is_zero()) continue;
      terms.push_back({factors_[j][f], value_of(features_[f], output)});
    }
    return weighted_sum(terms);
  }
  bool knows_moments() const override { return true; }
  Number expected_weight(std::uint64_t j, std::uint64_t x) const override {
    std::vector<WeightedTerm> terms;
    for (std::size_t f = 0; f < features_.size(); ++f) {
      if (factors_[j][f].is_zero()) continue;
      Number product = factors_[j][f];
      for (const Choice& one : features_[f]) {
        const SeeingPart& part = parts_[one.part];
        product *= part.rows->means[part.class_of[x]][one.chosen];
      }
      terms.push_back({Number(1), std::move(product)});
    }
    return weighted_sum(terms);
  }
  std::vector<Number> expected_squares(std::uint64_t x, Budget& budget) const override {
    std::vector<std::vector<WeightedTerm>> terms(factors_.size());
    for_pairs(x, budget, [&](std::size_t a, std::size_t b, const Number& both) {
      for (std::size_t j = 0; j < factors_.size(); ++j) {
        if (factors_[j][a].is_zero() || factors_[j][b].is_zero()) continue;
        terms[j].push_back({both, factors_[j][a] * factors_[j][b]});
      }
    });
    std::vector<Number> result;
    for (const std::vector<WeightedTerm>& own : terms) {
      result.push_back(weighted_sum(own));
      budget.check();
    }
    return result;
  }
  Number summed_squares(std::span<const Number> weights, Budget& budget) const override {
    std::map<std::pair<std::size_t, std::size_t>, std::vector<WeightedTerm>> moments;
    for (std::uint64_t x = 0; x < weights.size(); ++x) {
      if (weights[x].is_zero()) continue;
      for_pairs(x, budget, [&](std::size_t a, std::size_t b, Number both) {
        moments[{a, b}].push_back({weights[x], std::move(both)});
      });
    }
    std::vector<WeightedTerm> terms, products;
    for (const auto& [pair, own] : moments) {
      products.clear();
      for (const std::vector<Number>& factors : factors_)
        products.push_back({factors[pair.first], factors[pair.second]});
      terms.push_back({weighted_sum(own), weighted_sum(products)});
      budget.check();
    }
    return weighted_sum(terms);
  }
  std::vector<SumOfWeights> sums_over(const OutputCounts& outputs, Budget& budget) const override {
    // The sum of a target's weights is exact, from the sums of the features. That of the squares is in doubles.
    std::vector<std::vector<WeightedTerm>> values(features_.size());
    std::vector<std::vector<double>> factors;
    for (const std::vector<Number>& row : factors_) {
      std::vector<double>& rounded = factors.emplace_back();
      for (const Number& factor : row) rounded.push_back(factor.approx());
    }
    std::vector<SumOfWeights> result(factors_.size());
    std::vector<double> rounded(features_.size());
    for (const auto& [output, count] : outputs) {
      for (std::size_t f = 0; f < features_.size(); ++f) {
        Number value = value_of(features_[f], output);
        rounded[f] = value.approx();
        values[f].push_back({Number(static_cast<std::int64_t>(count)), std::move(value)});
      }
      for (std::size_t j = 0; j < factors.size(); ++j) {
        const double weight = std::inner_product(rounded.begin(), rounded.end(), factors[j].begin(), 0.0);
        result[j].squares += static_cast<double>(count) * weight * weight;
      }
      budget.check();
    }
    std::vector<Number> sums;
    for (const std::vector<WeightedTerm>& own : values) sums.push_back(weighted_sum(own));
    for (std::size_t j = 0; j < factors_.size(); ++j) result[j].sum = linear::dot(factors_[j], sums);
    return result;
  }

 private:
  Number value_of(const Feature& feature, std::span<const std::uint64_t> output) const {
    Number product(1);
    for (const Choice& one : feature) {
      const SeeingPart& part = parts_[one.part];
      product *= part.rows->weights[one.chosen][output[part.word]];
    }
    return product;
  }

  // Calls visit(a, b, E[product of features a and b given x], twice that if a > b) for all that are not 0.
  template <typename Visit>
  void for_pairs(std::uint64_t x, Budget& budget, const Visit& visit) const {
    // A part of two classes makes the product 0 if only one of two features has it and x is in the other class.
    std::map<std::vector<std::size_t>, std::vector<std::size_t>> alike;  // features, by such parts
    for (std::size_t f = 0; f < features_.size(); ++f) {
      std::vector<std::size_t> other;
      for (const Choice& one : features_[f]) {
        const SeeingPart& part = parts_[one.part];
        if (part.rows->classes == 2 && part.class_of[x] != one.chosen) other.push_back(one.part);
      }
      alike[std::move(other)].push_back(f);
    }
    for (const auto& [parts, some] : alike) {
      for (std::size_t p = 0; p < some.size(); ++p) {
        for (std::size_t q = 0; q <= p; ++q) {
          const Number both = moment(features_[some[p]], features_[some[q]], parts_, x);
          budget.check_every();
          if (!both.is_zero()) visit(some[p], some[q], p == q ? both : both + both);
        }
      }
    }
  }

  std::vector<SeeingPart> parts_;
  std::vector<Feature> features_;
  Matrix factors_;  // [target][feature]
};

// The parts that see at least two classes.
std::vector<SeeingPart> seeing_parts(const Domain& domain, std::span<const PartOfOutput> parts, Budget& budget) {
  std::vector<SeeingPart> result;
  std::map<const Channel*, std::shared_ptr<const ClassesOfRows>> known;
  for (const PartOfOutput& part : parts) {
    const Channel& channel = *part.channel;
    if (channel.outputs() > kMostCells / std::max<std::uint64_t>(1, channel.input_numbers())) {
      throw LimitError("a part of the mechanism has too many outputs for an estimator by parts");
    }
    auto& rows = known[&channel];
    if (!rows) rows = std::make_shared<const ClassesOfRows>(classes_of(channel, budget));
    if (rows->classes < 2) continue;
    SeeingPart seeing{rows, {}, part.word};
    const Projection projection(domain, part.coordinates);
    for (std::uint64_t x = 0; x < domain.inputs(); ++x) seeing.class_of.push_back(rows->class_of[projection(x)]);
    result.push_back(std::move(seeing));
  }
  return result;
}

// Returns true if two inputs with different targets have the same rows in every part.
bool are_confused(std::span<const SeeingPart> parts, const Projection& target, std::uint64_t inputs) {
  std::map<std::vector<std::size_t>, std::uint64_t> seen;
  for (std::uint64_t x = 0; x < inputs; ++x) {
    std::vector<std::size_t> classes;
    for (const SeeingPart& part : parts) classes.push_back(part.class_of[x]);
    const auto [place, added] = seen.emplace(std::move(classes), target(x));
    if (!added && place->second != target(x)) return true;
  }
  return false;
}

// Appends the features of `degree` parts, from those of one part less, which begin at `first`.
void add_features(std::vector<Feature>& features, std::size_t first, std::span<const SeeingPart> parts) {
  const std::size_t last = features.size();
  for (std::size_t f = first; f < last; ++f) {
    const std::size_t next = features[f].empty() ? 0 : features[f].back().part + 1;
    for (std::size_t part = next; part < parts.size(); ++part) {
      for (std::size_t chosen = 1; chosen < parts[part].rows->classes; ++chosen) {
        if (features.size() > kMostFeatures) return;
        Feature longer = features[f];
        longer.push_back({part, chosen});
        features.push_back(std::move(longer));
      }
    }
  }
}

// The second moment of a feature for equally likely inputs, rounded to a power of two.
Number weight_of(const Feature& feature, std::span<const SeeingPart> parts, std::uint64_t inputs) {
  double sum = 0;
  for (std::uint64_t x = 0; x < inputs; ++x) sum += moment(feature, feature, parts, x).approx();
  constexpr double kMostBits = 60;
  const double bits = std::round(std::log2(std::max(sum / static_cast<double>(inputs), 0x1p-60)));
  const auto power = static_cast<int>(std::clamp(bits, -kMostBits, kMostBits));
  const auto two_to = [](int exponent) { return Number(std::int64_t{1} << exponent); };
  return power < 0 ? Number(1) / two_to(-power) : two_to(power);
}

// Solves for [target][feature]; nullopt if these features are too few.
std::optional<Matrix> solved_by(std::span<const Feature> features, std::span<const SeeingPart> parts,
                                const Projection& target, std::uint64_t inputs, Budget& budget) {
  // factors = D^-1 M^T S with M D^-1 M^T S = T, where M[x][f] = 1 if x is in the classes of f, and D the weights.
  std::vector<Number> inverse;
  std::vector<std::vector<std::size_t>> features_of(inputs);
  for (std::size_t f = 0; f < features.size(); ++f) {
    inverse.push_back(Number(1) / weight_of(features[f], parts, inputs));
    for (std::uint64_t x = 0; x < inputs; ++x) {
      if (is_in(features[f], parts, x)) features_of[x].push_back(f);
    }
    budget.check();
  }
  Matrix system(inputs, std::vector<Number>(inputs + target.size(), Number(0)));
  for (std::uint64_t x = 0; x < inputs; ++x) {
    std::vector<bool> own(features.size(), false);
    for (const std::size_t f : features_of[x]) own[f] = true;
    for (std::uint64_t z = 0; z < inputs; ++z) {
      for (const std::size_t f : features_of[z]) {
        if (own[f]) system[x][z] += inverse[f];
      }
    }
    system[x][inputs + target(x)] = Number(1);
    budget.check();
  }
  const Matrix reduced = linear::reduced_row_echelon_form(system);
  Matrix factors(target.size(), std::vector<Number>(features.size(), Number(0)));
  for (const std::vector<Number>& row : reduced) {
    const auto pivot = std::find_if(row.begin(), row.end(), [](const Number& entry) { return !entry.is_zero(); });
    if (pivot == row.end()) continue;
    const auto x = static_cast<std::size_t>(pivot - row.begin());
    if (x >= inputs) return std::nullopt;
    for (std::uint64_t j = 0; j < target.size(); ++j) {
      for (const std::size_t f : features_of[x]) factors[j][f] += row[inputs + j] * inverse[f];
    }
    budget.check();
  }
  return factors;
}

}  // namespace

EstimatorPtr estimator_by_parts(const Domain& domain, std::span<const PartOfOutput> parts,
                                std::span<const std::size_t> coordinates, Budget& budget) {
  if (domain.input_numbers() > kMostInputs) {
    throw LimitError("an estimator by elimination is for at most " + std::to_string(kMostInputs) + " inputs");
  }
  const std::uint64_t inputs = domain.inputs();
  std::vector<SeeingPart> seeing = seeing_parts(domain, parts, budget);
  const Projection target(domain, coordinates);
  if (are_confused(seeing, target, inputs)) return nullptr;
  std::erase_if(seeing, [](const SeeingPart& part) { return part.rows->weights.empty(); });
  std::vector<Feature> features{{}};
  std::size_t first = 0;  // of the features of the most parts
  while (true) {
    if (auto factors = solved_by(features, seeing, target, inputs, budget)) {
      return std::make_shared<const EstimatorByParts>(domain, coordinates, std::move(seeing), std::move(features),
                                                      *std::move(factors));
    }
    const std::size_t last = features.size();
    add_features(features, first, seeing);
    if (features.size() == last || features.size() > kMostFeatures) {
      throw LimitError("the mechanism has too many outputs for least squares, and no estimator from at most " +
                       std::to_string(kMostFeatures) + " products of its parts was found");
    }
    first = last;
  }
}

}  // namespace oddsbound::mechanisms
