// Claims about what a release tells on average: Bayes leakage, mutual information.
#pragma once

#include "verifier/notions/notion.h"

namespace oddsbound::notions {

Notion bayes_leakage_notion();
Notion information_notion();

}  // namespace oddsbound::notions
