// Data beside a spec: inputs to draw for, and outputs that were collected.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/budget.h"
#include "mechanisms/mechanism.h"
#include "specs/output_labels.h"

namespace oddsbound::specs {

// Inputs may leave out `unread` coordinates, which are given in order: those then have their first values.

/// One input as a user types it: its values separated by commas, or a JSON array of them, with all unread coordinates
/// or with none. Throws SpecError, with `name` for a file.
InputRow read_typed_input(const std::string& name, const std::string& text, const Domain& domain, std::size_t line = 0,
                          const std::vector<std::size_t>& unread = {});

/// Names as a user types them: separated by commas, or a JSON array of them. Throws SpecError, with `name` for a file.
std::vector<std::string> read_typed_names(const std::string& name, const std::string& text);

/// Inputs from a CSV file with a column for every coordinate that is read.
InputList read_input_table(const std::string& file, std::string_view text, const Domain& domain, Budget& budget,
                           const std::vector<std::size_t>& unread = {});

/// Outputs as Channel::split writes them, with how often each was seen.
struct CollectedOutputs {
  std::map<std::vector<std::uint64_t>, std::uint64_t> counts;
  std::uint64_t total = 0;
};

/// Outputs from a CSV file with a column `output` and, if there is one, a column `count`.
CollectedOutputs read_output_table(const std::string& file, std::string_view text, const Channel& channel,
                                   Budget& budget);

/// Recorded runs: a CSV file with a column `input` (as read_typed_input has it) or one for every coordinate, a column
/// `output` and, if there is one, a column `count`.
struct RecordedRun {
  std::uint64_t input;
  std::vector<std::uint64_t> output;
  std::uint64_t count;
};
std::vector<RecordedRun> read_transcript(const std::string& file, std::string_view text, const Domain& domain,
                                         const Channel& channel, Budget& budget);

/// The columns of continuous outputs: the coordinates by name; of several copies with the copy's number, as in "x.2".
std::vector<std::string> vector_columns(const Domain& domain, std::size_t copies);

/// Every row of a CSV file with a numeric column for every name; at least one.
void each_vector(const std::string& file, std::string_view text, const std::vector<std::string>& names, Budget& budget,
                 const std::function<void(const std::vector<double>&)>& use);

/// Vectors from a CSV file with these columns, or their averages over the copies: how many, their sums and sums of
/// squares.
struct CollectedVectors {
  std::uint64_t total = 0;
  std::vector<double> sum, square;
};
CollectedVectors read_vector_table(const std::string& file, std::string_view text, const Domain& domain,
                                   std::size_t copies, Budget& budget);

}  // namespace oddsbound::specs
