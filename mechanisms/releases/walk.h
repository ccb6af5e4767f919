// The whole of a release as a mechanism: its own code, walked through on every sequence of outcomes of its choices, for
// every table of so many people.
#pragma once

#include <memory>

#include "mechanisms/mechanism.h"
#include "mechanisms/releases/release.h"

namespace oddsbound::mechanisms {

/// Tables of so many people: coordinates "1.age", "1.ill", "2.age", ...
Domain domain_of_tables(const Domain& schema, std::size_t people);
/// On domain_of_tables. Throws LimitError past the budget, also where tables or outputs are too many, ModelError if a
/// step draws past choices or cannot be run.
Mechanism release_mechanism(std::shared_ptr<const Release> release, std::size_t people, Budget& budget);

}  // namespace oddsbound::mechanisms
