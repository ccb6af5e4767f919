// A step that somebody else makes: it is accounted, and cannot be run.
#pragma once

#include "mechanisms/releases/step.h"

namespace oddsbound::mechanisms {

StepPtr declared_step(CostPart part);

}  // namespace oddsbound::mechanisms
