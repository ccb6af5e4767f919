#include "releases/release.h"

#include <algorithm>
#include <cmath>

#include "base/errors.h"
#include "releases/threshold.h"
#include "verifier/exact/decimal.h"

namespace oddsbound::releases {

Loss Release::loss(const Attributes& changed) const {
  Loss sum;
  for (const StepPtr& step : steps) sum += step->loss(changed);
  return sum;
}

Told Release::run(const PeopleTable& table, RandomSource& source) const {
  Told told;
  for (const StepPtr& step : steps) told.push_back(step->run(table, source));
  return told;
}

std::string Release::label(const Told& told) const {
  std::string text;
  for (std::size_t s = 0; s < told.size(); ++s) {
    std::string numbers;
    for (const std::int64_t number : told[s]) numbers += (numbers.empty() ? "" : ",") + std::to_string(number);
    text += (s == 0 ? "" : "; ") + numbers;
  }
  return text;
}

std::shared_ptr<const Release> within(const Release& release, std::uint64_t window) {
  auto result = std::make_shared<Release>(release);
  for (StepPtr& step : result->steps) step = step->within(window);
  return result;
}

LedgerLine ledger_line(const BudgetLine& line, const Loss& loss, const std::vector<Number>& deltas) {
  LedgerLine result{loss, {}};
  for (const Number& delta : line.delta ? std::vector<Number>{*line.delta} : deltas) {
    result.at.push_back({delta, epsilon_of(loss, delta)});
  }
  const auto within = [&] {
    if (line.rho && loss.rho > *line.rho) return false;
    if (!line.epsilon || loss.pure <= *line.epsilon) return true;
    return line.delta && Level::of_exponential(Number::exp_of(result.at[0].epsilon)) <= *line.epsilon;
  };
  result.exceeded = !within();
  return result;
}

namespace {

// How many of the schema's records match; the schema has at most kMostRecords. An odd number of attributes matches in
// half of all records minus half of the product of (values that do not match - values that do).
std::uint64_t records_with(const Pattern& pattern, const Domain& schema) {
  auto records = static_cast<std::int64_t>(schema.input_numbers());
  std::int64_t all = 1, matching = 1, difference = 1;
  for (std::size_t k = 0; k < pattern.attributes.size(); ++k) {
    const auto values = static_cast<std::int64_t>(schema.values(pattern.attributes[k]));
    std::int64_t own = 1;
    if (!pattern.sets.empty()) own = std::count(pattern.sets[k].begin(), pattern.sets[k].end(), true);
    all *= values;
    matching *= own;
    difference *= values - 2 * own;
  }
  records /= all;
  return static_cast<std::uint64_t>(records * (pattern.odd ? (all - difference) / 2 : matching));
}

}  // namespace

void require_few_records(const Domain& schema, const std::vector<NamedPattern>& queries) {
  if (!schema.is_countable() || schema.input_numbers() > kMostRecords) {
    throw LimitError("distributions are fitted for schemas of at most " + std::to_string(kMostRecords) + " records");
  }
  constexpr std::uint64_t kMost = std::uint64_t{1} << 26;
  std::uint64_t listed = 0;
  for (const NamedPattern& query : queries) {
    listed += records_with(query.pattern, schema);
  }
  if (listed > kMost) {
    throw LimitError("queries have more than " + std::to_string(kMost) + " records together; ask fewer of them");
  }
}

std::vector<std::vector<std::uint32_t>> members_of(const Domain& schema, const std::vector<NamedPattern>& queries) {
  std::vector<std::vector<std::uint32_t>> members(queries.size());
  for (std::uint64_t record = 0; record < schema.input_numbers(); ++record) {
    const InputRow row = schema.row(record);
    for (std::size_t q = 0; q < queries.size(); ++q) {
      if (queries[q].pattern.is_had([&](std::size_t i) { return row[i]; })) {
        members[q].push_back(static_cast<std::uint32_t>(record));
      }
    }
  }
  return members;
}

namespace {

class OnTables final : public BlackBoxMechanism {
 public:
  OnTables(std::shared_ptr<const Release> release, std::vector<PeopleTable> tables)
      : release_(std::move(release)), tables_(std::move(tables)) {}

  std::vector<KeyedNumber> draw(std::uint64_t x, RandomSource& source) const override {
    std::vector<KeyedNumber> numbers;
    for (std::uint64_t s = 0; s < release_->steps.size(); ++s) {
      const Step& step = *release_->steps[s];
      for (const KeyedNumber& told : step.keyed(step.run(tables_[x], source))) {
        const std::uint64_t about[] = {s, told.key};
        numbers.push_back({key_of(about), told.number});
      }
    }
    return numbers;
  }

  std::string draw_label(std::uint64_t x, RandomSource& source) const override {
    return release_->label(release_->run(tables_[x], source));
  }

 private:
  std::shared_ptr<const Release> release_;
  std::vector<PeopleTable> tables_;
};

}  // namespace

std::shared_ptr<const BlackBoxMechanism> release_on_tables(std::shared_ptr<const Release> release,
                                                           std::vector<PeopleTable> tables) {
  for (const StepPtr& step : release->steps) {
    if (!step->runs()) throw ModelError("the step '" + step->words() + "' is declared: it cannot be run");
  }
  return std::make_shared<const OnTables>(std::move(release), std::move(tables));
}

namespace {

class Distribution final : public Step {
 public:
  explicit Distribution(DistributionRequest request)
      : request_(std::move(request)), hitters_(heavy_hitters_step(request_.hitters)) {}

  std::string words() const override {
    return "the distribution of " + words_of(request_.hitters.schema, request_.hitters.attributes) +
           ", by combinations that at least " + decimal_text(Number(2) * request_.hitters.share.number()) +
           " of all people have; " + hitters_->words();
  }
  Loss loss(const Attributes& changed) const override { return hitters_->loss(changed); }
  std::vector<CostPart> parts() const override { return hitters_->parts(); }
  StepPtr within(std::uint64_t window) const override {
    DistributionRequest request = request_;
    request.hitters.window = window;
    return distribution_step(std::move(request));
  }
  std::vector<std::int64_t> run(const PeopleTable& table, RandomSource& source) const override {
    return hitters_->run(table, source);
  }

  std::vector<KeyedNumber> keyed(std::span<const std::int64_t> told) const override { return hitters_->keyed(told); }

  // A combination that three times the share have is listed, with a count of at least twice the share.
  std::optional<Promise> promise() const override {
    const SmallRatio share = request_.hitters.share;
    const std::uint64_t most = share.bottom / (3 * share.top);
    if (most == 0) return std::nullopt;
    return Promise{"every combination that at least " + decimal_text(Number(3) * share.number()) +
                       " of all people have is counted",
                   least_for([&](std::uint64_t people) {
                     const auto count = static_cast<std::int64_t>(share_above(3 * share.top, share.bottom, people));
                     // The count minus the least kept one is at least share * people, rounded down.
                     const auto above = static_cast<std::int64_t>(share_below(share.top, share.bottom, people));
                     return static_cast<double>(most) * (missed_in_tests(request_.hitters, count, people) +
                                                         laplace_tail(*request_.hitters.count_scale, above + 1));
                   })};
  }

  std::vector<ToldNumber> answers(std::span<const std::int64_t> told, std::size_t people) const override {
    const SmallRatio share = request_.hitters.share;
    const std::uint64_t least = share_above(2 * share.top, share.bottom, people);
    std::vector<Listed> kept = listed_in(request_.hitters, told);
    std::erase_if(kept, [&](const Listed& one) { return *one.count < static_cast<std::int64_t>(least); });
    double sum = 0;
    for (const Listed& one : kept) sum += static_cast<double>(*one.count);
    const Domain shown = request_.hitters.schema.restricted_to(request_.hitters.attributes);
    std::vector<ToldNumber> answers;
    for (const Listed& one : kept) {
      ToldNumber& answer = answers.emplace_back();
      answer.about = words_of(shown, one.values);
      answer.number = *one.count;
      if (request_.normalised && sum > 0) {
        answer.number = std::llround(static_cast<double>(*one.count) / sum * static_cast<double>(people));
      } else {
        answer.margin = Noise(Noise::Kind::kLaplace, *request_.hitters.count_scale).margin();
      }
    }
    return answers;
  }

 private:
  DistributionRequest request_;
  StepPtr hitters_;
};

}  // namespace

StepPtr distribution_step(DistributionRequest request) {
  return std::make_shared<const Distribution>(std::move(request));
}

}  // namespace oddsbound::releases
