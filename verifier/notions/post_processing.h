// Post-processing: is the mechanism another one whose outputs were changed afterwards (Blackwell, Sherman, Stein)?
#pragma once

#include "verifier/notions/notion.h"

namespace oddsbound::notions {

Notion post_processing_notion();

}  // namespace oddsbound::notions
