// What the models of compared designs have in common: attributes, mechanisms, priors.
#pragma once

#include <string>
#include <vector>

#include "app/compare.h"
#include "reports/spec_result.h"
#include "specs/spec.h"

namespace oddsbound::app {

struct MeasuredDesign {
  Spec spec;
  SpecResult result;
  EstimationErrors errors;
};

/// Why averages and errors of a coordinate (empty: of whole inputs) are of different things; empty if they are not.
std::string why_not_comparable(const std::vector<MeasuredDesign>& designs, const std::string& coordinate);

/// Which mechanisms are the same, which priors differ, and which attributes only some designs have.
std::vector<std::string> notes_on(const std::vector<MeasuredDesign>& designs,
                                  const std::vector<ComparedDesign>& described);

}  // namespace oddsbound::app
