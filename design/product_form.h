// Reads and runs a request in product form: one randomized response matrix per attribute.
#pragma once

#include "design/result.h"
#include "design/spec.h"
#include "specs/spec.h"

namespace oddsbound::designs {

/// Reads a request with a 'form'.
ProductForm read_product_form(const Fields& fields, const Model& model, ReadingContext& context);
/// Reads claims that hold at lower levels wherever they hold at higher ones.
std::vector<Claim> read_kept_claims(JsonView value, const Model& model, ReadingContext& context);
/// Throws SpecError if a request without a form asks for estimates of marginals.
void refuse_marginals(const Fields& fields);

/// Returns the design. Throws ModelError if the limits leave nothing to estimate from, and LimitError past the
/// budget.
DesignResult design_of_product(const DesignFile& request, const std::string& folder, Budget& budget);

}  // namespace oddsbound::designs
