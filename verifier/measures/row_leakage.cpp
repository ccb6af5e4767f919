// Averages over the rows of positive mass: the cost is rows x outputs, whatever the size of the domain.
//
// Let w(x) be the weight of row x, t the sum of all weights, and S(a, y) the sum of w(x) P(y | x) over the rows whose
// attribute is a. Then, with m(a) the sum of w(x) over these rows,
//
//     best guess        = (1 / t) sum over y of max over a of S(a, y)
//     total variation   = (1 / (m(a) m(b))) sum over y of max(m(b) S(a, y), m(a) S(b, y)) - 1
//     mutual information = (1 / t) (sum over a, y of S log S - sum over a of m log m - sum over y of S(y) log S(y)
//                                   + t log t).
//
// Entries are ranks in the pool of the columns, so S(a, y) is a sum of weights by rank. Sums of the larger of two
// masses are sums of weights by rank as well, multiplied by the values once, at the end. Doubles only decide which of
// two masses is larger, with an error bound; near ties are decided exactly. Logarithms are enclosed by Arb, and the
// enclosures are added in fixed point. Integers add in any order, so results do not depend on the number of threads.

#include <algorithm>
#include <deque>
#include <numeric>

#include "base/errors.h"
#include "verifier/exact/interval.h"
#include "verifier/exact/number_detail.h"
#include "verifier/exact/threads.h"
#include "verifier/measures/leakage.h"
#include "verifier/measures/mass_rows.h"

namespace oddsbound::measures {

namespace {

// A sum of n <= 2^16 products of approximations has a relative error below n * 2^-52 + 2^-49 < 2^-35, so a quotient
// of two sums beyond this decides.
constexpr double kDecisive = 1 + 0x1p-30;

/// Enclosures of the values of a pool, and of v log v; computed once if they are few.
class PoolBalls {
 public:
  PoolBalls(const ValuePool& pool, slong precision, Budget& budget) : pool_(pool), precision_(precision) {
    constexpr std::size_t kMostKept = std::size_t{1} << 18;
    if (pool.size() > kMostKept) return;
    for (std::uint32_t rank = 0; rank < pool.size(); ++rank) {
      budget.check_every();
      set_value(values_.emplace_back().get(), rank);
      set_entropy(entropies_.emplace_back().get(), rank);
    }
  }

  slong precision() const { return precision_; }
  void add_value(arb_ptr sum, const std::int64_t weight, std::uint32_t rank) const {
    Ball own;
    if (values_.empty()) set_value(own.get(), rank);
    arb_addmul_si(sum, values_.empty() ? own.get() : values_[rank].get(), weight, precision_);
  }
  void add_value(arb_ptr sum, const Number& weight, std::uint32_t rank) const {
    Ball own;
    const Ball factor(weight, precision_);
    if (values_.empty()) set_value(own.get(), rank);
    arb_addmul(sum, values_.empty() ? own.get() : values_[rank].get(), factor.get(), precision_);
  }
  /// Adds weight * v log v.
  template <class Weight>
  void add_entropy(arb_ptr sum, const Weight& weight, std::uint32_t rank) const {
    Ball own;
    if (entropies_.empty()) set_entropy(own.get(), rank);
    const Ball factor(Number(weight), precision_);
    arb_addmul(sum, entropies_.empty() ? own.get() : entropies_[rank].get(), factor.get(), precision_);
  }

 private:
  void set_value(arb_ptr value, std::uint32_t rank) const { enclose_number(value, pool_.value(rank), precision_); }
  void set_entropy(arb_ptr value, std::uint32_t rank) const {
    if (pool_.value(rank).is_zero()) return;  // 0 log 0 = 0
    Ball log;
    set_value(value, rank);
    arb_log(log.get(), value, precision_);
    arb_mul(value, value, log.get(), precision_);
  }

  const ValuePool& pool_;
  slong precision_;
  std::deque<Ball> values_, entropies_;  // empty: the pool is large
};

/// A mass of one output, S(a, y): weights by rank.
template <class Weight>
struct Term {
  std::uint32_t rank;
  Weight weight;
  friend bool operator==(const Term&, const Term&) = default;
};
template <class Weight>
struct Mass {
  std::span<const Term<Weight>> terms;
  double approx = 0;  // of the sum
};

template <class Weight>
class RowAccumulator final : public AccumulatorOf<RowAccumulator<Weight>> {
 public:
  using Terms = std::vector<Term<Weight>>;

  /// logs: nullptr if no information is wanted.
  RowAccumulator(const MassRows<Weight>& rows, const ValuePool& pool, const PoolBalls* logs)
      : rows_(rows), pool_(pool), logs_(logs), local_of_(pool.size(), kNone) {
    constexpr std::size_t kMostKept = std::size_t{1} << 16;
    std::size_t sums = 1 + rows.coordinates;
    for (std::size_t i = 0; i < rows.coordinates; ++i) {
      first_pair_.push_back(sums);
      const std::size_t values = rows.first[i + 1] - rows.first[i];
      sums += values * (values - 1) / 2;
    }
    by_rank_ = sums <= kMostKept && pool.size() <= kMostKept / sums;
    if (by_rank_) collected_.resize(sums * pool.size(), Weight(0));
    exact_.resize(by_rank_ ? 0 : sums);
    if (logs != nullptr) entropies_.resize(rows.coordinates + kFurther);
  }

  void offer(ColumnView& column) override {
    const std::span<const std::uint32_t> ranks = column.ranks();
    gather(ranks);
    add_record(ranks, column.output());
    for (std::size_t i = 0; i < rows_.coordinates; ++i) add_coordinate(i);
    if (logs_ != nullptr) add_entropies();
  }

  void take(RowAccumulator&& later) {
    for (std::size_t k = 0; k < collected_.size(); ++k) collected_[k] += later.collected_[k];
    for (std::size_t k = 0; k < exact_.size(); ++k) exact_[k] += later.exact_[k];
    for (std::size_t k = 0; k < entropies_.size(); ++k) entropies_[k].add(later.entropies_[k]);
    varies_ = varies_ || later.varies_;
    if (later.likeliest_) offer_likeliest(*later.likeliest_, later.likeliest_terms_, later.likeliest_approx_);
  }
  RowAccumulator successor() const { return {rows_, pool_, logs_}; }

  /// The sum over outputs of the mass of the best guess: of the record, and of a coordinate.
  Number guessed_record() const { return sum(0); }
  Number guessed(std::size_t coordinate) const { return sum(1 + coordinate); }
  Number total_variation(std::size_t coordinate) const {
    Number farthest(0);
    std::size_t pair = first_pair_[coordinate];
    for (std::uint32_t a = rows_.first[coordinate]; a < rows_.first[coordinate + 1]; ++a) {
      for (std::uint32_t b = rows_.first[coordinate]; b < a; ++b) {
        const Number masses = Number(rows_.masses[a]) * Number(rows_.masses[b]);
        farthest = std::max(farthest, sum(pair++) / masses - Number(1));
      }
    }
    return farthest;
  }
  std::uint64_t likeliest() const { return *likeliest_; }
  /// False if every output has the same probability given every row.
  bool varies() const { return varies_; }

  /// t times the mutual information with a coordinate; nullopt: with the record.
  void enclose_information(Ball& value, std::optional<std::size_t> coordinate, slong precision) const {
    entropies_[coordinate.value_or(rows_.coordinates)].enclose(value, precision);
    Ball term;
    entropies_[rows_.coordinates + 1].enclose(term, precision);
    arb_sub(value.get(), value.get(), term.get(), precision);
    const auto add = [&](const Weight& mass, slong sign) {
      Ball own(Number(mass), precision), log;
      arb_log(log.get(), own.get(), precision);
      arb_mul(own.get(), own.get(), log.get(), precision);
      arb_addmul_si(value.get(), own.get(), sign, precision);
    };
    add(rows_.total, 1);
    if (!coordinate) return;
    for (std::uint32_t g = rows_.first[*coordinate]; g < rows_.first[*coordinate + 1]; ++g) add(rows_.masses[g], -1);
  }

 private:
  static constexpr std::uint32_t kNone = UINT32_MAX;
  static constexpr std::size_t kFurther = 2;  // entropies of the record given its input, and of the output

  // Sets the masses of all groups at an output, and of the output itself. Equal ranks are collected if that makes
  // the lists shorter.
  void gather(std::span<const std::uint32_t> ranks) {
    local_ranks_.clear();
    for (const std::uint32_t rank : ranks) {
      if (local_of_[rank] == kNone) {
        local_of_[rank] = 0;
        local_ranks_.push_back(rank);
      }
    }
    std::sort(local_ranks_.begin(), local_ranks_.end());
    varies_ = varies_ || local_ranks_.size() > 1;
    for (std::uint32_t l = 0; l < local_ranks_.size(); ++l) local_of_[local_ranks_[l]] = l;
    const std::size_t locals = local_ranks_.size(), groups = rows_.masses.size();
    counts_.assign(locals, Weight(0));
    for (std::size_t x = 0; x < ranks.size(); ++x) counts_[local_of_[ranks[x]]] += rows_.weights[x];
    all_.clear();
    for (std::size_t l = 0; l < locals; ++l) append(all_, local_ranks_[l], counts_[l]);
    terms_.clear();
    masses_.assign(groups, {});
    begin_.assign(1, 0);
    if (groups * locals <= ranks.size() * rows_.coordinates) {
      collect_by_rank(ranks);
    } else {
      list_by_group(ranks);
    }
    for (std::size_t g = 0; g < groups; ++g) {
      masses_[g].terms = std::span(terms_).subspan(begin_[g], begin_[g + 1] - begin_[g]);
      masses_[g].approx = approx_of_terms(masses_[g].terms);
    }
    for (const std::uint32_t rank : local_ranks_) local_of_[rank] = kNone;
  }

  void collect_by_rank(std::span<const std::uint32_t> ranks) {
    const std::size_t locals = local_ranks_.size();
    counts_.assign(rows_.masses.size() * locals, Weight(0));
    const std::uint32_t* group = rows_.group_of.data();
    for (std::size_t x = 0; x < ranks.size(); ++x) {
      const std::uint32_t local = local_of_[ranks[x]];
      for (std::size_t i = 0; i < rows_.coordinates; ++i) counts_[*group++ * locals + local] += rows_.weights[x];
    }
    for (std::size_t k = 0; k < counts_.size(); ++k) {
      append(terms_, local_ranks_[k % locals], counts_[k]);
      if ((k + 1) % locals == 0) begin_.push_back(terms_.size());
    }
  }

  void list_by_group(std::span<const std::uint32_t> ranks) {
    const std::size_t coordinates = rows_.coordinates;
    begin_.assign(rows_.masses.size() + 1, 0);
    for (const std::uint32_t group : rows_.group_of) ++begin_[group + 1];
    std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
    std::vector<std::size_t> next(begin_.begin(), begin_.end() - 1);
    terms_.resize(begin_.back());
    for (std::size_t x = 0; x < ranks.size(); ++x) {
      for (std::size_t i = 0; i < coordinates; ++i) {
        terms_[next[rows_.group_of[x * coordinates + i]]++] = {ranks[x], rows_.weights[x]};
      }
    }
  }

  void append(Terms& terms, std::uint32_t rank, const Weight& weight) const {
    if (weight != Weight(0) && !(pool_.has_zero() && rank == 0)) terms.push_back({rank, weight});
  }

  double approx_of_terms(std::span<const Term<Weight>> terms) const {
    double sum = 0;
    for (const auto& [rank, weight] : terms) sum += approx_of_weight(weight) * pool_.approx(rank);
    return sum;
  }

  // The sign of scale_a * a - scale_b * b.
  int compare(const Mass<Weight>& a, const Weight& scale_a, const Mass<Weight>& b, const Weight& scale_b) const {
    if (rows_.approximations_usable && pool_.approximations_usable()) {
      const double left = a.approx * approx_of_weight(scale_a), right = b.approx * approx_of_weight(scale_b);
      if (left > right * kDecisive) return 1;
      if (right > left * kDecisive) return -1;
    }
    if (scale_a == scale_b && std::equal(a.terms.begin(), a.terms.end(), b.terms.begin(), b.terms.end())) return 0;
    std::vector<WeightedTerm> difference;
    for (const auto& [rank, weight] : a.terms) difference.push_back({Number(weight * scale_a), pool_.value(rank)});
    for (const auto& [rank, weight] : b.terms) difference.push_back({-Number(weight * scale_b), pool_.value(rank)});
    return weighted_sum(difference).sign();
  }

  void add(std::size_t sum, std::span<const Term<Weight>> terms, const Weight& scale) {
    if (by_rank_) {
      Weight* const own = collected_.data() + sum * pool_.size();
      for (const auto& [rank, weight] : terms) own[rank] += weight * scale;
      return;
    }
    exact_[sum] += exact_sum(terms) * Number(scale);
  }

  Number exact_sum(std::span<const Term<Weight>> terms) const {
    if (terms.size() == 1) return Number(terms[0].weight) * pool_.value(terms[0].rank);
    std::vector<WeightedTerm> products;
    for (const auto& [rank, weight] : terms) products.push_back({Number(weight), pool_.value(rank)});
    return weighted_sum(products);
  }

  Number sum(std::size_t k) const {
    if (!by_rank_) return exact_[k];
    std::vector<WeightedTerm> products;
    for (std::uint32_t rank = 0; rank < pool_.size(); ++rank) {
      const Weight& weight = collected_[k * pool_.size() + rank];
      if (weight != Weight(0)) products.push_back({Number(weight), pool_.value(rank)});
    }
    return weighted_sum(products);
  }

  void add_record(std::span<const std::uint32_t> ranks, std::uint64_t output) {
    // Among rows with the same entry, the one of the largest weight is the best guess.
    heaviest_.clear();
    for (std::size_t k = 0; k < all_.size(); ++k) {
      local_of_[all_[k].rank] = static_cast<std::uint32_t>(k);
      heaviest_.push_back({all_[k].rank, Weight(0)});
    }
    for (std::size_t x = 0; x < ranks.size(); ++x) {
      if (local_of_[ranks[x]] == kNone) continue;
      Weight& weight = heaviest_[local_of_[ranks[x]]].weight;
      if (weight < rows_.weights[x]) weight = rows_.weights[x];
    }
    for (const Term<Weight>& term : all_) local_of_[term.rank] = kNone;
    Mass<Weight> best;
    for (const Term<Weight>& term : heaviest_) {
      const std::span<const Term<Weight>> one(&term, 1);
      const Mass<Weight> mass{one, approx_of_terms(one)};
      if (best.terms.empty() || compare(mass, Weight(1), best, Weight(1)) > 0) best = mass;
    }
    add(0, best.terms, Weight(1));
    offer_likeliest(output, all_, approx_of_terms(all_));
  }

  void offer_likeliest(std::uint64_t output, const Terms& terms, double approx) {
    const Mass<Weight> own{terms, approx}, known{likeliest_terms_, likeliest_approx_};
    if (likeliest_ && compare(own, Weight(1), known, Weight(1)) <= 0) return;
    likeliest_ = output;
    likeliest_terms_ = terms;
    likeliest_approx_ = approx;
  }

  void add_coordinate(std::size_t i) {
    const std::uint32_t first = rows_.first[i], end = rows_.first[i + 1];
    std::uint32_t best = first;
    std::size_t pair = first_pair_[i];
    for (std::uint32_t a = first; a < end; ++a) {
      if (a > first && compare(masses_[a], Weight(1), masses_[best], Weight(1)) > 0) best = a;
      for (std::uint32_t b = first; b < a; ++b) {
        const bool larger = compare(masses_[a], rows_.masses[b], masses_[b], rows_.masses[a]) > 0;
        add(pair++, masses_[larger ? a : b].terms, rows_.masses[larger ? b : a]);
      }
    }
    add(1 + i, masses_[best].terms, Weight(1));
  }

  void add_entropies() {
    const slong precision = logs_->precision();
    Ball mass, log;
    const auto add_mass = [&](std::size_t k, std::span<const Term<Weight>> terms) {
      arb_zero(mass.get());
      for (const auto& [rank, weight] : terms) logs_->add_value(mass.get(), weight, rank);
      if (arb_is_zero(mass.get()) != 0) return;  // 0 log 0 = 0
      arb_log(log.get(), mass.get(), precision);
      arb_mul(mass.get(), mass.get(), log.get(), precision);
      entropies_[k].add(mass, precision);
    };
    for (std::size_t i = 0; i < rows_.coordinates; ++i) {
      for (std::uint32_t g = rows_.first[i]; g < rows_.first[i + 1]; ++g) add_mass(i, masses_[g].terms);
    }
    arb_zero(mass.get());
    for (const auto& [rank, weight] : all_) logs_->add_entropy(mass.get(), weight, rank);
    entropies_[rows_.coordinates].add(mass, precision);
    add_mass(rows_.coordinates + 1, all_);
  }

  const MassRows<Weight>& rows_;
  const ValuePool& pool_;
  const PoolBalls* logs_;
  std::vector<std::size_t> first_pair_;  // by coordinate: the sums of its pairs of values
  bool by_rank_ = false;
  std::vector<Weight> collected_;  // [sum * pool + rank], if by_rank_
  std::vector<Number> exact_;      // otherwise
  std::vector<FixedSum> entropies_;
  bool varies_ = false;
  std::optional<std::uint64_t> likeliest_;
  Terms likeliest_terms_;
  double likeliest_approx_ = 0;
  // Scratch, of one output.
  std::vector<std::uint32_t> local_of_, local_ranks_;
  std::vector<Weight> counts_;
  std::vector<std::size_t> begin_;
  Terms terms_, all_, heaviest_;
  std::vector<Mass<Weight>> masses_;
};

// Returns false if the precision does not suffice for the decimals.
template <class Weight>
bool set_information(Leakage& leakage, const RowAccumulator<Weight>& sums, const MassRows<Weight>& rows,
                     std::optional<std::size_t> coordinate, slong precision) {
  Ball value;
  const Ball total(Number(rows.total), precision);
  sums.enclose_information(value, coordinate, precision);
  arb_div(value.get(), value.get(), total.get(), precision);
  const std::optional<DecimalBounds> bounds = decimal_bounds(value, precision);
  if (bounds) leakage.information = *bounds;
  return bounds.has_value();
}

template <class Weight>
Leakages measure_at(const Columns& columns, const MassRows<Weight>& rows, bool information, slong precision,
                    bool& precise, Budget& budget) {
  std::optional<PoolBalls> balls;
  if (information) balls.emplace(columns.pool(), precision, budget);
  RowAccumulator<Weight> sums(rows, columns.pool(), balls ? &*balls : nullptr);
  pass(columns, sums, budget);
  const Number total(rows.total);
  Leakages leakages;
  const Weight& heaviest = *std::max_element(rows.weights.begin(), rows.weights.end());
  leakages.record = Leakage{{Number(heaviest) / total, sums.guessed_record() / total}};
  leakages.likeliest = {sums.likeliest()};  // split by measure_leakages
  // Information is 0 if and only if all the compared distributions are equal; its enclosure cannot show that.
  if (information && sums.varies()) precise = set_information(leakages.record, sums, rows, {}, precision);
  for (std::size_t i = 0; i < rows.coordinates && precise; ++i) {
    const auto first = rows.masses.begin() + rows.first[i], end = rows.masses.begin() + rows.first[i + 1];
    Leakage& own = leakages.values.emplace_back();
    own.prior = Number(*std::max_element(first, end)) / total;
    own.posterior = sums.guessed(i) / total;
    own.total_variation = sums.total_variation(i);
    if (information && !own.total_variation->is_zero()) precise = set_information(own, sums, rows, i, precision);
  }
  return leakages;
}

template <class Weight>
Leakages measure(const Columns& columns, const MassRows<Weight>& rows, bool information, Budget& budget) {
  for (slong precision = Ball::kBits;; precision *= 2) {
    bool precise = true;
    Leakages leakages = measure_at(columns, rows, information, precision, precise, budget);
    if (precise) return leakages;
  }
}

}  // namespace

Leakages measure_leakages(MeasuredModel& subject, bool information) {
  require_few_rows(subject);
  Budget& budget = subject.budget();
  std::vector<InputRow> inputs;
  std::vector<Number> weights;
  subject.prior().each_row(budget, [&](InputView row, const Number& weight) {
    inputs.emplace_back(row.begin(), row.end());
    weights.push_back(weight);
  });
  const auto columns = subject.channel().columns_of(subject.domain(), inputs, budget);
  // Sums for pairs of values, in each thread: a coordinate may have thousands of values.
  std::uint64_t pairs = 0;
  for (std::size_t i = 0; i < subject.domain().size(); ++i) {
    const std::uint64_t values = std::min<std::uint64_t>(subject.domain().values(i), inputs.size());
    pairs += values * values / 2;
  }
  budget.require_memory(pairs * wanted_threads(budget.limits()) * sizeof(Number));
  std::optional<std::vector<std::int64_t>> integers = as_integers(weights, columns->outputs());
  Leakages leakages =
      integers ? measure(*columns, grouped(subject.domain(), inputs, *std::move(integers)), information, budget)
               : measure(*columns, grouped(subject.domain(), inputs, std::move(weights)), information, budget);
  leakages.likeliest = subject.channel().split(leakages.likeliest[0]);
  return leakages;
}

}  // namespace oddsbound::measures
