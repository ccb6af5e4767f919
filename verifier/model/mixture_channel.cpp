#include "verifier/model/mixture_channel.h"

#include <algorithm>
#include <boost/pending/disjoint_sets.hpp>
#include <numeric>

#include "verifier/model/combined_columns.h"
#include "verifier/model/product_channel.h"

namespace oddsbound::model {

namespace {

// Returns the coordinates that each channel sees: none if it has no share. A channel that is not a product may see all
// of them.
std::vector<std::vector<std::size_t>> seen_by_each(const Domain& domain, const std::vector<ChannelPtr>& channels,
                                                   const std::vector<DerivedOutput>& outputs) {
  std::vector<bool> has_share(channels.size(), false);
  for (const DerivedOutput& output : outputs) {
    for (const OutputShare& share : output.shares) {
      if (!share.share.is_zero()) has_share[share.channel] = true;
    }
  }
  std::vector<std::vector<std::size_t>> seen;
  for (std::size_t c = 0; c < channels.size(); ++c) {
    const Channel& channel = *channels[c];
    if (!has_share[c]) {
      seen.emplace_back();
      continue;
    }
    std::vector<bool> is_seen(domain.size(), channel.factors().empty());
    for (const Factor& factor : channel.factors()) {
      for (const std::size_t i : factor.coordinates) is_seen[i] = true;
    }
    std::vector<std::size_t>& own = seen.emplace_back();
    for (std::size_t i = 0; i < domain.size(); ++i) {
      if (is_seen[i]) own.push_back(i);
    }
  }
  return seen;
}

// Returns the channel on some of the coordinates, which include all that it sees. Requires a product, or all
// coordinates.
ChannelPtr narrowed(const ChannelPtr& channel, const Domain& domain, std::span<const std::size_t> coordinates) {
  if (channel->factors().empty()) return channel;
  std::vector<Factor> factors(channel->factors().begin(), channel->factors().end());
  for (Factor& factor : factors) {
    for (std::size_t& i : factor.coordinates) {
      i = static_cast<std::size_t>(std::ranges::lower_bound(coordinates, i) - coordinates.begin());
    }
  }
  return std::make_shared<ProductChannel>(domain, std::move(factors));
}

// Mechanisms that share coordinates, directly or through others.
struct Connected {
  std::vector<std::size_t> channels, coordinates;
};

std::vector<Connected> connected(const Domain& domain, const std::vector<std::vector<std::size_t>>& seen) {
  boost::disjoint_sets_with_storage<> sets(domain.size());
  for (const auto& own : seen) {
    for (const std::size_t i : own) sets.union_set(i, own[0]);
  }
  std::vector<Connected> by_root(domain.size());
  for (std::size_t c = 0; c < seen.size(); ++c) {
    if (!seen[c].empty()) by_root[sets.find_set(seen[c][0])].channels.push_back(c);
  }
  for (std::size_t i = 0; i < domain.size(); ++i) by_root[sets.find_set(i)].coordinates.push_back(i);
  std::erase_if(by_root, [](const Connected& one) { return one.channels.empty(); });
  return by_root;
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

std::vector<Factor> mixture_terms(const Domain& domain, const std::vector<ChannelPtr>& channels,
                                  const std::vector<DerivedOutput>& outputs, Budget& budget) {
  std::vector<Factor> terms;
  for (const Connected& group : connected(domain, seen_by_each(domain, channels, outputs))) {
    const Domain own = domain.restricted_to(group.coordinates);
    constexpr std::size_t kElsewhere = SIZE_MAX;
    std::vector<std::size_t> place(channels.size(), kElsewhere);
    std::vector<ChannelPtr> narrow;
    for (const std::size_t c : group.channels) {
      place[c] = narrow.size();
      narrow.push_back(narrowed(channels[c], own, group.coordinates));
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

ChannelPtr mixture_of(const Domain& domain, const std::vector<ChannelPtr>& channels, std::vector<DerivedOutput> outputs,
                      Budget& budget) {
  const bool is_small =
      domain.is_countable() && saturating_product(domain.input_numbers(), outputs.size()) <= kSmallTable;
  const bool sees_all_at_once =
      connected(domain, seen_by_each(domain, channels, outputs))[0].coordinates.size() == domain.size();
  if (is_small || sees_all_at_once) return derived_channel(channels, std::move(outputs), budget);
  return std::make_shared<MixtureChannel>(domain, mixture_terms(domain, channels, outputs, budget));
}

const MixtureChannel* as_mixture(const Channel& channel) { return dynamic_cast<const MixtureChannel*>(&channel); }

}  // namespace oddsbound::model
