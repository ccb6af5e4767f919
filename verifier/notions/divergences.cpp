#include "verifier/notions/divergences.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>

#include "verifier/engine/pair_classes.h"
#include "verifier/exact/decimal.h"
#include "verifier/exact/expression.h"
#include "verifier/notions/approximate.h"
#include "verifier/notions/delta_by_parts.h"

namespace oddsbound::notions {

Level rounded_level(const std::string& decimal) {
  return Level::of_exponential(Number::exp_of(as_number(evaluate_expression(decimal))));
}

MeasuredLevel rounded_outward(std::span<const WeightedLog> sum, int digits) {
  const DecimalBounds bounds = decimal_bounds(sum, digits);
  MeasuredLevel measured{rounded_level(bounds.lower), {}};
  measured.unfinished =
      Unfinished{rounded_level(bounds.upper), "it is no logarithm that can be written, and is rounded outward"};
  return measured;
}

bool leaves_open(const MeasuredLevel& level, const Level& claimed) {
  const ClaimOutcome standing = standing_of(level, claimed);
  return standing.holds == Answer::kOpen || standing.tight == Answer::kOpen;
}

MeasuredLevel refined_outward(std::span<const WeightedLog> sum, const Level& claimed, bool differs) {
  constexpr int kMostDigits = 1100;
  for (int digits = kFirstDigits;; digits *= 2) {
    MeasuredLevel measured = rounded_outward(sum, digits);
    if (!leaves_open(measured, claimed)) return measured;
    if (!differs && 2 * digits > kMostDigits) {
      measured.unfinished->reason = std::to_string(digits) + " digits do not distinguish it from the claimed level";
      return measured;
    }
  }
}

MeasuredLevel level_of_logs(const std::vector<WeightedLog>& sum, const Level& claimed) {
  constexpr std::size_t kShort = 64;
  if (sum.empty()) return {};
  const bool rational = is_rational(sum);
  const auto exact = [&](bool asked) -> std::optional<Level> {
    return rational && asked ? level_of_sum(sum) : std::nullopt;
  };
  if (const auto level = exact(sum.size() <= kShort)) return {*level, {}};
  MeasuredLevel measured = rounded_outward(sum, kFirstDigits);
  if (!leaves_open(measured, claimed)) return measured;
  if (const auto level = exact(sum.size() > kShort)) return {*level, {}};
  return refined_outward(sum, claimed, rational && claimed.surd() == nullptr);
}

RowPairs::RowPairs(MeasuredModel& subject, const CoordinateGroups& groups)
    : columns_(subject.columns()), model_(subject.model()) {
  rows_ = rank_rows(columns_, subject.budget());
  const std::uint64_t outputs = columns_.outputs();
  std::unordered_map<std::string_view, std::uint32_t> kinds;
  for (std::uint64_t x = 0; x < columns_.inputs(); ++x) {
    const std::string_view bytes(reinterpret_cast<const char*>(row(x)), outputs * sizeof(std::uint32_t));
    kind_.push_back(kinds.try_emplace(bytes, static_cast<std::uint32_t>(kinds.size())).first->second);
  }
  for_all_neighbors(subject.domain(), groups, [&](std::uint64_t from, std::uint64_t to) {
    subject.budget().check_every();
    if (!infinite_) offer(from, to, subject.budget());
  });
}

std::pair<InputRow, InputRow> RowPairs::neighbors(std::size_t k) const {
  return {model_.domain.row(pairs_[k].from), model_.domain.row(pairs_[k].to)};
}

std::optional<Witness> RowPairs::infinite() const {
  if (!infinite_) return std::nullopt;
  const auto& [from, to, y] = *infinite_;
  return Witness{{model_.channel->output_label(y)},
                 model_.domain.tuple(from),
                 model_.domain.tuple(to),
                 model_.channel->entry(from, y),
                 Number(0),
                 ""};
}

std::vector<PairedMass> RowPairs::masses(std::size_t k) const {
  std::vector<PairedMass> masses;
  std::uint64_t last = 0;
  for (const std::uint64_t ranks : ranks_of(pairs_[k].from, pairs_[k].to)) {
    if (masses.empty() || ranks != last) {
      masses.push_back({columns_.pool().value(static_cast<std::uint32_t>(ranks >> 32)),
                        columns_.pool().value(static_cast<std::uint32_t>(ranks)), 0});
    }
    ++masses.back().count;
    last = ranks;
  }
  return masses;
}

// The two ranks of every output, sorted.
std::vector<std::uint64_t> RowPairs::ranks_of(std::uint64_t from, std::uint64_t to) const {
  std::vector<std::uint64_t> ranks;
  for (std::uint64_t y = 0; y < columns_.outputs(); ++y) {
    ranks.push_back(std::uint64_t{row(from)[y]} << 32 | row(to)[y]);
  }
  std::sort(ranks.begin(), ranks.end());
  return ranks;
}

void RowPairs::offer(std::uint64_t from, std::uint64_t to, Budget& budget) {
  if (kind_[from] == kind_[to]) return;
  if (!seen_kinds_.insert(std::uint64_t{kind_[from]} << 32 | kind_[to]).second) return;
  budget.check();
  for (std::uint64_t y = 0; y < columns_.outputs(); ++y) {
    if (!columns_.pool().value(row(to)[y]).is_zero() || columns_.pool().value(row(from)[y]).is_zero()) continue;
    infinite_ = Infinite{from, to, y};
    return;
  }
  // Keys are as long as rows, so their number is limited.
  constexpr std::size_t kMostKeys = 4096;
  std::vector<std::uint64_t> key = ranks_of(from, to);
  if (seen_ranks_.contains(key)) return;
  if (seen_ranks_.size() < kMostKeys) seen_ranks_.insert(std::move(key));
  pairs_.push_back({from, to});
}

namespace {

bool is_trivial(const ComponentChoices& choices) {
  return std::all_of(choices.begin(), choices.end(), [](const auto& component) {
    return std::all_of(component.begin(), component.end(), [](const auto& choice) { return choice.empty(); });
  });
}

}  // namespace

PartPairs::PartPairs(const Model& model, engine::NeighborKinds kinds) : model_(model), kinds_(std::move(kinds)) {
  std::set<ComponentChoices> known;
  for (std::size_t g = 0; g < kinds_.groups.size(); ++g) {
    ComponentChoices choices = choices_in(g);
    std::sort(choices.begin(), choices.end());
    if (!is_trivial(choices) && known.insert(std::move(choices)).second) groups_.push_back(g);
  }
}

std::pair<InputRow, InputRow> PartPairs::neighbors(std::size_t k, const std::vector<std::size_t>& chosen) const {
  const auto& components = kinds_.groups[groups_[k]].components;
  InputRow from(model_.domain.size()), to(model_.domain.size());
  for (std::size_t c = 0; c < components.size(); ++c) {
    if (components[c].empty() || chosen[c] == kEqual) continue;  // its coordinates have one value, or the same ones
    const engine::NeighborKind& kind = components[c][chosen[c]];
    for (std::size_t i = 0; i < from.size(); ++i) {
      from[i] += kind.from[i];
      to[i] += kind.to[i];
    }
  }
  return {std::move(from), std::move(to)};
}

// Ratios of outputs with P = 0 are of no account, and a pair with an infinite loss is never measured.
std::vector<std::vector<PairedMass>> PartPairs::masses() const {
  std::vector<std::vector<PairedMass>> masses;
  for (const auto& one : kinds_.losses) {
    auto& own = masses.emplace_back();
    if (!one->infinite().is_zero()) continue;
    for (const auto& [ratio, mass] : one->atoms()) own.push_back({mass, mass / ratio});
  }
  return masses;
}

std::optional<Witness> PartPairs::infinite() const {
  for (const auto& group : kinds_.groups) {
    for (const auto& component : group.components) {
      for (const engine::NeighborKind& kind : component) {
        const bool found = std::any_of(kind.losses.begin(), kind.losses.end(), [&](const auto& part) {
          return !kinds_.losses[part.first]->infinite().is_zero();
        });
        if (found) return witness_of(model_, worst_output(model_, kind.from, kind.to));
      }
    }
  }
  return std::nullopt;
}

ComponentChoices PartPairs::choices_in(std::size_t group) const {
  ComponentChoices choices;
  for (const auto& component : kinds_.groups[group].components) {
    auto& own = choices.emplace_back();
    for (const engine::NeighborKind& kind : component) own.push_back(kind.losses);
  }
  return choices;
}

LargestProduct largest_product(const PartPairs& pairs, const std::vector<Number>& of_losses, Budget& budget) {
  std::optional<LargestProduct> found;
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    Number product(1);
    std::vector<std::size_t> chosen;
    for (const auto& kinds : pairs.choices(k)) {
      std::size_t best = 0;
      Number largest(1);
      for (std::size_t choice = 0; choice < kinds.size(); ++choice) {
        budget.check_every();
        Number own(1);
        for (const auto& [index, times] : kinds[choice]) own *= of_losses[index].pow(static_cast<std::int64_t>(times));
        if (own <= largest) continue;
        largest = std::move(own);
        best = choice;
      }
      chosen.push_back(best);
      product *= largest;
    }
    if (found && product <= found->product) continue;
    found = LargestProduct{std::move(product), pairs.neighbors(k, chosen)};
  }
  return *std::move(found);
}

namespace {

std::uint64_t worst_output_of(const Channel& channel, std::uint64_t from, std::uint64_t to) {
  std::optional<std::uint64_t> worst;
  Number p(0), q(0);
  for (std::uint64_t y = 0; y < channel.outputs(); ++y) {
    Number own_p = channel.entry(from, y);
    if (own_p.is_zero()) continue;
    Number own_q = channel.entry(to, y);
    if (worst && compare_products(own_p, q, p, own_q) <= 0) continue;
    worst = y;
    p = std::move(own_p);
    q = std::move(own_q);
    if (q.is_zero()) break;
  }
  return worst.value();
}

}  // namespace

InputPair worst_output(const Model& model, const InputRow& from, const InputRow& to) {
  const auto declared = engine::DeclaredPairs::of(model);
  if (const auto pair = declared ? declared->between(from, to) : std::nullopt) {
    return {declared->output(*pair), from, to};
  }
  const Channel& channel = *model.channel;
  if (channel.factors().empty()) {
    const std::uint64_t y = worst_output_of(channel, model.domain.number(from), model.domain.number(to));
    return {channel.split(y), from, to};
  }
  std::vector<std::uint64_t> output;
  for (const Factor& factor : channel.factors()) {
    const Projection project(model.domain, factor.coordinates);
    output.push_back(worst_output_of(*factor.channel, project(from), project(to)));
  }
  return {std::move(output), from, to};
}

std::unique_ptr<const PartPairs> part_pairs(MeasuredModel& subject, const CoordinateGroups& groups, bool composed) {
  constexpr std::size_t kMostKinds = 1024;
  const bool by_parts = has_losses_by_parts(subject.channel()) || is_slow_to_compare_rows(subject.model(), groups) ||
                        (!composed && !subject.channel().factors().empty());
  if (groups.only || !by_parts) return nullptr;
  const std::size_t most = composed ? most_kinds(subject) : kMostKinds;
  auto kinds = engine::kinds_of_neighbors(subject.model(), groups.groups, most, subject.budget());
  if (kinds) return std::make_unique<const PartPairs>(subject.model(), *std::move(kinds));
  if (!subject.can_enumerate()) refuse_kinds(subject);
  return nullptr;
}

std::pair<InputRow, InputRow> any_neighbors(const Domain& domain, const CoordinateGroups& groups) {
  if (groups.only && !groups.only->pairs.empty()) {
    const auto& [a, b] = groups.only->pairs.front();
    return {domain.row(a), domain.row(b)};
  }
  InputRow from(domain.size()), to(domain.size());
  for (const auto& group : groups.groups) {
    for (const std::size_t i : group) {
      if (domain.values(i) < 2) continue;
      to[i] = 1;
      return {from, to};
    }
  }
  return {from, to};
}

Witness between_inputs(const Domain& domain, const std::pair<InputRow, InputRow>& inputs, Number order) {
  Witness witness;
  witness.from = domain.tuple(inputs.first);
  witness.to = domain.tuple(inputs.second);
  witness.order = std::move(order);
  return witness;
}

std::string key_of_groups(const CoordinateGroups& groups) {
  if (groups.only) return " " + groups.only->written;
  std::string key;
  for (const auto& group : groups.groups) {
    for (const std::size_t i : group) key += " " + std::to_string(i);
    key += ";";
  }
  return key;
}

decltype(Notion::complaint) complaint_about_neighbors(const std::string& levels) {
  using Complaint = std::optional<std::pair<std::string, std::string>>;
  return [levels](const Domain& domain, const Arguments& arguments) -> Complaint {
    if (arguments.find_if<CoordinateLevels>(levels) == nullptr) return complaint_about_records(domain, arguments);
    const auto* neighbors = arguments.find_if<std::string>("neighbors");
    if (arguments.has("neighbors") && (neighbors == nullptr || *neighbors != "coordinate")) {
      return std::pair{"neighbors", "levels by coordinate are about neighbors that differ in that coordinate"};
    }
    if (arguments.has("differ")) return std::pair{"differ", "levels by coordinate say what differs"};
    return complaint_about_records(domain, arguments);
  };
}

}  // namespace oddsbound::notions
