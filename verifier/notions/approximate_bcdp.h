// BCDP up to a small probability: the hockey-stick divergence between what is published given two values.
#pragma once

#include "verifier/notions/notion.h"

namespace oddsbound::notions {

Notion approximate_bcdp_notion();

}  // namespace oddsbound::notions
