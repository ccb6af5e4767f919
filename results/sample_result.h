// What was drawn of a mechanism, as values; as CSV or JSON whole, or piece by piece, for there may be more than memory
// holds.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/budget.h"
#include "specs/json_document.h"

namespace oddsbound::results {

struct DrawnOutput {
  std::string output;
  std::uint64_t count = 0;
};

struct SampleResult {
  std::string file;
  std::string name;
  std::optional<std::uint64_t> seed;     // none: the system's randomness; only that is private
  std::vector<std::string> coordinates;  // of continuous outputs; not part of a document
  /// The label of every draw; labels with how often each was drawn; or every draw of continuous outputs.
  std::variant<std::vector<std::string>, std::vector<DrawnOutput>, std::vector<std::vector<double>>> outputs;
};

std::string to_json(const SampleResult& result);
/// Throws SpecError for what is no such document.
SampleResult samples_from_json(const JsonDocument& document, Budget& budget);

/// CSV, with a row of names.
std::string text_samples(const SampleResult& result);

/// The same documents in pieces: what is before the outputs comes with the first, what is behind them at the end.
class SampleWriter {
 public:
  explicit SampleWriter(bool json) : json_(json) {}
  std::string piece(const SampleResult& piece);
  std::string end() const;

 private:
  bool json_;
  bool begun_ = false;
  bool first_ = true;  // no output was written yet
};

}  // namespace oddsbound::results
