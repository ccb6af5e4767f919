#include "verifier/notions/context.h"

#include <unordered_map>

#include "verifier/search/column_scan.h"
#include "verifier/search/factor_losses.h"
#include "verifier/search/ratio_search.h"

namespace oddsbound {

namespace {

struct BoundedPair {
  std::uint64_t from, to;
  std::size_t bound;
};

// The pairs that are constrained at all, with their bounds interned.
std::vector<BoundedPair> constrained_pairs(std::uint64_t inputs, const LevelMatrix& bounds,
                                           std::vector<Number>& distinct) {
  std::unordered_map<Number, std::size_t, NumberHash> index;
  std::vector<BoundedPair> pairs;
  for (std::uint64_t from = 0; from < inputs; ++from) {
    for (std::uint64_t to = 0; to < inputs; ++to) {
      const Level& level = bounds.levels[from * inputs + to];
      if (from == to || level.is_infinite()) continue;
      const auto [place, added] = index.try_emplace(level.exponential(), distinct.size());
      if (added) distinct.push_back(level.exponential());
      pairs.push_back({from, to, place->second});
    }
  }
  return pairs;
}

// Whether every pair that is constrained attains its bound, so that none of the bounds could be lower.
bool attains_all(Subject& subject, const LevelMatrix& bounds) {
  const std::uint64_t inputs = subject.domain().inputs();
  LevelMatrix one{std::vector<Level>(bounds.levels.size(), Level::infinite())};
  for (std::size_t k = 0; k < bounds.levels.size(); ++k) {
    if (k / inputs == k % inputs || bounds.levels[k].is_infinite()) continue;
    one.levels[k] = bounds.levels[k];
    const auto pair = context_level(subject, one);
    if (pair->level.level != pair->bound) return false;
    one.levels[k] = Level::infinite();
  }
  return true;
}

Decision decide_context(Subject& subject, const Arguments& arguments) {
  const LevelMatrix& bounds = arguments.get<LevelMatrix>("epsilon");
  const std::optional<ContextLevel> worst = context_level(subject, bounds);
  Decision decision;
  decision.holds = !worst || worst->level.level <= worst->bound;
  decision.tight = decision.holds && attains_all(subject, bounds);
  if (!worst) return decision;
  const MeasuredLevel level = measured(subject.model(), worst->level);
  if (!decision.holds) decision.witness = level.witness;
  decision.actual = level;
  return decision;
}

Decision decide_block(Subject& subject, const Arguments& arguments) {
  const InputLevel level = block_level(subject, arguments.get<InputGroups>("blocks"));
  return decide_level(measured(subject.model(), level), arguments.get<Level>("epsilon"));
}

Decision decide_high_low(Subject& subject, const Arguments& arguments) {
  const InputLevel level = high_low_level(subject, arguments.get<Inputs>("sensitive"));
  return decide_level(measured(subject.model(), level), arguments.get<Level>("epsilon"));
}

Definition define_context(const Model& model, const Arguments& arguments) {
  const LevelMatrix& bounds = arguments.get<LevelMatrix>("epsilon");
  std::unordered_map<Number, std::size_t, NumberHash> index;
  Definition definition;
  for (const auto& [from, to] : pairs_among(all_inputs(model.domain))) {
    const Level& level = bounds.levels[from * model.domain.inputs() + to];
    if (level.is_infinite()) continue;
    const auto [place, added] = index.try_emplace(level.exponential(), definition.size());
    if (added) {
      definition.emplace_back().level = level;
      definition.back().tight = Comparison::Tight::kEach;
    }
    definition[place->second].pairs.emplace_back(from, to);
  }
  return definition;
}

Definition define_block(const Model&, const Arguments& arguments) {
  Comparison comparison;
  comparison.level = arguments.get<Level>("epsilon");
  for (const auto& block : arguments.get<InputGroups>("blocks").groups) {
    const auto within = pairs_among(block);
    comparison.pairs.insert(comparison.pairs.end(), within.begin(), within.end());
  }
  return {comparison};
}

Definition define_high_low(const Model& model, const Arguments& arguments) {
  Comparison comparison;
  comparison.level = arguments.get<Level>("epsilon");
  for (const std::uint64_t from : arguments.get<Inputs>("sensitive").inputs) {
    for (const std::uint64_t to : all_inputs(model.domain)) {
      if (from != to) comparison.pairs.emplace_back(from, to);
    }
  }
  return {comparison};
}

}  // namespace

std::optional<ContextLevel> context_level(Subject& subject, const LevelMatrix& bounds) {
  const std::uint64_t inputs = subject.domain().inputs();
  std::vector<Number> distinct;
  const std::vector<BoundedPair> pairs = constrained_pairs(inputs, bounds, distinct);
  if (pairs.empty()) return std::nullopt;
  const Columns& columns = subject.columns();
  RatioSearch search(columns.pool(), distinct);
  std::vector<std::uint32_t> scratch;
  for (std::uint64_t y = 0; y < columns.outputs() && !search.is_infinite(); ++y) {
    subject.budget().look();
    const auto column = columns.ranks(y, scratch);
    for (std::size_t k = 0; k < pairs.size(); ++k) {
      search.offer(column[pairs[k].from], column[pairs[k].to], {y, k}, pairs[k].bound);
    }
  }
  RatioSearch::Best best{};
  search.best(best, subject.budget());
  const BoundedPair& pair = pairs[best.place.tag];
  const ValuePool& pool = columns.pool();
  const Level level = best.infinite ? Level::infinite() : level_between(pool.value(best.high), pool.value(best.low));
  return ContextLevel{{level, subject.channel().split(best.place.output), pair.from, pair.to},
                      bounds.levels[pair.from * inputs + pair.to]};
}

InputLevel block_level(Subject& subject, const InputGroups& blocks) {
  if (!pairs_are_cheaper(subject)) return level_within_groups(subject, blocks.groups);
  return PairLosses(subject).largest([&](const PairLosses::Visit& visit) {
    for (const auto& block : blocks.groups) {
      for (const std::uint64_t from : block) {
        for (const std::uint64_t to : block) visit(from, to);
      }
    }
  });
}

InputLevel high_low_level(Subject& subject, const Inputs& sensitive) {
  if (!pairs_are_cheaper(subject)) return level_from(subject, sensitive.inputs);
  return PairLosses(subject).largest([&](const PairLosses::Visit& visit) {
    for (const std::uint64_t from : sensitive.inputs) {
      for (std::uint64_t to = 0; to < subject.domain().inputs(); ++to) visit(from, to);
    }
  });
}

Notion context_ldp_notion() {
  return {.name = "context_ldp",
          .summary = "context-aware local differential privacy: every ordered pair of inputs has a level of its own",
          .source = "context-aware LDP paper, Definition 2",
          .fields = {{"epsilon", FieldKind::kLevelMatrix}},
          .form = ClaimForm::kMatrix,
          .decide = decide_context,
          .define = define_context,
          .found = "the tightest pair has ",
          .drawn = DrawnBeside::kInputs,
          .locking = {.bounds = {}, .verdict = true, .pairs = true}};
}

Notion block_ldp_notion() {
  return {.name = "block_ldp",
          .summary = "block-structured local differential privacy: ldp between inputs of the same block",
          .source = "context-aware LDP paper, Definition 4",
          .fields = {{"blocks", FieldKind::kPartition}, {"epsilon", FieldKind::kLevel}},
          .decide = decide_block,
          .define = define_block};
}

Notion high_low_ldp_notion() {
  return {.name = "high_low_ldp",
          .summary =
              "high-low local differential privacy: no output is much likelier from a sensitive input than from "
              "any other",
          .source = "context-aware LDP paper, Definition 3",
          .fields = {{"sensitive", FieldKind::kInputs}, {"epsilon", FieldKind::kLevel}},
          .decide = decide_high_low,
          .define = define_high_low};
}

}  // namespace oddsbound
