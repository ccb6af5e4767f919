// Reads the file of a release (docs/releases.md): attributes, steps, budget. Also reads the mechanism of a release
// on small tables.

#include "releases/reader.h"

#include <filesystem>
#include <numeric>

#include "releases/counts.h"
#include "releases/halfspace.h"
#include "releases/mwem.h"
#include "releases/release.h"
#include "releases/spec.h"

namespace oddsbound::releases {

namespace {

Number read_delta(JsonView value, ReadingContext& context) {
  const Number delta = read_positive(value, "delta", context);
  if (delta >= Number(1)) value.fail("found " + printable(delta.to_string(), 60) + ", expected delta below 1");
  return delta;
}

// Returns one line, or with "each" one per attribute.
std::vector<BudgetLine> read_budget_lines(JsonView value, const Domain& schema, ReadingContext& context) {
  const Fields fields(value, {"each", "attributes", "person", "epsilon", "delta", "rho"}, "a line of the budget");
  if (fields.has("each") + fields.has("attributes") + fields.has("person") != 1) {
    value.fail("a line of the budget has one of 'each', 'attributes' and 'person'");
  }
  BudgetLine line;
  if (const auto epsilon = fields.find("epsilon")) line.epsilon = read_level(*epsilon, context);
  if (const auto rho = fields.find("rho")) line.rho = read_positive(*rho, "rho", context);
  if (!line.epsilon && !line.rho) value.fail("a line of the budget has 'epsilon' or 'rho'");
  if (const auto delta = fields.find("delta")) {
    if (!line.epsilon) delta->fail("'delta' goes with 'epsilon'");
    line.delta = read_delta(*delta, context);
  }
  for (const char* flag : {"each", "person"}) read_flag(fields, flag);
  std::vector<BudgetLine> lines;
  const auto add = [&](std::string of, Attributes attributes) {
    line.of = std::move(of);
    line.attributes = std::move(attributes);
    lines.push_back(line);
  };
  if (const auto attributes = fields.find("attributes")) {
    Attributes set = read_attributes(*attributes, schema);
    add(words_of(schema, set), set);
  } else if (fields.has("person")) {
    add("a person", every_coordinate(schema));
  } else {
    for (std::size_t i = 0; i < schema.size(); ++i) add(schema.coordinate(i).name, {i});
  }
  return lines;
}

void read_column_names(JsonView value, ReleaseFile& result) {
  if (!value.is_object()) value.fail("found " + value.kind_name() + ", expected an object: attribute to column");
  for (const JsonView::Member& member : value.members()) {
    result.columns[read_coordinate(member.key, result.release->schema)] =
        read_string(member.value, "the name of a column");
  }
}

void read_deltas(const Fields& fields, Release& release, ReadingContext& context) {
  const auto deltas = fields.find("deltas");
  if (!deltas) return;
  release.deltas.clear();
  for (const JsonView delta : read_array(*deltas, "deltas")) release.deltas.push_back(read_delta(delta, context));
}

void read_steps(const Fields& fields, Release& release, ReadingContext& context, FoundErrors& errors) {
  const JsonView value = fields.require("steps");
  const std::vector<JsonView> steps = read_array(value, "steps");
  if (steps.empty()) value.fail("a release needs at least one step");
  for (const JsonView step : steps) {
    context.budget.check();
    errors.attempt([&] {
      release.steps.push_back(
          reader_of_type(step, step_readers(), "a step", "type of step")(step, release.schema, context));
    });
  }
}

void read_budget(JsonView value, Release& release, ReadingContext& context, FoundErrors& errors) {
  for (const JsonView line : read_array(value, "lines of the budget")) {
    errors.attempt([&] {
      for (BudgetLine& one : read_budget_lines(line, release.schema, context)) release.budget.push_back(std::move(one));
    });
  }
}

}  // namespace

ReleaseFile read_release_document(const JsonDocument& document, const std::string& directory,
                                  std::vector<SourceFile>& files, Budget& budget) {
  const Fields fields = Fields::of_file(
      document, "release",
      {"oddsbound_release", "name", "description", "parameters", "attributes", "columns", "budget", "deltas", "steps"},
      "a release");
  require_version_1(fields.require("oddsbound_release"), "the format of releases");
  FoundErrors errors;
  const std::unique_ptr<Parameters> parameters = Parameters::read(fields, {}, budget, errors);
  Remarks remarks;
  ReadingContext context{directory, *parameters, budget, {}, files, remarks};
  auto release = std::make_shared<Release>();
  errors.attempt([&] { release->name = read_string(fields.require("name"), "'name'"); });
  errors.attempt([&] {
    if (const auto description = fields.find("description")) read_string(*description, "'description'");
  });
  // Everything below is about the attributes.
  if (!errors.attempt([&] { release->schema = read_listed_domain(fields.require("attributes"), budget); })) {
    errors.finish();
  }
  errors.attempt([&] { read_deltas(fields, *release, context); });
  errors.attempt([&] { read_steps(fields, *release, context, errors); });
  errors.attempt([&] {
    if (const auto lines = fields.find("budget")) read_budget(*lines, *release, context, errors);
  });
  ReleaseFile result{release, {}};
  errors.attempt([&] {
    if (const auto columns = fields.find("columns")) read_column_names(*columns, result);
  });
  errors.finish();
  return result;
}

ReleaseFile read_release(const std::string& path, Budget& budget) {
  const auto document = read_document_of(path, budget.limits());
  std::vector<SourceFile> files{{document->file(), sha256(document->text()), true}};
  return read_release_document(*document, directory_of(path), files, budget);
}

std::vector<CostPart> read_spent(const std::string& path, const Domain& schema, Budget& budget) {
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) return {};
  return read_spent_document(*read_document_of(path, budget.limits()), schema, budget);
}

std::vector<CostPart> read_spent_document(const JsonDocument& document, const Domain& schema, Budget& budget) {
  const Fields fields = Fields::of_file(document, "ledger", {"oddsbound_spent", "steps"}, "what was spent");
  require_version_1(fields.require("oddsbound_spent"), "this format");
  Parameters parameters(std::nullopt, {}, budget);
  parameters.allow_long_literals();
  std::vector<SourceFile> files;
  Remarks remarks;
  const std::string directory = directory_of(document.file());
  ReadingContext context{directory, parameters, budget, {}, files, remarks};
  std::vector<CostPart> parts;
  for (const JsonView step : read_array(fields.require("steps"), "steps")) {
    parts.push_back(
        read_cost(Fields(step, {"name", "attributes", "epsilon", "rho", "each"}, "a step"), schema, context));
  }
  return parts;
}

CostPart read_cost(const Fields& fields, const Domain& schema, ReadingContext& context) {
  if (!fields.has("epsilon") && !fields.has("rho")) fields.object().fail("a declared step has 'epsilon' or 'rho'");
  CostPart part{
      read_string(fields.require("name"), "a name"), read_attributes(fields.require("attributes"), schema), {}};
  std::optional<Number> rho;
  if (const auto given = fields.find("rho")) rho = read_positive(*given, "rho", context);
  if (const auto epsilon = fields.find("epsilon")) {
    const Level level = read_level(*epsilon, context);
    if (level.is_infinite()) epsilon->fail("expected a finite level");
    part.loss = at_place(*epsilon, [&] { return rho ? pure_loss(level, *rho) : pure_loss(level); });
  } else {
    part.loss = concentrated_loss(*rho);
  }
  part.each = read_flag(fields, "each");
  return part;
}

namespace {

Noise read_noise(JsonView value, ReadingContext& context) {
  const Fields fields(value, {"laplace", "gaussian"}, "noise");
  if (fields.has("laplace") == fields.has("gaussian")) {
    value.fail("noise is either 'laplace', with its scale, or 'gaussian', with its variance");
  }
  using Kind = Noise::Kind;
  if (const auto scale = fields.find("laplace")) return {Kind::kLaplace, read_ratio(*scale, context)};
  return {Kind::kGaussian, read_ratio(fields.require("gaussian"), context)};
}

// One value, or a list of them.
std::vector<std::uint32_t> read_digits(JsonView value, const Domain& schema, std::size_t i) {
  const auto digit = [&](JsonView one) { return static_cast<std::uint32_t>(read_value_of(one, schema, i)); };
  if (!value.is_array()) return {digit(value)};
  std::vector<std::uint32_t> digits;
  for (const JsonView item : read_array(value, "values")) {
    digits.push_back(digit(item));
    if (std::count(digits.begin(), digits.end(), digits.back()) > 1) item.fail("the value is listed twice");
  }
  if (digits.empty()) value.fail("found no value, expected at least one");
  return digits;
}

// "is" or "odd_of": attribute to a value, or to a list of values.
NamedPattern read_pattern(JsonView value, const Domain& schema) {
  const Fields fields(value, {"name", "is", "odd_of"}, "a count of those who have some values");
  if (fields.has("is") == fields.has("odd_of")) {
    value.fail(
        "a count has 'is', for people with all of these values, or 'odd_of', for those with an odd number of them");
  }
  const bool odd = fields.has("odd_of");
  const JsonView is = fields.require(odd ? "odd_of" : "is");
  if (!is.is_object() || is.members().empty()) is.fail("expected an object: attribute to value");
  std::map<std::size_t, std::vector<std::uint32_t>> digits_of;
  std::string name;
  bool single = true;
  for (const JsonView::Member& member : is.members()) {
    const std::size_t i = read_coordinate(member.key, schema);
    const std::vector<std::uint32_t>& digits = digits_of[i] = read_digits(member.value, schema, i);
    std::string values;
    for (const std::uint32_t digit : digits) values += (values.empty() ? "" : "|") + schema.coordinate(i).values[digit];
    name += (name.empty() ? "" : ", ") + schema.coordinate(i).name + "=" + values;
    single = single && digits.size() == 1;
  }
  NamedPattern result{odd ? "odd number of " + name : name, {}};
  if (const auto given = fields.find("name")) result.name = read_string(*given, "a name");
  result.pattern.odd = odd;
  for (const auto& [attribute, digits] : digits_of) {
    result.pattern.attributes.push_back(attribute);
    if (single) {
      result.pattern.values.push_back(digits[0]);
      continue;
    }
    std::vector<bool>& set = result.pattern.sets.emplace_back(schema.values(attribute), false);
    for (const std::uint32_t digit : digits) set[digit] = true;
  }
  return result;
}

// Lists of attributes: as listed, or {"ways": k, "among": attributes} for all k of these, in the order of the schema.
std::vector<std::pair<Attributes, JsonView>> read_lists(JsonView value, const Domain& schema, const std::string& what) {
  constexpr std::uint64_t kMostLists = std::uint64_t{1} << 16, kMostListed = std::uint64_t{1} << 20;
  std::vector<std::pair<Attributes, JsonView>> lists;
  if (!value.is_object()) {
    for (const JsonView list : read_array(value, what)) lists.emplace_back(read_attributes(list, schema), list);
    return lists;
  }
  const Fields fields(value, {"ways", "among"}, "an object in place of lists");
  const auto among = fields.find("among");
  const Attributes all = among ? read_attributes(*among, schema) : every_coordinate(schema);
  const auto ways = static_cast<std::size_t>(read_integer(fields.require("ways"), "the number of attributes of a list",
                                                          1, static_cast<std::int64_t>(all.size())));
  // Before any is made: binomial coefficients, each an integer, until one is too large.
  std::uint64_t count = 1;
  for (std::uint64_t k = 1; k <= std::min(ways, all.size() - ways) && count <= kMostLists; ++k) {
    count = count * (all.size() - std::min(ways, all.size() - ways) + k) / k;
  }
  if (count > kMostLists) value.fail("these are more than 65,536 lists of attributes");
  if (count * ways > kMostListed) value.fail("these lists have more than 1,048,576 attributes together");
  std::vector<std::size_t> places(ways);
  std::iota(places.begin(), places.end(), std::size_t{0});
  while (true) {
    Attributes& list = lists.emplace_back(Attributes{}, value).first;
    for (const std::size_t place : places) list.push_back(all[place]);
    std::size_t k = ways;
    while (k > 0 && places[k - 1] == all.size() - ways + k - 1) --k;
    if (k == 0) return lists;
    ++places[k - 1];
    for (; k < ways; ++k) places[k] = places[k - 1] + 1;
  }
}

// The number of people for whom an odd number of the attributes has its second value.
NamedPattern parity_of(const Attributes& attributes, JsonView place, const Domain& schema) {
  NamedPattern result{"parity of " + words_of(schema, attributes), {attributes, {}, {}, true}};
  for (const std::size_t i : attributes) {
    if (schema.values(i) != 2) {
      place.fail("'" + printable(schema.coordinate(i).name) + "' has " + std::to_string(schema.values(i)) +
                     " values: parities are of attributes with two values",
                 "a count of 'where' with 'odd_of' names the values");
    }
    result.pattern.values.push_back(1);
  }
  return result;
}

constexpr std::int64_t kMostWeightOfSums = 1 << 20;

std::int64_t read_weight(JsonView value) {
  return read_integer(value, "a weight", -kMostWeightOfSums, kMostWeightOfSums);
}

// {"weights": {attribute: {value: weight}}}, or {"of": attributes, "weights": [one per combination of their values]}.
NamedSum read_sum(JsonView value, const Domain& schema) {
  const Fields fields(value, {"name", "of", "weights"}, "a sum");
  NamedSum sum{read_string(fields.require("name"), "a name"), {}};
  const JsonView weights = fields.require("weights");
  if (const auto of = fields.find("of")) {
    const std::vector<std::size_t> listed = read_coordinates(*of, schema);
    const Domain cells = schema.restricted_to(listed);
    const std::vector<JsonView> items = read_array(weights, "weights, one for each combination of the values");
    const std::uint64_t expected = at_place(*of, [&] { return cells.inputs(); });
    if (items.size() != expected) {
      weights.fail("found " + std::to_string(items.size()) + " weights, expected " + std::to_string(expected) +
                   ": one for each combination of the values, the last attribute fastest");
    }
    sum.weights.joint = true;
    sum.weights.attributes = listed;
    std::sort(sum.weights.attributes.begin(), sum.weights.attributes.end());
    for (const std::size_t i : sum.weights.attributes) sum.weights.sizes.push_back(schema.values(i));
    std::vector<std::int64_t>& joint = sum.weights.weights.emplace_back(items.size());
    const Domain sorted = schema.restricted_to(sum.weights.attributes);
    for (std::uint64_t cell = 0; cell < items.size(); ++cell) {
      const InputRow row = cells.row(cell);
      InputRow turned(row.size());
      for (std::size_t k = 0; k < row.size(); ++k) {
        const auto place = std::lower_bound(sum.weights.attributes.begin(), sum.weights.attributes.end(), listed[k]);
        turned[static_cast<std::size_t>(place - sum.weights.attributes.begin())] = row[k];
      }
      joint[sorted.number(turned)] = read_weight(items[cell]);
    }
    return sum;
  }
  if (!weights.is_object() || weights.members().empty()) {
    weights.fail("expected an object: attribute to the weights of its values", "with 'of': a list of weights");
  }
  std::map<std::size_t, std::vector<std::int64_t>> by_attribute;
  for (const JsonView::Member& member : weights.members()) {
    const std::size_t i = read_coordinate(member.key, schema);
    if (!member.value.is_object()) member.value.fail("expected an object: value to weight");
    std::vector<std::optional<std::int64_t>> own(schema.values(i));
    for (const JsonView::Member& one : member.value.members()) {
      own[read_value_of(one.key, schema, i)] = read_weight(one.value);
    }
    for (std::size_t v = 0; v < own.size(); ++v) {
      if (!own[v]) member.value.fail("no weight is given for '" + printable(schema.coordinate(i).values[v]) + "'");
      by_attribute[i].push_back(*own[v]);
    }
  }
  for (auto& [attribute, own] : by_attribute) {
    sum.weights.attributes.push_back(attribute);
    sum.weights.sizes.push_back(own.size());
    sum.weights.weights.push_back(std::move(own));
  }
  return sum;
}

// most_cells: limit on the cells of a table.
Counted read_counted(const Fields& fields, const Domain& schema, const std::string& who,
                     std::uint64_t most_cells = UINT64_MAX, bool with_sums = true) {
  Counted counted;
  if (const auto tables = fields.find("of")) {
    for (auto& [attributes, table] : read_lists(*tables, schema, "tables, each a list of attributes")) {
      counted.tables.push_back(std::move(attributes));
      // A table whose cells cannot be listed cannot be published either.
      const std::uint64_t cells = at_place(table, [&] { return schema.restricted_to(counted.tables.back()).inputs(); });
      if (cells > most_cells) table.fail("a table of so many cells is not for a fitted distribution");
    }
  }
  if (const auto patterns = fields.find("where")) {
    for (const JsonView pattern : read_array(*patterns, "counts of those who have some values")) {
      counted.patterns.push_back(read_pattern(pattern, schema));
    }
  }
  if (const auto parities = fields.find("parities")) {
    for (const auto& [attributes, place] : read_lists(*parities, schema, "parities, each a list of attributes")) {
      counted.patterns.push_back(parity_of(attributes, place, schema));
    }
  }
  if (const auto sums = fields.find("sums")) {
    for (const JsonView sum : read_array(*sums, "sums")) counted.sums.push_back(read_sum(sum, schema));
  }
  if (counted.tables.empty() && counted.patterns.empty() && counted.sums.empty()) {
    fields.object().fail(who + (with_sums ? " 'of', 'where', 'parities' or 'sums'" : " 'of', 'where' or 'parities'") +
                         ": nothing is counted");
  }
  return counted;
}

StepPtr read_counts_step(JsonView value, const Domain& schema, ReadingContext& context) {
  const Fields fields(value, {"type", "of", "where", "parities", "sums", "noise", "window", "consistent"}, "counts");
  const Noise noise = read_noise(fields.require("noise"), context);
  CountsRequest request{schema, read_counted(fields, schema, "counts need"), noise, noise.window()};
  request.consistent = read_flag(fields, "consistent");
  if (request.consistent && !request.counted.sums.empty()) {
    fields.require("consistent")
        .fail("consistent counts are of people, and 'sums' are not: publish these in another step");
  }
  if (const auto window = fields.find("window")) {
    request.window = static_cast<std::uint64_t>(read_integer(*window, "the window", 0, kMostWindow));
  }
  return made(value, schema, [&] { return counts_step(std::move(request)); });
}

// The least integer in (low, high] for which is_enough, which is monotone; high is enough.
template <typename IsEnough>
std::int64_t least_in(std::int64_t low, std::int64_t high, const IsEnough& is_enough) {
  while (high - low > 1) {
    const std::int64_t middle = low + (high - low) / 2;
    (is_enough(middle) ? high : low) = middle;
  }
  return high;
}

// Algorithm 1: with epsilon_T = epsilon_0 / sqrt(2 T), choices at rate epsilon_T and Gaussian noise of variance
// 1 / epsilon_T^2, so that T rounds cost epsilon_0^2 / 2 of rho for an attribute. The rate is rounded down to a
// multiple of 2^-20 and the variance up to one of 1/64 (1 above 16384), if it has no short fraction: roots are no
// numbers of the program.
void set_mwem(JsonView place, const Number& epsilon_0, MwemRequest& request) {
  const Number square = epsilon_0 * epsilon_0 / Number(2 * static_cast<std::int64_t>(request.rounds));
  constexpr std::int64_t kUnits = 1 << 20, kParts = 64;
  const auto fits = [&](std::int64_t units) { return Number::ratio(units, kUnits).pow(2) <= square; };
  if (!(square <= Number(1))) place.fail("expected at most sqrt(2 rounds)", "more rounds share a larger epsilon_0");
  const std::int64_t low = least_in(0, kUnits + 1, [&](std::int64_t units) { return !fits(units); }) - 1;
  std::optional<SmallRatio> variance = small_ratio(Number(1) / square);
  // Otherwise the least multiple of 1/64 up to 16384, or beyond the least integer.
  const std::int64_t parts = square * Number(kUnits / kParts) >= Number(1) ? kParts : 1;
  if (!variance && square * Number(kUnits) >= Number(parts)) {
    const auto is_enough = [&](std::int64_t of) { return Number::ratio(of, parts) * square >= Number(1); };
    const std::int64_t least = least_in(0, kUnits, is_enough);
    variance = small_ratio(Number::ratio(least, parts));
  }
  if (low == 0 || !variance) {
    place.fail("epsilon_0 is too small for so many rounds: the noise would be larger than the program draws");
  }
  request.rate = *small_ratio(Number::ratio(low, kUnits));
  request.noise = {Noise::Kind::kGaussian, *variance};
}

StepPtr read_mwem_step(JsonView value, const Domain& schema, ReadingContext& context) {
  const Fields fields(
      value,
      {"type", "of", "where", "parities", "rounds", "together", "epsilon_0", "rate", "noise", "fit", "score_bits"},
      "mwem");
  constexpr std::int64_t kMostRounds = 10'000, kMostTogether = 64, kMostBits = 20;
  MwemRequest request{schema, queries_of(schema, read_counted(fields, schema, "it needs", kMostRecords, false)),
                      1,      1,
                      {1, 1}, {Noise::Kind::kGaussian, {1, 1}}};
  request.rounds = static_cast<std::uint64_t>(read_integer(fields.require("rounds"), "rounds", 1, kMostRounds));
  if (const auto epsilon = fields.find("epsilon_0")) {
    follow_from(fields, "'epsilon_0' and 'rounds'", {"rate", "noise"});
    set_mwem(*epsilon, read_positive(*epsilon, "epsilon_0", context), request);
  } else {
    request.noise = read_noise(fields.require("noise"), context);
    request.rate = read_ratio(fields.require("rate"), context);
  }
  if (const auto together = fields.find("together")) {
    request.together = static_cast<std::uint64_t>(read_integer(*together, "queries of a round", 1, kMostTogether));
  }
  if (const auto bits = fields.find("score_bits")) {
    request.score_bits = static_cast<unsigned>(read_integer(*bits, "bits", 0, kMostBits));
  }
  if (const auto fit = fields.find("fit")) {
    const std::string name = read_string(*fit, "'all' or 'round'");
    if (name != "all" && name != "round") fit->fail("found '" + printable(name) + "', expected 'all' or 'round'");
    request.fits_all = name == "all";
  }
  return made(value, schema, [&] { return mwem_step(std::move(request)); });
}

StepPtr read_heavy_hitters_step(JsonView value, const Domain& schema, ReadingContext& context) {
  const Fields fields(value,
                      {"type", "attributes", "epsilon", "share", "scale", "count_scale", "margin", "threshold",
                       "window", "lists", "limit", "test_leaves"},
                      "heavy hitters");
  HeavyHittersRequest request{schema, read_attributes(fields.require("attributes"), schema)};
  request.test_leaves = read_flag(fields, "test_leaves");
  if (const auto epsilon = fields.find("epsilon")) {
    const JsonView share = fields.require("share");
    request.share = read_share(share, context);
    follow_from(fields, "'epsilon' and 'share'", {"scale", "count_scale", "margin", "threshold"});
    set_hitters(*epsilon, read_finite_level(*epsilon, context), request);
  } else {
    if (const auto share = fields.find("share")) share->fail("'share' goes with 'epsilon'");
    read_hitters(fields, context, request);
  }
  read_hitters_limits(fields, request);
  request.lists = read_flag(fields, "lists");
  return made(value, schema, [&] { return heavy_hitters_step(std::move(request)); });
}

StepPtr read_declared_step(JsonView value, const Domain& schema, ReadingContext& context) {
  const Fields fields(value, {"type", "name", "attributes", "epsilon", "rho", "each"}, "a declared step");
  return declared_step(read_cost(fields, schema, context));
}

}  // namespace

const std::vector<std::pair<std::string, StepReader>>& step_readers() {
  static const std::vector<std::pair<std::string, StepReader>> table = {{"counts", read_counts_step},
                                                                        {"heavy_hitters", read_heavy_hitters_step},
                                                                        {"mwem", read_mwem_step},
                                                                        {"learn", read_learn_step},
                                                                        {"declared", read_declared_step}};
  return table;
}

Mechanism read_release_mechanism(JsonView value, const Domain& domain, ReadingContext& context) {
  const Fields fields(value, {"type", "file", "records", "window", "tables"}, "a release");
  const auto named = fields.find("tables");
  if (named) {
    for (const char* other : {"records", "window"}) {
      if (!fields.has(other)) continue;
      fields.members().at(other).key.fail("found 'tables' and '" + std::string(other) +
                                          "', which is for all tables of so many records");
    }
  } else if (!fields.has("records")) {
    value.fail("a release needs 'records', for all tables of so many, or 'tables', the files of two");
  }
  const JsonView name = fields.require("file");
  std::string path;
  std::string text = read_named_file(name, context, path);
  const JsonDocument document(path, std::move(text));
  ReleaseFile file = read_release_document(document, directory_of(path), context.files, context.budget);
  if (named) return release_of_tables(file, *named, domain, context);
  constexpr std::int64_t kMostRecordsOfSpec = 64;
  const auto records =
      static_cast<std::size_t>(read_integer(fields.require("records"), "the number of records", 1, kMostRecordsOfSpec));
  if (const auto window = fields.find("window")) {
    file.release =
        within(*file.release, static_cast<std::uint64_t>(read_integer(*window, "the window", 0, kMostWindow)));
  }
  const Domain tables = domain_of_tables(file.release->schema, records);
  if (!(tables == domain)) {
    value.fail("the domain is not that of tables of " + std::to_string(records) +
                   (records == 1 ? " record of '" : " records of '") + printable(path) + "': coordinates '" +
                   printable(tables.coordinate(0).name) + "', ..., '" +
                   printable(tables.coordinate(tables.size() - 1).name) + "' with the release's values",
               "oddsbound release --spec --records writes such a spec");
  }
  for (const StepPtr& step : file.release->steps) {
    if (const std::string remark = step->remark(); !remark.empty()) context.remarks.notes.push_back(remark);
  }
  return at_place(value, [&] { return release_mechanism(file.release, records, context.budget); });
}

}  // namespace oddsbound::releases
