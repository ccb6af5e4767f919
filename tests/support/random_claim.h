// Random claims of any notion, from the kinds of its fields.
#pragma once

#include "tests/support/random_model.h"
#include "verifier/notions/notion.h"

namespace oddsbound::testing {

/// Returns random fields, with levels and probabilities among few values; some optional fields are left out.
Arguments random_claim(const Notion& notion, const Domain& domain, Random& random);
/// True if all required fields have a value, and the notion has no complaint about them.
bool is_complete(const Notion& notion, const Domain& domain, const Arguments& arguments);
/// Sets the bound of a claim to the measured value, or to the upper end of what is known of it. Returns whether the
/// value is known exactly.
bool set_to_actual(Arguments& arguments, const Notion& notion, const Decision& decision);

}  // namespace oddsbound::testing
