#include "runs/scope_of_file.h"

#include "base/digest.h"
#include "specs/spec.h"

namespace oddsbound::runs {

std::unique_ptr<TaskScope> begin_scope(const std::string& name, const Bytes& content, Limits& limits) {
  if (limits.scopes == nullptr) return nullptr;
  std::unique_ptr<TaskScope> scope = limits.scopes->begin(name, content);
  limits.scope = scope.get();
  return scope;
}

std::unique_ptr<TaskScope> scope_of_file(const std::string& name, const std::string& file, Limits& limits) {
  return limits.scopes == nullptr ? nullptr : begin_scope(name, sha256(read_file(file, limits)), limits);
}

}  // namespace oddsbound::runs
