// A spec file, read: a model and the claims about it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "mechanisms/mechanism.h"
#include "specs/spec_error.h"
#include "verifier/model/model.h"
#include "verifier/privacy/notion.h"

namespace oddsbound {

struct Claim {
  const Notion* notion;
  Arguments arguments;
  bool expect_holds = true;
  std::string name;  // empty if the spec gives none
  SourcePlace place;
};

struct Spec {
  std::string file;
  std::string name;
  std::string description;
  std::string source;
  Model model;  // its channel is null if the outputs are continuous
  Mechanism mechanism;
  std::vector<Claim> claims;
};

/// Reads a spec from a file ("-" is standard input). File names within are relative to the spec's folder.
///
/// Throws SpecError for whatever is wrong with it: one error, at its place.
Spec read_spec(const std::string& path, Budget& budget);

/// The same from a text; `file` is the name that errors give.
Spec read_spec_text(const std::string& file, const std::string& directory, std::string text, Budget& budget);

}  // namespace oddsbound
