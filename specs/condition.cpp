#include "specs/condition.h"

#include <algorithm>

#include "specs/reading.h"

namespace oddsbound::specs {

bool Condition::matches(const Domain& domain, std::uint64_t input) const {
  return std::all_of(values.begin(), values.end(),
                     [&](const auto& one) { return one.second[domain.digit(input, one.first)]; });
}

Condition read_condition(JsonView value, const Domain& domain) {
  if (!value.is_object())
    value.fail("found " + value.kind_name() + ", expected an object: coordinate to value or values");
  Condition condition;
  for (const JsonView::Member& member : value.members()) {
    const std::size_t i = read_coordinate(member.key, domain);
    require_listable(domain.values(i));
    std::vector<bool> taken(domain.values(i), false);
    if (member.value.is_array()) {
      for (const JsonView item : member.value.items()) taken[read_value_of(item, domain, i)] = true;
    } else {
      taken[read_value_of(member.value, domain, i)] = true;
    }
    condition.values.emplace_back(i, std::move(taken));
  }
  return condition;
}

}  // namespace oddsbound::specs
