#include "mechanisms/family.h"

#include <algorithm>
#include <cmath>
#include <limits>

// The registry: one name per family. The function name::family(), defined in the family's source file, makes it.
#define ODDSBOUND_FAMILIES(family)                                                                                    \
  family(k_randomized_response) family(optimal_binary) family(hadamard_response) family(high_low_hadamard_response)   \
      family(block_hadamard_response) family(subset_selection) family(d_bit_flip) family(unary_encoding)              \
          family(rappor) family(longitudinal_grr) family(longitudinal_unary_encoding) family(optimized_local_hashing) \
              family(modular_hash) family(truncated_geometric) family(discrete_laplace_truncated)                     \
                  family(discrete_laplace_clamped) family(discrete_laplace_wrapped)                                   \
                      family(discrete_gaussian_truncated) family(discrete_gaussian_wrapped)                           \
                          family(exponential_mechanism) family(permute_and_flip) family(report_noisy_max)             \
                              family(above_threshold) family(optimal_partition_selection) family(duchi_hypercube)     \
                                  family(bcdp_mean) family(duchi_l2_ball) family(bcdp_mean_l2)

namespace oddsbound::mechanisms {

#define ODDSBOUND_DECLARE(name) \
  namespace name {              \
  Family family();              \
  }
ODDSBOUND_FAMILIES(ODDSBOUND_DECLARE)

std::span<const Family> families() {
#define ODDSBOUND_MAKE(name) name::family(),
  static const std::vector<Family> table = {ODDSBOUND_FAMILIES(ODDSBOUND_MAKE)};
  return table;
}

const Family* find_family(std::string_view name) {
  for (const Family& family : families()) {
    if (family.name == name) return &family;
  }
  return nullptr;
}

Number whole(std::uint64_t integer) {
  if (integer > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
    throw LimitError("a count passes 2^63");
  }
  return Number(static_cast<std::int64_t>(integer));
}

Number odds_share(const Level& level, const Number& weight, const Number& rest) {
  if (level.is_infinite()) return Number(1);
  const Number favoured = level.exponential() * weight;
  return favoured / (favoured + rest);
}

bool is_informative(const Level& level) {
  return level.is_infinite() || (!level.is_zero() && !level.exponential().has_symbols());
}

Number sign_gain(const Level& level) {
  if (level.is_infinite()) return Number(1);
  return (level.exponential() + Number(1)) / (level.exponential() - Number(1));
}

Number half_odds_share(const Level& level, const std::string& parameter, const std::string& subject) {
  if (level.is_infinite()) return Number(1);
  try {
    const Number root = rational_power(level.exponential(), Number::ratio(1, 2));
    return root / (root + Number(1));
  } catch (const NumberError&) {
    throw ParameterError(parameter, subject + " needs e^(" + parameter + "/2), which for " + level.to_string() +
                                        " cannot be written exactly; a level of the form 2*log(v) can, as in 2*log(2)");
  }
}

std::int64_t nearest_integer(const Number& number) {
  const double approx = number.approx();
  if (std::abs(approx) > 9e18) throw LimitError("a parameter passes 64 bits");
  const Number shifted = number + Number::ratio(1, 2);
  auto floor = static_cast<std::int64_t>(std::floor(approx));
  while (Number(floor) > shifted) --floor;
  while (Number(floor + 1) <= shifted) ++floor;
  return floor;
}

std::uint64_t binomial(std::uint64_t n, std::uint64_t k) {
  if (k > n) return 0;
  k = std::min(k, n - k);
  unsigned __int128 result = 1;
  for (std::uint64_t i = 1; i <= k; ++i) {
    result = result * (n - k + i) / i;
    if (result >> 62 != 0) throw LimitError("a binomial coefficient passes 2^62");
  }
  return static_cast<std::uint64_t>(result);
}

namespace {

std::vector<std::size_t> places_without(const std::vector<bool>& read) {
  std::vector<std::size_t> unread;
  for (std::size_t i = 0; i < read.size(); ++i) {
    if (!read[i]) unread.push_back(i);
  }
  return unread;
}

}  // namespace

std::vector<std::size_t> unread_by_all(const Domain& domain, std::span<const ReadingPart> parts) {
  std::vector<bool> read(domain.size(), false);
  for (const ReadingPart& part : parts) {
    std::vector<bool> reads(part.coordinates.size(), true);
    for (const std::size_t place : part.unread) reads[place] = false;
    for (std::size_t place = 0; place < reads.size(); ++place) {
      if (reads[place]) read[part.coordinates[place]] = true;
    }
  }
  return places_without(read);
}

std::string kind_words(FieldKind kind) {
  switch (kind) {
    case FieldKind::kLevel: return "level";
    case FieldKind::kCoordinateLevels: return "levels of some coordinates";
    case FieldKind::kLevelOrByCoordinate: return "level, or levels of some coordinates";
    case FieldKind::kAllCoordinateLevels: return "level, or one per coordinate";
    case FieldKind::kLevelMatrix: return "matrix of levels";
    case FieldKind::kProbability: return "probability";
    case FieldKind::kInputs: return "list of inputs";
    case FieldKind::kPartition: return "lists of inputs, or coordinates";
    case FieldKind::kSecret: return "labels of inputs, or coordinates";
    case FieldKind::kRecords: return "lists of coordinates";
    case FieldKind::kNeighbors: return "word, or pairs of inputs";
    case FieldKind::kCoordinate: return "coordinate";
    case FieldKind::kCoordinates: return "list of coordinates";
    case FieldKind::kParties: return "list of values";
    case FieldKind::kWord: return "word";
    case FieldKind::kNumber: return "number";
    case FieldKind::kNumberOrWord: return "number, or word";
    case FieldKind::kNumberByCoordinate: return "number, or numbers of some coordinates";
    case FieldKind::kInteger: return "integer";
    case FieldKind::kLabels: return "output labels";
    case FieldKind::kOutputs: return "list of outputs";
    case FieldKind::kTable: return "row of numbers per input";
    case FieldKind::kPoints: return "points of a curve";
    case FieldKind::kPriorSet: return "a set of priors";
    case FieldKind::kMechanism: return "a mechanism";
  }
  return "";
}

}  // namespace oddsbound::mechanisms
