// Folders that get a file for whatever of a spec is to be shown there.
#pragma once

#include <string>
#include <vector>

#include "results/spec_result.h"

namespace oddsbound::cli {

struct SpecFolder {
  std::string option;   // that asks for it: "--write-witness"
  std::string path;     // empty: nobody does
  std::string one;      // what a file is called: "spec"
  std::string nothing;  // what is told where there is none
};
struct SpecFile {
  const SpecResult* spec;
  NamedText file;
};

/// Makes the folder and writes the files, if there are any. False after a complaint, before anything is written: if two
/// of them have one name. Throws std::runtime_error where one cannot be written.
bool write_spec_files(const SpecFolder& folder, const std::vector<SpecFile>& files);

}  // namespace oddsbound::cli
