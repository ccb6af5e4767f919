// Bindings of audits, searches, tuning, comparisons, designs and releases.
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <memory>

#include "python/binding/numbers.h"

namespace oddsbound::python {

namespace {

using SpecPtr = std::shared_ptr<Spec>;
using Numbers = py::array_t<std::uint64_t, py::array::c_style | py::array::forcecast>;

void bind_request(py::module_& module) {
  py::class_<AuditRequest>(module, "AuditRequest")
      .def(py::init<>())
      .def_readwrite("spec", &AuditRequest::spec)
      .def_readwrite("program", &AuditRequest::program)
      .def_readwrite("transcript", &AuditRequest::transcript)
      .def_readwrite("function", &AuditRequest::function)
      .def_readwrite("until", &AuditRequest::until)
      .def_property(
          "samples", [](const AuditRequest& r) { return r.options.samples; },
          [](AuditRequest& r, std::uint64_t samples) { r.options.samples = samples; })
      .def_property(
          "seed", [](const AuditRequest& r) { return r.options.seed; },
          [](AuditRequest& r, std::uint64_t seed) {
            r.options.seed = seed;
            r.seed_given = true;
          })
      .def_property(
          "threads", [](const AuditRequest& r) { return r.options.threads; },
          [](AuditRequest& r, std::size_t threads) { r.options.threads = threads; })
      .def_property(
          "all_levels", [](const AuditRequest& r) { return r.options.all_levels; },
          [](AuditRequest& r, bool all) { r.options.all_levels = all; })
      .def("set_curve",
           [](AuditRequest& r, const py::list& epsilons) {
             for (const py::handle epsilon : epsilons) r.curve.push_back(level_from(epsilon));
           })
      .def("accept_choice", [](AuditRequest& r) { r.expect = Expectation::kPassesForTried; })
      .def("set_program_limits",
           [](AuditRequest& r, double seconds, std::uint64_t megabytes) {
             r.program_limits.answer_seconds = seconds;
             r.program_limits.memory_mb = megabytes;
           })
      .def("set_shard",
           [](AuditRequest& r, std::uint64_t shard, std::uint64_t shards) {
             r.options.shard = shard;
             r.options.shards = shards;
           })
      .def("set_confidence", [](AuditRequest& r, py::handle confidence) {
        r.options.alpha = error_of_confidence(number_from(confidence));
      });
}

// Draws output numbers for input numbers by calling Python code.
void draw_in_python(Call& call, const py::object& sampler, std::span<const std::uint64_t> inputs, RandomSource& random,
                    std::span<std::uint64_t> outputs) {
  call.run_python([&] {
    const Numbers given(static_cast<py::ssize_t>(inputs.size()), inputs.data());
    const auto drawn = sampler(given, random.word(), random.word()).cast<Numbers>();
    if (drawn.ndim() != 1 || static_cast<std::size_t>(drawn.size()) != outputs.size()) {
      throw py::value_error("the sampler drew other than one output for each of the " + std::to_string(outputs.size()) +
                            " inputs");
    }
    std::copy(drawn.data(), drawn.data() + drawn.size(), outputs.begin());
  });
}

BatchSamplerFunction drawing(Call& call, const py::object& sampler) {
  return [&](std::span<const std::uint64_t> inputs, RandomSource& random, std::span<std::uint64_t> outputs) {
    draw_in_python(call, sampler, inputs, random, outputs);
  };
}

Report audit_function(const SpecPtr& spec, const py::object& sampler, const AuditRequest& request, const Limits& limits,
                      py::object progress) {
  Call call(limits, std::move(progress));
  return call.run(
      [&](const Context& context) { return audit_batches(*spec, drawing(call, sampler), request, context); });
}

// sampler: a Python function, or None for the request's own sampler.
std::string one_shard(const py::object& sampler, const AuditRequest& request, const Limits& limits,
                      py::object progress) {
  Call call(limits, std::move(progress));
  return value_or_raise(call.run([&](const Context& context) {
    return request.function.empty() ? audit_shard(request, context)
                                    : audit_shard(request, drawing(call, sampler), context);
  }));
}

void bind_shards(py::module_& module) {
  module.def("audit_shard", &one_shard);
  module.def("merge_shards", [](const std::vector<std::string>& files, const Limits& limits, py::object progress) {
    return Call(limits, std::move(progress)).run([&](const Context& context) { return merge_shards(files, context); });
  });
  module.def("plan_runs", [](const AuditRequest& request, double margin, const Limits& limits, py::object progress) {
    return to_json(std::vector{call(limits, std::move(progress),
                                    [&](const Context& context) { return plan_runs(request, margin, context); })});
  });
}

void bind_audits(py::module_& module) {
  bind_request(module);
  bind_shards(module);
  module.def("audit_function", &audit_function);
  module.def("audit", [](const SpecPtr& spec, const AuditRequest& request, const Limits& limits, py::object progress) {
    return Call(limits, std::move(progress)).run([&](const Context& context) {
      return audit(*spec, request, context);
    });
  });
  module.def("audit_exhaustively", [](const std::vector<std::string>& files, bool accept_exceptions, unsigned bound,
                                      const CallLimits& limits, py::object progress) {
    ExhaustiveOptions options;
    options.bound_bits = bound;
    options.smt = limits.smt;
    options.accept_exceptions = accept_exceptions;
    return Call(limits, std::move(progress)).run([&](const Context& context) {
      return audit_exhaustively(files, options, context);
    });
  });
}

TuneRequest tune_request(const py::dict& given, const CallLimits& limits) {
  TuneRequest request;
  request.smt = limits.smt;
  request.parameter = given["parameter"].cast<std::string>();
  for (const py::handle claim : given["claims"]) request.claims.push_back(py::str(claim));
  for (const py::handle value : given["grid"]) request.grid.push_back(number_from(value));
  if (!given["from"].is_none()) request.from = number_from(given["from"]);
  if (!given["to"].is_none()) request.to = number_from(given["to"]);
  if (!given["width"].is_none()) request.width = number_from(given["width"]);
  request.parts = given["parts"].cast<std::size_t>();
  request.smallest = given["smallest"].cast<bool>();
  request.integers = given["integers"].cast<bool>();
  request.prove = given["prove"].cast<bool>();
  return request;
}

template <typename Result>
std::string text_in(const Result& result, const std::string& format, bool exact) {
  const auto text = render(result, format, RenderOptions{true, false, std::nullopt, 0, "", exact});
  if (!text) throw py::value_error("there is no format '" + format + "'");
  return *text;
}

void bind_tune(py::module_& module) {
  py::class_<TuneResult>(module, "TuneResult")
      .def_property_readonly("exit_status", &TuneResult::exit_status)
      .def("render", &text_in<TuneResult>, py::arg("format"), py::arg("exact") = false);
  module.def("tune_path",
             [](const std::string& path, const py::dict& given, const CallLimits& limits, py::object progress) {
               const TuneRequest request = tune_request(given, limits);
               return call(limits, std::move(progress),
                           [&](const Context& context) { return tune(File{path}, request, context); });
             });
  module.def("tune_string", [](const std::string& text, const std::string& name, const std::string& folder,
                               const std::map<std::string, std::string>& files, const py::dict& given,
                               const CallLimits& limits, py::object progress) {
    const TuneRequest request = tune_request(given, limits);
    return call(limits, std::move(progress), [&](const Context& context) {
      return tune(Text{text, name, folder, files}, request, context);
    });
  });
}

DesignComparison without_errors(DesignComparison result) {
  if (!result.errors.empty()) raise(result.errors.front());
  return result;
}

void bind_compare(py::module_& module) {
  py::class_<DesignComparison>(module, "Comparison")
      .def_property_readonly("exit_status", &DesignComparison::exit_status)
      .def("render", &text_in<DesignComparison>, py::arg("format"), py::arg("exact") = false);
  module.def("compare", [](const std::vector<std::string>& files, std::uint64_t samples, const Limits& limits,
                           py::object progress) {
    return without_errors(Call(limits, std::move(progress)).run([&](const Context& context) {
      return compare(files, samples, context);
    }));
  });
  module.def("compare_specs", [](const std::vector<SpecPtr>& specs, std::uint64_t samples, const Limits& limits,
                                 py::object progress) {
    std::vector<Spec> read;
    for (const SpecPtr& spec : specs) read.push_back(*spec);
    return without_errors(
        Call(limits, std::move(progress)).run([&](const Context& context) { return compare(read, samples, context); }));
  });
}

ComposeOptions compose_options(const py::dict& given) {
  ComposeOptions options;
  options.times = given["times"].cast<std::vector<std::uint64_t>>();
  if (!given["delta"].is_none()) options.delta = number_from(given["delta"]);
  if (!given["epsilon"].is_none()) options.epsilon = level_from(given["epsilon"]);
  options.neighbors = given["neighbors"].cast<std::string>();
  options.records = given["records"].cast<std::vector<std::vector<std::string>>>();
  return options;
}

void bind_compose(py::module_& module) {
  py::class_<ComposedResult>(module, "Composition")
      .def_property_readonly("exit_status", &ComposedResult::exit_status)
      .def("render", &text_in<ComposedResult>, py::arg("format"), py::arg("exact") = false);
  module.def("compose", [](const std::vector<std::string>& files, const py::dict& given, const Limits& limits,
                           py::object progress) {
    const ComposeOptions options = compose_options(given);
    return call(limits, std::move(progress), [&](const Context& context) { return compose(files, options, context); });
  });
  module.def("compose_specs", [](const std::vector<SpecPtr>& specs, const py::dict& given, const Limits& limits,
                                 py::object progress) {
    const ComposeOptions options = compose_options(given);
    std::vector<Spec> read;
    for (const SpecPtr& spec : specs) read.push_back(*spec);
    return call(limits, std::move(progress), [&](const Context& context) { return compose(read, options, context); });
  });
}

void bind_search(py::module_& module) {
  py::class_<SearchResult>(module, "SearchResult")
      .def_property_readonly("exit_status", &SearchResult::exit_status)
      .def_property_readonly("specs",
                             [](const SearchResult& result) {
                               std::map<std::string, std::string> specs;
                               for (const FoundSpec& spec : result.specs) specs.emplace(spec.name, spec.text);
                               return specs;
                             })
      .def(
          "render",
          [](const SearchResult& result, const std::string& format, bool) {
            return format == "json" ? to_json(result) : text_search(result);
          },
          py::arg("format"), py::arg("exact") = false);
  module.def("search",
             [](const std::string& property, const std::vector<std::uint64_t>& coordinates, std::uint64_t outputs,
                const py::object& level, const CallLimits& limits, py::object progress) {
               SearchOptions options;
               options.smt = limits.smt;
               options.coordinates = coordinates;
               options.outputs = options.second_outputs = outputs;
               if (!level.is_none()) options.level = level_from(level);
               return call(limits, std::move(progress),
                           [&](const Context& context) { return search(property, options, context); });
             });
}

// (rows, outputs, entries)
py::tuple matrix_of(const ShownMatrix& matrix) {
  py::list entries;
  for (const std::vector<Number>& row : matrix.entries) {
    py::list exact;
    for (const Number& entry : row) exact.append(exact_value(entry));
    entries.append(exact);
  }
  return py::make_tuple(matrix.rows, matrix.outputs, entries);
}

// (e^epsilon, loss, turns, exactly) of each point.
py::list curve_of(const DesignResult& result) {
  py::list curve;
  for (const CurvePoint& point : result.curve) {
    curve.append(py::make_tuple(exact_value(point.exponential), exact_value(point.loss), point.turns, point.exactly));
  }
  return curve;
}

void bind_design(py::module_& module) {
  py::class_<DesignResult>(module, "Design")
      .def_readonly("name", &DesignResult::name)
      .def_readonly("loss_words", &DesignResult::loss_words)
      .def_readonly("family", &DesignResult::family)
      .def_readonly("outputs", &DesignResult::outputs)
      .def_readonly("spec_text", &DesignResult::spec)
      .def_readonly("certificate", &DesignResult::certificate)
      .def_readonly("symmetric", &DesignResult::symmetric)
      .def_readonly("entries", &DesignResult::entries)
      .def_readonly("conflict", &DesignResult::conflict)
      .def_readonly("confidential", &DesignResult::confidential)
      .def_property_readonly("share", [](const DesignResult& result) { return exact_value(result.share); })
      .def_property_readonly("shown_matrix", [](const DesignResult& result) { return matrix_of(result.matrix); })
      .def_property_readonly("points", &curve_of)
      .def_property_readonly("loss", [](const DesignResult& result) { return exact_value(result.loss); })
      .def_property_readonly("at_least", [](const DesignResult& result) { return exact_value(result.at_least); })
      .def("render", &text_in<DesignResult>, py::arg("format"), py::arg("exact") = false);
  module.def("design",
             [](const std::string& path, const std::string& folder, const Limits& limits, py::object progress) {
               return call(limits, std::move(progress),
                           [&](const Context& context) { return design(File{path}, folder, context); });
             });
}

py::object exact_or_none(const std::optional<Number>& number) { return number ? exact_value(*number) : py::none(); }

void bind_repair(py::module_& module) {
  py::class_<RepairResult>(module, "Repair")
      .def_readonly("name", &RepairResult::name)
      .def_readonly("notes", &RepairResult::notes)
      .def_readonly("spec_text", &RepairResult::spec)
      .def_readonly("confidential", &RepairResult::confidential)
      .def_property_readonly("rounding", [](const RepairResult& result) { return exact_or_none(result.rounding); })
      .def_property_readonly("share", [](const RepairResult& result) { return exact_or_none(result.share); })
      .def_property_readonly("entries", [](const RepairResult& result) { return exact_value(result.entries); })
      .def_property_readonly("rows", [](const RepairResult& result) { return exact_value(result.rows); })
      .def_property_readonly("shown_before", [](const RepairResult& result) { return matrix_of(result.before); })
      .def_property_readonly("shown_after", [](const RepairResult& result) { return matrix_of(result.after); })
      .def("render", &text_in<RepairResult>, py::arg("format"), py::arg("exact") = false);
  module.def("repair", [](const std::string& path, const std::string& by, bool rounded, std::uint64_t denominator,
                          const std::string& folder, const Limits& limits, py::object progress) {
    const RepairOptions options{choice_of(kRepairs, by, "expected by='rows', 'entries' or 'mixture'"), rounded,
                                denominator};
    return call(limits, std::move(progress),
                [&](const Context& context) { return repair(File{path}, options, folder, context); });
  });
}

void bind_split(py::module_& module) {
  module.def("split", [](const SplitRequest::Values& correlation, const SplitRequest::Values& delta,
                         const SplitRequest::Values& cdp, const std::string& ldp) {
    return to_json(call(Limits{}, py::none(), [&](const Context&) { return split({correlation, delta, cdp, ldp}); }));
  });
}

void bind_release(py::module_& module) {
  py::class_<ReleaseResult>(module, "Release")
      .def_property_readonly("exit_status", &ReleaseResult::exit_status)
      .def("render", &text_in<ReleaseResult>, py::arg("format"), py::arg("exact") = false);
  module.def("release",
             [](const std::string& path, const std::optional<std::string>& table, std::optional<std::uint64_t> seed,
                const std::optional<std::string>& spent, bool plan, std::optional<std::uint64_t> people,
                const std::string& error, const Limits& limits, py::object progress) {
               const ReleaseRequest request{table, seed, spent, plan, people, error};
               return call(limits, std::move(progress),
                           [&](const Context& context) { return release(File{path}, request, context); });
             });
}

NewSpecRequest new_spec_request(const py::dict& given) {
  NewSpecRequest request;
  request.table = given["table"].cast<std::string>();
  request.epsilon = given["epsilon"].cast<std::string>();
  request.hidden = given["hide"].cast<std::vector<std::string>>();
  request.columns = given["columns"].cast<std::vector<std::string>>();
  request.excluded = given["exclude"].cast<std::vector<std::string>>();
  request.missing_cells = given["missing_cells"].cast<std::vector<std::string>>();
  request.count = given["count"].cast<std::string>();
  request.blank =
      choice_of(kBlankCells, given["missing"].cast<std::string>(), "expected missing='error', 'drop' or 'value'");
  request.max_values = given["max_values"].cast<std::size_t>();
  request.separator = given["separator"].cast<std::string>();
  request.file = given["file"].cast<std::string>();
  request.published = given["published"].cast<bool>();
  request.headroom = share_from(given["headroom"]);
  return request;
}

void bind_new_spec(py::module_& module) {
  module.def("new_spec", [](const py::dict& given, const Limits& limits, py::object progress) {
    const NewSpecRequest request = new_spec_request(given);
    const NewSpec made =
        call(limits, std::move(progress), [&](const Context& context) { return new_spec(request, context); });
    return py::make_tuple(made.text, made.notes);
  });
}

}  // namespace

void bind_runs(py::module_& module) {
  bind_audits(module);
  bind_tune(module);
  bind_compare(module);
  bind_compose(module);
  bind_search(module);
  bind_design(module);
  bind_repair(module);
  bind_release(module);
  bind_split(module);
  bind_new_spec(module);
}

}  // namespace oddsbound::python
