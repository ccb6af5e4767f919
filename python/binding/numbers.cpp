#include "python/binding/numbers.h"

#include <cmath>
#include <limits>
#include <string_view>
#include <type_traits>

#include "base/errors.h"
#include "verifier/exact/decimal.h"
#include "verifier/exact/interval.h"
#include "verifier/exact/number_detail.h"

namespace oddsbound::python {

namespace {

py::object fraction_type() { return py::module_::import("fractions").attr("Fraction"); }
py::object decimal(const std::string& text) { return py::module_::import("decimal").attr("Decimal")(text); }
std::string text_of(py::handle value) { return py::str(value); }
py::object helper(const char* name) { return py::module_::import("oddsbound._numbers").attr(name); }

// The digits of an int of any length.
std::string digits_of(const py::object& integer) {
  constexpr std::int64_t kAlwaysPrinted = 2000;  // bits
  const py::object number = py::module_::import("operator").attr("index")(integer);
  if (number.attr("bit_length")().cast<std::int64_t>() <= kAlwaysPrinted) return py::str(number);
  return helper("_digits")(number).cast<std::string>();
}

bool is_decimal(py::handle value) { return std::string_view(Py_TYPE(value.ptr())->tp_name) == "decimal.Decimal"; }

bool is_rational(py::handle value) { return py::hasattr(value, "numerator") && py::hasattr(value, "denominator"); }

std::string ratio_text(py::handle value) {
  return digits_of(value.attr("numerator")) + "/" + digits_of(value.attr("denominator"));
}

[[noreturn]] void refuse(py::handle value) {
  const std::string type = text_of(py::type::of(value).attr("__name__"));
  if (!py::isinstance<py::float_>(value)) throw py::type_error("found " + type + ", expected an exact number");
  throw py::type_error("found the float " + text_of(py::repr(value)) +
                       ", expected an exact number: a Fraction, a text as '1/3' or 'exp(1)', or rounded=True where "
                       "that is an option");
}

// The exact value of a float. For comparisons only.
Number compared_number(py::handle value) {
  if (py::isinstance<py::float_>(value)) {
    const double rounded = value.cast<double>();
    if (std::isfinite(rounded)) return number_of(rounded);
    throw py::value_error("found " + text_of(py::repr(value)) + ", expected a finite number");
  }
  return number_from(value);
}

// The same for values that may contain a root.
Surd compared_surd(py::handle value) {
  return py::isinstance<Surd>(value) ? value.cast<Surd>() : Surd(compared_number(value));
}

// True if a Value can be compared with this. A Level can be compared with numbers; numbers leave that comparison to
// Level.
template <typename Value>
bool compares(py::handle value) {
  constexpr bool kOfLevels = std::is_same_v<Value, Level>;
  if (py::isinstance<Surd>(value)) return !kOfLevels;  // no level is e^ of a root
  if (py::isinstance<Level>(value)) return kOfLevels;
  return py::isinstance<Number>(value) || py::isinstance<py::float_>(value) || is_decimal(value) || is_rational(value);
}

std::strong_ordering order(const Number& number, py::handle other) {
  return py::isinstance<Surd>(other) ? Surd(number) <=> other.cast<const Surd&>() : number <=> compared_number(other);
}

std::strong_ordering order(const Surd& surd, py::handle other) { return surd <=> compared_surd(other); }

std::strong_ordering order(const Level& level, py::handle other) {
  if (py::isinstance<Level>(other)) return level <=> other.cast<const Level&>();
  if (is_decimal(other) && other.attr("is_infinite")().cast<bool>()) {
    return order(level, py::float_(py::reinterpret_borrow<py::object>(other)));
  }
  if (py::isinstance<py::float_>(other) && std::isinf(other.cast<double>())) {
    return other.cast<double>() < 0 ? std::strong_ordering::greater : level <=> Level::infinite();
  }
  const Number number = compared_number(other);
  if (number.sign() < 0) return std::strong_ordering::greater;
  return level <=> Level::of_exponential(Number::exp_of(number));
}

template <typename Value, typename Class>
void bind_order(Class& type) {
  const auto compare = [](auto holds) {
    return [holds](const Value& value, py::handle other) -> py::object {
      if (!compares<Value>(other)) return py::reinterpret_borrow<py::object>(Py_NotImplemented);
      return py::bool_(holds(order(value, other)));
    };
  };
  type.def("__lt__", compare([](std::strong_ordering o) { return o < 0; }), py::is_operator());
  type.def("__le__", compare([](std::strong_ordering o) { return o <= 0; }), py::is_operator());
  type.def("__gt__", compare([](std::strong_ordering o) { return o > 0; }), py::is_operator());
  type.def("__ge__", compare([](std::strong_ordering o) { return o >= 0; }), py::is_operator());
  type.def("__eq__", compare([](std::strong_ordering o) { return o == 0; }), py::is_operator());
  type.def("__ne__", compare([](std::strong_ordering o) { return o != 0; }), py::is_operator());
}

// Values equal to a Fraction have the hash of the Fraction.
py::ssize_t hash_of_text(const std::string& text) {
  try {
    return py::hash(fraction_type()(text));
  } catch (py::error_already_set&) {
    return py::hash(py::str(text));
  }
}

// Applies the operation to a Value and another Value, Number or rational. Other operands are left to the methods of
// Root.
template <typename Value, typename Operation>
auto exactly(Operation operation) {
  return [operation](const Value& value, py::handle other) -> py::object {
    if (py::isinstance<Value>(other)) return exact_value(operation(value, other.cast<const Value&>()));
    if (!py::isinstance<Number>(other) && !is_rational(other)) {
      if (py::isinstance<py::float_>(other)) refuse(other);
      return py::reinterpret_borrow<py::object>(Py_NotImplemented);
    }
    return exact_value(operation(value, Value(number_from(other))));
  };
}

template <typename Value, typename Class>
void bind_arithmetic(Class& type) {
  const auto plus = exactly<Value>([](const Value& a, const Value& b) { return a + b; });
  const auto times = exactly<Value>([](const Value& a, const Value& b) { return a * b; });
  type.def("__add__", plus).def("__radd__", plus).def("__mul__", times).def("__rmul__", times);
  type.def("__sub__", exactly<Value>([](const Value& a, const Value& b) { return a - b; }));
  type.def("__rsub__", exactly<Value>([](const Value& a, const Value& b) { return b - a; }));
  type.def("__truediv__", exactly<Value>([](const Value& a, const Value& b) { return a / b; }));
  type.def("__rtruediv__", exactly<Value>([](const Value& a, const Value& b) { return b / a; }));
  type.def("__pow__", [](const Value& a, std::int64_t power) { return exact_value(a.pow(power)); });
  type.def("__neg__", [](const Value& a) { return exact_value(-a); });
  type.def("__abs__", [](const Value& a) { return exact_value(a.sign() < 0 ? -a : a); });
  type.def("__bool__", [](const Value& a) { return a.sign() != 0; });
  type.def("__float__", &Value::approx);
  type.def("__str__", &Value::to_string);
  type.def("__hash__", [](const Value& a) { return hash_of_text(a.to_string()); });
}

py::tuple interval_of(const DecimalBounds& bounds) {
  return py::make_tuple(decimal(bounds.lower), decimal(bounds.upper));
}

py::tuple level_interval(const Level& level, int digits) {
  constexpr int kOfBounds = 17;
  if (digits < 1) throw py::value_error("an interval has at least one digit");
  if (digits <= kOfBounds || level.is_infinite() || level.is_zero()) return interval_of(decimal_bounds(level));
  if (level.surd() != nullptr) {
    throw NumberError("of a level with a square root no more than 17 digits are known");
  }
  const WeightedLog log{Number(1), level.exponential()};
  return interval_of(decimal_bounds(std::span(&log, 1), digits));
}

py::tuple number_interval(const Number& number, int digits) {
  constexpr double kBitsPerDigit = 3.33;
  if (digits < 1) throw py::value_error("an interval has at least one digit");
  const auto [lower, upper] = rational_bounds(number, static_cast<unsigned>(digits * kBitsPerDigit) + 8);
  return helper("_outward")(exact_value(lower), exact_value(upper), digits);
}

py::object exponential(const Level& level) {
  if (level.is_infinite()) return py::float_(std::numeric_limits<double>::infinity());
  return exact_value(level.exponential_as_surd());
}

void bind_number(py::module_& module) {
  py::class_<Number> type(module, "Number");
  type.def(py::init([](py::handle value) { return number_from(value); }), py::arg("value"));
  bind_order<Number>(type);
  bind_arithmetic<Number>(type);
  type.def("__repr__", [](const Number& a) { return "Number('" + a.to_string() + "')"; });
  type.def("interval", &number_interval, py::arg("digits") = 17);
  type.def(py::pickle([](const Number& a) { return py::make_tuple(a.to_string()); },
                      [](const py::tuple& state) { return parse_number(state[0].cast<std::string>()); }));
}

Surd root_from(py::handle value) {
  if (py::isinstance<Surd>(value)) return value.cast<Surd>();
  if (py::isinstance<py::str>(value)) return as_surd(evaluate_expression(value.cast<std::string>()));
  return Surd(number_from(value));
}

void bind_root(py::module_& module) {
  py::class_<Surd> type(module, "Root");
  type.def(py::init(&root_from), py::arg("value"));
  bind_order<Surd>(type);
  bind_arithmetic<Surd>(type);
  type.def("__repr__", [](const Surd& a) { return "Root('" + a.to_string() + "')"; });
  type.def_property_readonly("plain", [](const Surd& a) { return exact_value(a.plain()); });
  type.def_property_readonly("coefficient", [](const Surd& a) { return exact_value(a.coefficient()); });
  type.def_property_readonly("radicand", [](const Surd& a) { return exact_value(a.radicand()); });
  type.def(
      "interval", [](const Surd& root, int digits) { return helper("_root_interval")(root, digits); },
      py::arg("digits") = 17);
  type.def(py::pickle([](const Surd& a) { return py::make_tuple(a.to_string()); },
                      [](const py::tuple& state) { return root_from(state[0]); }));
}

void bind_level(py::module_& module) {
  py::class_<Level> type(module, "Level");
  type.def(py::init([](py::handle value) { return level_from(value); }), py::arg("value"));
  bind_order<Level>(type);
  const auto plus = [](const Level& level, py::handle other) { return level + level_from(other); };
  const auto times = [](const Level& level, std::int64_t count) { return level.times(count); };
  type.def("__add__", plus).def("__radd__", plus).def("__mul__", times).def("__rmul__", times);
  type.def("__bool__", [](const Level& level) { return !level.is_zero(); });
  type.def("__float__", &Level::approx);
  type.def("__str__", &Level::to_string);
  type.def("__repr__", [](const Level& level) { return "Level('" + level.to_string() + "')"; });
  type.def("__hash__", [](const Level& level) { return hash_of_text(level.to_string()); });
  type.def("interval", &level_interval, py::arg("digits") = 17);
  type.def_property_readonly("nats", &Level::approx);
  type.def_property_readonly("exp", &exponential);
  type.def_property_readonly("is_infinite", &Level::is_infinite);
  type.def(py::pickle([](const Level& level) { return py::make_tuple(level.to_string()); },
                      [](const py::tuple& state) { return parse_level(state[0].cast<std::string>()); }));
}

}  // namespace

Number number_from(py::handle value) {
  if (py::isinstance<Number>(value)) return value.cast<Number>();
  if (py::isinstance<py::str>(value)) return parse_number(value.cast<std::string>());
  if (is_decimal(value)) return number_from(fraction_type()(value));
  if (!is_rational(value)) refuse(value);
  return Number::from_digits(digits_of(value.attr("numerator")), digits_of(value.attr("denominator")));
}

Number share_from(py::handle value) {
  const Number share = number_from(value);
  if (share.is_rational() && share.sign() >= 0 && share <= Number(1)) return share;
  throw py::value_error("expected headroom: a number from 0 to 1, as Fraction(1, 20) or '1/20'");
}

Level level_from(py::handle value) {
  if (py::isinstance<Level>(value)) return value.cast<Level>();
  if (py::isinstance<py::str>(value)) return parse_level(value.cast<std::string>());
  if (py::isinstance<Number>(value)) return parse_level(value.cast<const Number&>().to_string());
  if (is_decimal(value)) return level_from(fraction_type()(value));
  if (!is_rational(value)) refuse(value);
  return parse_level(ratio_text(value));
}

py::object exact_value(const Number& number) {
  std::int64_t numerator = 0, denominator = 0;
  if (number.fits_ratio(numerator, denominator)) return fraction_type()(numerator, denominator);
  if (number.is_rational()) return helper("_fraction")(rational_of(number).str());
  return py::cast(number);
}

py::object exact_value(const Surd& surd) { return surd.is_number() ? exact_value(surd.plain()) : py::cast(surd); }

void bind_numbers(py::module_& module) {
  bind_number(module);
  bind_root(module);
  bind_level(module);
  module.def(
      "exact", [](py::handle value) { return exact_value(number_from(value)); }, py::arg("value"));
}

}  // namespace oddsbound::python
