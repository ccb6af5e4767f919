#include "results/least_squares_result.h"

#include <fmt/format.h>

#include "results/document.h"
#include "specs/spec_error.h"

namespace oddsbound::results {

template <typename Fields>
void describe(Fields& fields, Coefficient& coefficient) {
  fields.object("a coefficient");
  fields.field("feature", coefficient.feature);
  fields.field("value", coefficient.value);
}

template <typename Fields>
void describe(Fields& fields, LeastSquaresResult& result) {
  fields.object("a least-squares fit");
  fields.field("file", result.file);
  fields.field("name", result.name);
  fields.field("label", result.label);
  fields.field("radius", result.radius);
  fields.field("outputs", result.outputs);
  fields.field("coefficients", result.coefficients);
  fields.field("length", result.length);
  fields.field("gain", result.gain);
  fields.field("least_eigenvalue", result.least_eigenvalue);
}

std::string to_json(const LeastSquaresResult& result) { return document_of(result); }

LeastSquaresResult least_squares_from_json(const JsonDocument& document, Budget& budget) {
  return read_document<LeastSquaresResult>(document, budget);
}

std::string text_least_squares(const LeastSquaresResult& result) {
  std::string text = fmt::format("{}: {} predicted by the other coordinates, from {} outputs\n", printable(result.name),
                                 printable(result.label), result.outputs);
  for (const Coefficient& coefficient : result.coefficients) {
    text += fmt::format("  {:<24} {:>12.6f}\n", printable(coefficient.feature), coefficient.value);
  }
  text +=
      fmt::format("  length {:.6f}, {} {:g}\n", result.length,
                  result.on_the_sphere() ? "the longest that is allowed:" : "less than the longest that is allowed,",
                  result.radius);
  text += fmt::format("  the estimated mean of (prediction - label)^2 / 2 is {:.6f} below that of predicting 0\n",
                      result.gain);
  if (result.least_eigenvalue < 0) {
    text += fmt::format("  noise outweighs the features' second moments (least eigenvalue {:.6f}): take more outputs\n",
                        result.least_eigenvalue);
  }
  return text;
}

}  // namespace oddsbound::results
