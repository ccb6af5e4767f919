// Published designs are rounded to the side on which they stay true.
#include <doctest/doctest.h>

#include "design/result.h"
#include "verifier/exact/expression.h"

using namespace oddsbound;

TEST_CASE("a designed mechanism that is best stays best") {
  designs::DesignResult design;
  design.loss = design.at_least = parse_number("5234/9999");
  design.matrix = {{"a"}, {"x", "y"}, {{parse_number("5234/9999"), parse_number("4765/9999")}}};
  CHECK(designs::publishable(design).loss == design.loss);
  design.confidential = true;
  const designs::DesignResult best = designs::publishable(design);
  CHECK(best.loss == parse_number("0.524"));
  CHECK(best.at_least == best.loss);
  CHECK(best.matrix.entries[0][0] == parse_number("0.524"));
  design.at_least = parse_number("5233/9999");
  CHECK(designs::publishable(design).at_least == parse_number("0.523"));
  design.is_most = true;
  CHECK(designs::publishable(design).loss == parse_number("0.523"));
}
