#include "verifier/model/mixture_channel.h"

#include <algorithm>
#include <boost/pending/disjoint_sets.hpp>
#include <map>
#include <optional>

#include "verifier/model/combined_columns.h"
#include "verifier/model/product_channel.h"

namespace oddsbound::model {

namespace {

// True if the channel is known to ignore its input: all rows are equal.
bool ignores_input(const Channel& channel, Budget& budget) {
  constexpr std::uint64_t kMostCells = std::uint64_t{1} << 20;  // of a channel that is looked at
  if (saturating_product(channel.input_numbers(), channel.outputs()) > kMostCells) return false;
  const auto columns = channel.columns(budget);
  std::vector<std::uint32_t> scratch;
  for (std::uint64_t y = 0; y < columns->outputs(); ++y) {
    const auto column = columns->ranks(y, scratch);
    if (std::ranges::any_of(column, [&](std::uint32_t rank) { return rank != column[0]; })) return false;
  }
  return true;
}

// Returns the factors of a mechanism. A factor that ignores its input is replaced by one with a single input and no
// coordinates. A channel that is not a product is one factor on all coordinates.
std::vector<Factor> reduced_factors(const Domain& domain, const ChannelPtr& channel,
                                    std::map<const Channel*, ChannelPtr>& constant, Budget& budget) {
  if (channel->factors().empty()) return {{channel, every_coordinate(domain)}};
  std::vector<Factor> factors(channel->factors().begin(), channel->factors().end());
  for (Factor& factor : factors) {
    const auto [place, is_new] = constant.try_emplace(factor.channel.get());
    if (is_new && ignores_input(*factor.channel, budget)) {
      PoolBuilder row;
      for (std::uint64_t y = 0; y < factor.channel->outputs(); ++y) row.add(factor.channel->entry(0, y));
      place->second =
          DenseChannel::from_rows(1, std::vector<std::string>(factor.channel->outputs()), std::move(row), budget);
    }
    if (place->second) factor = {place->second, {}};
  }
  return factors;
}

// A mechanism that has a share, by its factors.
struct Chosen {
  std::size_t channel;
  std::vector<Factor> factors;
};

std::vector<Chosen> chosen_of(const Domain& domain, const std::vector<ChannelPtr>& channels,
                              const std::vector<DerivedOutput>& outputs, Budget& budget) {
  std::vector<bool> has_share(channels.size(), false);
  for (const DerivedOutput& output : outputs) {
    for (const OutputShare& share : output.shares) {
      if (!share.share.is_zero()) has_share[share.channel] = true;
    }
  }
  std::map<const Channel*, ChannelPtr> constant;
  std::vector<Chosen> chosen;
  for (std::size_t c = 0; c < channels.size(); ++c) {
    if (has_share[c]) chosen.push_back({c, reduced_factors(domain, channels[c], constant, budget)});
  }
  return chosen;
}

// Mechanisms that share coordinates, directly or through others.
struct Connected {
  std::vector<const Chosen*> mechanisms;
  std::vector<std::size_t> coordinates;
};

std::vector<Connected> connected(const Domain& domain, const std::vector<Chosen>& all) {
  boost::disjoint_sets_with_storage<> sets(domain.size());
  std::vector<std::size_t> first_seen;  // of each mechanism; 0 if it ignores the input
  for (const Chosen& one : all) {
    std::optional<std::size_t> first;
    for (const Factor& factor : one.factors) {
      for (const std::size_t i : factor.coordinates) {
        if (!first) first = i;
        sets.union_set(i, *first);
      }
    }
    first_seen.push_back(first.value_or(0));
  }
  std::vector<Connected> by_root(domain.size());
  for (std::size_t c = 0; c < all.size(); ++c) by_root[sets.find_set(first_seen[c])].mechanisms.push_back(&all[c]);
  for (std::size_t i = 0; i < domain.size(); ++i) by_root[sets.find_set(i)].coordinates.push_back(i);
  std::erase_if(by_root, [](const Connected& one) { return one.mechanisms.empty(); });
  return by_root;
}

// Returns a mechanism on the coordinates of its group.
ChannelPtr within(const Connected& group, const Domain& own, std::vector<Factor> factors) {
  for (Factor& factor : factors) {
    for (std::size_t& i : factor.coordinates) {
      i = static_cast<std::size_t>(std::ranges::lower_bound(group.coordinates, i) - group.coordinates.begin());
    }
  }
  return std::make_shared<ProductChannel>(own, std::move(factors));
}

// A table of at most this many cells is kept whole.
constexpr std::uint64_t kSmallTable = std::uint64_t{1} << 22;

}  // namespace

MixtureChannel::MixtureChannel(const Domain& domain, std::vector<Factor> terms)
    : Channel(domain.is_countable() ? domain.input_numbers() : UINT64_MAX, terms.at(0).channel->outputs()),
      terms_(std::move(terms)) {
  for (const Factor& term : terms_) projections_.emplace_back(domain, term.coordinates);
}

std::string MixtureChannel::label_of(std::span<const std::uint64_t> output) const {
  return terms_[0].channel->label_of(output);
}

Number MixtureChannel::entry_of(std::uint64_t x, std::span<const std::uint64_t> output) const {
  Number sum;
  for (std::size_t t = 0; t < terms_.size(); ++t) sum += terms_[t].channel->entry_of(projections_[t](x), output);
  return sum;
}

Number MixtureChannel::entry_at(const Domain&, InputView row, std::span<const std::uint64_t> output) const {
  Number sum;
  for (std::size_t t = 0; t < terms_.size(); ++t) sum += terms_[t].channel->entry_of(projections_[t](row), output);
  return sum;
}

std::unique_ptr<Columns> MixtureChannel::columns(Budget& budget) const {
  budget.require_cells(inputs(), outputs());
  return enumerate(
      inputs(), [&](std::size_t t, std::uint64_t x) { return projections_[t](x); }, budget);
}

std::unique_ptr<Columns> MixtureChannel::columns_of(const Domain&, std::span<const InputRow> rows,
                                                    Budget& budget) const {
  budget.require_cells(rows.size(), outputs(), "rows of positive mass");
  return enumerate(
      rows.size(), [&](std::size_t t, std::uint64_t x) { return projections_[t](rows[x]); }, budget);
}

std::unique_ptr<Columns> MixtureChannel::enumerate(
    std::uint64_t inputs, const std::function<std::uint64_t(std::size_t, std::uint64_t)>& project,
    Budget& budget) const {
  const auto outputs_of = [terms = terms_.size()](std::uint64_t y) { return std::vector<std::uint64_t>(terms, y); };
  return combined_columns({terms_, Combination::kSum, inputs, outputs(), project, outputs_of}, budget);
}

namespace {

std::vector<Factor> terms_of(const Domain& domain, const std::vector<Connected>& groups, std::size_t channels,
                             const std::vector<DerivedOutput>& outputs, Budget& budget) {
  std::vector<Factor> terms;
  for (const Connected& group : groups) {
    const Domain own = domain.restricted_to(group.coordinates);
    constexpr std::size_t kElsewhere = SIZE_MAX;
    std::vector<std::size_t> place(channels, kElsewhere);
    std::vector<ChannelPtr> narrow;
    for (const Chosen* one : group.mechanisms) {
      place[one->channel] = narrow.size();
      narrow.push_back(within(group, own, one->factors));
    }
    std::vector<DerivedOutput> shares;
    for (const DerivedOutput& output : outputs) {
      DerivedOutput& part = shares.emplace_back();
      if (terms.empty()) part.label = output.label;  // the others are never asked for theirs
      for (const OutputShare& share : output.shares) {
        budget.check_every();
        const std::size_t c = place[share.channel];
        if (c != kElsewhere) part.shares.push_back({c, share.output, share.share});
      }
    }
    terms.push_back({derived_channel(narrow, std::move(shares), budget), group.coordinates});
  }
  return terms;
}

}  // namespace

std::vector<Factor> mixture_terms(const Domain& domain, const std::vector<ChannelPtr>& channels,
                                  const std::vector<DerivedOutput>& outputs, Budget& budget) {
  const std::vector<Chosen> chosen = chosen_of(domain, channels, outputs, budget);
  return terms_of(domain, connected(domain, chosen), channels.size(), outputs, budget);
}

ChannelPtr mixture_of(const Domain& domain, const std::vector<ChannelPtr>& channels, std::vector<DerivedOutput> outputs,
                      Budget& budget) {
  const bool is_small =
      domain.is_countable() && saturating_product(domain.input_numbers(), outputs.size()) <= kSmallTable;
  if (is_small) return derived_channel(channels, std::move(outputs), budget);
  const std::vector<Chosen> chosen = chosen_of(domain, channels, outputs, budget);
  const std::vector<Connected> groups = connected(domain, chosen);
  if (groups[0].coordinates.size() == domain.size()) return derived_channel(channels, std::move(outputs), budget);
  return std::make_shared<MixtureChannel>(domain, terms_of(domain, groups, channels.size(), outputs, budget));
}

const MixtureChannel* as_mixture(const Channel& channel) { return dynamic_cast<const MixtureChannel*>(&channel); }

}  // namespace oddsbound::model
