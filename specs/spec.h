// A spec file, read: a model and the claims about it.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "mechanisms/mechanism.h"
#include "specs/json_document.h"
#include "specs/source_file.h"
#include "specs/spec_error.h"
#include "specs/table_use.h"
#include "verifier/exact/symbols.h"
#include "verifier/model/model.h"
#include "verifier/notions/notion.h"

namespace oddsbound::specs {

struct Claim {
  const Notion* notion;
  Arguments arguments;
  bool expect_holds = true;
  bool tight = false;  // it is also claimed that no smaller level holds, for any values of the symbols
  std::string name;    // empty if the spec gives none
  SourcePlace place;
  std::map<std::string, std::string> source{};  // what the spec says, by field: canonical_json
};

/// What is known of symbols before a spec is read.
struct GivenSymbols {
  std::map<std::string, Number> values;  // they are numbers, and no symbols any more
  std::optional<Symbol> ranged;          // in place of the one of that name, or one more
};

struct Spec {
  std::string file;
  std::string name;
  std::string description;
  std::string source;
  Model model;  // its channel is null if the outputs are continuous or unlisted
  Mechanism mechanism;
  std::vector<Claim> claims;
  std::map<std::string, ForAll> prior_sets{};
  std::shared_ptr<const SymbolRing> symbols{};  // null: none, all numbers are constants
  SourcePlace symbols_place{};
  std::shared_ptr<const JsonDocument> document{};  // of a spec with symbols: what it was read from
  std::string directory{};
  GivenSymbols given{};              // before it was read
  std::vector<SourceFile> files{};   // that were read, the spec first
  std::vector<std::string> notes{};  // what is probably not meant
  std::vector<TableUse> tables{};    // of the prior, that say what becomes of missing cells
  bool confidential_prior = false;   // it depends on a table that is not stated to be published
};

/// Whether what is true about the claim depends on a confidential table: whatever is written for others is rounded.
bool depends_on_confidential_table(const Spec& spec, const Claim& claim);
/// Whether the prior or a set of priors does.
bool has_confidential_table(const Spec& spec);

/// Reads a spec from a file ("-" is standard input). File names within are relative to the spec's folder.
///
/// Throws SpecError for whatever is wrong with it: one error, at its place.
Spec read_spec(const std::string& path, Budget& budget);

/// The spec where its symbols have these values, one for each: an ordinary spec, and read like one, for samplers and
/// structure may depend on values that are known. What was given before still is.
Spec with_values(const Spec& spec, std::span<const Number> values, Budget& budget);

/// What is said besides where a spec has no set of priors of that name.
std::string hint_of_sets(const std::string& name, const std::map<std::string, ForAll>& named);

/// Throws SpecError at the symbols if the spec has any, because `what` needs numbers.
void require_no_symbols(const Spec& spec, const std::string& what);

/// The same from a text; `file` is the name that errors give.
Spec read_spec_text(const std::string& file, const std::string& directory, std::string text, Budget& budget,
                    GivenFiles given = {});
/// The same from a document, with what is known of its symbols.
Spec read_spec_document(const std::shared_ptr<const JsonDocument>& document, const std::string& directory,
                        Budget& budget, const GivenSymbols& given = {});
/// The document of a file ("-" is standard input), and the folder that file names in it are relative to.
std::shared_ptr<const JsonDocument> read_document_of(const std::string& path, const Limits& limits);
std::string directory_of(const std::string& path);

}  // namespace oddsbound::specs
