// A release of whole tables as a mechanism: its input is which table it was. Of what it may tell nothing is computed;
// its own code is run.
#pragma once

#include <memory>
#include <vector>

#include "mechanisms/releases/release.h"
#include "mechanisms/unlisted.h"

namespace oddsbound::mechanisms {

/// Input x is tables[x]. Throws ModelError for a step that cannot be run.
std::shared_ptr<const UnlistedMechanism> release_on_tables(std::shared_ptr<const Release> release,
                                                           std::vector<PeopleTable> tables);

}  // namespace oddsbound::mechanisms
