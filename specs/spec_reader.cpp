// The spec file as a whole, and mechanisms that refer to another one.
#include <algorithm>
#include <filesystem>

#include "specs/spec.h"
#include "specs/spec_parts.h"
#include "verifier/smt/signs.h"

namespace oddsbound::specs {

namespace {

const std::vector<std::string> kKeys = {"oddsbound", "name",      "description", "source",     "parameters", "symbols",
                                        "domain",    "mechanism", "prior",       "prior_sets", "claims"};

Fields read_top_level(const JsonDocument& document) {
  Fields fields(document.root(), kKeys, "a spec");
  require_version_1(fields.require("oddsbound"), "the spec format");
  return fields;
}

std::string optional_string(const Fields& fields, const std::string& name) {
  const auto value = fields.find(name);
  return value ? read_string(*value, "'" + name + "'") : "";
}

void require_same_shape(JsonView file_name, const Domain& theirs, const Domain& ours) {
  const std::string which = "the domain of '" + printable(file_name.text()) + "'";
  if (theirs.size() != ours.size()) {
    file_name.fail(which + " has " + std::to_string(theirs.size()) + " coordinates, expected " +
                   std::to_string(ours.size()));
  }
  for (std::size_t i = 0; i < ours.size(); ++i) {
    // A mechanism of one coordinate may be reused for another one of the same values.
    if (ours.size() > 1 && theirs.coordinate(i).name != ours.coordinate(i).name) {
      file_name.fail(which + " has coordinate '" + printable(theirs.coordinate(i).name) + "' where '" +
                     printable(ours.coordinate(i).name) + "' is expected");
    }
    if (theirs.coordinate(i).values != ours.coordinate(i).values) {
      file_name.fail(which + " has other values for coordinate '" + printable(ours.coordinate(i).name) + "'");
    }
  }
}

}  // namespace

Mechanism read_mechanism_file(JsonView file_name, const Domain& domain, ReadingContext& context) {
  constexpr std::size_t kDeepest = 16;
  std::string path;
  std::string text = read_named_file(file_name, context, path);
  std::string identity = std::filesystem::weakly_canonical(path).string();
  const auto& open = context.open_files;
  if (std::find(open.begin(), open.end(), identity) != open.end()) {
    file_name.fail("spec files refer to one another in a cycle through '" + printable(path) + "'");
  }
  if (open.size() >= kDeepest) {
    file_name.fail("spec files refer to one another through more than " + std::to_string(kDeepest) + " steps");
  }
  for (SourceFile& file : context.files) file.is_spec = file.is_spec || file.file == path;
  const JsonDocument document(path, std::move(text));
  const Fields fields = read_top_level(document);
  if (const auto symbols = fields.find("symbols")) {
    symbols->fail("a spec with symbols cannot be the mechanism of another one", "found in '" + printable(path) + "'");
  }
  Parameters parameters(fields.find("parameters"), {}, context.budget);
  const std::string directory = directory_of(path);
  ReadingContext inner{directory, parameters, context.budget, context.open_files, context.files, context.remarks};
  inner.open_files.push_back(std::move(identity));
  Remarks unheard;  // of its prior
  ReadingContext values{directory, parameters, context.budget, inner.open_files, context.files, unheard};
  const Domain theirs = read_domain_and_prior(fields, values, PriorWanted::kNo).domain;
  require_same_shape(file_name, theirs, domain);
  return read_mechanism(fields.require("mechanism"), theirs, inner);
}

namespace {

// Those of the document that have no value, in the ranges that they are given.
std::vector<Symbol> symbols_left(const Fields& fields, const GivenSymbols& given) {
  std::vector<Symbol> symbols;
  if (const auto written = fields.find("symbols")) symbols = read_symbols(*written);
  std::erase_if(symbols, [&](const Symbol& symbol) { return given.values.contains(symbol.name); });
  if (!given.ranged) return symbols;
  const auto same = std::find_if(symbols.begin(), symbols.end(),
                                 [&](const Symbol& symbol) { return symbol.name == given.ranged->name; });
  if (same == symbols.end()) {
    symbols.push_back(*given.ranged);
  } else {
    *same = *given.ranged;
  }
  return symbols;
}

}  // namespace

Spec read_spec_document(const std::shared_ptr<const JsonDocument>& document, const std::string& directory,
                        Budget& budget, const GivenSymbols& given) {
  const std::string& file = document->file();
  const Fields fields = read_top_level(*document);
  Spec spec;
  std::map<std::string, Number> named = given.values;
  if (std::vector<Symbol> symbols = symbols_left(fields, given); !symbols.empty()) {
    // Signs are asked for while reading; one that is hard must not hold up the run.
    constexpr double kMostSeconds = 30;
    SmtOptions options;
    options.seconds = std::min(kMostSeconds, budget.limits().max_seconds);
    spec.symbols = SymbolRing::make(std::move(symbols), sign_oracle(options));
    for (std::size_t i = 0; i < spec.symbols->symbols().size(); ++i) {
      named[spec.symbols->symbols()[i].name] = spec.symbols->value(i);
    }
    spec.symbols_place = fields.has("symbols") ? fields.members().at("symbols").key.place() : fields.object().place();
    spec.document = document;
    spec.directory = directory;
    spec.given = given;
  }
  spec.file = file;
  spec.name = read_string(fields.require("name"), "'name'");
  spec.description = optional_string(fields, "description");
  spec.source = optional_string(fields, "source");
  Parameters parameters(fields.find("parameters"), named, budget);
  parameters.evaluate_all();
  spec.files.push_back({file, sha256(document->text()), true});
  Remarks remarks;
  ReadingContext context{directory,  parameters, budget, {std::filesystem::weakly_canonical(file).string()},
                         spec.files, remarks};
  DomainAndPrior inputs = read_domain_and_prior(fields, context, PriorWanted::kYes);
  spec.model.domain = std::move(inputs.domain);
  spec.model.prior = std::move(inputs.prior);
  spec.confidential_prior = remarks.confidential_tables > 0;
  spec.mechanism = read_mechanism(fields.require("mechanism"), spec.model.domain, context);
  spec.model.channel = spec.mechanism.channel;
  if (spec.model.prior) {
    const std::string type = read_type(fields.require("prior"), "a prior");
    context.priors.center = &*spec.model.prior;
    context.priors.counted = type == "counts" || type == "csv";
    context.priors.confidential = spec.confidential_prior;
    context.priors.values_confidential = spec.confidential_prior && inputs.values_from_prior;
  }
  if (const auto sets = fields.find("prior_sets")) {
    spec.prior_sets = context.priors.named = read_prior_sets(*sets, spec.model.domain, context);
  }
  if (const auto claims = fields.find("claims")) spec.claims = read_claims(*claims, spec.model, context);
  spec.notes = std::move(remarks.notes);
  spec.tables = std::move(remarks.tables);
  return spec;
}

bool depends_on_confidential_table(const Spec& spec, const Claim& claim) {
  if (const auto* for_all = claim.arguments.find_if<ForAll>(kForAll)) return for_all->confidential;
  return claim.notion->needs_prior && spec.confidential_prior;
}

bool has_confidential_table(const Spec& spec) {
  const auto is_confidential = [](const auto& named) { return named.second.confidential; };
  return spec.confidential_prior || std::any_of(spec.prior_sets.begin(), spec.prior_sets.end(), is_confidential) ||
         std::any_of(spec.claims.begin(), spec.claims.end(),
                     [&](const Claim& claim) { return depends_on_confidential_table(spec, claim); });
}

Spec read_spec_text(const std::string& file, const std::string& directory, std::string text, Budget& budget,
                    GivenFiles given) {
  return read_spec_document(std::make_shared<JsonDocument>(file, std::move(text), std::move(given)), directory, budget);
}

Spec with_values(const Spec& spec, std::span<const Number> values, Budget& budget) {
  GivenSymbols given{spec.given.values, std::nullopt};
  for (std::size_t i = 0; i < values.size(); ++i) given.values[spec.symbols->symbols()[i].name] = values[i];
  return read_spec_document(spec.document, spec.directory, budget, given);
}

void require_no_symbols(const Spec& spec, const std::string& what) {
  if (!spec.symbols) return;
  throw SpecError(spec.symbols_place, what + " needs numbers, and the spec has symbols");
}

std::string directory_of(const std::string& path) {
  return path == "-" ? "." : std::filesystem::path(path).parent_path().string();
}

std::shared_ptr<const JsonDocument> read_document_of(const std::string& path, const Limits& limits) {
  return std::make_shared<JsonDocument>(path == "-" ? "<stdin>" : path, read_file(path, limits));
}

Spec read_spec(const std::string& path, Budget& budget) {
  return read_spec_document(read_document_of(path, budget.limits()), directory_of(path), budget);
}

}  // namespace oddsbound::specs
