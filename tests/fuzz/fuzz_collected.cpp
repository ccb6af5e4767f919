// Every text is a table of inputs, outputs or vectors, one typed input, or a SpecError.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "app/estimates.h"
#include "specs/collected.h"
#include "tests/fuzz/reading.h"

using namespace oddsbound;

namespace {

const Spec& fixed_spec() {
  static const Spec spec = [] {
    Budget budget;
    return read_spec_text("fixed.json", ".", R"j({"oddsbound": 1, "name": "fixed",
      "domain": [{"name": "a", "values": ["x", "y"]}, {"name": "b", "values": ["0", "1", "2"]}],
      "prior": {"type": "uniform"},
      "mechanism": {"type": "unary_encoding", "epsilon": "log(3)"}})j",
                          budget);
  }();
  return spec;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const Spec& spec = fixed_spec();
  return try_text(data, size, [&](const std::string& text, Budget& budget) {
    try_reading([&] {
      const EstimateResult result =
          estimate(spec, read_output_table("f.csv", text, *spec.model.channel, budget), budget);
      if (to_json(result).empty() || text_estimates(result).empty()) std::abort();
    });
    try_reading([&] { read_input_table("f.csv", text, spec.model.domain, budget); });
    try_reading([&] { read_input_table("f.csv", text, spec.model.domain, budget, {1}); });
    try_reading([&] { estimate(spec, read_vector_table("f.csv", text, spec.model.domain, 1, budget)); });
    try_reading([&] {
      const InputRow row = read_typed_input("--input", text, spec.model.domain);
      if (spec.model.domain.number(row) >= spec.model.domain.inputs()) std::abort();
    });
    try_reading([&] {
      const InputRow row = read_typed_input("--input", text, spec.model.domain, 0, {1});
      if (spec.model.domain.number(row) >= spec.model.domain.inputs()) std::abort();
    });
  });
}
