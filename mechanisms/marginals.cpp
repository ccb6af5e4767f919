#include "mechanisms/marginals.h"

#include <algorithm>
#include <map>

#include "base/errors.h"
#include "mechanisms/estimator_by_parts.h"
#include "verifier/model/product_channel.h"

namespace oddsbound::mechanisms {

namespace {

using Coordinates = std::vector<std::size_t>;

// Checks run over at most this many cells (inputs x outputs x targets).
constexpr std::uint64_t kMostChecked = std::uint64_t{1} << 24;

// Parts with the same coordinates, in the order of first occurrence.
struct Seeing {
  Coordinates coordinates;
  std::vector<PartShares> parts;  // with the estimators of the mechanism, if any
};

std::vector<Seeing> by_coordinates(std::span<const MechanismPart> parts) {
  std::vector<Seeing> result;
  std::map<Coordinates, std::size_t> place_of;
  std::size_t first_word = 0;
  for (const MechanismPart& part : parts) {
    const std::size_t words = output_words(*part.channel);
    const auto [place, added] = place_of.emplace(part.coordinates, result.size());
    if (added) result.push_back({part.coordinates, {}});
    result[place->second].parts.push_back({part.estimator, part.channel, first_word, words});
    first_word += words;
  }
  return result;
}

// Returns the positions of some coordinates among those that a part sees.
Coordinates places_in(const Coordinates& seen, const Coordinates& some) {
  Coordinates places;
  for (const std::size_t i : some) {
    places.push_back(static_cast<std::size_t>(std::find(seen.begin(), seen.end(), i) - seen.begin()));
  }
  return places;
}

EstimatorPtr shares_of(const PartShares& part, const Domain& own, const Coordinates& places, Budget& budget) {
  const bool whole = places.size() == own.size() && std::is_sorted(places.begin(), places.end());
  if (!part.estimator || !part.estimator->estimates_shares()) {
    return least_squares_estimator(own, *part.channel, places, budget);
  }
  return whole ? part.estimator : sums_of_shares(own, part.estimator, places);
}

// Returns the estimators of these coordinates from the parts of a group; nullopt if there are none.
std::optional<SharesFromParts> told_by(const Seeing& seeing, const Domain& domain, const Coordinates& some,
                                       Budget& budget) {
  SharesFromParts shares{some, seeing.coordinates, {}};
  const Domain own = domain.restricted_to(seeing.coordinates);
  const Coordinates places = places_in(seeing.coordinates, some);
  std::map<std::pair<const Channel*, const Estimator*>, EstimatorPtr> made;  // shared by runs of a mechanism
  for (PartShares part : seeing.parts) {
    const std::pair key(part.channel.get(), part.estimator.get());
    auto place = made.find(key);
    if (place == made.end()) place = made.emplace(key, shares_of(part, own, places, budget)).first;
    part.estimator = place->second;
    if (part.estimator) shares.parts.push_back(std::move(part));
  }
  if (shares.parts.empty() && seeing.parts.size() > 1) {
    const std::size_t first = seeing.parts[0].first_word;
    std::vector<PartOfOutput> together;
    std::vector<Factor> factors;
    for (const PartShares& part : seeing.parts) {
      if (part.words != 1) return std::nullopt;
      together.push_back({part.channel, every_coordinate(own), part.first_word - first});
      factors.push_back({part.channel, every_coordinate(own)});
    }
    EstimatorPtr estimator;
    try {
      estimator = estimator_by_parts(own, together, places, budget);
    } catch (const LimitError&) {
      budget.check();  // otherwise these parts are too many: other parts may suffice
    }
    if (estimator) {
      shares.parts.push_back({std::move(estimator), std::make_shared<const ProductChannel>(own, std::move(factors)),
                              first, together.back().word + 1});
    }
  }
  return shares.parts.empty() ? std::nullopt : std::optional(std::move(shares));
}

// Greedy cover: takes groups of parts until all coordinates are estimated. First those that estimate the most
// missing coordinates, then those that see the fewest coordinates, since their weights vary least.
class Cover {
 public:
  Cover(const Domain& domain, std::span<const MechanismPart> parts, std::span<const std::size_t> coordinates,
        Budget& budget)
      : domain_(domain),
        budget_(budget),
        groups_(by_coordinates(parts)),
        missing_(coordinates.begin(), coordinates.end()) {
    while (!missing_.empty() && take_one()) {
    }
  }
  std::vector<SharesFromParts> take_factors() { return std::move(factors_); }
  const Coordinates& missing() const { return missing_; }

 private:
  struct Candidate {
    const Seeing* group;
    Coordinates told;
  };

  bool take_one() {
    std::vector<Candidate> candidates;
    for (const Seeing& group : groups_) {
      Coordinates told;
      for (const std::size_t i : missing_) {
        if (std::find(group.coordinates.begin(), group.coordinates.end(), i) != group.coordinates.end()) {
          told.push_back(i);
        }
      }
      if (told.empty()) continue;
      // Coordinates without a joint estimator may have one each.
      for (std::size_t k = 0; told.size() > 1 && k < told.size(); ++k) candidates.push_back({&group, {told[k]}});
      candidates.push_back({&group, std::move(told)});
    }
    std::stable_sort(candidates.begin(), candidates.end(), [](const Candidate& a, const Candidate& b) {
      if (a.told.size() != b.told.size()) return a.told.size() > b.told.size();
      return a.group->coordinates.size() < b.group->coordinates.size();
    });
    return std::any_of(candidates.begin(), candidates.end(), [this](const Candidate& one) { return take(one); });
  }

  bool take(const Candidate& candidate) {
    auto shares = told_by(*candidate.group, domain_, candidate.told, budget_);
    if (!shares) return false;
    std::erase_if(missing_, [&](std::size_t i) {
      return std::find(candidate.told.begin(), candidate.told.end(), i) != candidate.told.end();
    });
    factors_.push_back(std::move(*shares));
    return true;
  }

  const Domain& domain_;
  Budget& budget_;
  std::vector<Seeing> groups_;
  Coordinates missing_;
  std::vector<SharesFromParts> factors_;
};

class MarginalEstimator final : public SharesOfSome {
 public:
  MarginalEstimator(const Domain& domain, const Coordinates& coordinates, const std::vector<SharesFromParts>& factors)
      : SharesOfSome(domain, coordinates) {
    for (const SharesFromParts& factor : factors) {
      const Projection seen(this->domain(), places_in(coordinates, factor.coordinates));
      factors_.push_back({seen, Number::ratio(1, static_cast<std::int64_t>(factor.parts.size())), factor.parts});
    }
  }
  Number weight(std::uint64_t j, std::span<const std::uint64_t> output) const override {
    Number product(1);
    for (const AveragedParts& factor : factors_) {
      Number sum(0);
      const std::uint64_t own = factor.seen(j);
      for (const PartShares& part : factor.parts) {
        sum += part.estimator->weight(own, output.subspan(part.first_word, part.words));
      }
      product *= sum * factor.share;
    }
    return product;
  }

 private:
  struct AveragedParts {
    Projection seen;
    Number share;
    std::vector<PartShares> parts;
  };

  std::vector<AveragedParts> factors_;
};

bool can_be_checked(const PartShares& part) {
  if (part.estimator->knows_moments()) return true;
  const Channel& channel = *part.channel;
  if (channel.input_numbers() > kMostChecked) return false;
  const std::uint64_t pairs = channel.inputs() * part.estimator->targets();
  return pairs <= kMostChecked && channel.outputs() <= kMostChecked / pairs;
}

// Returns [values of the coordinates][input of the parts]: the expected square of the parts' average weight, given
// the input. Each weight has expectation 0 or 1, and so has the product of the weights of two parts.
std::vector<std::vector<Number>> second_moments(const SharesFromParts& factor, const Domain& own,
                                                const Coordinates& places, Budget& budget) {
  const auto count = static_cast<std::int64_t>(factor.parts.size());
  const Projection seen(own, places);
  std::vector<std::vector<Number>> moments(seen.size(), std::vector<Number>(own.inputs(), Number(0)));
  for (std::uint64_t j = 0; j < moments.size(); ++j) {
    for (std::uint64_t x = 0; x < moments[j].size(); ++x) {
      if (seen(x) == j) moments[j][x] = Number(count * (count - 1));
    }
  }
  for (const PartShares& part : factor.parts) {
    if (part.estimator->knows_moments()) {
      for (std::uint64_t x = 0; x < own.inputs(); ++x) {
        const std::vector<Number> squares = part.estimator->expected_squares(x, budget);
        for (std::uint64_t j = 0; j < moments.size(); ++j) moments[j][x] += squares[j];
      }
      continue;
    }
    const Channel& channel = *part.channel;
    for (std::uint64_t y = 0; y < channel.outputs(); ++y) {
      const std::vector<std::uint64_t> output = channel.split(y);
      for (std::uint64_t j = 0; j < moments.size(); ++j) {
        const Number weight = part.estimator->weight(j, output);
        budget.check();
        for (std::uint64_t x = 0; x < moments[j].size(); ++x) {
          moments[j][x] += channel.entry_of(x, output) * weight * weight;
        }
      }
    }
  }
  for (auto& row : moments) {
    for (Number& moment : row) moment /= Number(count * count);
  }
  return moments;
}

}  // namespace

Marginal marginal_of(const Domain& domain, std::span<const MechanismPart> parts,
                     std::span<const std::size_t> coordinates, Budget& budget) {
  Cover cover(domain, parts, coordinates, budget);
  Marginal marginal{nullptr, cover.missing(), cover.take_factors()};
  if (!marginal.missing.empty()) return marginal;
  const Coordinates all(coordinates.begin(), coordinates.end());
  marginal.estimator = std::make_shared<const MarginalEstimator>(domain, all, marginal.factors);
  return marginal;
}

std::optional<bool> is_unbiased(const Marginal& marginal, Budget& budget, std::string& where) {
  std::map<std::pair<const Channel*, const Estimator*>, bool> known;
  for (const SharesFromParts& factor : marginal.factors) {
    for (const PartShares& part : factor.parts) {
      if (!can_be_checked(part)) return std::nullopt;
      const auto [place, added] = known.emplace(std::pair(part.channel.get(), part.estimator.get()), true);
      if (added) place->second = is_unbiased(*part.estimator, *part.channel, budget, where);
      if (!place->second) return false;
    }
  }
  return true;
}

std::optional<Number> mean_squared_error(const Marginal& marginal, const Domain& domain, const Prior& prior,
                                         const Number& n, Budget& budget) {
  Coordinates seen;  // by any part
  for (const SharesFromParts& factor : marginal.factors) {
    seen.insert(seen.end(), factor.seen.begin(), factor.seen.end());
    if (!std::all_of(factor.parts.begin(), factor.parts.end(), can_be_checked)) return std::nullopt;
  }
  std::sort(seen.begin(), seen.end());
  seen.erase(std::unique(seen.begin(), seen.end()), seen.end());
  const Domain seen_domain = domain.restricted_to(seen);
  const auto cells = static_cast<double>(marginal.estimator->targets());
  if (!seen_domain.is_countable() || cells * seen_domain.input_count().approx() > 0x1p20) return std::nullopt;
  struct Factor {
    Projection input, target;
    std::vector<std::vector<Number>> moments;
  };
  const auto& shares = static_cast<const ShareEstimator&>(*marginal.estimator);
  Coordinates told;  // in the order of the marginal
  for (std::size_t i = 0; i < shares.domain().size(); ++i)
    told.push_back(*domain.find(shares.domain().coordinate(i).name));
  std::vector<Factor> factors;
  for (const SharesFromParts& factor : marginal.factors) {
    const Coordinates& own = factor.seen;
    factors.push_back({Projection(seen_domain, places_in(seen, own)),
                       Projection(shares.domain(), places_in(told, factor.coordinates)),
                       second_moments(factor, domain.restricted_to(own), places_in(own, factor.coordinates), budget)});
  }
  const Projection target(seen_domain, places_in(seen, told));
  std::vector<Number> masses(target.size(), Number(0));
  Number squares(0);
  const Prior known = prior.marginal(seen, budget);
  for (const auto& [x, weight] : known.numbered_rows(budget)) {
    masses[target(x)] += weight;
    for (std::uint64_t j = 0; j < masses.size(); ++j) {
      budget.check_every();
      Number product = weight;
      for (const Factor& factor : factors) product *= factor.moments[factor.target(j)][factor.input(x)];
      squares += product;
    }
  }
  Number total = squares / known.total();
  for (const Number& mass : masses) total -= (mass / known.total()) * (mass / known.total());
  return total / n;
}

}  // namespace oddsbound::mechanisms
