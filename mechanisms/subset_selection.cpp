// Subset selection (Ye and Barg 2018; Wang et al. 2016): releases a set of d inputs, more likely by a factor e^eps
// if it contains the true one.
#include <algorithm>

#include "mechanisms/family.h"
#include "mechanisms/k_randomized_response.h"
#include "mechanisms/random/categorical.h"

namespace oddsbound::mechanisms::subset_selection {

namespace {

// Subsets of size `size` of the numbers below `count`, in lexicographic order.
class Subsets {
 public:
  Subsets(std::uint64_t count, std::uint64_t size) : count_(count), size_(size), number_(binomial(count, size)) {
    auto table = std::make_shared<std::vector<std::uint64_t>>();
    for (std::uint64_t n = 0; n <= count; ++n) {
      for (std::uint64_t k = 0; k <= size; ++k) table->push_back(number_ == 0 ? 0 : binomial(n, k));
    }
    binomials_ = std::move(table);
  }
  std::uint64_t number() const { return number_; }
  std::uint64_t size() const { return size_; }

  std::vector<std::uint64_t> at(std::uint64_t rank) const {
    std::vector<std::uint64_t> members;
    for (std::uint64_t next = 0; members.size() < size_; ++next) {
      const std::uint64_t with = choose(count_ - next - 1, size_ - members.size() - 1);
      if (rank < with) {
        members.push_back(next);
      } else {
        rank -= with;
      }
    }
    return members;
  }

  std::uint64_t rank(std::span<const std::uint64_t> members) const {
    std::uint64_t rank = 0;
    std::uint64_t next = 0;
    for (std::size_t i = 0; i < members.size(); ++i) {
      for (; next < members[i]; ++next) rank += choose(count_ - next - 1, size_ - i - 1);
      ++next;
    }
    return rank;
  }

 private:
  std::uint64_t choose(std::uint64_t n, std::uint64_t k) const { return (*binomials_)[n * (size_ + 1) + k]; }

  std::uint64_t count_, size_, number_;
  std::shared_ptr<const std::vector<std::uint64_t>> binomials_;
};

struct Rule {
  Domain domain;
  Subsets subsets;

  bool contains(std::uint64_t x, std::uint64_t y) const {
    const std::vector<std::uint64_t> members = subsets.at(y);
    return std::binary_search(members.begin(), members.end(), x);
  }
  std::uint32_t slot(std::uint64_t x, std::uint64_t y) const { return contains(x, y) ? 0 : 1; }
  auto at(std::uint64_t y) const {
    std::vector<std::uint32_t> slots(domain.inputs(), 1);
    for (const std::uint64_t x : subsets.at(y)) slots[x] = 0;
    return [slots = std::move(slots)](std::uint64_t x) { return slots[x]; };
  }
  std::string label(std::uint64_t y) const {
    std::string text;
    for (const std::uint64_t x : subsets.at(y)) text += (text.empty() ? "{" : ",") + input_label(domain, x);
    return text + "}";
  }
};

// Outputs of a pair: the sets with its first input alone, with its second one alone, with both, and with neither. A
// fraction (d-1)/(k-1) of the sets with one input, and d/(k-1) of those without it, contain the other input.
PairClass pairs_of(std::uint64_t k, const Subsets& subsets, const Number& included) {
  const std::uint64_t d = subsets.size();
  const auto part = [&](std::uint64_t of) { return whole(of) / whole(k - 1); };
  const Number one = included * part(k - d), other = (Number(1) - included) * part(d);
  const Number both = included * part(d - 1), neither = (Number(1) - included) * part(k - 1 - d);
  return {0,
          1,
          {{{one, other}, {other, one}, {both, both}, {neither, neither}}},
          [subsets](std::uint64_t from, std::uint64_t to, std::span<const std::size_t> kinds) {
            std::vector<std::uint64_t> members;
            if (kinds[0] == 0 || kinds[0] == 2) members.push_back(from);
            if (kinds[0] == 1 || kinds[0] == 2) members.push_back(to);
            for (std::uint64_t next = 0; members.size() < subsets.size(); ++next) {
              if (next != from && next != to) members.push_back(next);
            }
            std::sort(members.begin(), members.end());
            return std::vector{subsets.rank(members)};
          }};
}

class Selection final : public Sampler {
 public:
  Selection(std::uint64_t inputs, const Subsets& subsets, const Number& included)
      : inputs_(inputs),
        subsets_(subsets),
        with_(inputs - 1, subsets.size() - 1),
        without_(inputs - 1, subsets.size()),
        included_(included) {}

  void draw(std::uint64_t x, RandomSource& source, std::span<std::uint64_t> output) const override {
    const bool included = subsets_.size() == inputs_ || included_(source) == 1;
    const Subsets& others = included ? with_ : without_;
    std::vector<std::uint64_t> members = others.at(mechanisms::draw(UniformBelow(others.number()), source));
    for (std::uint64_t& other : members) other += other >= x ? 1 : 0;
    if (included) members.insert(std::lower_bound(members.begin(), members.end(), x), x);
    output[0] = subsets_.rank(members);
  }

 private:
  std::uint64_t inputs_;
  Subsets subsets_, with_, without_;
  Bernoulli included_;
};

std::uint64_t chosen_size(std::uint64_t k, const Level& epsilon, const Arguments& arguments) {
  if (const auto given = arguments.find<std::int64_t>("size")) {
    const auto most = static_cast<std::int64_t>(std::max<std::uint64_t>(1, k - 1));
    if (*given < 1 || *given > most) {
      throw ParameterError("size", "found the size " + std::to_string(*given) + ", expected 1 to " +
                                       std::to_string(most) + " for " + std::to_string(k) + " inputs");
    }
    return static_cast<std::uint64_t>(*given);
  }
  if (epsilon.is_infinite()) return 1;
  const Number best = whole(k) / (epsilon.exponential() + Number(1));
  return static_cast<std::uint64_t>(std::max<std::int64_t>(1, nearest_integer(best)));
}

Subsets subsets_of(std::uint64_t inputs, std::uint64_t size) {
  try {
    return {inputs, size};
  } catch (const LimitError&) {
    throw LimitError("there are more than 2^62 sets of " + std::to_string(size) + " of the " + std::to_string(inputs) +
                     " inputs");
  }
}

Mechanism build(const Domain& domain, const Arguments& arguments, Budget&) {
  const Level& epsilon = arguments.get<Level>("epsilon");
  const std::uint64_t k = domain.inputs();
  const Subsets subsets = subsets_of(k, chosen_size(k, epsilon, arguments));
  const std::uint64_t d = subsets.size();
  const std::uint64_t with = binomial(k - 1, d - 1);
  const std::uint64_t without = binomial(k - 1, d);
  const Number included = odds_share(epsilon, whole(with), whole(without));
  const Number in = included / whole(with);
  const Number out = without == 0 ? Number(0) : (Number(1) - included) / whole(without);
  const Rule rule{domain, subsets};
  Mechanism result;
  result.channel = rule_channel(k, subsets.number(), {in, out}, rule, [=] { return pairs_of(k, subsets, included); });
  result.sampler = std::make_shared<const Selection>(k, subsets, included);
  // Another input is in the set with probability (d-1)/(k-1) if the set contains the true one, else d/(k-1).
  const Number other =
      k == 1 ? Number(0) : (included * whole(d - 1) + (Number(1) - included) * whole(d)) / whole(k - 1);
  result.estimator =
      event_estimator(domain, included, other,
                      [rule](std::uint64_t j, std::span<const std::uint64_t> y) { return rule.contains(j, y[0]); });
  return result;
}

}  // namespace

Family family() {
  return {"subset_selection",
          "a set of d inputs, e^eps times more likely if the true one is among them",
          "Ye, Barg (2018); Wang et al. (2016)",
          {{"epsilon", FieldKind::kLevel, true, "the LDP level"},
           {"size", FieldKind::kInteger, false, "d; by default the integer nearest to k / (e^eps + 1), at least 1"}},
          build};
}

}  // namespace oddsbound::mechanisms::subset_selection
