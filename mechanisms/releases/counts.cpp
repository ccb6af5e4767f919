#include "mechanisms/releases/counts.h"

#include <algorithm>

namespace oddsbound::mechanisms {

namespace {

class Counts final : public Step {
 public:
  explicit Counts(CountsRequest request) : request_(std::move(request)) {}

  std::string words() const override {
    std::string text = "counts";
    for (const Attributes& table : request_.tables) text += " by " + words_of(request_.schema, table) + ";";
    for (const NamedPattern& pattern : request_.patterns) text += " of '" + pattern.name + "';";
    return text + " " + request_.noise.words();
  }

  std::vector<CostPart> parts() const override {
    std::vector<CostPart> parts;
    for (const Attributes& table : request_.tables) {
      parts.push_back({"counts by " + words_of(request_.schema, table), table, request_.noise.loss(2)});
    }
    for (const NamedPattern& one : request_.patterns) {
      parts.push_back({"count of '" + one.name + "'", one.pattern.attributes, request_.noise.loss(1)});
    }
    return parts;
  }

  StepPtr within(std::uint64_t window) const override {
    CountsRequest request = request_;
    request.window = window;
    return counts_step(std::move(request));
  }

  std::string remark() const override { return request_.noise.remark(); }
  Loss loss(const Attributes& changed) const override { return request_.noise.loss(most_changes(changed)); }

  std::vector<std::int64_t> run(const PeopleTable& table, RandomSource& source) const override {
    std::vector<std::int64_t> told;
    // Every cell, whether or not anybody is in it: which ones are told must not depend on the table.
    for (const Attributes& attributes : request_.tables) {
      for (const std::uint64_t count : contingency(table, request_.schema, attributes)) {
        told.push_back(with_noise(count, table.people(), source));
      }
    }
    for (const NamedPattern& pattern : request_.patterns) {
      told.push_back(with_noise(people_with(table, pattern.pattern), table.people(), source));
    }
    return told;
  }

  std::vector<ToldNumber> answers(std::span<const std::int64_t> told) const override {
    std::vector<ToldNumber> answers;
    const auto add = [&](std::string about) {
      answers.push_back({std::move(about), told[answers.size()], request_.noise.margin()});
    };
    for (const Attributes& attributes : request_.tables) {
      const Domain cells = request_.schema.restricted_to(attributes);
      for (std::uint64_t cell = 0; cell < cells.inputs(); ++cell) {
        const std::vector<std::string> values = cells.tuple(cell);
        std::string about;
        for (std::size_t i = 0; i < values.size(); ++i) {
          about += (i == 0 ? "" : ", ") + cells.coordinate(i).name + "=" + values[i];
        }
        add(std::move(about));
      }
    }
    for (const NamedPattern& pattern : request_.patterns) add(pattern.name);
    return answers;
  }

 private:
  // Counts that change at most where somebody changes in these attributes.
  std::uint64_t most_changes(const Attributes& changed) const {
    constexpr std::uint64_t kMostPeople = 1024;
    const Domain& schema = request_.schema;
    if (!schema.is_countable() || schema.input_numbers() > kMostPeople) return changes_seen(changed);
    std::vector<InputRow> people;
    for (std::uint64_t person = 0; person < schema.input_numbers(); ++person) people.push_back(schema.row(person));
    Attributes kept;
    for (std::size_t i = 0; i < schema.size(); ++i) {
      if (!std::binary_search(changed.begin(), changed.end(), i)) kept.push_back(i);
    }
    std::uint64_t most = 0;
    for (std::size_t from = 0; from < people.size(); ++from) {
      for (std::size_t to = 0; to < from; ++to) {
        if (differ(people[from], people[to], kept)) continue;
        most = std::max(most, changes_between(people[from], people[to]));
      }
    }
    return most;
  }

  std::uint64_t changes_seen(const Attributes& changed) const {
    std::uint64_t changes = 0;
    for (const Attributes& table : request_.tables) changes += meet(table, changed) ? 2 : 0;
    for (const NamedPattern& one : request_.patterns) changes += meet(one.pattern.attributes, changed) ? 1 : 0;
    return changes;
  }

  std::uint64_t changes_between(const InputRow& from, const InputRow& to) const {
    const auto has = [](const InputRow& person, const Pattern& pattern) {
      return pattern.is_had([&](std::size_t i) { return person[i]; });
    };
    std::uint64_t changes = 0;
    for (const Attributes& table : request_.tables) changes += differ(from, to, table) ? 2 : 0;
    for (const NamedPattern& one : request_.patterns) changes += has(from, one.pattern) != has(to, one.pattern) ? 1 : 0;
    return changes;
  }

  static bool differ(const InputRow& a, const InputRow& b, const Attributes& attributes) {
    return std::any_of(attributes.begin(), attributes.end(), [&](std::size_t i) { return a[i] != b[i]; });
  }

  std::int64_t with_noise(std::uint64_t count, std::size_t people, RandomSource& source) const {
    const auto window = static_cast<std::int64_t>(request_.window);
    return request_.noise.added(static_cast<std::int64_t>(count), -window, static_cast<std::int64_t>(people) + window,
                                source);
  }

  CountsRequest request_;
};

}  // namespace

StepPtr counts_step(CountsRequest request) { return std::make_shared<const Counts>(std::move(request)); }

}  // namespace oddsbound::mechanisms
