// Sums over the outputs of a survey (engine/output_sums.h) for several claims of a spec. One pass visits all outputs
// and computes every sum that was announced, so eight claims cost little more than one.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "verifier/engine/decompose.h"
#include "verifier/engine/measured_model.h"
#include "verifier/engine/output_sums.h"

namespace oddsbound::measures {

/// Sums about the values of a coordinate, or about the whole input.
struct AskedSums {
  std::optional<std::size_t> coordinate{};  // nullopt: the whole input
  bool guesses = false;
  bool information = false;
  std::vector<engine::LabelSums::Excess> excesses{};  // none about the whole input
  friend bool operator==(const AskedSums&, const AskedSums&) = default;
};

/// Their bounds. Sums that were not asked for are 0.
struct FoundSums : engine::LabelSumBounds {
  bool complete = true;  // all outputs were visited
};

/// Announces sums: the next pass computes them too.
void expect_sums(MeasuredModel& subject, const AskedSums& asked);

/// Returns the bounds of these sums, computed once. Throws as engine::sum_outputs does; sums that others announced are
/// then left out.
FoundSums sums_over_outputs(MeasuredModel& subject, const AskedSums& asked);

/// The component of a model that alone reveals something about a coordinate, for all claims about it.
struct SharedComponent {
  engine::ComponentAbout about;
  MeasuredModel part;
  SharedComponent(engine::ComponentAbout found, Budget& budget)
      : about(std::move(found)), part(about.component.model, budget) {}
};
/// Returns the component that sees the coordinate, and the place of the coordinate in it; null if engine::
/// component_about finds none.
std::pair<std::shared_ptr<SharedComponent>, std::size_t> shared_component(MeasuredModel& subject,
                                                                          std::size_t coordinate);

}  // namespace oddsbound::measures
