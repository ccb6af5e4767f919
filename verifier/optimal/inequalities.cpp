#include "verifier/optimal/inequalities.h"

#include "base/budget.h"

namespace oddsbound::optimal {

std::size_t Inequalities::unknowns(std::size_t count) {
  const std::size_t first = equations_.columns.size();
  equations_.columns.resize(first + count);
  return first;
}

std::size_t Inequalities::add(const Form& form, Number right) {
  Budget::work_on(form.size());
  const std::size_t row = equations_.right.size();
  equations_.right.push_back(std::move(right));
  for (const auto& [column, number] : form) {
    if (!number.is_zero()) equations_.columns[column].emplace_back(row, number);
  }
  return row;
}

std::size_t Inequalities::equal(const Form& form, Number right) { return add(form, std::move(right)); }

std::size_t Inequalities::at_most(Form form, const Number& right) {
  if (once_) {
    std::vector<std::pair<std::size_t, std::string>> key;
    for (const auto& [column, number] : form) {
      if (!number.is_zero()) key.emplace_back(column, number.to_string());
    }
    key.emplace_back(0, right.to_string());
    const auto [known, is_new] = known_.emplace(std::move(key), equations_.right.size());
    if (!is_new) return known->second;
  }
  const std::size_t slack = unknown();
  form[slack] = Number(1);
  return add(form, right);
}

}  // namespace oddsbound::optimal
