// Optimal partition selection (Desfontaines, Voss, Gipson and Mandayam 2022): a group with n users is kept with the
// largest probability that (epsilon, delta) allows for every n, where neighbors differ by one user.
//
// With p(0) = 0, it is p(n + 1) = min(e^eps p(n) + delta, 1 - e^-eps (1 - p(n) - delta), 1) (Theorem 1 of the paper).
#include <algorithm>

#include "mechanisms/family.h"
#include "mechanisms/mechanism.h"
#include "verifier/model/channel.h"

namespace oddsbound::mechanisms::optimal_partition_selection {

namespace {

std::vector<Number> chances_of(std::uint64_t inputs, const Level& epsilon, const Number& delta, Budget& budget) {
  const Number growth = epsilon.exponential(), shrinking = Number(1) / growth;
  std::vector<Number> kept{Number(0)};
  while (kept.size() < inputs) {
    budget.check();
    const Number& last = kept.back();
    if (last.is_one()) {
      kept.resize(inputs, Number(1));
      break;
    }
    const Number above = growth * last + delta;
    const Number below = Number(1) - shrinking * (Number(1) - last - delta);
    kept.push_back(std::min({above, below, Number(1)}));
  }
  return kept;
}

Mechanism build(const Domain& domain, const Arguments& arguments, Budget& budget) {
  const Level& epsilon = arguments.get<Level>("epsilon");
  const Number& delta = arguments.get<Number>("delta");
  if (epsilon.is_infinite()) throw ParameterError("epsilon", "found inf, expected a finite level");
  if (epsilon.exponential().has_symbols()) {
    throw ParameterError("epsilon", "found " + epsilon.to_string() + ", expected a level without symbols");
  }
  if (delta.has_symbols() || delta.sign() < 0 || delta > Number(1)) {
    throw ParameterError("delta", "found " + delta.to_string() + ", expected a number from 0 to 1");
  }
  budget.require_cells(domain.inputs(), 2);
  PoolBuilder builder;
  for (const Number& kept : chances_of(domain.inputs(), epsilon, delta, budget)) {
    budget.check_every();
    builder.add(Number(1) - kept);
    builder.add(kept);
  }
  return {DenseChannel::from_rows(domain.inputs(), {"drop", "keep"}, std::move(builder), budget)};
}

}  // namespace

Family family() {
  return {"optimal_partition_selection",
          "whether a group with 0..k-1 users is kept: as often as (epsilon, delta) allows for one user more or less",
          "Desfontaines, Voss, Gipson, Mandayam (2022)",
          {{"epsilon", FieldKind::kLevel, true, "for neighbors that differ by one user"},
           {"delta", FieldKind::kNumber, true, "the same; a group with one user is kept with this probability"}},
          build};
}

}  // namespace oddsbound::mechanisms::optimal_partition_selection
