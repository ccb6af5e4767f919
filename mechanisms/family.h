// The registry of mechanism families.
//
// A new family is one file that defines a function returning a Family, and one line in family.cpp; the spec reader, the
// samplers' check and the command line take it from there.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/errors.h"
#include "mechanisms/mechanism.h"
#include "verifier/model/arguments.h"

namespace oddsbound::mechanisms {

/// A parameter out of range; the spec reader places it at the parameter.
class ParameterError : public ModelError {
 public:
  ParameterError(std::string parameter, const std::string& message)
      : ModelError(message), parameter_(std::move(parameter)) {}
  const std::string& parameter() const { return parameter_; }

 private:
  std::string parameter_;
};

struct Family {
  std::string name;
  std::string summary;
  std::string source;
  std::vector<Field> parameters;
  /// The mechanism on the domain. Throws ParameterError for a parameter out of range, ModelError for a domain that the
  /// family does not fit.
  std::function<Mechanism(const Domain&, const Arguments&, Budget&)> build;
  /// It draws an answer that is to be kept for all reports.
  bool keeps_an_answer = false;
};

/// All families, in the order of the documentation.
std::span<const Family> families();
/// The family of that name, or null.
const Family* find_family(std::string_view name);

}  // namespace oddsbound::mechanisms
