#include "runs/scope.h"

namespace oddsbound::runs {

std::unique_ptr<TaskScope> begin_scope(const std::string& name, const Bytes& content, Limits& limits) {
  if (limits.scopes == nullptr) return nullptr;
  std::unique_ptr<TaskScope> scope = limits.scopes->begin(name, content);
  limits.scope = scope.get();
  return scope;
}

Bytes content_of(const std::vector<SourceFile>& files) {
  Packer packer;
  for (const SourceFile& file : files) packer.put(file.file).put(file.sha256);
  return packer.take();
}

}  // namespace oddsbound::runs
