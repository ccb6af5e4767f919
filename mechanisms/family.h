// The registry of mechanism families.
//
// A new family is one file that defines a function returning a Family, and one line in families() (family.cpp); the
// spec reader and the command line take it from there.
#pragma once

#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "verifier/exact/level.h"
#include "verifier/model/channel.h"

namespace oddsbound {

/// What kind of value a parameter of a family is; the spec reader knows how each is written.
enum class ParameterKind {
  kLevel,  // Level
};

struct FamilyParameter {
  std::string name;
  ParameterKind kind;
  std::string description;
};

using FamilyArguments = std::map<std::string, std::variant<Level>>;

struct Family {
  std::string name;
  std::string summary;
  std::string source;
  std::vector<FamilyParameter> parameters;
  /// The channel on the domain. Throws ModelError for parameters out of range.
  std::function<ChannelPtr(const Domain&, const FamilyArguments&)> build;
};

/// All families, in the order of the documentation.
std::span<const Family> families();
/// The family of that name, or null.
const Family* find_family(std::string_view name);

}  // namespace oddsbound
