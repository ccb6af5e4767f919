// The Bayesian privacy of any function of the input.
#pragma once

#include "verifier/notions/notion.h"

namespace oddsbound::notions {

Notion secret_notion();

}  // namespace oddsbound::notions
