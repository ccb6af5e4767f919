#include "verifier/engine/network_messages.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "verifier/model/network_prior.h"
#include "verifier/model/prior.h"

namespace oddsbound::engine {

namespace {

bool is_part_of(const Scope& some, const Scope& all) {
  return std::all_of(some.begin(), some.end(),
                     [&](std::size_t i) { return std::find(all.begin(), all.end(), i) != all.end(); });
}

// Scales the smallest nonzero entry of every output to 1. Entries that are powers of exp(1) stay powers, not
// quotients of powers.
void divide_by_smallest(SeenFactor& factor) {
  for (std::size_t y = 0; y < factor.entries.size(); ++y) {
    std::vector<Number>& column = factor.entries[y];
    const Number* smallest = nullptr;
    for (const Number& entry : column) {
      if (!entry.is_zero() && (smallest == nullptr || entry < *smallest)) smallest = &entry;
    }
    if (smallest == nullptr) continue;
    const Number share = *smallest;
    for (Number& entry : column) entry /= share;
  }
}

std::vector<SeenPart> seen_parts(const Model& model, Budget& budget) {
  const std::span<const Factor> factors = model.channel->factors();
  std::vector<SeenPart> parts;
  for (EqualFactors& equal : equal_factors(factors)) {
    const Factor& first = factors[equal.factors[0]];
    budget.require_cells(first.channel->inputs(), first.channel->outputs());
    for (std::uint64_t x = 0; x < first.channel->inputs(); ++x) equal.class_of.emplace(x, 0);
    for (SeenFactor& seen : seen_factors(first.channel, equal, budget)) {
      divide_by_smallest(seen);
      SeenPart& part = parts.emplace_back(SeenPart{std::move(seen), first.coordinates, {}});
      for (const auto& [input, number] : equal.class_of) part.class_of.push_back(number);
    }
  }
  return parts;
}

std::vector<SeenPart> all_parts(const Model& model, Budget& budget) {
  std::vector<SeenPart> parts;
  for (const Factor& factor : model.channel->factors()) {
    const Channel& channel = *factor.channel;
    budget.require_cells(channel.inputs(), channel.outputs());
    SeenPart& part = parts.emplace_back();
    part.over = factor.coordinates;
    part.class_of.resize(channel.inputs());
    std::iota(part.class_of.begin(), part.class_of.end(), 0);
    for (std::uint64_t y = 0; y < channel.outputs(); ++y) {
      std::vector<Number>& column = part.factor.entries.emplace_back();
      for (std::uint64_t x = 0; x < channel.inputs(); ++x) column.push_back(channel.entry(x, y));
      budget.check_every();
      part.factor.outputs.push_back({y});
    }
    divide_by_smallest(part.factor);
  }
  return parts;
}

}  // namespace

std::optional<Network> network_of(const Model& model, Budget& budget, Parts parts) {
  if (!model.prior || model.channel->factors().empty()) return std::nullopt;
  const std::vector<WeightTable> tables = model.prior->tables();
  if (tables.empty()) return std::nullopt;
  Network network;
  network.shape = model.prior->shape();
  std::vector<Scope> scopes;
  for (const WeightTable& table : tables) scopes.push_back(table.over);
  for (const EqualFactors& equal : equal_factors(model.channel->factors())) {
    scopes.push_back(model.channel->factors()[equal.factors[0]].coordinates);
  }
  if (!clique_tree(network.shape, scopes, budget)) return std::nullopt;
  network.parts = parts == Parts::kFew ? seen_parts(model, budget) : all_parts(model, budget);
  scopes.resize(tables.size());
  for (const SeenPart& part : network.parts) scopes.push_back(part.over);
  network.cliques = *clique_tree(network.shape, scopes, budget);
  network.factors.resize(network.cliques.size());
  network.clique_of.resize(network.shape.size());
  for (std::size_t k = 0; k < network.cliques.size(); ++k) {
    const Clique& clique = network.cliques[k];
    network.clique_of[clique.over[0]] = k;
    std::vector<WeightTable> own;
    for (const std::size_t s : clique.scopes) {
      if (s < tables.size()) {
        own.push_back(tables[s]);
      } else {
        network.factors[k].push_back(s - tables.size());
      }
    }
    network.tables.push_back({clique.over, summed_product(network.shape, std::move(own), clique.over, budget)});
  }
  return network;
}

Messages::Messages(const Network& network, const PruneOptions& keeping, Budget& budget)
    : network_(network), likelihoods_(network.shape, network.parts, keeping, budget) {
  const std::size_t count = network.cliques.size();
  up_.resize(count);
  down_.resize(count);
  own_.resize(count);
  for (std::size_t k = 0; k < count; ++k) {
    for (const std::size_t f : network.factors[k]) own_[k].push_back(&likelihoods_.of_factor(f));
    if (k + 1 < count) up_[k] = joined(message(k, heard_from_children(k), network.cliques[k].towards_parent()));
  }
  for (std::size_t k = count; k-- > 0;) send_downward(k);
}

RaySets Messages::about(std::size_t coordinate) {
  const std::size_t k = network_.clique_of[coordinate];
  RaySets heard = heard_from_children(k);
  heard.insert(heard.end(), down_[k].begin(), down_[k].end());
  Inbound all = split(k, std::move(heard), {coordinate});
  all.inside.push_back(&likelihoods_.summed_last(network_.tables[k], few(k, std::move(all.outside)), {coordinate}));
  return std::move(all.inside);
}

RaySets Messages::heard_from_children(std::size_t k) const {
  RaySets heard;
  for (const std::size_t child : network_.cliques[k].children) heard.push_back(up_[child]);
  return heard;
}

// Sends each child the message of its parent and of the other children. Children over the same coordinates share
// prefix and suffix products, so each product is computed once.
void Messages::send_downward(std::size_t k) {
  std::map<Scope, std::vector<std::size_t>> alike;
  for (const std::size_t child : network_.cliques[k].children) alike[up_[child]->over].push_back(child);
  const auto times = [&](const RaySet* a, const RaySet* b) { return a == nullptr ? b : &likelihoods_.product(*a, *b); };
  std::map<Scope, RaySets> after;  // [c]: product of the messages of children c, c + 1, ...
  for (const auto& [scope, children] : alike) {
    RaySets& sets = after[scope];
    sets.resize(children.size() + 1);
    for (std::size_t c = children.size(); c-- > 0;) sets[c] = times(sets[c + 1], up_[children[c]]);
  }
  for (const auto& [scope, children] : alike) {
    const RaySet* before = nullptr;
    for (std::size_t c = 0; c < children.size(); ++c) {
      RaySets heard{before, after[scope][c + 1]};
      heard.insert(heard.end(), down_[k].begin(), down_[k].end());
      for (const auto& [other, sets] : after) {
        if (other != scope) heard.push_back(sets[0]);
      }
      std::erase(heard, nullptr);
      const Clique& child = network_.cliques[children[c]];
      RaySets said = message(k, std::move(heard), child.towards_parent());
      // A child without children passes the message to nobody, so its sets need not be joined into one.
      down_[children[c]] = child.children.empty() ? std::move(said) : RaySets{joined(said)};
      before = times(before, up_[children[c]]);
    }
  }
}

const RaySet* Messages::joined(const RaySets& sets) {
  const RaySet* all = sets[0];
  for (std::size_t s = 1; s < sets.size(); ++s) all = &likelihoods_.product(*all, *sets[s]);
  return all;
}

// Splits a clique's own sets and those it received: `inside` holds the sets over coordinates of `onto` only.
Messages::Inbound Messages::split(std::size_t k, RaySets heard, const Scope& onto) const {
  heard.insert(heard.end(), own_[k].begin(), own_[k].end());
  Inbound all;
  for (const RaySet* set : heard) (is_part_of(set->over, onto) ? all.inside : all.outside).push_back(set);
  return all;
}

// Returns the message of a clique over the coordinates `onto`, as sets whose products form it. The first set is
// over all of `onto`.
RaySets Messages::message(std::size_t k, RaySets heard, const Scope& onto) {
  Inbound all = split(k, std::move(heard), onto);
  RaySets result{&likelihoods_.summed(network_.tables[k], merged(std::move(all.outside)), onto)};
  result.insert(result.end(), all.inside.begin(), all.inside.end());
  return result;
}

// Joins sets over the same coordinates, or over a subset of another set's coordinates.
RaySets Messages::merged(RaySets sets) {
  std::stable_sort(sets.begin(), sets.end(),
                   [](const RaySet* a, const RaySet* b) { return a->over.size() > b->over.size(); });
  RaySets result;
  for (const RaySet* set : sets) {
    const auto place = std::find_if(result.begin(), result.end(),
                                    [&](const RaySet* known) { return is_part_of(set->over, known->over); });
    if (place == result.end()) {
      result.push_back(set);
    } else {
      *place = &likelihoods_.product(**place, *set);
    }
  }
  return result;
}

// The same, smallest sets first, but stops once the combinations of rays times the cells of the clique's table are
// at most 2^21.
RaySets Messages::few(std::size_t k, RaySets sets) {
  constexpr double kMostProducts = 1 << 21;
  double cells = 1;
  for (const std::size_t i : network_.cliques[k].over) cells *= static_cast<double>(network_.shape[i]);
  const auto is_larger = [](const RaySet* a, const RaySet* b) { return a->rays.size() > b->rays.size(); };
  while (true) {
    double products = cells;
    for (const RaySet* set : sets) products *= static_cast<double>(set->rays.size());
    if (products <= kMostProducts) return sets;
    std::stable_sort(sets.begin(), sets.end(), is_larger);
    const std::size_t before = sets.size();
    for (std::size_t s = before; s-- > 1 && sets.size() == before;) {
      for (std::size_t t = s; t-- > 0 && sets.size() == before;) {
        if (!is_part_of(sets[s]->over, sets[t]->over) && !is_part_of(sets[t]->over, sets[s]->over)) continue;
        sets[t] = &likelihoods_.product(*sets[t], *sets[s]);
        sets.erase(sets.begin() + static_cast<std::ptrdiff_t>(s));
      }
    }
    if (sets.size() == before) return sets;
  }
}

}  // namespace oddsbound::engine
