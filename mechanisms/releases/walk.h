// The whole of a release as a mechanism: its own code, walked through on every sequence of outcomes of its choices, for
// every table of so many people.
#pragma once

#include <map>
#include <memory>

#include "mechanisms/mechanism.h"
#include "mechanisms/releases/release.h"

namespace oddsbound::mechanisms {

/// Everything that may be told of the table, with its probability. Throws LimitError past the budget, ModelError if a
/// step draws past choices or cannot be run.
std::map<Told, Number> distribution_of(const Release& release, const PeopleTable& table, Budget& budget);

/// Tables of so many people: coordinates "1.age", "1.ill", "2.age", ...
Domain domain_of_tables(const Domain& schema, std::size_t people);
/// The table that an input of that domain is.
PeopleTable table_of(const Domain& schema, std::size_t people, InputView input);

/// On domain_of_tables. Throws as distribution_of does, and LimitError where tables or outputs are too many.
Mechanism release_mechanism(std::shared_ptr<const Release> release, std::size_t people, Budget& budget);

}  // namespace oddsbound::mechanisms
