// Compares the models of designs: attributes, mechanisms, priors.
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

/// Returns why averages and errors of a coordinate (empty: of full inputs) are different quantities; empty if they
/// are comparable.
std::string why_not_comparable(const std::vector<MeasuredDesign>& designs, const std::string& coordinate);

/// Notes: which mechanisms are equal, which priors differ, and which attributes only some designs have.
std::vector<std::string> notes_on(const std::vector<MeasuredDesign>& designs,
                                  const std::vector<ComparedDesign>& described);

}  // namespace oddsbound::app
