#include "verifier/engine/neighbor_losses.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <unordered_map>

#include "verifier/engine/pair_classes.h"

namespace oddsbound::engine {

namespace {

// A number of independent outputs, by the index of their loss distribution.
using Counts = std::map<std::uint32_t, std::uint64_t>;

// The distinct loss distributions of pairs of rows, by index.
class KnownLosses {
 public:
  std::uint32_t index_of(LossDistribution losses) {
    auto one = std::make_shared<const LossDistribution>(std::move(losses));
    const auto [place, added] = places_.try_emplace(one, static_cast<std::uint32_t>(known_.size()));
    if (added) known_.push_back(std::move(one));
    return place->second;
  }

  LossProduct product_of(const Counts& counts) const {
    LossProduct product;
    for (const auto& [index, n] : counts) product.push_back({known_[index], n});
    return product;
  }

  const std::vector<std::shared_ptr<const LossDistribution>>& all() const { return known_; }

 private:
  using Pointer = std::shared_ptr<const LossDistribution>;
  static bool precedes(const Pointer& a, const Pointer& b) {
    if (const auto order = structural_order(a->infinite(), b->infinite()); order != 0) return order < 0;
    const auto before = [](const LossDistribution::Atom& x, const LossDistribution::Atom& y) {
      const auto order = structural_order(x.ratio, y.ratio);
      return order < 0 || (order == 0 && structural_order(x.mass, y.mass) < 0);
    };
    return std::lexicographical_compare(a->atoms().begin(), a->atoms().end(), b->atoms().begin(), b->atoms().end(),
                                        before);
  }

  std::vector<Pointer> known_{std::make_shared<const LossDistribution>()};                     // equal rows
  std::map<Pointer, std::uint32_t, decltype(&precedes)> places_{{{known_[0], 0}}, &precedes};  // in known_
};

// The rows of one channel, and the loss distribution of each pair of them that is asked for.
class RowLosses {
 public:
  RowLosses(const Channel& channel, Budget& budget) {
    std::map<std::vector<Number>, std::uint32_t, decltype(&precedes)> known(&precedes);
    for (std::vector<Number>& row : rows_of(channel, budget)) {
      const auto [place, added] = known.try_emplace(row, static_cast<std::uint32_t>(rows_.size()));
      if (added) rows_.push_back(std::move(row));
      kind_of_.push_back(place->second);
    }
  }

  std::uint32_t of(std::uint64_t from, std::uint64_t to, KnownLosses& known) {
    const std::uint32_t a = kind_of_[from], b = kind_of_[to];
    if (a == b) return 0;
    const auto [place, added] = found_.try_emplace(std::uint64_t{a} << 32 | b, 0);
    if (added) place->second = known.index_of(LossDistribution::of(rows_[a], rows_[b]));
    return place->second;
  }

 private:
  static bool precedes(const std::vector<Number>& a, const std::vector<Number>& b) {
    return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end(),
                                        [](const Number& x, const Number& y) { return structural_order(x, y) < 0; });
  }

  std::vector<std::vector<Number>> rows_;  // the distinct ones
  std::vector<std::uint32_t> kind_of_;     // [input]
  std::unordered_map<std::uint64_t, std::uint32_t> found_;
};

// The losses of pairs of inputs of some components, with one such pair; other coordinates count as 0.
struct PairKind {
  Counts counts;
  InputRow from, to;
};

using PairKinds = std::optional<std::vector<PairKind>>;  // nullopt: too many

// The components; a channel that declares classes of pairs itself is one.
std::vector<Component> components_to_compare(const Model& model, Budget& budget) {
  if (with_pair_classes(*model.channel) == nullptr) return components_of(model, budget);
  return {{every_coordinate(model.domain), {0}, model.channel, {model.domain, model.channel, std::nullopt}}};
}

class NeighborSearch {
 public:
  NeighborSearch(const Model& model, std::size_t most_kinds, Budget& budget)
      : model_(model), components_(components_to_compare(model, budget)), most_kinds_(most_kinds), budget_(budget) {}

  std::optional<WorstNeighbors> within(const std::vector<std::size_t>& group, bool bounded) {
    std::vector<Choice> choices;
    for (const Component& component : components_) {
      PairKinds kinds = distinct_kinds(component, group);
      if (kinds) kinds = undominated(*std::move(kinds));
      if (!kinds) return std::nullopt;
      if (!kinds->empty()) choices.push_back({component.coordinates, *std::move(kinds)});
    }
    if (choices.empty()) {  // no part sees a coordinate of the group: all pairs have equal rows
      const PairKind any = some_pair(group);
      return any.from == any.to ? WorstNeighbors{} : WorstNeighbors{named({any})};
    }
    const PairKind none{{}, InputRow(model_.domain.size()), InputRow(model_.domain.size())};
    PairKinds wholes = std::vector<PairKind>{none};
    for (const Choice& choice : choices) {
      std::vector<PairKind> longer = joined(*wholes, choice.kinds, choice.coordinates);
      if (bounded && longer.size() > std::min(most_kinds_, kMostWholes)) return bounded_by(choices, none);
      wholes = undominated(std::move(longer));
      if (!wholes) return std::nullopt;
    }
    return WorstNeighbors{named(*wholes)};
  }

  std::optional<NeighborKinds> within_each(const std::vector<std::vector<std::size_t>>& groups) {
    std::vector<std::size_t> component_of(model_.domain.size(), components_.size());
    for (std::size_t c = 0; c < components_.size(); ++c) {
      for (const std::size_t i : components_[c].coordinates) component_of[i] = c;
    }
    NeighborKinds found;
    for (const auto& group : groups) {
      std::set<std::size_t> seen_by;
      for (const std::size_t i : group) seen_by.insert(component_of[i]);
      seen_by.erase(components_.size());
      NeighborKinds::Group own;
      for (const std::size_t c : seen_by) {
        const PairKinds kinds = distinct_kinds(components_[c], group);
        if (!kinds) return std::nullopt;
        own.components.push_back(placed(*kinds, components_[c].coordinates));
      }
      found.groups.push_back(std::move(own));
    }
    found.losses = known_.all();
    return found;
  }

 private:
  static constexpr std::size_t kMostWholes = 128;        // combined kinds that are compared if bounds would do
  static constexpr std::size_t kMostCompared = 1 << 16;  // products of numbers of atoms: longer lists stay

  // The kinds of pairs of inputs of one component.
  struct Choice {
    std::vector<std::size_t> coordinates;
    std::vector<PairKind> kinds;
  };

  std::vector<NeighborLosses> named(const std::vector<PairKind>& wholes) const {
    std::vector<NeighborLosses> pairs;
    for (const PairKind& whole : wholes) {
      pairs.push_back({whole.from, whole.to, known_.product_of(whole.counts)});
    }
    return pairs;
  }

  // Choices that are too many to combine. Above: in every component, losses that dominate all kinds. The pairs: in
  // every component the kind with the largest moment of some order, which is only a proposal.
  std::optional<WorstNeighbors> bounded_by(const std::vector<Choice>& choices, const PairKind& none) {
    constexpr double kOrders[] = {0.25, 1, 4, 16};
    Counts above;
    std::vector<PairKind> proposals(std::size(kOrders), none);
    for (const Choice& choice : choices) {
      std::optional<LossDistribution> largest;
      std::vector<std::size_t> best(std::size(kOrders));
      std::vector<double> moments(std::size(kOrders), -1);
      for (std::size_t k = 0; k < choice.kinds.size(); ++k) {
        const auto losses = composed_from(choice.kinds[k].counts);
        if (!losses) return std::nullopt;
        largest = largest ? LossDistribution::larger_of(*largest, *losses, budget_) : *losses;
        for (std::size_t i = 0; i < std::size(kOrders); ++i) {
          double moment = losses->infinite().approx() * 0x1p500;
          for (const auto& atom : losses->atoms())
            moment += atom.mass.approx() * std::pow(atom.ratio.approx(), kOrders[i]);
          if (moment > moments[i]) std::tie(moments[i], best[i]) = std::pair(moment, k);
        }
      }
      const std::uint32_t index = known_.index_of(*std::move(largest));
      if (index != 0) ++above[index];
      for (std::size_t i = 0; i < proposals.size(); ++i) {
        proposals[i] = joined({proposals[i]}, {choice.kinds[best[i]]}, choice.coordinates).front();
      }
    }
    std::map<Counts, PairKind> different;
    for (PairKind& proposal : proposals) different.try_emplace(proposal.counts, proposal);
    proposals.clear();
    for (auto& [counts, proposal] : different) proposals.push_back(std::move(proposal));
    return WorstNeighbors{named(proposals), known_.product_of(above)};
  }

  // Every whole with every kind of pairs of inputs of a component.
  static std::vector<PairKind> joined(const std::vector<PairKind>& wholes, const std::vector<PairKind>& kinds,
                                      const std::vector<std::size_t>& coordinates) {
    std::map<Counts, PairKind> found;
    for (const PairKind& whole : wholes) {
      for (const PairKind& kind : kinds) {
        PairKind longer = whole;
        for (const auto& [index, n] : kind.counts) longer.counts[index] += n;
        for (std::size_t k = 0; k < coordinates.size(); ++k) {
          longer.from[coordinates[k]] = kind.from[k];
          longer.to[coordinates[k]] = kind.to[k];
        }
        found.try_emplace(longer.counts, std::move(longer));
      }
    }
    std::vector<PairKind> all;
    for (auto& [counts, whole] : found) all.push_back(std::move(whole));
    return all;
  }

  // Two inputs that differ in one coordinate of the group, which is the first with two values; equal ones if there is
  // none.
  PairKind some_pair(const std::vector<std::size_t>& group) const {
    PairKind pair{{}, InputRow(model_.domain.size()), InputRow(model_.domain.size())};
    for (const std::size_t i : group) {
      if (model_.domain.values(i) < 2) continue;
      pair.to[i] = 1;
      break;
    }
    return pair;
  }

  // The same kinds with inputs of the whole domain.
  std::vector<NeighborKind> placed(const std::vector<PairKind>& kinds,
                                   const std::vector<std::size_t>& coordinates) const {
    std::vector<NeighborKind> found;
    for (const PairKind& kind : kinds) {
      NeighborKind& own = found.emplace_back();
      own.from = own.to = InputRow(model_.domain.size());
      for (std::size_t k = 0; k < coordinates.size(); ++k) {
        own.from[coordinates[k]] = kind.from[k];
        own.to[coordinates[k]] = kind.to[k];
      }
      own.losses.assign(kind.counts.begin(), kind.counts.end());
    }
    return found;
  }

  // The kinds by declared classes of pairs; nullopt if these do not tell, or if pairs are few.
  PairKinds declared_kinds(const Component& component, const std::vector<std::size_t>& own) {
    const std::vector<Factor> units = units_of_model(component.model);
    // With several units and coordinates, classes give only the pairs that differ in all of them.
    const bool is_one = units.size() == 1 || component.coordinates.size() == 1;
    const auto is_used = [&](const Factor& unit) {
      return is_one ? has_pairs_to_class(*unit.channel) : has_many_pairs(*unit.channel);
    };
    if (std::none_of(units.begin(), units.end(), is_used)) return std::nullopt;
    const auto declared = DeclaredPairs::of(component.model);
    const auto pairs = declared ? declared->worst_within(own) : std::nullopt;
    if (!pairs) return std::nullopt;
    std::vector<PairKind> kinds;
    for (const DeclaredPairs::Pair& pair : *pairs) {
      PairKind& kind = kinds.emplace_back(PairKind{{}, pair.from, pair.to});
      for (auto& [losses, times] : declared->losses(pair)) {
        const std::uint32_t index = known_.index_of(std::move(losses));
        if (index != 0) kind.counts[index] += times;
      }
    }
    return kinds;
  }

  // The kinds of pairs of inputs of a component that differ within the group; nullopt if they are too many.
  PairKinds distinct_kinds(const Component& component, const std::vector<std::size_t>& group) {
    std::vector<std::size_t> own;
    for (std::size_t k = 0; k < component.coordinates.size(); ++k) {
      if (std::find(group.begin(), group.end(), component.coordinates[k]) != group.end()) own.push_back(k);
    }
    if (own.empty()) return std::vector<PairKind>();
    if (PairKinds declared = declared_kinds(component, own)) return declared;
    const Domain& domain = component.model.domain;
    struct Part {
      RowLosses* losses;
      Projection project;
      std::uint64_t times;
    };
    std::vector<Part> parts;
    if (component.repeated) {
      std::vector<std::size_t> all = every_coordinate(domain);
      parts.push_back({&rows_of_channel(component.repeated), Projection(domain, all), component.factors.size()});
    } else {
      std::map<std::pair<const Channel*, std::vector<std::size_t>>, std::size_t> places;
      for (const Factor& factor : component.model.channel->factors()) {
        const auto [place, added] = places.try_emplace({factor.channel.get(), factor.coordinates}, parts.size());
        if (added) parts.push_back({&rows_of_channel(factor.channel), Projection(domain, factor.coordinates), 0});
        ++parts[place->second].times;
      }
    }
    std::map<Counts, std::pair<std::uint64_t, std::uint64_t>> examples;
    for_pairs_within(domain, own, [&](std::uint64_t from, std::uint64_t to) {
      budget_.check_every();
      if (examples.size() > most_kinds_) return;
      Counts counts;
      for (Part& part : parts) {
        budget_.check_every();
        const std::uint32_t index = part.losses->of(part.project(from), part.project(to), known_);
        if (index != 0) counts[index] += part.times;
      }
      examples.try_emplace(std::move(counts), from, to);
    });
    if (examples.size() > most_kinds_) return std::nullopt;  // and not all pairs were visited
    std::vector<PairKind> kinds;
    for (const auto& [counts, pair] : examples) {
      kinds.push_back({counts, domain.row(pair.first), domain.row(pair.second)});
    }
    if (kinds.size() > 1) std::erase_if(kinds, [](const PairKind& kind) { return kind.counts.empty(); });
    return kinds;
  }

  // The kinds that no other one is known to dominate; nullopt if they are too many to compare.
  PairKinds undominated(std::vector<PairKind> kinds) {
    if (kinds.size() > 1) std::erase_if(kinds, [](const PairKind& kind) { return kind.counts.empty(); });
    if (kinds.size() > most_kinds_) return std::nullopt;
    if (kinds.size() == 1) return kinds;
    Wholes wholes;
    for (const PairKind& kind : kinds) wholes.push_back(composed_from(kind.counts));
    std::vector<bool> dominated(kinds.size(), false);
    for (std::size_t a = 0; a < kinds.size(); ++a) {
      for (std::size_t b = 0; b < kinds.size() && !dominated[a]; ++b) {
        if (a != b && !dominated[b]) dominated[a] = is_dominated(kinds, wholes, a, b);
      }
    }
    std::vector<PairKind> left;
    for (std::size_t k = 0; k < kinds.size(); ++k) {
      if (!dominated[k]) left.push_back(std::move(kinds[k]));
    }
    return left;
  }

  using Wholes = std::vector<std::optional<LossDistribution>>;  // nullopt: too many atoms to compare

  std::optional<LossDistribution> composed_from(const Counts& counts) {
    return composed(known_.product_of(counts), kMostCompared, budget_);
  }

  // Returns true if kind b is known to dominate kind a: as a whole, or without the losses that both have.
  bool is_dominated(const std::vector<PairKind>& kinds, const Wholes& wholes, std::size_t a, std::size_t b) {
    const auto compares = [&](const std::optional<LossDistribution>& less,
                              const std::optional<LossDistribution>& more) {
      return less && more && less->atoms().size() * more->atoms().size() <= kMostCompared;
    };
    if (compares(wholes[a], wholes[b])) return dominates(*wholes[b], *wholes[a], budget_);
    Counts less = kinds[a].counts, more = kinds[b].counts;
    for (auto& [index, n] : less) {
      const auto same = more.find(index);
      if (same == more.end()) continue;
      const std::uint64_t both = std::min(n, same->second);
      n -= both;
      same->second -= both;
    }
    for (Counts* counts : {&less, &more}) std::erase_if(*counts, [](const auto& entry) { return entry.second == 0; });
    const auto rest = composed_from(less), other_rest = composed_from(more);
    return compares(rest, other_rest) && dominates(*other_rest, *rest, budget_);
  }

  RowLosses& rows_of_channel(const ChannelPtr& channel) {
    auto& losses = rows_[channel.get()];
    if (!losses) losses.emplace(*channel, budget_);
    return *losses;
  }

  const Model& model_;
  const std::vector<Component> components_;
  const std::size_t most_kinds_;
  Budget& budget_;
  KnownLosses known_;
  std::map<const Channel*, std::optional<RowLosses>> rows_;
};

}  // namespace

std::optional<WorstNeighbors> worst_neighbors(const Model& model, const std::vector<std::size_t>& group,
                                              std::size_t most_kinds, bool bounded, Budget& budget) {
  return NeighborSearch(model, most_kinds, budget).within(group, bounded);
}

std::optional<NeighborKinds> kinds_of_neighbors(const Model& model, const std::vector<std::vector<std::size_t>>& groups,
                                                std::size_t most_kinds, Budget& budget) {
  return NeighborSearch(model, most_kinds, budget).within_each(groups);
}

std::vector<std::uint64_t> offsets_of(const Domain& domain, const std::vector<std::size_t>& group) {
  std::vector<std::uint64_t> offsets{0};
  for (const std::size_t i : group) {
    std::vector<std::uint64_t> longer;
    for (const std::uint64_t offset : offsets) {
      for (std::uint64_t v = 0; v < domain.values(i); ++v) longer.push_back(offset + v * domain.stride(i));
    }
    offsets = std::move(longer);
  }
  return offsets;
}

}  // namespace oddsbound::engine
