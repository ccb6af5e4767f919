// The parts of the native module, and calls into the library. The work runs without the GIL in its own thread, while
// the caller's thread handles Ctrl-C and progress. Python handles signals only in its main thread, and only while that
// thread runs Python code.
#pragma once

#include <pybind11/pybind11.h>

#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "api/api.h"
#include "design/api.h"
#include "releases/api.h"

namespace oddsbound::python {

namespace py = pybind11;

/// Limits of a call from Python, with those of Z3.
struct CallLimits : Limits {
  SmtOptions smt{};
};

class Call {
 public:
  /// progress: called with the work done, the total, and the current item; or None.
  Call(const Limits& limits, py::object progress);

  /// Returns the result of `work` for a context. Rethrows its exceptions; an exception raised in Python meanwhile
  /// takes precedence.
  template <typename Work>
  auto run(Work work) {
    std::optional<decltype(work(context_))> result;
    std::exception_ptr failure;
    run_beside([&] {
      try {
        result.emplace(work(context_));
      } catch (...) {
        failure = std::current_exception();
      }
    });
    if (failure) std::rethrow_exception(failure);
    return *std::move(result);
  }

  /// Runs Python code within the work, with the GIL. An exception raised there ends the call; here it is a
  /// std::exception.
  void run_python(const std::function<void()>& code);

 private:
  void run_beside(const std::function<void()>& work);
  void listen();
  void tell_progress();
  void end_with(py::error_already_set error);

  py::object progress_;
  Context context_;
  std::stop_source stop_;
  std::optional<py::error_already_set> raised_;
  unsigned long python_thread_ = 0;  // thread running Python code within the work, 0: none; guarded by the GIL

  struct Told {
    std::uint64_t done, of;
    std::string at;
  };
  std::mutex mutex_;  // guards told_
  std::optional<Told> told_;
};

/// Raises SpecError, or LimitError if there is no error in the file.
[[noreturn]] void raise(const FileError& error);

template <typename Value>
Value value_or_raise(Expected<Value> value) {
  if (!value) raise(value.error());
  return *std::move(value);
}

/// Returns the result of `work` for a context, or raises its error.
template <typename Work>
auto call(const Limits& limits, py::object progress, Work work) {
  return value_or_raise(Call(limits, std::move(progress)).run(work));
}

/// Returns the meaning of a word, or raises ValueError with this message.
template <typename Choice>
Choice choice_of(const Words<Choice>& words, const std::string& given, const char* otherwise) {
  for (const auto& [word, meaning] : words) {
    if (word == given) return meaning;
  }
  throw py::value_error(otherwise);
}

/// Maps errors of exact numbers and models to Python exceptions.
void bind_errors();
void bind_numbers(py::module_& module);
void bind_specs(py::module_& module);
void bind_runs(py::module_& module);
void bind_data(py::module_& module);
void bind_locks(py::module_& module);

}  // namespace oddsbound::python
