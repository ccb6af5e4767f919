// A linear prediction of one coordinate by the others, from answers that say each twice.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/budget.h"
#include "specs/json_document.h"

namespace oddsbound::results {

struct Coefficient {
  std::string feature;
  double value = 0;
};

struct LeastSquaresResult {
  std::string file;
  std::string name;
  std::string label;
  double radius = 0;
  std::uint64_t outputs = 0;
  std::vector<Coefficient> coefficients;
  double length = 0;            // of the coefficients
  double gain = 0;              // by how much the estimated mean of (prediction - label)^2 / 2 is below that of 0
  double least_eigenvalue = 0;  // of the estimated second moments of the features; those of people have none below 0

  bool on_the_sphere() const { return length >= radius * (1 - 1e-9); }
};

std::string to_json(const LeastSquaresResult& result);
/// Throws SpecError for what is no such document.
LeastSquaresResult least_squares_from_json(const JsonDocument& document, Budget& budget);

std::string text_least_squares(const LeastSquaresResult& result);

}  // namespace oddsbound::results
