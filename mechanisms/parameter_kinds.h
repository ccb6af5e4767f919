// The kinds of parameters of families, in words.
#pragma once

#include <string>

#include "verifier/model/definition.h"

namespace oddsbound::mechanisms {

/// Such as "level" or "list of inputs": for lists of the families.
std::string kind_words(FieldKind kind);

}  // namespace oddsbound::mechanisms
