// One pass over the columns decides which outputs are protected, and finds the largest quotient among those that every
// input has. A protected output that some input lacks makes the level infinite.
//
// Independent parts. An output tuple is possible for the inputs for which all of its outputs are. A tuple that every
// input has consists of such outputs. If a part has an output that a sensitive input x has and another input lacks,
// other parts complete it to a tuple that x has, so the level is infinite. Otherwise it is infinite if and only if two
// inputs share a tuple that some input lacks: all parts have an output that both inputs have, and one part has such an
// output that some input lacks. If there are no such inputs either, the tuples that every input has decide, and the
// quotients of parts multiply. Components without a common coordinate choose their inputs independently, so pairs of
// inputs of one component suffice.
#include "verifier/notions/utility_optimized.h"

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <unordered_map>
#include <utility>

#include "base/errors.h"
#include "verifier/engine/column_scan.h"
#include "verifier/engine/decompose.h"
#include "verifier/engine/input_levels.h"
#include "verifier/engine/pass.h"
#include "verifier/engine/ratio_search.h"
#include "verifier/notions/context.h"
#include "verifier/notions/stated.h"

namespace oddsbound::notions {

namespace {

constexpr const char* kSensitive = "sensitive";
constexpr const char* kProtected = "protected";

/// The output that makes the level infinite, or the largest quotient of a protected output.
struct ProtectedLevel {
  std::optional<Witness> violation;
  std::optional<InputLevel> level;  // none: nothing is compared
};

MeasuredLevel measured_of(const Model& model, const ProtectedLevel& found) {
  if (found.violation) return {Level::infinite(), *found.violation};
  return found.level ? measured(model, *found.level) : MeasuredLevel();
}

class ProtectedScan final : public AccumulatorOf<ProtectedScan> {
 public:
  struct Claim {
    std::vector<bool> sensitive;                  // by input
    std::optional<std::vector<bool>> protects{};  // by output; nullopt: derived
  };

  ProtectedScan(std::shared_ptr<const Claim> claim, const ValuePool& pool)
      : claim_(std::move(claim)), has_zero_(pool.has_zero()), search_(pool) {}

  void offer(ColumnView& column) override {
    if (failed_at_) return;
    const std::span<const std::uint32_t> ranks = column.ranks();
    std::uint32_t high = 0, low = UINT32_MAX;
    std::uint64_t possible = 0, last = 0;
    for (std::uint64_t x = 0; x < ranks.size(); ++x) {
      high = std::max(high, ranks[x]);
      low = std::min(low, ranks[x]);
      if (has_zero_ && ranks[x] == 0) continue;
      ++possible;
      last = x;
    }
    if (possible == 0) return;
    const bool may_reveal = possible == 1 && !claim_->sensitive[last];
    const bool is_protected = claim_->protects ? (*claim_->protects)[column.output()] : !may_reveal;
    if (!is_protected && may_reveal) return;
    if (!is_protected || possible < ranks.size()) {
      failed_at_ = column.output();
    } else {
      search_.offer(high, low, {column.output(), 0});
    }
  }
  bool is_saturated() const override { return failed_at_.has_value(); }
  std::optional<std::vector<std::uint64_t>> sufficient_outputs() const override {
    return failed_at_ ? std::vector{*failed_at_} : search_.sufficient_outputs();
  }
  void take(ProtectedScan&& later) {
    if (!failed_at_) failed_at_ = later.failed_at_;
    search_.merge(std::move(later.search_));
  }
  ProtectedScan successor() const { return {claim_, has_zero_, search_.successor()}; }

  ProtectedLevel finish(MeasuredModel& subject) const {
    if (failed_at_) return {violation(subject), std::nullopt};
    RatioSearch::Best best{};
    if (!search_.best(best, subject.budget())) return {};
    return {std::nullopt, engine::AmongInputs{}.finish(search_, subject)};
  }

 private:
  ProtectedScan(std::shared_ptr<const Claim> claim, bool has_zero, RatioSearch search)
      : claim_(std::move(claim)), has_zero_(has_zero), search_(std::move(search)) {}

  Witness violation(MeasuredModel& subject) const {
    std::vector<std::uint32_t> scratch;
    const std::span<const std::uint32_t> column = subject.columns().ranks(*failed_at_, scratch);
    std::vector<std::uint64_t> possible;  // up to two
    std::optional<std::uint64_t> sensitive, impossible;
    for (std::uint64_t x = 0; x < column.size(); ++x) {
      if (has_zero_ && column[x] == 0) {
        if (!impossible) impossible = x;
        continue;
      }
      if (possible.size() < 2) possible.push_back(x);
      if (!sensitive && claim_->sensitive[x]) sensitive = x;
    }
    const ValuePool& pool = subject.columns().pool();
    Witness witness;
    witness.outputs = {subject.channel().output_label(*failed_at_)};
    const auto set_sides = [&](std::uint64_t from, std::uint64_t to) {
      witness.from = subject.domain().tuple(from);
      witness.to = subject.domain().tuple(to);
      witness.p_from = pool.value(column[from]);
      witness.p_to = pool.value(column[to]);
    };
    if (claim_->protects && !(*claim_->protects)[*failed_at_]) {
      witness.unprotected = true;
      set_sides(sensitive.value_or(possible[0]), sensitive ? *sensitive : possible[1]);
      return witness;
    }
    set_sides(sensitive.value_or(possible[0]), *impossible);
    if (!sensitive && !claim_->protects) {
      witness.also = Witness::Also{subject.domain().tuple(possible[1]), pool.value(column[possible[1]])};
    }
    return witness;
  }

  std::shared_ptr<const Claim> claim_;
  bool has_zero_;  // rank 0 is the number 0
  RatioSearch search_;
  std::optional<std::uint64_t> failed_at_;
};

struct ProtectedQuestion {
  std::vector<std::uint64_t> sensitive;
  std::optional<std::vector<std::vector<std::uint64_t>>> protects;  // as Channel::split returns them

  using Accumulator = ProtectedScan;
  Bytes as_bytes() const {
    BinaryWriter writer;
    writer.put("utility-optimized ldp").put(sensitive).put(protects.has_value());
    return protects ? writer.put(*protects).take() : writer.take();
  }
  friend bool operator==(const ProtectedQuestion&, const ProtectedQuestion&) = default;
  std::unique_ptr<ProtectedScan> begin(MeasuredModel& subject) const {
    const Columns& columns = subject.columns();
    auto claim = std::make_shared<ProtectedScan::Claim>();
    claim->sensitive.resize(columns.inputs());
    for (const std::uint64_t x : sensitive) claim->sensitive[x] = true;
    if (protects) {
      const std::set<std::vector<std::uint64_t>> named(protects->begin(), protects->end());
      std::vector<bool>& by_output = claim->protects.emplace();
      for (std::uint64_t y = 0; y < columns.outputs(); ++y) {
        subject.budget().check_every();
        by_output.push_back(named.contains(subject.channel().split(y)));
      }
    }
    return std::make_unique<ProtectedScan>(std::move(claim), columns.pool());
  }
};

ProtectedQuestion question_of(const Arguments& arguments) {
  ProtectedQuestion question{arguments.get<Inputs>(kSensitive).inputs, std::nullopt};
  if (const auto* named = arguments.find_if<Outputs>(kProtected)) question.protects = named->outputs;
  return question;
}

// Products, by their parts.

/// One distinct factor of a product: which outputs two of its inputs share.
class PartOfTuple {
 public:
  PartOfTuple(const Channel& channel, Budget& budget) : columns_(channel.columns(budget)) {
    rows_ = rank_rows(*columns_, budget);
    has_zero_ = columns_->pool().has_zero();
    const std::uint64_t n = inputs(), m = outputs();
    full_.assign(m, true);
    for (std::uint64_t x = 0; x < n && has_zero_; ++x) {
      for (std::uint64_t y = 0; y < m; ++y) {
        if (!is_possible(x, y)) full_[y] = false;
      }
    }
    budget.require_memory(n * n * sizeof(Shared));
    shared_.resize(n * n);
    for (std::uint64_t a = 0; a < n; ++a) {
      for (std::uint64_t b = 0; b < n; ++b) shared_[a * n + b] = shared_of(a, b, budget);
    }
  }

  std::uint64_t inputs() const { return columns_->inputs(); }
  std::uint64_t outputs() const { return columns_->outputs(); }
  bool is_possible(std::uint64_t x, std::uint64_t y) const { return !has_zero_ || rows_[x * outputs() + y] != 0; }
  /// An output that both inputs have. partial: one that some input lacks.
  std::optional<std::uint64_t> shared_output(std::uint64_t a, std::uint64_t b, bool partial) const {
    for (std::uint64_t y = 0; y < outputs(); ++y) {
      if (is_possible(a, y) && is_possible(b, y) && !(partial && full_[y])) return y;
    }
    return std::nullopt;
  }
  bool share(std::uint64_t a, std::uint64_t b) const { return shared_[a * inputs() + b].any; }
  bool share_partial(std::uint64_t a, std::uint64_t b) const { return shared_[a * inputs() + b].partial; }
  /// The first input that lacks the output. Requires one.
  std::uint64_t first_lacking(std::uint64_t y) const {
    std::uint64_t x = 0;
    while (is_possible(x, y)) ++x;
    return x;
  }
  /// The largest quotient among the outputs that every input has, as an index for quotient_at(). Requires such an
  /// output.
  std::size_t quotient(std::uint64_t a, std::uint64_t b) const { return shared_[a * inputs() + b].quotient; }
  const Number& quotient_at(std::size_t index) const { return quotients_[index]; }
  std::uint64_t worst_output(std::uint64_t a, std::uint64_t b) const {
    const ValuePool& pool = columns_->pool();
    for (std::uint64_t y = 0; y < outputs(); ++y) {
      if (full_[y] && pool.value(rank(a, y)) == quotients_[quotient(a, b)] * pool.value(rank(b, y))) return y;
    }
    throw ModelError("no output has the largest quotient");
  }

 private:
  struct Shared {
    bool any = false, partial = false;
    std::uint32_t quotient = 0;
  };

  std::uint32_t rank(std::uint64_t x, std::uint64_t y) const { return rows_[x * outputs() + y]; }

  Shared shared_of(std::uint64_t a, std::uint64_t b, Budget& budget) {
    const ValuePool& pool = columns_->pool();
    Shared shared;
    std::optional<std::pair<std::uint32_t, std::uint32_t>> most;
    for (std::uint64_t y = 0; y < outputs(); ++y) {
      budget.check_every();
      if (!is_possible(a, y) || !is_possible(b, y)) continue;
      shared.any = true;
      shared.partial = shared.partial || !full_[y];
      if (!full_[y]) continue;
      const std::pair ranks{rank(a, y), rank(b, y)};
      if (!most || (ranks != *most && compare_products(pool.value(ranks.first), pool.value(most->second),
                                                       pool.value(most->first), pool.value(ranks.second)) > 0)) {
        most = ranks;
      }
    }
    Number quotient = most ? pool.value(most->first) / pool.value(most->second) : Number(0);
    const auto [place, added] = index_.try_emplace(quotient, static_cast<std::uint32_t>(quotients_.size()));
    if (added) quotients_.push_back(std::move(quotient));
    shared.quotient = place->second;
    return shared;
  }

  std::unique_ptr<Columns> columns_;
  std::vector<std::uint32_t> rows_;
  bool has_zero_ = false;
  std::vector<bool> full_;  // by output: every input has it
  std::vector<Shared> shared_;
  std::vector<Number> quotients_;
  std::unordered_map<Number, std::uint32_t, NumberHash> index_;
};

/// A factor's channel on some coordinates of a component, and how often the component has it.
struct CountedPart {
  const PartOfTuple* part;
  Projection project;  // from an input of the component
  std::int64_t times = 1;
};

/// The pairs of inputs of one component.
struct ComponentPairs {
  using Pair = std::pair<std::uint64_t, std::uint64_t>;
  engine::Component component;
  std::vector<CountedPart> parts{};
  std::optional<Pair> sharing{};          // different inputs that have a tuple in common
  std::optional<Pair> sharing_partial{};  // the same for a tuple that some input lacks
  std::optional<Pair> partial{};          // an input, twice, that has such a tuple
  Number largest{1};                      // quotient over tuples that every input has
  Pair worst{0, 0};

  void find_shared(Budget& budget) {
    const std::uint64_t inputs = component.model.domain.inputs();
    for (std::uint64_t a = 0; a < inputs; ++a) {
      for (std::uint64_t b = 0; b < inputs; ++b) {
        budget.check_every();
        bool partial_here = false;
        const bool shared = std::all_of(parts.begin(), parts.end(), [&](const CountedPart& one) {
          const std::uint64_t from = one.project(a), to = one.project(b);
          partial_here = partial_here || one.part->share_partial(from, to);
          return one.part->share(from, to);
        });
        if (!shared) continue;
        if (a != b && !sharing) sharing = Pair{a, b};
        if (a != b && partial_here && !sharing_partial) sharing_partial = Pair{a, b};
        if (a == b && partial_here && !partial) partial = Pair{a, a};
      }
    }
  }

  void find_largest(Budget& budget) {
    const std::uint64_t inputs = component.model.domain.inputs();
    std::set<std::vector<std::size_t>> seen;  // quotients of the parts
    for (std::uint64_t a = 0; a < inputs; ++a) {
      for (std::uint64_t b = 0; b < inputs; ++b) {
        budget.check_every();
        std::vector<std::size_t> key;
        for (const CountedPart& one : parts) key.push_back(one.part->quotient(one.project(a), one.project(b)));
        if (!seen.insert(key).second) continue;
        Number product(1);
        for (std::size_t k = 0; k < parts.size(); ++k) {
          product *= parts[k].part->quotient_at(key[k]).pow(parts[k].times);
        }
        if (product <= largest) continue;
        largest = std::move(product);
        worst = {a, b};
      }
    }
  }
};

class ProductOfParts {
 public:
  ProductOfParts(MeasuredModel& subject, const std::vector<std::uint64_t>& sensitive)
      : subject_(subject), model_(subject.model()), sensitive_(sensitive) {
    std::vector<bool> is_seen(model_.domain.size(), false);
    for (const Factor& factor : model_.channel->factors()) {
      projections_.emplace_back(model_.domain, factor.coordinates);
      for (const std::size_t i : factor.coordinates) is_seen[i] = true;
    }
    for (std::size_t i = 0; i < is_seen.size(); ++i) {
      if (!is_seen[i] && model_.domain.values(i) > 1 && !unseen_) unseen_ = i;
    }
    for (engine::Component& component : engine::components_of(model_, subject_.budget())) {
      ComponentPairs& pairs = components_.emplace_back(ComponentPairs{std::move(component)});
      std::map<std::pair<const Channel*, std::vector<std::size_t>>, std::int64_t> counted;
      for (const std::size_t f : pairs.component.factors) {
        const Factor& factor = model_.channel->factors()[f];
        ++counted[{factor.channel.get(), factor.coordinates}];
      }
      const std::vector<std::size_t>& own = pairs.component.coordinates;
      for (const auto& [key, times] : counted) {
        std::vector<std::size_t> places;
        for (const std::size_t i : key.second) {
          places.push_back(static_cast<std::size_t>(std::find(own.begin(), own.end(), i) - own.begin()));
        }
        channels_.insert(key.first);
        placed_.push_back({components_.size() - 1, key.first, std::move(places), times});
      }
    }
  }

  /// Steps that the parts take.
  double cost() const {
    double steps = 0;
    for (const Channel* channel : channels_) {
      const auto inputs = static_cast<double>(channel->input_numbers());
      steps += inputs * inputs * static_cast<double>(channel->outputs());
    }
    for (const auto& part : placed_) {
      const auto inputs = static_cast<double>(components_[part.component].component.model.domain.inputs());
      steps += inputs * inputs;
    }
    return steps;
  }

  ProtectedLevel level() {
    Budget& budget = subject_.budget();
    for (const Channel* channel : channels_) parts_.try_emplace(channel, *channel, budget);
    for (const auto& [component, channel, places, times] : placed_) {
      ComponentPairs& pairs = components_[component];
      pairs.parts.push_back({&parts_.at(channel), Projection(pairs.component.model.domain, places), times});
    }
    if (auto witness = sensitive_violation()) return {std::move(witness), std::nullopt};
    for (ComponentPairs& pairs : components_) pairs.find_shared(budget);
    if (auto witness = shared_violation()) return {std::move(witness), std::nullopt};
    Number largest(1);
    for (ComponentPairs& pairs : components_) {
      pairs.find_largest(budget);
      largest *= pairs.largest;
    }
    return {std::nullopt, InputLevel{Level::of_exponential(largest), worst_pair()}};
  }

 private:
  struct PlacedPart {
    std::size_t component;
    const Channel* channel;
    std::vector<std::size_t> places;  // of its coordinates in the component
    std::int64_t times;
  };

  const Factor& factor(std::size_t f) const { return model_.channel->factors()[f]; }
  const PartOfTuple& part(std::size_t f) const { return parts_.at(factor(f).channel.get()); }

  // An output tuple that both inputs have, and that an input lacks because of factor f.
  Witness witness_at(std::size_t f, const InputRow& from, const InputRow& also) const {
    std::vector<std::uint64_t> output;
    for (std::size_t g = 0; g < projections_.size(); ++g) {
      const std::uint64_t a = projections_[g](InputView(from)), b = projections_[g](InputView(also));
      output.push_back(part(g).shared_output(a, b, g == f).value());
    }
    InputRow to = from;
    const Domain own = model_.domain.restricted_to(factor(f).coordinates);
    const InputRow lacking = own.row(part(f).first_lacking(output[f]));
    for (std::size_t k = 0; k < lacking.size(); ++k) to[factor(f).coordinates[k]] = lacking[k];
    Witness witness = witness_of(model_, InputPair{output, from, to});
    if (from != also) {
      witness.also = Witness::Also{model_.domain.tuple(also), model_.channel->entry_at(model_.domain, also, output)};
    }
    return witness;
  }

  std::optional<Witness> sensitive_violation() const {
    std::set<std::pair<const Channel*, std::vector<std::size_t>>> known;  // runs of one mechanism
    for (std::size_t f = 0; f < projections_.size(); ++f) {
      if (!known.emplace(factor(f).channel.get(), factor(f).coordinates).second) continue;
      std::vector<bool> seen(part(f).inputs(), false);
      for (const std::uint64_t x : sensitive_) {
        subject_.budget().check_every();
        const std::uint64_t own = projections_[f](x);
        if (seen[own]) continue;
        seen[own] = true;
        if (!part(f).share_partial(own, own)) continue;
        const InputRow row = model_.domain.row(x);
        return witness_at(f, row, row);
      }
    }
    return std::nullopt;
  }

  // The first factor of a component with an output that both inputs have and another input lacks.
  std::size_t partial_factor(const ComponentPairs& pairs, const InputRow& a, const InputRow& b) const {
    for (const std::size_t f : pairs.component.factors) {
      if (part(f).share_partial(projections_[f](InputView(a)), projections_[f](InputView(b)))) return f;
    }
    throw ModelError("no part has an output that an input lacks");
  }

  void put(const ComponentPairs& pairs, const ComponentPairs::Pair& pair, InputRow& from, InputRow& to) const {
    const InputRow first = pairs.component.model.domain.row(pair.first);
    const InputRow second = pairs.component.model.domain.row(pair.second);
    for (std::size_t k = 0; k < first.size(); ++k) {
      from[pairs.component.coordinates[k]] = first[k];
      to[pairs.component.coordinates[k]] = second[k];
    }
  }

  std::optional<Witness> shared_violation() const {
    InputRow from(model_.domain.size(), 0), also = from;
    for (const ComponentPairs& pairs : components_) {
      if (!pairs.sharing_partial) continue;
      put(pairs, *pairs.sharing_partial, from, also);
      return witness_at(partial_factor(pairs, from, also), from, also);
    }
    for (const ComponentPairs& pairs : components_) {
      if (!pairs.partial) continue;
      const auto other = std::find_if(components_.begin(), components_.end(), [&](const ComponentPairs& one) {
        return &one != &pairs && one.sharing.has_value();
      });
      if (other == components_.end() && !unseen_) continue;
      put(pairs, *pairs.partial, from, also);
      if (other != components_.end()) {
        put(*other, *other->sharing, from, also);
      } else {
        also[*unseen_] = 1;
      }
      return witness_at(partial_factor(pairs, from, also), from, also);
    }
    return std::nullopt;
  }

  InputPair worst_pair() const {
    InputPair pair{std::vector<std::uint64_t>(projections_.size()), InputRow(model_.domain.size(), 0),
                   InputRow(model_.domain.size(), 0)};
    for (const ComponentPairs& pairs : components_) put(pairs, pairs.worst, pair.from, pair.to);
    for (std::size_t f = 0; f < projections_.size(); ++f) {
      pair.output[f] = part(f).worst_output(projections_[f](InputView(pair.from)), projections_[f](InputView(pair.to)));
    }
    return pair;
  }

  MeasuredModel& subject_;
  const Model& model_;
  const std::vector<std::uint64_t>& sensitive_;
  std::vector<Projection> projections_;  // by factor
  std::optional<std::size_t> unseen_;    // a coordinate of several values that no factor sees
  std::set<const Channel*> channels_;
  std::vector<ComponentPairs> components_;
  std::vector<PlacedPart> placed_;
  std::map<const Channel*, PartOfTuple> parts_;
};

// nullopt: going through the outputs is faster.
std::optional<ProtectedLevel> level_by_parts(MeasuredModel& subject, const std::vector<std::uint64_t>& sensitive) {
  ProductOfParts product(subject, sensitive);
  const Channel& channel = subject.channel();
  const double cells = static_cast<double>(channel.input_numbers()) * static_cast<double>(channel.outputs());
  const double cost = product.cost();
  if (subject.can_enumerate() && cells <= cost) return std::nullopt;
  constexpr double kMostSteps = 1e11;
  if (cost > kMostSteps) {
    throw LimitError("outputs are too many to go through (--max-cells), and parts have too many pairs of inputs");
  }
  return product.level();
}

MeasuredLevel protected_level(MeasuredModel& subject, const Arguments& arguments) {
  const ProtectedQuestion question = question_of(arguments);
  const bool is_product = !subject.channel().factors().empty();
  if (!question.protects && (is_product || !subject.can_enumerate())) {
    // If no output rules out an input, all of them are protected.
    const InputLevel& all = level_among_all(subject);
    if (!all.at_most().is_infinite()) return measured(subject.model(), all);
    if (is_product) {
      if (const auto level = level_by_parts(subject, question.sensitive)) {
        return measured_of(subject.model(), *level);
      }
    }
  }
  return measured_of(subject.model(), subject.answer(question));
}

Decision decide_utility_optimized(MeasuredModel& subject, const Arguments& arguments) {
  return decide_level(protected_level(subject, arguments), arguments.get<Level>("epsilon"));
}

// An output that is not protected is possible for one input, which is not sensitive. Protected outputs y have
// P(y given x) <= e^epsilon P(y given x'). Without a list, an output is protected if it must be.
Statement state_utility_optimized(const Model& model, const Arguments& arguments, Budget& budget) {
  const ProtectedQuestion question = question_of(arguments);
  const auto& epsilon = arguments.get<Level>("epsilon");
  const std::vector<std::vector<Number>> rows = rows_of(*model.channel, budget);
  Statement statement;
  statement.begin_bound();
  add_least(statement, epsilon);
  std::set<std::vector<std::uint64_t>> named;
  if (question.protects) named.insert(question.protects->begin(), question.protects->end());
  const auto possible = [&](std::uint64_t x, std::uint64_t y) { return Formula::greater(rows[x][y], Number(0)); };
  for (std::uint64_t y = 0; y < model.channel->outputs(); ++y) {
    budget.check();
    std::vector<Formula> must_be_protected, exceeded, attained;
    constexpr std::size_t kTermsOfPair = 8;  // about
    std::size_t terms = 0;
    for (const std::uint64_t x : question.sensitive) must_be_protected.push_back(possible(x, y));
    for (std::uint64_t x = 0; x < rows.size(); ++x) {
      if (rows[x][y].is_zero()) continue;
      for (std::uint64_t other = 0; other < rows.size(); ++other) {
        if (other == x) continue;
        budget.check_every();
        statement.require_room(terms += kTermsOfPair);
        if (other < x) must_be_protected.push_back(Formula::all({possible(x, y), possible(other, y)}));
        if (epsilon.is_infinite()) {
          attained.push_back(Formula::all({possible(x, y), Formula::equal(rows[other][y], Number(0))}));
          continue;
        }
        const Number most = epsilon.exponential() * rows[other][y];
        exceeded.push_back(Formula::greater(rows[x][y], most));
        attained.push_back(Formula::all({possible(x, y), Formula::equal(rows[x][y], most)}));
      }
    }
    const Formula must = Formula::any(std::move(must_be_protected));
    const Formula exceeds = Formula::any(std::move(exceeded));
    const Formula attains = Formula::any(std::move(attained));
    if (!question.protects) {
      if (!epsilon.is_infinite()) statement.add_violation(Formula::all({must, exceeds}));
      statement.add_attained(Formula::all({must, attains}));
    } else if (named.contains(model.channel->split(y))) {
      if (!epsilon.is_infinite()) statement.add_violation(exceeds);
      statement.add_attained(attains);
    } else if (epsilon.is_infinite()) {
      statement.add_attained(must);
    } else {
      statement.add_violation(must);
    }
  }
  return statement;
}

// A sensitive input has only protected outputs, so the claim implies high_low_ldp.
Definition imply_high_low(const Model& model, const Arguments& arguments, const InputSubset& inputs) {
  Definition definition = define_high_low(model, arguments, inputs);
  definition[0].scope = "sensitive inputs and all others";
  return definition;
}

void expect_utility_optimized(MeasuredModel& subject, const Arguments& arguments) {
  if (subject.channel().factors().empty() && subject.can_enumerate()) subject.expect(question_of(arguments));
}

}  // namespace

Notion utility_optimized_ldp_notion() {
  return {.name = "utility_optimized_ldp",
          .summary =
              "utility-optimized local differential privacy: ldp, except for outputs that only one input that is not "
              "sensitive can have",
          .source = "Murakami and Kawamoto, Utility-Optimized Local Differential Privacy Mechanisms (2019)",
          .fields = {{kSensitive, FieldKind::kInputs},
                     {kProtected, FieldKind::kOutputs, false},
                     {"epsilon", FieldKind::kLevel}},
          .decide = decide_utility_optimized,
          .state = state_utility_optimized,
          .imply = imply_high_low,
          .expect = expect_utility_optimized};
}

}  // namespace oddsbound::notions
