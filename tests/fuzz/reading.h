// What a reader may do with any text: read it, or say what is wrong with it.
#pragma once

#include "specs/spec_error.h"
#include "verifier/exact/errors.h"

template <typename Read>
void try_reading(Read read) {
  try {
    read();
  } catch (const oddsbound::SpecError&) {
  } catch (const oddsbound::LimitError&) {
  }
}
