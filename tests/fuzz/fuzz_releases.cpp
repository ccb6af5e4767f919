// Every text is a release file with a ledger, a table of people, a file of spent budget, a request for a mechanism, or
// the result of a release, which reads back unchanged and can be written in every format; otherwise an error.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "design/spec.h"
#include "releases/api.h"
#include "releases/result.h"
#include "releases/spec.h"
#include "releases/step.h"
#include "tests/fuzz/reading.h"

using namespace oddsbound;

namespace {

ReleaseFile release_file(const std::string& name, const std::string& text, Budget& budget) {
  std::vector<SourceFile> files;
  return read_release_document(JsonDocument(name, text), ".", files, budget);
}

const ReleaseFile& fixed_release() {
  static const ReleaseFile release = [] {
    Budget budget;
    return release_file("fixed.release.json", R"j({"oddsbound_release": 1, "name": "fixed",
      "attributes": [{"name": "a", "values": ["x", "y"]}, {"name": "b", "values": ["0", "1", "2"]}],
      "columns": {"b": "bee"},
      "steps": [{"type": "counts", "of": [["a"], ["a", "b"]], "noise": {"laplace": "8"}}]})j",
                        budget);
  }();
  return release;
}

void account(const Release& release, Budget& budget) {
  for (const StepPtr& step : release.steps) {
    step->words();
    step->parts();
  }
  const Loss of_person = release.loss(every_coordinate(release.schema));
  for (const BudgetLine& line : release.budget) {
    budget.check();
    const Loss loss = release.loss(line.attributes);
    if (loss.pure > of_person.pure || loss.rho > of_person.rho) std::abort();
    ledger_line(line, loss, release.deltas);
  }
}

void add_spent(const std::vector<CostPart>& parts, Budget& budget) {
  Release accounted = *fixed_release().release;
  for (const CostPart& part : parts) accounted.steps.push_back(declared_step(part));
  account(accounted, budget);
  if (accounted.loss({0}).pure < fixed_release().release->loss({0}).pure) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return try_text(data, size, [&](const std::string& text, Budget& budget) {
    try_reading([&] { account(*release_file("r.release.json", text, budget).release, budget); });
    try_reading([&] {
      if (read_people_text("people.csv", text, fixed_release(), budget).people() == 0) std::abort();
    });
    try_reading([&] {
      add_spent(read_spent_document(JsonDocument("spent.json", text), fixed_release().release->schema, budget), budget);
    });
    try_reading([&] {
      const DesignFile request =
          read_design_document(std::make_shared<JsonDocument>("r.design.json", text), ".", budget);
      const bool by_table = !request.goal && !request.product;
      if (by_table && request.objective.table.size() != request.model.domain.inputs()) std::abort();
    });
    try_reading([&] {
      const ReleaseResult result = release_from_json(JsonDocument("results.json", text), budget);
      const std::string json = to_json(result);
      if (to_json(release_from_json(JsonDocument("results.json", json), budget)) != json) std::abort();
      if (text_release(result).empty() || csv_release(result).empty()) std::abort();
      if (render(result, "html", {true, false, std::nullopt})->find("<img") != std::string::npos) std::abort();
    });
  });
}
