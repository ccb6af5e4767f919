// A step that somebody else makes: it is accounted, and cannot be run.
#pragma once

#include "mechanisms/releases/step.h"

namespace oddsbound::mechanisms {

/// It reads these attributes, and costs the loss if any of them changes.
StepPtr declared_step(std::string name, Attributes reads, const Loss& loss);

}  // namespace oddsbound::mechanisms
