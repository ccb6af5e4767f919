#include "verifier/measures/shared_sums.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "base/errors.h"

namespace oddsbound::measures {

namespace {

using engine::LabelSums;
using engine::OutputSums;

// The sums that were announced or asked for, by number. Results are kept by the subject, under this number.
struct Announced {
  std::vector<AskedSums> asked;
  std::vector<bool> waits;  // for a pass
};

std::string key_of_sums(std::size_t number) { return "sums over outputs " + std::to_string(number); }

Announced& announced_in(MeasuredModel& subject) {
  return *subject.remember("announced sums over outputs", [] { return std::make_shared<Announced>(); });
}

std::size_t number_of(Announced& announced, const AskedSums& asked) {
  const auto known = std::find(announced.asked.begin(), announced.asked.end(), asked);
  const auto number = static_cast<std::size_t>(known - announced.asked.begin());
  if (known == announced.asked.end()) {
    announced.asked.push_back(asked);
    announced.waits.push_back(false);
  }
  return number;
}

// One pass for these sums. Those about one coordinate share their cells.
void pass_for(MeasuredModel& subject, const Announced& announced, const std::vector<std::size_t>& numbers) {
  bool record = false;
  std::vector<LabelSums> labels;
  std::map<std::size_t, std::size_t> label_of;  // by coordinate
  std::vector<std::size_t> first_excess;        // by place in `numbers`
  for (const std::size_t number : numbers) {
    const AskedSums& asked = announced.asked[number];
    first_excess.push_back(0);
    record = record || !asked.coordinate;
    if (!asked.coordinate) continue;
    const auto [place, added] = label_of.try_emplace(*asked.coordinate, labels.size());
    if (added) labels.push_back({Partition::by_value(subject.domain(), *asked.coordinate)});
    LabelSums& own = labels[place->second];
    own.guesses = own.guesses || asked.guesses;
    own.information = own.information || asked.information;
    first_excess.back() = own.excesses.size();
    own.excesses.insert(own.excesses.end(), asked.excesses.begin(), asked.excesses.end());
  }
  // As much work as separate passes would take together.
  engine::SumEffort effort;
  effort.all *= static_cast<double>(numbers.size());
  effort.by_mass *= static_cast<double>(numbers.size());
  const OutputSums sums = engine::sum_outputs(subject.model(), labels, record, subject.budget(), effort);
  for (std::size_t k = 0; k < numbers.size(); ++k) {
    const AskedSums& asked = announced.asked[numbers[k]];
    FoundSums found;
    found.complete = sums.complete;
    if (asked.coordinate) {
      const engine::LabelSumBounds& own = sums.labels[label_of.at(*asked.coordinate)];
      if (asked.guesses) found.guess = own.guess;
      if (asked.information) found.information = own.information;
      const auto begin = own.excesses.begin() + static_cast<std::ptrdiff_t>(first_excess[k]);
      found.excesses.assign(begin, begin + static_cast<std::ptrdiff_t>(asked.excesses.size()));
    } else {
      if (asked.guesses) found.guess = sums.record_guess;
      if (asked.information) found.information = sums.record_information;
    }
    subject.remember(key_of_sums(numbers[k]), [&] { return std::move(found); });
  }
}

}  // namespace

void expect_sums(MeasuredModel& subject, const AskedSums& asked) {
  Announced& announced = announced_in(subject);
  const std::size_t number = number_of(announced, asked);
  announced.waits[number] = !subject.remembers(key_of_sums(number));
}

FoundSums sums_over_outputs(MeasuredModel& subject, const AskedSums& asked) {
  Announced& announced = announced_in(subject);
  const std::size_t number = number_of(announced, asked);
  if (!subject.remembers(key_of_sums(number))) {
    std::vector<std::size_t> together{number};
    for (std::size_t other = 0; other < announced.asked.size(); ++other) {
      if (other != number && announced.waits[other]) together.push_back(other);
    }
    announced.waits.assign(announced.waits.size(), false);
    try {
      pass_for(subject, announced, together);
    } catch (const Interrupted&) {
      throw;
    } catch (const LimitError&) {
      if (together.size() == 1) throw;
      pass_for(subject, announced, {number});
    }
  }
  return subject.remember(key_of_sums(number), [] { return FoundSums(); });
}

namespace {

// Never complete: the results of a component that a limit left open are asked for again with those of the whole.
struct KeptComponent {
  std::shared_ptr<SharedComponent> component;
  std::size_t coordinate = 0;
  bool complete = false;
};

}  // namespace

std::pair<std::shared_ptr<SharedComponent>, std::size_t> shared_component(MeasuredModel& subject,
                                                                          std::size_t coordinate) {
  const KeptComponent& kept = subject.remember("component about " + std::to_string(coordinate), [&]() -> KeptComponent {
    auto about = engine::component_about(subject.model(), coordinate, subject.budget());
    if (!about) return {};
    const std::size_t place = about->coordinate;
    const KeptComponent& shared = subject.remember(
        "component " + std::to_string(about->number),
        [&]() -> KeptComponent { return {std::make_shared<SharedComponent>(*std::move(about), subject.budget())}; });
    return {shared.component, place};
  });
  return {kept.component, kept.coordinate};
}

}  // namespace oddsbound::measures
