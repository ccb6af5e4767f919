// Readers of arbitrary text either read it or report an error.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <string>

#include "base/budget.h"
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

/// Body of LLVMFuzzerTestOneInput for text with several readers, within a time limit.
template <typename Use>
int try_text(const std::uint8_t* data, std::size_t size, Use use) {
  oddsbound::Limits limits;
  limits.max_seconds = 2;
  oddsbound::Budget budget(limits);
  try {
    use(std::string(data, data + size), budget);
  } catch (const std::exception&) {
    std::abort();
  }
  return 0;
}
