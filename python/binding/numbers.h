// Exact values between Python and the library: fractions.Fraction where they are rational.
#pragma once

#include "python/binding/calls.h"

namespace oddsbound::python {

/// Of an int, a Fraction (or what has a numerator and a denominator), a Number, or a text of the grammar. Raises
/// TypeError for anything else; a float is told what to write instead.
Number number_from(py::handle value);
/// The same of a Level, or what number_from takes.
Level level_from(py::handle value);
/// The same of a share from 0 to 1. Raises ValueError for other numbers.
Number share_from(py::handle value);
/// A Fraction, or a Number where that is not rational.
py::object exact_value(const Number& number);
/// The same, or a Root where there is one in it.
py::object exact_value(const Surd& surd);

}  // namespace oddsbound::python
