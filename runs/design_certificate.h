// The proof that comes with a designed mechanism, as JSON.
#pragma once

#include "specs/design.h"
#include "verifier/optimal/program.h"

namespace oddsbound::runs {

/// at_least: what is proven of the loss, or of how far some limit on losses is exceeded. row_names: by row.
std::string certificate_text(const specs::DesignFile& request, const std::vector<std::string>& row_names,
                             const optimal::Wanted& wanted, const optimal::Proof& proof, const Number& at_least,
                             bool conflict);

/// The limits and ceilings that a proof needs, in words.
std::vector<std::string> needed_by(const specs::DesignFile& request, const optimal::Wanted& wanted,
                                   const optimal::Proof& proof);

}  // namespace oddsbound::runs
