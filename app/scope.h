// The task scope (base/task.h) of a part of a run.
#pragma once

#include <memory>
#include <string>

#include "base/bytes.h"
#include "base/task.h"
#include "oddsbound/limits.h"

namespace oddsbound::app {

/// Begins a scope and sets `limits` to work within it. Returns nullptr if there is no other process to share with and
/// no checkpoint is kept. `name` is unique within the run; `content` identifies the inputs of its questions. Throws
/// std::runtime_error for a checkpoint of other content.
inline std::unique_ptr<TaskScope> begin_scope(const std::string& name, const Bytes& content, Limits& limits) {
  if (limits.scopes == nullptr) return nullptr;
  std::unique_ptr<TaskScope> scope = limits.scopes->begin(name, content);
  limits.scope = scope.get();
  return scope;
}

}  // namespace oddsbound::app
