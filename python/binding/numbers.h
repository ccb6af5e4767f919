// Exact values between Python and the library: fractions.Fraction for rational values.
#pragma once

#include "python/binding/module.h"

namespace oddsbound::python {

/// Converts an int, a Fraction (or anything with numerator and denominator), a Number, or a text of the grammar.
/// Raises TypeError for anything else; for a float the message names the alternatives.
Number number_from(py::handle value);
/// Converts a Level, or anything that number_from accepts.
Level level_from(py::handle value);
/// Converts a fraction in [0, 1]. Raises ValueError for other numbers.
Number share_from(py::handle value);
/// Returns a Fraction, or a Number if it is not rational.
py::object exact_value(const Number& number);
/// The same, or a Root if the value contains one.
py::object exact_value(const Surd& surd);

}  // namespace oddsbound::python
