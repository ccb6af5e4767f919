#include "runs/certify_parts.h"

#include <algorithm>

#include "verifier/notions/output_ranges.h"

namespace oddsbound::runs {

namespace {

// One comparison of everything that a part sees, or of what differs in one of its coordinates.
std::optional<LargestQuotient> largest_of_part(const Factor& part, const Domain& domain,
                                               std::optional<std::size_t> coordinate, Budget& budget) {
  std::vector<std::size_t> group(part.coordinates.size());
  for (std::size_t k = 0; k < group.size(); ++k) group[k] = k;
  if (coordinate) {
    const auto place = std::find(part.coordinates.begin(), part.coordinates.end(), *coordinate);
    if (place == part.coordinates.end()) return std::nullopt;
    group = {static_cast<std::size_t>(place - part.coordinates.begin())};
  }
  const Model model{domain.restricted_to(part.coordinates), part.channel, {}};
  MeasuredModel subject(model, budget);
  Comparison comparison;
  comparison.pairs = LookedAt(model.domain).pairs_within(group);
  const std::vector<ComparedLevel> levels = compared_levels(subject, {comparison});
  std::optional<LargestQuotient> largest;
  for (const RangeMaximum& range : levels.at(0).ranges) {
    if (!range.largest) continue;
    if (!largest || compare_products(range.largest->p_from, largest->p_to, largest->p_from, range.largest->p_to) > 0) {
      largest = range.largest;
    }
  }
  return largest;
}

// The largest P(output given a) / P(output given b) of a part, for all inputs a and b of it; a denominator of 0: there
// is none.
struct Quotient {
  Number p{0}, q{1};
};
class PartQuotients {
 public:
  PartQuotients(const Factor& part, const Domain& domain, Budget& budget)
      : coordinates_(part.coordinates), domain_(domain.restricted_to(part.coordinates)), size_(part.channel->inputs()) {
    for (std::uint64_t a = 0; a < size_; ++a) {
      for (std::uint64_t b = 0; b < size_; ++b) quotients_.push_back(largest(*part.channel, a, b, budget));
    }
  }
  const Quotient& between(const Domain& domain, std::uint64_t a, std::uint64_t b) const {
    return quotients_[seen(domain, a) * size_ + seen(domain, b)];
  }

 private:
  static Quotient largest(const Channel& channel, std::uint64_t a, std::uint64_t b, Budget& budget) {
    Quotient largest;
    for (std::uint64_t y = 0; y < channel.outputs(); ++y) {
      budget.tick();
      const Number p = channel.entry(a, y), q = channel.entry(b, y);
      if (!p.is_zero() && compare_products(p, largest.q, largest.p, q) > 0) largest = {p, q};
    }
    return largest;
  }
  std::uint64_t seen(const Domain& domain, std::uint64_t x) const {
    std::uint64_t number = 0;
    for (std::size_t k = 0; k < coordinates_.size(); ++k) {
      number = number * domain_.values(k) + domain.digit(x, coordinates_[k]);
    }
    return number;
  }

  std::vector<std::size_t> coordinates_;
  Domain domain_;
  std::uint64_t size_;
  std::vector<Quotient> quotients_;
};

bool are_compared(const Domain& domain, const ComparedInputs& compared, std::uint64_t a, std::uint64_t b) {
  if (!compared.coordinate) return a != b;
  const std::size_t i = *compared.coordinate;
  const std::uint64_t from = domain.digit(a, i), to = domain.digit(b, i);
  return from != to && (compared.others_differ || a - from * domain.stride(i) == b - to * domain.stride(i));
}

// Null where the parts together may say more than is claimed.
std::optional<ByParts::About> bounded(const Model& model, std::optional<std::size_t> coordinate, const Level& claimed,
                                      Budget& budget) {
  ByParts::About about{coordinate ? model.domain.coordinate(*coordinate).name : "", {}};
  Number from(1), to(1);
  for (const Factor& part : model.channel->factors()) {
    const auto& largest = about.parts.emplace_back(largest_of_part(part, model.domain, coordinate, budget));
    if (!largest) continue;
    from *= largest->p_from;
    to *= largest->p_to;
  }
  if (!to.is_zero() && compare_products(from, Number(1), claimed.exponential(), to) <= 0) return about;
  if (!pairs_are_within(model, {coordinate}, claimed, budget)) return std::nullopt;
  return ByParts::About{about.coordinate, {}};
}

}  // namespace

bool pairs_are_within(const Model& model, const ComparedInputs& compared, const Level& level, Budget& budget) {
  constexpr double kMostQuotients = 1 << 22;  // of all pairs of inputs and parts, and of all outputs of a part
  if (level.is_infinite()) return true;
  const auto factors = model.channel->factors();
  if (factors.empty() || level.surd()) return false;
  const double inputs = model.domain.input_count().approx();
  if (inputs * inputs * static_cast<double>(factors.size()) > kMostQuotients) return false;
  std::vector<PartQuotients> parts;
  for (const Factor& part : factors) {
    const double seen = static_cast<double>(part.channel->inputs());
    if (seen * seen * static_cast<double>(part.channel->outputs()) > kMostQuotients) return false;
    parts.emplace_back(part, model.domain, budget);
  }
  for (std::uint64_t a = 0; a < model.domain.inputs(); ++a) {
    for (std::uint64_t b = 0; b < model.domain.inputs(); ++b) {
      if (!are_compared(model.domain, compared, a, b)) continue;
      Number p(1), q(1);
      for (const PartQuotients& part : parts) {
        const Quotient& own = part.between(model.domain, a, b);
        p *= own.p;
        q *= own.q;
      }
      if (q.is_zero() || compare_products(p, Number(1), level.exponential(), q) > 0) return false;
    }
  }
  return true;
}

std::optional<ByParts> certify_by_parts(const Claim& claim, const Model& model, Budget& budget) {
  if (model.channel->factors().empty()) return std::nullopt;
  ByParts proof;
  const auto add = [&](std::optional<std::size_t> coordinate, const Level& claimed) {
    if (claimed.is_infinite()) return true;
    auto about = bounded(model, coordinate, claimed, budget);
    if (!about) return false;
    proof.levels.push_back(*std::move(about));
    return true;
  };
  if (claim.notion->name == "ldp" || claim.notion->name == "bdp") {
    if (!add(std::nullopt, claim.arguments.get<Level>("epsilon"))) return std::nullopt;
    return proof;
  }
  if (claim.notion->name != "cdp") return std::nullopt;
  const auto& levels = claim.arguments.get<CoordinateLevels>("epsilon");
  for (std::size_t i = 0; i < levels.size(); ++i) {
    if (levels[i] && !add(i, *levels[i])) return std::nullopt;
  }
  return proof;
}

}  // namespace oddsbound::runs
