// Reads the data that accompanies a spec: inputs to sample from, collected outputs, recorded runs and continuous
// output vectors. Tables are CSV files with a header.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/budget.h"
#include "mechanisms/mechanism.h"
#include "specs/csv.h"
#include "specs/output_labels.h"

namespace oddsbound::specs {

// Input readers take the list `unread`: coordinates that the mechanism does not read. An input may omit them; their
// values are then 0, the index of the first value.

/// Reads one input as a user types it: values separated by commas, or a JSON array of values. The input has a value
/// for every coordinate or for every coordinate outside `unread`. Errors are SpecErrors that name the file `name`.
InputRow read_typed_input(const std::string& name, const std::string& text, const Domain& domain, std::size_t line = 0,
                          const std::vector<std::size_t>& unread = {});

/// Reads names as a user types them: separated by commas, or a JSON array. Errors are SpecErrors that name the file
/// `name`.
std::vector<std::string> read_typed_names(const std::string& name, const std::string& text);

/// Reads inputs from a CSV file with one column per coordinate. Columns of `unread` coordinates are optional. missing:
/// how the prior's table treats missing cells; those of the inputs are read alike.
InputList read_input_table(const std::string& file, std::string_view text, const Domain& domain, Budget& budget,
                           const std::vector<std::size_t>& unread = {},
                           const std::optional<TableUse>& missing = std::nullopt);

/// Counts of outputs, each in the representation of Channel::split.
struct CollectedOutputs {
  std::map<std::vector<std::uint64_t>, std::uint64_t> counts;
  std::uint64_t total = 0;
};

/// Reads outputs from a CSV file with a column `output` and an optional column `count`.
CollectedOutputs read_output_table(const std::string& file, std::string_view text, const Channel& channel,
                                   Budget& budget);

/// One line of a transcript: a CSV file with a column `input` (in the format of read_typed_input) or one column per
/// coordinate, a column `output` and an optional column `count`.
struct RecordedRun {
  std::uint64_t input;
  std::vector<std::uint64_t> output;
  std::uint64_t count;
};
std::vector<RecordedRun> read_transcript(const std::string& file, std::string_view text, const Domain& domain,
                                         const Channel& channel, Budget& budget);

/// Returns the column names of continuous outputs: the coordinate names. With several copies each name carries the
/// number of its copy, as in "x.2".
std::vector<std::string> vector_columns(const Domain& domain, std::size_t copies);

/// Calls `use` for every row of a CSV file with a numeric column per name. Throws SpecError if there is no row.
void each_vector(const std::string& file, std::string_view text, const std::vector<std::string>& names, Budget& budget,
                 const std::function<void(const std::vector<double>&)>& use);

/// The number, sums and sums of squares of the vectors in a CSV file with these columns. Each vector is first
/// averaged over its copies.
struct CollectedVectors {
  std::uint64_t total = 0;
  std::vector<double> sum, square;
};
CollectedVectors read_vector_table(const std::string& file, std::string_view text, const Domain& domain,
                                   std::size_t copies, Budget& budget);

}  // namespace oddsbound::specs
