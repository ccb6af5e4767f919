#include "audits/choice.h"

#include <algorithm>
#include <set>

#include "audits/question.h"
#include "base/errors.h"
#include "mechanisms/random/choice.h"
#include "verifier/engine/measured_model.h"
#include "verifier/notions/table.h"

namespace oddsbound::audits {

namespace {

constexpr std::uint64_t kChoicePurpose = 0x61756469745f6368ULL;
constexpr std::size_t kMostListed = std::size_t{1} << 16;  // rows of a prior that are held
constexpr std::size_t kRowsDrawn = 256;                    // from a prior with more rows, to find likely ones
constexpr std::size_t kMostOfKind = 32;                    // likely inputs, and random ones
constexpr std::uint64_t kRunsEach = 200;                   // so that each tried input has enough runs to matter
constexpr double kTimeForWitnesses = 0.1;

struct TooManyRows {};

// Lists the rows of a prior. False if there are too many to hold.
bool list_rows(const Prior& prior, std::vector<WeightedRow>& rows, Budget& budget) {
  try {
    prior.each_row(budget, [&](InputView row, const Number& weight) {
      if (rows.size() == kMostListed) throw TooManyRows();
      rows.push_back({{row.begin(), row.end()}, weight});
    });
    return true;
  } catch (const TooManyRows&) {
    rows.clear();
    return false;
  }
}

// The inputs at which the stated channel attains a level, as far as time permits.
class Witnesses {
 public:
  Witnesses(const Spec& spec, const AuditOptions& options, const Limits& limits) : spec_(spec), budget_(limits) {
    MeasuredModel subject(spec.model, budget_);
    for (const Claim& claim : spec.claims) {
      if (!claim.notion->defines(claim.arguments) || !claim.notion->decide) continue;
      attempt([&] { add(claim.notion->decide(subject, claim.arguments)); }, *claim.notion, claim.arguments);
    }
    for (const Notion& notion : notion_table()) {
      const bool asked = notion.audited && (options.all_levels || spec.claims.empty());
      if (!asked || (notion.needs_prior && !spec.model.prior)) continue;
      attempt([&] { add(notion.measure(subject)); }, notion, at_level_zero(notion, spec.model.domain));
    }
  }
  std::vector<InputRow> take() { return std::move(rows_); }

 private:
  // Skips levels between values or labels: no input is chosen for them.
  template <typename Ask>
  void attempt(Ask ask, const Notion& notion, const Arguments& arguments) {
    try {
      const InputSubset none(spec_.model.domain, std::span<const InputRow>(&nowhere_, 0));
      for (const Comparison& comparison : notion.define(spec_.model, arguments, none)) {
        if (comparison.label_at) return;
      }
      ask();
    } catch (const LimitError&) {
      // Out of time: this level contributes no inputs.
    }
  }

  void add(const Witness& witness) {
    for (const Label* party : {&witness.from, &witness.to}) {
      const auto* values = std::get_if<std::vector<std::string>>(party);
      if (values == nullptr || values->size() != spec_.model.domain.size()) continue;
      InputRow row;
      for (std::size_t i = 0; i < values->size(); ++i) {
        const auto digit = spec_.model.domain.find_value(i, (*values)[i]);
        if (!digit) break;
        row.push_back(static_cast<std::uint32_t>(*digit));
      }
      if (row.size() == values->size()) rows_.push_back(std::move(row));
    }
  }
  void add(const Decision& decision) {
    if (decision.witness) add(*decision.witness);
    if (const auto* one = std::get_if<MeasuredLevel>(&decision.actual)) add(one->witness.get());
    if (const auto* delta = std::get_if<MeasuredNumber>(&decision.actual)) add(delta->witness);
    if (const auto* each = std::get_if<NamedLevels>(&decision.actual)) {
      for (const auto& [coordinate, level] : *each) add(level.witness.get());
    }
  }
  void add(const Measured& measured) {
    if (const auto* one = std::get_if<MeasuredLevel>(&measured)) return add(one->witness.get());
    for (const MeasuredLevel& level : std::get<std::vector<MeasuredLevel>>(measured)) add(level.witness.get());
  }

  const Spec& spec_;
  Budget budget_;
  std::vector<InputRow> rows_;
  InputRow nowhere_;
};

class Chooser {
 public:
  Chooser(const Spec& spec, const AuditOptions& options, Budget& budget)
      : spec_(spec),
        options_(options),
        budget_(budget),
        source_(Randomness{options.seed, kChoicePurpose}.source(0)),
        choice_(std::make_shared<InputChoice>()),
        most_(std::clamp<std::uint64_t>(options.samples / kRunsEach, 2 * (domain().size() + 1), kMostInputs)) {
    choice_->domain = domain();
  }

  InputChoicePtr choose() {
    if (spec_.model.channel) {
      Limits limits = budget_.limits();
      limits.max_seconds = std::max(0.1, kTimeForWitnesses * budget_.seconds_left());
      for (InputRow& row : Witnesses(spec_, options_, limits).take()) add(std::move(row), ChosenFor::kWitness);
    }
    look_at_prior();
    // The number of base inputs that leaves room for the neighbors of each in every coordinate.
    const std::size_t room = most_ - std::min<std::size_t>(choice_->tried(), most_);
    const std::size_t bases = std::clamp<std::size_t>(room / (domain().size() + 1), 2, 2 * kMostOfKind);
    const std::size_t first = choice_->tried();
    for (std::size_t k = 0; k < likely_.size() && choice_->tried() < first + bases / 2; ++k) {
      add(std::move(likely_[k]), ChosenFor::kPrior);
    }
    for (std::size_t k = 0; k < 4 * bases && choice_->tried() < first + bases; ++k) add(random(), ChosenFor::kRandom);
    add_neighbors(first, choice_->tried());
    add_prior();
    return choice_;
  }

 private:
  const Domain& domain() const { return spec_.model.domain; }

  void add(InputRow row, ChosenFor reason) {
    if (!known_.insert(row).second || choice_->tried() >= kMostInputs) return;
    choice_->rows.push_back(std::move(row));
    choice_->reasons.push_back(reason);
  }

  std::uint32_t below(std::uint64_t n) { return static_cast<std::uint32_t>(UniformBelow(n).run(*source_)); }

  InputRow random() {
    InputRow row;
    for (std::size_t i = 0; i < domain().size(); ++i) row.push_back(below(domain().values(i)));
    return row;
  }

  void add_neighbors(std::size_t begin, std::size_t end) {
    for (std::size_t k = begin; k < end; ++k) {
      for (std::size_t i = 0; i < domain().size(); ++i) {
        const std::uint64_t values = domain().values(i);
        if (values < 2) continue;
        InputRow row = choice_->rows[k];
        row[i] = static_cast<std::uint32_t>((row[i] + 1 + below(values - 1)) % values);
        add(std::move(row), ChosenFor::kNeighbor);
      }
    }
  }

  // Finds the most likely inputs, among all rows or among some that are drawn.
  void look_at_prior() {
    if (!spec_.model.prior) return;
    const Prior& prior = *spec_.model.prior;
    std::vector<WeightedRow> rows;
    if (list_rows(prior, listed_, budget_)) {
      rows = listed_;
    } else {
      choice_->drawn = std::make_shared<const PriorSampler>(prior);
      std::set<InputRow> different;
      for (std::size_t k = 0; k < kRowsDrawn; ++k) different.insert(choice_->drawn->draw(*source_));
      for (const InputRow& row : different) rows.push_back({row, prior.weight(row)});
    }
    std::stable_sort(rows.begin(), rows.end(), [&](const WeightedRow& a, const WeightedRow& b) {
      budget_.check_every();
      return a.weight > b.weight;
    });
    rows.resize(std::min<std::size_t>(rows.size(), 4 * kMostOfKind));
    for (WeightedRow& row : rows) likely_.push_back(std::move(row.row));
  }

  // Adds the remaining rows of the prior and the weights of all rows.
  void add_prior() {
    if (!spec_.model.prior) return;
    for (WeightedRow& listed : listed_) {
      if (known_.insert(listed.row).second) choice_->rows.push_back(std::move(listed.row));
    }
    for (const InputRow& row : choice_->rows) choice_->weights.push_back(spec_.model.prior->weight(row));
  }

  const Spec& spec_;
  const AuditOptions& options_;
  Budget& budget_;
  std::unique_ptr<RandomSource> source_;
  std::shared_ptr<InputChoice> choice_;
  std::uint64_t most_;
  std::set<InputRow> known_;
  std::vector<WeightedRow> listed_;
  std::vector<InputRow> likely_;
};

}  // namespace

bool all_are_tried(const Domain& domain) { return domain.is_countable() && domain.input_numbers() <= kMostInputs; }

InputChoicePtr choose_inputs(const Spec& spec, const AuditOptions& options, Budget& budget) {
  if (all_are_tried(spec.model.domain)) return nullptr;
  return Chooser(spec, options, budget).choose();
}

}  // namespace oddsbound::audits
