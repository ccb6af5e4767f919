// Bindings of specs and their results (reading, verdicts, levels, reports) and of the privacy lock.

#include <pybind11/stl.h>
#include <memory>

#include "python/binding/numbers.h"
#include "reports/claim_words.h"
#include "reports/publishable.h"
#include "reports/words.h"

namespace oddsbound::python {

namespace {

using SpecPtr = std::shared_ptr<Spec>;

void bind_limits(py::module_& module) {
  py::class_<Limits>(module, "_LimitsWithoutZ3");
  py::class_<CallLimits, Limits>(module, "Limits")
      .def(py::init<>())
      .def_readwrite("max_inputs", &CallLimits::max_inputs)
      .def_readwrite("max_cells", &CallLimits::max_cells)
      .def_readwrite("max_seconds", &CallLimits::max_seconds)
      .def_readwrite("max_memory_mb", &CallLimits::max_memory_mb)
      .def_readwrite("max_file_mb", &CallLimits::max_file_mb)
      .def_readwrite("threads", &CallLimits::threads)
      .def_property(
          "smt_seconds", [](const CallLimits& limits) { return limits.smt.seconds; },
          [](CallLimits& limits, double seconds) { limits.smt.seconds = seconds; })
      .def_property(
          "smt_memory_mb", [](const CallLimits& limits) { return limits.smt.memory_mb; },
          [](CallLimits& limits, std::uint64_t megabytes) { limits.smt.memory_mb = megabytes; })
      .def_property(
          "smt_max_cells", [](const CallLimits& limits) { return limits.smt.max_cells; },
          [](CallLimits& limits, std::uint64_t cells) { limits.smt.max_cells = cells; });
}

py::list coordinates_of(const Spec& spec) {
  py::list coordinates;
  for (std::size_t i = 0; i < spec.model.domain.size(); ++i) {
    const Coordinate& one = spec.model.domain.coordinate(i);
    coordinates.append(py::make_tuple(one.name, one.values.listed(), one.is_public));
  }
  return coordinates;
}

SpecPtr read_path(const std::string& path, const Limits& limits) {
  return std::make_shared<Spec>(
      call(limits, py::none(), [&](const Context& context) { return read(File{path}, context); }));
}

SpecPtr read_string(const std::string& text, const std::string& name, const std::string& folder,
                    const std::map<std::string, std::string>& files, const Limits& limits) {
  return std::make_shared<Spec>(call(limits, py::none(), [&](const Context& context) {
    return read(Text{text, name, folder, files}, context);
  }));
}

// Witnesses as text, by notion and coordinate ("" for a single level).
py::dict words_of(const SpecResult& spec) {
  py::dict words;
  for (const auto& [notion, measured] : spec.analysis.levels) {
    py::dict by_coordinate;
    if (const MeasuredLevel* level = spec.analysis.level(notion)) {
      by_coordinate[""] = shown_words(*level, spec.coordinates);
    } else if (const auto* levels = spec.analysis.by_coordinate(notion)) {
      for (std::size_t i = 0; i < levels->size(); ++i) {
        by_coordinate[py::str(spec.coordinates[i])] = shown_words((*levels)[i], spec.coordinates);
      }
    }
    words[py::str(notion)] = by_coordinate;
  }
  return words;
}

// The publishable texts of a spec: (witnesses, levels, claims).
py::tuple published_words_of(const Report& report, std::size_t place) {
  const SpecResult spec = reports::publishable(report.specs.at(place));
  py::dict levels;
  for (const auto& [notion, measured] : spec.analysis.levels) {
    py::dict by_coordinate;
    if (const MeasuredLevel* level = spec.analysis.level(notion)) {
      by_coordinate[""] = known_words(*level);
    } else if (const auto* all = spec.analysis.by_coordinate(notion)) {
      for (std::size_t i = 0; i < all->size(); ++i)
        by_coordinate[py::str(spec.coordinates[i])] = known_words((*all)[i]);
    }
    levels[py::str(notion)] = by_coordinate;
  }
  py::list claims;
  for (const ClaimResult& claim : spec.claims) {
    const ClaimWords words = claim_words(claim);
    claims.append(words.claim + ": " + words.outcome());
  }
  return py::make_tuple(words_of(spec), levels, claims);
}

std::string rendered(const Report& report, const std::string& format, bool static_figures, std::size_t width,
                     bool exact) {
  const RenderOptions options{static_figures, false, std::nullopt, width, "", exact};
  const auto text = render(report, format, options);
  if (!text) throw py::value_error("there is no format '" + format + "'");
  return *text;
}

std::string json_of(const Report& report) { return to_json(report); }

void raise_first_error(const Report& report) {
  if (!report.errors.empty()) raise(report.errors.front());
}

void bind_report(py::module_& module) {
  py::class_<Report>(module, "Report")
      .def_property_readonly("exit_status", &Report::exit_status)
      .def("json", &json_of)
      .def("render", &rendered, py::arg("format"), py::arg("static_figures") = false, py::arg("width") = 0,
           py::arg("exact") = false)
      .def("published_words", &published_words_of)
      .def("words", [](const Report& report, std::size_t spec) { return words_of(report.specs.at(spec)); })
      .def("error_texts",
           [](const Report& report) {
             std::vector<std::string> texts;
             for (const FileError& error : report.errors) texts.push_back(error.text());
             return texts;
           })
      .def("raise_first_error", &raise_first_error)
      .def("add", [](Report& report, const Report& other) { report.add(other); });
  module.def("read_report", [](const std::string& text, const std::string& name) {
    return call(Limits(), py::none(), [&](const Context& context) { return read_report(Text{text, name}, context); });
  });
  module.def("formats_of_reports", &formats_of_reports);
}

Number row_tolerance_from(py::handle value) {
  Number tolerance = number_from(value);
  if (is_row_tolerance(tolerance)) return tolerance;
  throw py::value_error(
      "expected row_tolerance: a rational number above 0 and below 1, as Fraction(1, 1000) or '1e-8'");
}

VerifyOptions verify_options(const py::dict& given, const CallLimits& limits) {
  VerifyOptions options;
  options.smt = limits.smt;
  for (const auto& [key, value] : given) {
    const auto name = key.cast<std::string>();
    if (name == "engine") {
      options.engine = choice_of(kEngines, value.cast<std::string>(), "expected the engine 'exact', 'smt' or 'both'");
    } else if (name == "figures") {
      options.figures = value.cast<bool>();
    } else if (name == "effects") {
      options.effects = value.cast<bool>();
    } else if (name == "tradeoffs") {
      options.tradeoffs = value.cast<bool>();
    } else if (name == "for_all") {
      options.for_all = value.cast<std::vector<std::string>>();
    } else if (name == "tolerances") {
      options.tolerances = value.cast<bool>();
    } else if (name == "optional") {  // figures and effects left out by a limit do not make the result undecided
      options.figures_wanted = options.effects_wanted = !value.cast<bool>();
    } else if (name == "jobs") {
      options.jobs = value.cast<std::size_t>();
    } else if (name == "row_tolerance") {
      options.row_tolerance = RowTolerance{row_tolerance_from(value), given.contains("exact_zeros")};
    } else if (name == "exact_zeros") {
      continue;  // read with the tolerance
    } else {
      throw py::type_error("there is no option '" + name + "'");
    }
  }
  return options;
}

using ReportOfSpec = Report (*)(const Spec&, const VerifyOptions&, const Context&);
using ReportOfFiles = Report (*)(std::span<const std::string>, const VerifyOptions&, const Context&, ResultCache*);

using ReportOfText = Report (*)(const Text&, const VerifyOptions&, const Context&);

template <ReportOfSpec of_spec, ReportOfFiles of_files, ReportOfText of_text>
void bind_measuring(py::module_& module, const char* name) {
  module.def(name, [](const SpecPtr& spec, const py::dict& given, const CallLimits& limits, py::object progress) {
    const VerifyOptions options = verify_options(given, limits);
    return Call(limits, std::move(progress)).run([&](const Context& context) {
      return of_spec(*spec, options, context);
    });
  });
  module.def((std::string(name) + "_files").c_str(), [](const std::vector<std::string>& files, const py::dict& given,
                                                        const CallLimits& limits, py::object progress) {
    const VerifyOptions options = verify_options(given, limits);
    return Call(limits, std::move(progress)).run([&](const Context& context) {
      return of_files(files, options, context, nullptr);
    });
  });
  module.def((std::string(name) + "_text").c_str(),
             [](const std::string& text, const std::string& file, const std::string& folder, const py::dict& given,
                const CallLimits& limits, py::object progress) {
               const VerifyOptions options = verify_options(given, limits);
               return Call(limits, std::move(progress)).run([&](const Context& context) {
                 return of_text(Text{text, file, folder}, options, context);
               });
             });
}

}  // namespace

void bind_specs(py::module_& module) {
  bind_limits(module);
  py::class_<Spec, SpecPtr>(module, "Spec")
      .def_readonly("file", &Spec::file)
      .def_readonly("name", &Spec::name)
      .def_readonly("description", &Spec::description)
      .def_readonly("source", &Spec::source)
      .def_readonly("notes", &Spec::notes)
      .def_property_readonly("has_prior", [](const Spec& spec) { return spec.model.prior.has_value(); })
      .def_property_readonly("claims", [](const Spec& spec) { return spec.claims.size(); })
      .def_property_readonly("coordinates", &coordinates_of)
      .def_property_readonly("unread", [](const Spec& spec) { return spec.mechanism.unread; });
  module.def("read_path", &read_path);
  module.def("read_string", &read_string);
  bind_report(module);
  bind_measuring<&verify, &verify, &verify_text>(module, "verify");
  bind_measuring<&analyze, &analyze, &analyze_text>(module, "analyze");
}

// Bindings of the privacy lock.

namespace {

using NamedFiles = std::vector<std::pair<std::string, std::string>>;

LockedFiles files_of(const NamedFiles& named) {
  LockedFiles files;
  for (const auto& [name, path] : named) files.emplace_back(name, File{path});
  return files;
}

LockOptions promises(const py::object& headroom, const CallLimits& limits, bool tighten = false) {
  return {share_from(headroom), tighten, false, limits.smt};
}

Lock write_lock(const NamedFiles& specs, const py::object& headroom, const CallLimits& limits, py::object progress) {
  const LockOptions options = promises(headroom, limits);
  return call(limits, std::move(progress),
              [&](const Context& context) { return lock(files_of(specs), options, context); });
}

Lock lock_of_text(const std::string& text, const std::string& name) {
  return call(Limits(), py::none(), [&](const Context& context) { return read_lock(Text{text, name}, context); });
}

// The findings of a check as (outcome, suite, title, message), with the exit status.
py::tuple check_lock(const Lock& locked, const NamedFiles& specs, bool strict, const CallLimits& limits,
                     py::object progress) {
  const LockOptions options{Number(0), false, strict, limits.smt};
  const Checks checks = Call(limits, std::move(progress)).run([&](const Context& context) {
    return check(locked, measure(files_of(specs), locked, options, context), options);
  });
  py::list found;
  for (const Check& one : checks.list) {
    found.append(py::make_tuple(outcome_word(one.outcome), one.suite, one.title, one.message));
  }
  return py::make_tuple(found, checks.exit_status);
}

std::vector<std::string> accept_changes(Lock& locked, const NamedFiles& specs, const std::string& reason,
                                        const py::object& headroom, const CallLimits& limits, py::object progress) {
  const LockOptions options = promises(headroom, limits);
  return call(limits, std::move(progress), [&](const Context& context) {
    return accept(locked, measure(files_of(specs), options, context), reason, options);
  });
}

void renew_lock(Lock& locked, const NamedFiles& specs, const py::object& headroom, bool tighten,
                const CallLimits& limits, py::object progress) {
  const LockOptions options = promises(headroom, limits, tighten);
  const auto error = Call(limits, std::move(progress)).run([&](const Context& context) {
    return renew(locked, measure(files_of(specs), options, context), options);
  });
  if (error) raise(*error);
}

void upgrade_lock(Lock& locked, const NamedFiles& specs, const std::string& reason, const CallLimits& limits,
                  py::object progress) {
  const auto error = Call(limits, std::move(progress)).run([&](const Context& context) {
    return upgrade(locked, measure(files_of(specs), locked, {Number(0), false, false, limits.smt}, context), reason);
  });
  if (error) raise(*error);
}

py::dict levels_of(const Lock& locked) {
  py::dict levels;
  for (const auto& [name, spec] : locked.specs) levels[py::str(name)] = spec.levels;
  return levels;
}

}  // namespace

void bind_locks(py::module_& module) {
  py::class_<Lock>(module, "Lock")
      .def_readwrite("paths", &Lock::paths)
      .def_property_readonly("levels", &levels_of)
      .def("check", &check_lock)
      .def("accept", &accept_changes)
      .def("renew", &renew_lock)
      .def("upgrade", &upgrade_lock)
      .def_readonly("format", &Lock::format)
      .def("__str__", &lock_text);
  module.def("write_lock", &write_lock);
  module.def("read_lock", &lock_of_text);
}

}  // namespace oddsbound::python
