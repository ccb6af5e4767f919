// Readers of the parts of a design request.
#pragma once

#include "design/spec.h"
#include "specs/spec.h"

namespace oddsbound::designs {

/// The outputs: listed labels, or all values of some coordinates.
struct DesignOutputs {
  std::vector<std::string> labels;
  std::vector<std::size_t> released;             // of the second kind
  std::vector<std::vector<std::string>> values;  // of the second kind, by output
};

DesignOutputs read_design_outputs(const Fields& fields, const Domain& domain);
/// Reads 'expected' or 'largest' from an object that may have other fields as well.
Losses read_losses(const Fields& fields, const Model& model, const DesignOutputs& outputs, ReadingContext& context);
std::vector<LossLimit> read_loss_limits(JsonView value, const Model& model, const DesignOutputs& outputs,
                                        ReadingContext& context);
std::vector<Symmetry> read_symmetries(JsonView value, const Domain& domain, const DesignOutputs& outputs);

}  // namespace oddsbound::designs
