// The public functions of the module (oddsbound/design.h).
#include "api/interface.h"
#include "design/api.h"
#include "oddsbound/design.h"

namespace oddsbound::interface {

Expected<DesignResult> design(const File& file, const std::string& folder, const Context& context) {
  return mapped(api::design(file, folder, context), [](const designs::DesignResult& made) {
    auto result = wrapped<DesignResult>(made);
    result.spec = made.spec;
    result.certificate = made.certificate;
    result.loss = made.loss;
    result.at_least = made.at_least;
    result.conflict = made.conflict;
    return result;
  });
}

Expected<RepairResult> repair(const File& file, const RepairOptions& options, const std::string& folder,
                              const Context& context) {
  return mapped(api::repair(file, options, folder, context), [](const designs::RepairResult& repaired) {
    auto result = wrapped<RepairResult>(repaired);
    result.spec = repaired.spec;
    result.entries = repaired.entries;
    result.rows = repaired.rows;
    result.notes = repaired.notes;
    return result;
  });
}

}  // namespace oddsbound::interface
