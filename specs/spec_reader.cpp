// Reads the spec file as a whole: top level, domain, claims, symbols, and mechanisms that refer to another spec file.

#include <algorithm>
#include <filesystem>
#include <unordered_set>
#include <utility>

#include "specs/spec.h"
#include "specs/spec_error.h"
#include "verifier/notions/table.h"
#include "verifier/smt/everywhere.h"

namespace oddsbound::specs {

namespace {

// Claims, below.
const Notion& read_notion(JsonView claim);

// True if the claim is about a set of priors.
bool names_set(JsonView claim) {
  if (!claim.is_object()) return false;
  const std::vector<JsonView::Member> members = claim.members();
  return std::any_of(members.begin(), members.end(), [](const auto& member) { return member.key.text() == kForAll; });
}

const std::vector<std::string> kKeys = {"oddsbound", "name",      "description", "source",     "parameters", "symbols",
                                        "domain",    "mechanism", "prior",       "prior_sets", "claims"};

Fields read_top_level(const JsonDocument& document) {
  Fields fields = Fields::of_file(document, "spec", kKeys, "a spec");
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
    // A mechanism on one coordinate may be reused for another coordinate with the same values.
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
  Remarks unheard;  // discarded: remarks about the prior of that file
  ReadingContext values{directory, parameters, context.budget, inner.open_files, context.files, unheard};
  const Domain theirs = read_domain_and_prior(fields, values, PriorWanted::kNo).domain;
  require_same_shape(file_name, theirs, domain);
  return read_mechanism(fields.require("mechanism"), theirs, inner);
}

namespace {

// The symbols of the document without a known value, with the range that `given` sets.
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

// Reads the claims that can be read without what had an error: the prior, or the sets of priors.
std::vector<Claim> read_each_claim(JsonView value, const Spec& spec, bool has_prior, bool has_sets,
                                   ReadingContext& context, FoundErrors& errors) {
  std::vector<Claim> claims;
  for (const JsonView item : read_array(value, "claims")) {
    errors.attempt([&] {
      const bool needs_prior = !has_prior && read_notion(item).needs_prior;
      if (needs_prior || ((!has_prior || !has_sets) && names_set(item))) return;
      claims.push_back(read_claim(item, spec.model, context));
    });
  }
  return claims;
}

// Fails unless the spec's own mechanism is a matrix of numbers.
void require_printed_matrix(JsonView mechanism, const Spec& spec, const RowTolerance& given) {
  if (!is_row_tolerance(given.tolerance)) {
    throw SpecError({spec.file, 0, 0, ""}, "found the row tolerance " + printable(given.tolerance.to_string(), 40) +
                                               ", expected a rational number above 0 and below 1");
  }
  require_no_symbols(spec, "--row-tolerance");
  const std::string type = read_type(mechanism, "a mechanism");
  if (type == "matrix") return;
  mechanism.fail("found a mechanism of type '" + printable(type, 40) +
                 "', expected 'matrix': --row-tolerance is about printed matrices");
}

}  // namespace

Spec read_spec_document(const std::shared_ptr<const JsonDocument>& document, const std::string& directory,
                        Budget& budget, const GivenSymbols& given, const std::optional<RowTolerance>& tolerance) {
  const std::string& file = document->file();
  const Fields fields = read_top_level(*document);
  Spec spec;
  std::map<std::string, Number> named = given.values;
  if (std::vector<Symbol> symbols = symbols_left(fields, given); !symbols.empty()) {
    // Reading asks for signs of expressions. A hard one must not hold up the run.
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
  FoundErrors errors;
  errors.attempt([&] { spec.name = read_string(fields.require("name"), "'name'"); });
  errors.attempt([&] { spec.description = optional_string(fields, "description"); });
  errors.attempt([&] { spec.source = optional_string(fields, "source"); });
  const std::unique_ptr<Parameters> parameters = Parameters::read(fields, named, budget, errors);
  spec.files.push_back({file, sha256(document->text()), true});
  Remarks remarks;
  ReadingContext context{directory,  *parameters, budget, {std::filesystem::weakly_canonical(file).string()},
                         spec.files, remarks};
  DomainAndPrior inputs;
  // Everything below is about the domain.
  const auto read_inputs = [&] { inputs = read_domain_and_prior(fields, context, PriorWanted::kNo); };
  if (!errors.attempt(read_inputs)) errors.finish();
  spec.model.domain = std::move(inputs.domain);
  bool has_prior = true;
  if (const auto prior = fields.find("prior"); prior && !inputs.values_from_prior) {
    has_prior = errors.attempt([&] { inputs.prior = read_prior(*prior, spec.model.domain, context); });
  }
  spec.model.prior = std::move(inputs.prior);
  spec.confidential_prior = remarks.confidential_tables > 0;
  const auto is_table = [&] { return read_type(fields.require("prior"), "a prior") == "csv"; };
  if (spec.model.prior && !remarks.tables.empty() && is_table()) spec.table = remarks.tables.front();
  context.has_mechanism = errors.attempt([&] {
    const JsonView mechanism = fields.require("mechanism");
    if (tolerance) {
      require_printed_matrix(mechanism, spec, *tolerance);
      context.rounded =
          std::make_shared<RoundedRows>(RoundedRows{tolerance->tolerance, tolerance->exact_zeros, {}, {}});
    }
    spec.mechanism = read_mechanism(mechanism, spec.model.domain, context);
    spec.model.channel = spec.mechanism.channel;
    if (spec.mechanism.shuffle && spec.symbols) {
      mechanism.fail("shuffled reports need numbers, and the spec has symbols");
    }
    spec.rounded = std::exchange(context.rounded, nullptr);  // matrices in claims are as they are written
  });
  if (spec.model.prior) {
    const std::string type = read_type(fields.require("prior"), "a prior");
    context.priors.center = &*spec.model.prior;
    context.priors.counted = type == "counts" || type == "csv";
    context.priors.confidential = spec.confidential_prior;
    context.priors.values_confidential = spec.confidential_prior && inputs.values_from_prior;
  }
  bool has_sets = true;
  if (const auto sets = fields.find("prior_sets"); sets && has_prior) {
    has_sets = errors.attempt(
        [&] { spec.prior_sets = context.priors.named = read_prior_sets(*sets, spec.model.domain, context); });
  }
  if (const auto claims = fields.find("claims")) {
    errors.attempt([&] { spec.claims = read_each_claim(*claims, spec, has_prior, has_sets, context, errors); });
  }
  errors.finish();
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
                    GivenFiles given, const std::optional<RowTolerance>& tolerance) {
  return read_spec_document(std::make_shared<JsonDocument>(file, std::move(text), std::move(given)), directory, budget,
                            {}, tolerance);
}

Spec with_values(const Spec& spec, std::span<const Number> values, Budget& budget) {
  GivenSymbols given{spec.given.values, std::nullopt};
  for (std::size_t i = 0; i < values.size(); ++i) given.values[spec.symbols->symbols()[i].name] = values[i];
  return read_spec_document(spec.document, spec.directory, budget, given);
}

bool is_row_tolerance(const Number& tolerance) {
  return tolerance.is_rational() && tolerance.sign() > 0 && tolerance < Number(1);
}

void require_no_symbols(const Spec& spec, const std::string& what) {
  if (spec.mechanism.shuffle) {
    throw SpecError({spec.file, 0, 0, "/mechanism"},
                    what + " is not supported for shuffled reports: the inputs of the other people are not known");
  }
  if (!spec.symbols) return;
  throw SpecError(spec.symbols_place, what + " needs numbers, and the spec has symbols");
}

std::string directory_of(const std::string& path) {
  return path == "-" ? "." : std::filesystem::path(path).parent_path().string();
}

std::shared_ptr<const JsonDocument> read_document_of(const std::string& path, const Limits& limits) {
  try {
    return std::make_shared<JsonDocument>(path == "-" ? "<stdin>" : path, read_file(path, limits));
  } catch (const SpecError& error) {
    const bool is_table = error.place().line > 0 && (path.ends_with(".csv") || path.ends_with(".tsv"));
    if (!is_table) throw;
    throw SpecError({path, 0, 0, ""}, "this is a table, expected a spec", "'oddsbound new' writes a spec for a table");
  }
}

Spec read_spec(const std::string& path, Budget& budget, const std::optional<RowTolerance>& tolerance) {
  return read_spec_document(read_document_of(path, budget.limits()), directory_of(path), budget, {}, tolerance);
}

namespace {

constexpr std::string_view kFromPrior = "from prior";

ValueNames read_size(JsonView size) {
  constexpr auto kMost = static_cast<std::int64_t>(ValueNames::kMost);
  return ValueNames::numbered(static_cast<std::uint64_t>(read_integer(size, "the number of values", 1, kMost)));
}

// True if the values come from the prior's table.
bool read_values(JsonView values, Coordinate& coordinate, Budget& budget) {
  if (values.is_string()) {
    if (values.text() == kFromPrior) return true;
    values.fail("found '" + printable(values.text(), 40) + R"(', expected an array of values, or "from prior")");
  }
  std::unordered_set<std::string_view> seen;
  for (const JsonView item : read_array(values, "values")) {
    budget.check_every();
    coordinate.values.push_back(read_string(item, "a value"));
    if (!seen.insert(item.text()).second) item.fail("the value '" + printable(item.text()) + "' is listed twice");
  }
  if (coordinate.values.empty()) values.fail("a coordinate needs at least one value");
  return false;
}

void read_one(JsonView value, Budget& budget, DomainDraft& draft) {
  const Fields fields(value, {"name", "values", "size", "public"}, "a coordinate");
  Coordinate coordinate;
  coordinate.name = read_string(fields.require("name"), "the name of a coordinate");
  if (coordinate.name.empty()) fields.require("name").fail("a coordinate needs a name that is not empty");
  if (const auto known = fields.find("public"))
    coordinate.is_public = read_boolean(*known, "whether everybody knows it");
  if (fields.has("values") == fields.has("size")) {
    value.fail("a coordinate has either 'values' or 'size'");
  }
  const auto values = fields.find("values");
  if (!values) coordinate.values = read_size(fields.require("size"));
  const bool from_prior = values && read_values(*values, coordinate, budget);
  draft.coordinates.push_back(std::move(coordinate));
  draft.from_prior.push_back(from_prior ? values : std::nullopt);
}

DomainDraft read_draft(JsonView value, Budget& budget) {
  DomainDraft draft;
  std::unordered_set<std::string> names;
  for (const JsonView item : read_array(value, "coordinates")) {
    read_one(item, budget, draft);
    const std::string& name = draft.coordinates.back().name;
    if (!names.insert(name).second) item.fail("two coordinates are called '" + printable(name) + "'");
  }
  if (draft.coordinates.empty()) value.fail("a domain needs at least one coordinate");
  return draft;
}

// The first coordinate whose values come from the prior.
std::optional<JsonView> first_from_prior(const DomainDraft& draft) {
  const auto found = std::find_if(draft.from_prior.begin(), draft.from_prior.end(),
                                  [](const auto& place) { return place.has_value(); });
  return found == draft.from_prior.end() ? std::nullopt : *found;
}

}  // namespace

Domain read_listed_domain(JsonView value, Budget& budget) {
  DomainDraft draft = read_draft(value, budget);
  if (const auto place = first_from_prior(draft)) place->fail("the values have to be listed here: there is no prior");
  return at_place(value, [&] { return Domain(std::move(draft.coordinates)); });
}

DomainAndPrior read_domain_and_prior(const Fields& spec, ReadingContext& context, PriorWanted wanted) {
  const JsonView value = spec.require("domain");
  DomainDraft draft = read_draft(value, context.budget);
  const auto prior = spec.find("prior");
  const auto from_prior = first_from_prior(draft);
  if (!from_prior) {
    DomainAndPrior result{at_place(value, [&] { return Domain(std::move(draft.coordinates)); }), std::nullopt};
    if (prior && wanted == PriorWanted::kYes) result.prior = read_prior(*prior, result.domain, context);
    return result;
  }
  const std::string expected = R"("from prior" needs a prior of type 'csv', and )";
  if (!prior) from_prior->fail(expected + "the spec has none");
  if (const std::string type = read_type(*prior, "a prior"); type != "csv") {
    from_prior->fail(expected + "that of the spec is of type '" + printable(type, 40) + "'");
  }
  DomainAndPrior result = read_table(*prior, std::move(draft), context);
  result.values_from_prior = true;
  return result;
}

// Claims: the notion defines the fields of a claim, field_reader.cpp reads each kind of field

namespace {

const Notion& read_notion(JsonView claim) {
  std::vector<std::string> known;
  for (const Notion& notion : notion_table()) known.push_back(notion.name);
  if (!claim.is_object()) claim.fail("found " + claim.kind_name() + ", expected an object: a claim");
  for (const JsonView::Member& member : claim.members()) {
    if (member.key.text() != "notion") continue;
    const std::string name = read_string(member.value, "the name of a notion");
    if (const Notion* notion = find_notion(name)) return *notion;
    std::string hint = suggestion(name, known);
    if (hint.empty()) hint = "known: " + listing(known);
    member.value.fail("unknown notion '" + printable(name) + "'", hint);
  }
  claim.fail("a claim needs the key 'notion'");
}

bool is_decimal(std::string_view text) {
  constexpr std::size_t kLongest = 24;
  const std::size_t point = text.find('.');
  return text.size() <= kLongest && point > 0 && point + 1 < text.size() &&
         text.find_first_not_of("0123456789.") == std::string_view::npos &&
         text.find('.', point + 1) == std::string_view::npos;
}

// Keeps the decimals of a field, so that reports show levels as they are written.
void keep_decimals(const std::string& field, JsonView value, Claim& claim) {
  const auto keep = [&](const std::string& coordinate, JsonView one) {
    const bool literal = one.kind() == JsonKind::kNumber || one.is_string();
    if (literal && is_decimal(one.text())) claim.decimals.insert_or_assign({field, coordinate}, one.text());
  };
  keep("", value);
  if (!value.is_object()) return;
  for (const JsonView::Member& member : value.members()) keep(std::string(member.key.text()), member.value);
}

}  // namespace

Claim read_claim(JsonView value, const Model& model, ReadingContext& context) {
  Claim claim;
  claim.notion = &read_notion(value);
  std::vector<std::string> known{"notion", "name", "expect", "tight"};
  for (const Field& field : claim.notion->fields) known.push_back(field.name);
  const Fields fields(value, known, "a claim about " + claim.notion->name);
  if (const auto name = fields.find("name")) claim.name = read_string(*name, "the name of a claim");
  if (const auto expect = fields.find("expect")) {
    const std::string text = read_string(*expect, "'holds' or 'refuted'");
    if (text != "holds" && text != "refuted") {
      expect->fail("found '" + printable(text) + "', expected 'holds' or 'refuted'");
    }
    claim.expect_holds = text == "holds";
  }
  if (const auto tight = fields.find("tight")) {
    claim.tight = read_boolean(*tight, "whether the level is the least");
    if (claim.tight && !claim.notion->never_tight.empty()) {
      tight->fail("a claim about " + claim.notion->name + " cannot be tight", claim.notion->never_tight);
    }
  }
  context.outputs_of = model.channel.get();
  claim.arguments = at_place(value, [&] { return read_fields(fields, claim.notion->fields, model.domain, context); });
  if (claim.notion->complaint) {
    if (const auto found = claim.notion->complaint(model.domain, claim.arguments)) {
      fields.require(found->first).fail(printable(found->second));
    }
  }
  if (claim.notion->needs_prior && !model.prior && !claim.arguments.has(kForAll)) {
    fields.require("notion").fail("a claim about " + claim.notion->name + " needs a prior, and the spec has none",
                                  "add a prior, for example {\"type\": \"uniform\"}");
  }
  claim.place = value.place();
  for (const auto& [name, member] : fields.members()) {
    claim.source.emplace(name, canonical_json(member.value));
    keep_decimals(name, member.value, claim);
  }
  return claim;
}

std::vector<Claim> read_claims(JsonView value, const Model& model, ReadingContext& context) {
  std::vector<Claim> claims;
  for (const JsonView item : read_array(value, "claims")) claims.push_back(read_claim(item, model, context));
  return claims;
}

// Symbols: real variables over ranges. A claim is about all of their values at once

namespace {

Number read_bound(JsonView value) {
  if (value.kind() != JsonKind::kNumber && value.kind() != JsonKind::kString) {
    value.fail("found " + value.kind_name() + ", expected a number");
  }
  const Number number = at_place(value, [&] { return parse_number(value.text()); });
  if (!number.is_rational()) value.fail("found " + printable(value.text(), 40) + ", expected a rational number");
  return number;
}

// A bound of a range in one of two forms: open or closed.
std::optional<Number> read_side(const Fields& fields, const std::string& open, const std::string& closed,
                                bool& is_open) {
  if (fields.has(open) && fields.has(closed)) {
    fields.require(closed).fail("a symbol has either '" + open + "' or '" + closed + "'");
  }
  is_open = fields.has(open);
  const auto value = fields.find(is_open ? open : closed);
  return value ? std::optional(read_bound(*value)) : std::nullopt;
}

}  // namespace

std::vector<Symbol> read_symbols(JsonView value) {
  constexpr std::size_t kMost = 16;
  if (!value.is_object()) value.fail("found " + value.kind_name() + ", expected an object: symbol to range");
  std::vector<Symbol> symbols;
  for (const JsonView::Member& member : value.members()) {
    require_name(member.key, "symbol");
    const Fields fields(member.value, {"gt", "ge", "lt", "le"}, "the range of a symbol");
    Symbol& symbol = symbols.emplace_back();
    symbol.name = std::string(member.key.text());
    symbol.low = read_side(fields, "gt", "ge", symbol.low_open);
    symbol.high = read_side(fields, "lt", "le", symbol.high_open);
    if (symbol.low && symbol.high && *symbol.low >= *symbol.high) {
      member.value.fail("the range " + symbol.range_text() + " holds no more than one value",
                        "a number that does not vary is a parameter");
    }
  }
  if (symbols.empty()) value.fail("found no symbol, expected at least one");
  if (symbols.size() > kMost) value.fail("a spec has at most " + std::to_string(kMost) + " symbols");
  return symbols;
}

}  // namespace oddsbound::specs
