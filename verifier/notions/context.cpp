#include "verifier/notions/context.h"

#include <algorithm>
#include <unordered_map>

#include "verifier/engine/group_levels.h"
#include "verifier/engine/input_levels.h"
#include "verifier/exact/threads.h"
#include "verifier/notions/scope.h"
#include "verifier/notions/tolerance.h"

namespace oddsbound::notions {

namespace {

struct BoundedPair {
  std::uint64_t from, to;
  std::size_t bound;
  friend bool operator==(const BoundedPair&, const BoundedPair&) = default;
};

// Question: the pair whose loss exceeds its own bound by the largest factor. The answer is the loss and the bound.
struct BetweenPairs {
  std::vector<BoundedPair> pairs;
  std::vector<Number> bounds;  // as exponentials
  using Accumulator = RatioScan<BetweenPairs>;
  Bytes as_bytes() const {
    BinaryWriter writer;
    writer.put("between pairs").put(std::uint64_t{pairs.size()});
    for (const BoundedPair& pair : pairs) writer.put(pair.from).put(pair.to).put(pair.bound);
    for (const Number& bound : bounds) pack(writer, bound);
    return writer.take();
  }

  std::unique_ptr<Accumulator> begin(MeasuredModel& subject) const {
    return std::make_unique<Accumulator>(*this, RatioSearch(subject.columns().pool(), bounds));
  }
  void offer(RatioSearch& search, ColumnView& column) const {
    const std::span<const std::uint32_t> ranks = column.ranks();
    for (std::size_t k = 0; k < pairs.size(); ++k) {
      search.offer(ranks[pairs[k].from], ranks[pairs[k].to], {column.output(), k}, pairs[k].bound);
    }
  }
  std::pair<InputLevel, Level> finish(const RatioSearch& search, MeasuredModel& subject) const {
    RatioSearch::Best best{};
    [[maybe_unused]] const bool found = search.best(best, subject.budget());
    assert(found && "every input has an output");
    const BoundedPair& pair = pairs[best.place.tag];
    const ValuePool& pool = subject.columns().pool();
    const Level level = best.infinite ? Level::infinite() : level_between(pool.value(best.high), pool.value(best.low));
    InputPair shown{subject.channel().split(best.place.output), subject.domain().row(pair.from),
                    subject.domain().row(pair.to)};
    return {{level, std::move(shown)}, Level::of_exponential(bounds[pair.bound])};
  }
  friend bool operator==(const BetweenPairs&, const BetweenPairs&) = default;
};

// The pairs that are constrained at all, with their bounds interned.
BetweenPairs constrained_pairs(std::uint64_t inputs, const LevelMatrix& bounds) {
  std::unordered_map<Number, std::size_t, NumberHash> index;
  BetweenPairs question;
  for (std::uint64_t from = 0; from < inputs; ++from) {
    for (std::uint64_t to = 0; to < inputs; ++to) {
      const Level& level = bounds.levels[from * inputs + to];
      if (from == to || level.is_infinite()) continue;
      const auto [place, added] = index.try_emplace(level.exponential(), question.bounds.size());
      if (added) question.bounds.push_back(level.exponential());
      question.pairs.push_back({from, to, place->second});
    }
  }
  return question;
}

// Returns the first pair that does not attain its bound, so that the bound could be lower; nullopt if each pair
// does.
std::optional<LevelAndBound> first_slack(MeasuredModel& subject, const LevelMatrix& bounds) {
  constexpr std::size_t kAtOnce = 256;  // pairs per pass; usually one of the first has slack
  const BetweenPairs all = constrained_pairs(subject.domain().inputs(), bounds);
  const auto alone = [&](std::size_t k) {
    return BetweenPairs{{{all.pairs[k].from, all.pairs[k].to, 0}}, {all.bounds[all.pairs[k].bound]}};
  };
  for (std::size_t begin = 0; begin < all.pairs.size(); begin += kAtOnce) {
    const std::size_t end = std::min(all.pairs.size(), begin + kAtOnce);
    for (std::size_t k = begin; k < end; ++k) subject.expect(alone(k));
    std::optional<LevelAndBound> slack;
    for (std::size_t k = begin; k < end; ++k) {
      const auto [level, bound] = subject.take(alone(k));
      if (!slack && level.at_least != bound) slack = LevelAndBound{measured(subject.model(), level), bound};
    }
    if (slack) return slack;
  }
  return std::nullopt;
}

void expect_context(MeasuredModel& subject, const Arguments& arguments) {
  BetweenPairs question = constrained_pairs(subject.domain().inputs(), arguments.get<LevelMatrix>("epsilon"));
  if (!question.pairs.empty()) subject.expect(question);
}

AmongInputs within_blocks(const Arguments& arguments) { return {arguments.get<Partition>("blocks").members()}; }

AmongInputs from_sensitive(const Arguments& arguments) {
  return {std::vector<std::vector<std::uint64_t>>{arguments.get<Inputs>("sensitive").inputs}, true};
}

Decision decide_context(MeasuredModel& subject, const Arguments& arguments) {
  const LevelMatrix& bounds = arguments.get<LevelMatrix>("epsilon");
  const std::optional<LevelAndBound> worst = context_level(subject, bounds);
  Decision decision;
  decision.holds = answer_of(!worst || worst->level.at_least <= worst->bound);
  if (decision.holds == Answer::kYes) {
    decision.slack = first_slack(subject, bounds);
    decision.tight = answer_of(!decision.slack);
  }
  if (!worst) return decision;
  if (decision.holds == Answer::kNo) {
    decision.witness = worst->level.witness.get();
    decision.pair_bound = worst->bound;
  }
  decision.actual = worst->level;
  return decision;
}

template <AmongInputs compared(const Arguments&)>
Decision decide_among(MeasuredModel& subject, const Arguments& arguments) {
  const InputLevel level = level_among(subject, compared(arguments));
  return decide_level(measured(subject.model(), level), arguments.get<Level>("epsilon"));
}

template <AmongInputs compared(const Arguments&)>
void expect_compared(MeasuredModel& subject, const Arguments& arguments) {
  expect_among(subject, compared(arguments));
}

Definition define_context(const Model& model, const Arguments& arguments, const InputSubset& inputs) {
  const LevelMatrix& bounds = arguments.get<LevelMatrix>("epsilon");
  std::unordered_map<Number, std::size_t, NumberHash> index;
  Definition definition;
  for (const auto& [from, to] : pairs_among(inputs.places())) {
    const Level& level = bounds.levels[inputs.number(from) * model.domain.inputs() + inputs.number(to)];
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

Definition define_block(const Model&, const Arguments& arguments, const InputSubset& inputs) {
  Comparison comparison;
  comparison.level = arguments.get<Level>("epsilon");
  for (const std::vector<std::uint64_t>& block : arguments.get<Partition>("blocks").members()) {
    const auto within = pairs_among(inputs.places_of(block));
    comparison.pairs.insert(comparison.pairs.end(), within.begin(), within.end());
  }
  return {comparison};
}

Definition define_high_low(const Model&, const Arguments& arguments, const InputSubset& inputs) {
  Comparison comparison;
  comparison.level = arguments.get<Level>("epsilon");
  for (const std::uint64_t from : inputs.places_of(arguments.get<Inputs>("sensitive").inputs)) {
    for (const std::uint64_t to : inputs.places()) {
      if (from != to) comparison.pairs.emplace_back(from, to);
    }
  }
  return {comparison};
}

}  // namespace

std::optional<LevelAndBound> context_level(MeasuredModel& subject, const LevelMatrix& bounds) {
  const BetweenPairs question = constrained_pairs(subject.domain().inputs(), bounds);
  if (question.pairs.empty()) return std::nullopt;
  const auto& [level, bound] = subject.answer(question);
  return LevelAndBound{measured(subject.model(), level), bound};
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
          .locking = {.bounds = {}, .verdict = true, .pairs = true},
          .expect = expect_context};
}

Notion block_ldp_notion() {
  return {.name = "block_ldp",
          .summary = "block-structured local differential privacy: ldp between inputs of the same block",
          .source = "context-aware LDP paper, Definition 4",
          .fields = {{"blocks", FieldKind::kPartition}, compared({"epsilon", FieldKind::kLevel})},
          .decide = decide_among<within_blocks>,
          .define = define_block,
          .large_proofs = {.by_cases = true},
          .expect = expect_compared<within_blocks>};
}

Notion high_low_ldp_notion() {
  return {.name = "high_low_ldp",
          .summary =
              "high-low local differential privacy: no output is much more likely from a sensitive input than from "
              "any other",
          .source = "context-aware LDP paper, Definition 3",
          .fields = {{"sensitive", FieldKind::kInputs}, compared({"epsilon", FieldKind::kLevel})},
          .decide = decide_among<from_sensitive>,
          .define = define_high_low,
          .expect = expect_compared<from_sensitive>};
}

namespace {

MeasuredLevel measured_label(const MeasuredModel& subject, const Secret& secret, const GroupLevel& level) {
  return measured(subject.model(), level, secret.labels[level.from], secret.labels[level.to], "");
}

MeasuredLevel secret_in_scope(MeasuredModel& subject, const Secret& secret, const Scope& scope, std::size_t sets = 1) {
  const AllowedPairs direction = direction_of(scope, secret.labels);
  return largest_given(
      subject, subject.prior(), scope.known,
      [&](MeasuredModel& part, double seconds) {
        if (direction != AllowedPairs() && !compares_any(label_masses(part, secret.inputs), direction)) {
          return std::vector(1, MeasuredLevel());
        }
        return std::vector{measured_label(part, secret, level_between_labels(part, secret.inputs, seconds, direction))};
      },
      sets)[0];
}

Definition define_secret(const Model& model, const Arguments& arguments, const InputSubset& inputs) {
  const Secret& secret = arguments.get<Secret>("secret");
  Comparison comparison;
  comparison.level = arguments.get<Level>("epsilon");
  comparison.labels = secret.labels;
  comparison.label_at = [inputs = secret.inputs](InputView row) { return inputs.label_of(row); };
  for (const std::uint64_t x : inputs.places()) comparison.label_of.push_back(comparison.label_at(inputs.row(x)));
  return {within_scope(model.domain, inputs, std::move(comparison), arguments)};
}

void expect_secret(MeasuredModel& subject, const Arguments& arguments) {
  const Secret& secret = arguments.get<Secret>("secret");
  if (!Scope(arguments).is_everything() || arguments.has(kForAll)) return;
  expect_between_labels(subject, secret.inputs);
}

Decision decide_secret(MeasuredModel& subject, const Arguments& arguments) {
  const Secret& secret = arguments.get<Secret>("secret");
  if (const auto* for_all = arguments.find_if<ForAll>(kForAll)) {
    return decide_level(label_level_over(subject, *for_all->set, arguments), arguments.get<Level>("epsilon"));
  }
  const Scope scope(arguments);
  if (scope.any_known) {
    const MeasuredLevel level = largest_of_known(subject, secret.inputs.coordinates(),
                                                 [&](const std::vector<std::size_t>& known, std::size_t left) {
                                                   Scope one = scope;
                                                   one.known = known;
                                                   return secret_in_scope(subject, secret, one, left);
                                                 });
    return decide_level(level, arguments.get<Level>("epsilon"));
  }
  if (!scope.is_everything()) {
    return decide_level(secret_in_scope(subject, secret, scope), arguments.get<Level>("epsilon"));
  }
  const GroupLevel level = level_between_labels(subject, secret.inputs, seconds_to_search(subject.budget()));
  const MeasuredLevel result = measured_label(subject, secret, level);
  Decision decision = decide_level(result, arguments.get<Level>("epsilon"));
  if (subject.wants_tradeoffs() && subject.can_enumerate()) {
    const std::vector<std::uint32_t> labels = secret.inputs.labels();
    const auto given = [&](std::size_t label) {
      return given_label(subject, labels, static_cast<std::uint32_t>(label));
    };
    const auto distributions = output_distributions(subject, {given(level.from), given(level.to)});
    const Witness witness = result.witness.get();
    decision.tradeoff =
        Tradeoff{"secret", witness.from, witness.to, tradeoff_curve(distributions[0], distributions[1])};
  }
  return decision;
}

}  // namespace

Notion secret_notion() {
  return {.name = "secret",
          .summary = "Bayesian privacy of a function of the input: bcdp with labels in place of values",
          .source = "BCDP paper, Definition 4, for any partition of the inputs",
          .needs_prior = true,
          .fields = with_scope(
              {{"secret", FieldKind::kSecret}, compared({"epsilon", FieldKind::kLevel}), field_for_all()}, true),
          .decide = decide_secret,
          .define = define_secret,
          .complaint = complaint_about_set,
          .expect = expect_secret};
}

}  // namespace oddsbound::notions
