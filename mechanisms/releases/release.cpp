#include "mechanisms/releases/release.h"

namespace oddsbound::mechanisms {

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

}  // namespace oddsbound::mechanisms
