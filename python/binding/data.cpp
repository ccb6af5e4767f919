// Inputs and outputs as arrays, and estimates from them.
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <memory>

#include "python/binding/numbers.h"

namespace oddsbound::python {

namespace {

using SpecPtr = std::shared_ptr<Spec>;
using Numbers = py::array_t<std::uint64_t, py::array::c_style | py::array::forcecast>;
using Digits = py::array_t<std::uint32_t, py::array::c_style | py::array::forcecast>;

[[noreturn]] void refuse_value(std::uint32_t digit) {
  throw py::value_error("there is no value number " + std::to_string(digit));
}

// Inputs are numbered with the last coordinate fastest. Column by column, ten million rows take no longer than
// reading them.
std::vector<std::uint64_t> numbers_of(const Domain& domain, const Digits& digits) {
  const auto rows = static_cast<std::size_t>(digits.shape(0));
  const std::size_t columns = domain.size();
  if (columns == 1) {
    const std::uint32_t* const begin = digits.data();
    const auto largest = std::max_element(begin, begin + rows);
    if (rows > 0 && *largest >= domain.values(0)) refuse_value(*largest);
    return {begin, begin + rows};
  }
  std::vector<std::uint64_t> numbers(rows);
  for (std::size_t k = 0; k < columns; ++k) {
    const std::uint32_t* digit = digits.data() + k;
    const std::uint64_t values = domain.values(k);
    std::uint32_t largest = 0;
    for (std::size_t i = 0; i < rows; ++i, digit += columns) {
      largest = std::max(largest, *digit);
      numbers[i] = numbers[i] * values + *digit;
    }
    if (rows > 0 && largest >= values) refuse_value(largest);
  }
  return numbers;
}

// digits: one row of value indices per input, one column per coordinate.
InputList inputs_of(const SpecPtr& spec, const Digits& digits) {
  const Domain& domain = spec->model.domain;
  if (digits.ndim() != 2 || static_cast<std::size_t>(digits.shape(1)) != domain.size()) {
    throw py::value_error("expected a column for each of the " + std::to_string(domain.size()) + " coordinates");
  }
  if (domain.is_countable()) return InputList(numbers_of(domain, digits));
  const auto at = digits.unchecked<2>();
  InputList inputs(domain);
  InputRow row(domain.size());
  for (py::ssize_t i = 0; i < digits.shape(0); ++i) {
    for (std::size_t k = 0; k < row.size(); ++k) {
      row[k] = at(i, static_cast<py::ssize_t>(k));
      if (row[k] >= domain.values(k)) refuse_value(row[k]);
    }
    inputs.add(domain, row);
  }
  return inputs;
}

Digits digits_of(const SpecPtr& spec, const InputList& inputs) {
  const Domain& domain = spec->model.domain;
  Digits digits({inputs.size(), domain.size()});
  auto at = digits.mutable_unchecked<2>();
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    for (std::size_t k = 0; k < domain.size(); ++k) {
      const InputRef one = inputs[i];
      at(static_cast<py::ssize_t>(i), static_cast<py::ssize_t>(k)) =
          one.row.empty() ? static_cast<std::uint32_t>(domain.digit(one.number, k)) : one.row[k];
    }
  }
  return digits;
}

void bind_inputs(py::module_& module) {
  py::class_<InputList>(module, "Inputs")
      .def("__len__", &InputList::size)
      .def("add", [](InputList& list, const InputList& more) { list.add(more); });
  module.def("inputs_of", &inputs_of);
  module.def("digits_of", &digits_of);
  module.def("draw_inputs", [](const SpecPtr& spec, std::uint64_t count, std::optional<std::uint64_t> seed,
                               const Limits& limits) {
    return call(limits, py::none(), [&](const Context& context) { return draw_inputs(*spec, count, seed, context); });
  });
}

// One integer per part of each draw.
Numbers sample_into_array(const SpecPtr& spec, const InputList& inputs, std::uint64_t count,
                          std::optional<std::uint64_t> seed, std::size_t parts, const Limits& limits,
                          py::object progress) {
  Numbers drawn({inputs.size() * count, parts});
  const std::span<std::uint64_t> numbers(drawn.mutable_data(), static_cast<std::size_t>(drawn.size()));
  SampleOptions options;
  options.count = count;
  options.seed = seed;
  call(limits, std::move(progress),
       [&](const Context& context) { return sample_numbers(*spec, inputs, numbers, options, context); });
  return drawn;
}

py::tuple parts_of(const SpecPtr& spec, const Limits& limits) {
  const SampledParts sampled =
      call(limits, py::none(), [&](const Context& context) { return sampled_parts(*spec, context); });
  py::list parts;
  for (const SampledPart& part : sampled.parts) parts.append(py::make_tuple(part.labels, part.coordinates));
  return py::make_tuple(sampled.tuples, parts);
}

// Draws without integer form: vectors, or texts.
py::object sample_values(const SpecPtr& spec, const InputList& inputs, std::uint64_t count,
                         std::optional<std::uint64_t> seed, const Limits& limits, py::object progress) {
  SampleOptions options;
  options.count = count;
  options.seed = seed;
  const SampleResult result = call(limits, std::move(progress),
                                   [&](const Context& context) { return sample(*spec, inputs, options, context); });
  if (const auto* vectors = std::get_if<std::vector<std::vector<double>>>(&result.outputs)) {
    return py::make_tuple(result.coordinates, *vectors);
  }
  return py::make_tuple(py::none(), std::get<std::vector<std::string>>(result.outputs));
}

void bind_samples(py::module_& module) {
  module.def("sample_numbers", &sample_into_array);
  module.def("sample_values", &sample_values);
  module.def("sampled_parts", &parts_of);
}

void bind_estimates(py::module_& module) {
  module.def("estimate", [](const SpecPtr& spec, const std::string& table, const std::string& name,
                            const std::vector<std::vector<std::string>>& marginals, bool projected, bool theory,
                            const Limits& limits) {
    EstimateOptions options{marginals};
    options.theory = theory;
    EstimateResult found = call(limits, py::none(), [&](const Context& context) {
      return estimate(*spec, Text{table, name}, options, context);
    });
    if (projected) project(found);
    return to_json(found);
  });
  module.def("estimate_error", [](const SpecPtr& spec, std::uint64_t outputs,
                                  const std::vector<std::vector<std::string>>& marginals, const std::string& people_for,
                                  bool theory, const Limits& limits) {
    EstimateOptions options{marginals};
    options.people_for = people_for;
    options.theory = theory;
    return to_json(call(limits, py::none(),
                        [&](const Context& context) { return estimate_error(*spec, outputs, options, context); }));
  });
  module.def("least_squares",
             [](const SpecPtr& spec, const std::string& table, const std::string& name, const std::string& label,
                double radius, const std::vector<std::pair<std::string, double>>& center,
                const std::vector<std::pair<std::string, std::pair<double, double>>>& box, bool simplex, bool theory,
                const Limits& limits) {
               EstimateOptions options{{}, label, radius};
               options.center = center;
               options.box = box;
               options.simplex = simplex;
               options.theory = theory;
               return to_json(call(limits, py::none(), [&](const Context& context) {
                 return least_squares(*spec, Text{table, name}, options, context);
               }));
             });
}

}  // namespace

void bind_data(py::module_& module) {
  bind_inputs(module);
  bind_samples(module);
  bind_estimates(module);
}

}  // namespace oddsbound::python
