// What a reader may do with any text: read it, or say what is wrong with it.
#pragma once

#include "base/errors.h"
#include "specs/spec_error.h"

template <typename Read>
void try_reading(Read read) {
  try {
    read();
  } catch (const oddsbound::SpecError&) {
  } catch (const oddsbound::LimitError&) {
  }
}
