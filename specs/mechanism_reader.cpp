// Reads a mechanism by its `type`: the types of the spec language, and mechanism families from their registry.

#include <algorithm>
#include <unordered_map>

#include "mechanisms/family.h"
#include "mechanisms/mechanism.h"
#include "specs/condition.h"
#include "specs/spec.h"
#include "specs/spec_error.h"
#include "verifier/model/adaptive_channel.h"
#include "verifier/model/channel.h"

namespace oddsbound::specs {

namespace {

// A printed matrix. The channel is one of those that agree with it.
Mechanism read_rounded(JsonView value, const Fields& fields, const Domain& domain, std::vector<std::string> labels,
                       ReadingContext& context) {
  if (fields.has("rows")) {
    read_rounded_rows(fields.require("rows"), domain.inputs(), labels.size(), context);
  } else {
    read_rounded_csv(fields.require("file"), domain.inputs(), labels.size(), context);
  }
  PoolBuilder entries;
  for (const auto& row : context.rounded->member()) {
    for (const Number& entry : row) entries.add(entry);
  }
  return at_place(value, [&] {
    return Mechanism{DenseChannel::from_rows(domain.inputs(), std::move(labels), std::move(entries), context.budget)};
  });
}

Mechanism read_matrix(JsonView value, const Domain& domain, ReadingContext& context) {
  const Fields fields(value, {"type", "outputs", "rows", "file"}, "a matrix mechanism");
  const JsonView outputs = fields.require("outputs");
  std::vector<std::string> labels = read_labels(outputs, context.budget);
  require_cells(outputs, domain.inputs(), labels.size(), context.budget);
  if (fields.has("rows") == fields.has("file")) value.fail("a matrix mechanism has either 'rows' or 'file'");
  if (context.rounded) return read_rounded(value, fields, domain, std::move(labels), context);
  PoolBuilder entries = fields.has("rows")
                            ? read_stochastic_rows(fields.require("rows"), domain.inputs(), labels.size(), context)
                            : read_stochastic_csv(fields.require("file"), domain.inputs(), labels.size(), context);
  return at_place(value, [&] {
    return Mechanism{DenseChannel::from_rows(domain.inputs(), std::move(labels), std::move(entries), context.budget)};
  });
}

// One case: the inputs it matches (a set of values per coordinate) and its row.
struct Case {
  Condition when;
  std::vector<Number> row;
};

Case read_case(JsonView value, const Domain& domain, const std::unordered_map<std::string, std::size_t>& outputs,
               const std::vector<std::string>& labels, ReadingContext& context) {
  const Fields fields(value, {"when", "then"}, "a case");
  Case result{read_condition(fields.require("when"), domain), {}};
  const JsonView then = fields.require("then");
  if (!then.is_object()) then.fail("found " + then.kind_name() + ", expected an object: output to number");
  result.row.assign(labels.size(), Number(0));
  Number total(0);
  for (const JsonView::Member& member : then.members()) {
    const auto place = outputs.find(std::string(member.key.text()));
    if (place == outputs.end()) {
      std::string hint = suggestion(member.key.text(), labels);
      if (hint.empty()) hint = "outputs: " + listing(labels);
      member.key.fail("there is no output '" + printable(member.key.text()) + "'", hint);
    }
    const Number probability = read_mass(member.value, context);
    result.row[place->second] = probability;
    total += probability;
  }
  if (!total.is_one()) then.fail("the row sums to " + printable(total.to_string(), 120) + ", not 1");
  return result;
}

Mechanism read_cases(JsonView value, const Domain& domain, ReadingContext& context) {
  const Fields fields(value, {"type", "outputs", "cases"}, "a mechanism by cases");
  std::vector<std::string> labels = read_labels(fields.require("outputs"), context.budget);
  require_cells(fields.require("outputs"), domain.inputs(), labels.size(), context.budget);
  std::unordered_map<std::string, std::size_t> index;
  for (std::size_t y = 0; y < labels.size(); ++y) index.emplace(labels[y], y);
  const JsonView list = fields.require("cases");
  std::vector<Case> cases;
  for (const JsonView item : read_array(list, "cases")) {
    cases.push_back(read_case(item, domain, index, labels, context));
  }
  PoolBuilder builder;
  for (std::uint64_t x = 0; x < domain.inputs(); ++x) {
    const auto match =
        std::find_if(cases.begin(), cases.end(), [&](const Case& c) { return c.when.matches(domain, x); });
    if (match == cases.end()) {
      std::string input;
      for (const std::string& text : domain.tuple(x)) input += (input.empty() ? "\"" : ", \"") + printable(text) + "\"";
      list.fail("no case matches the input [" + input + "]", "a last case with an empty \"when\" takes all others");
    }
    for (const Number& probability : match->row) {
      builder.add(probability);
      context.budget.check_every();
    }
  }
  Mechanism mechanism = at_place(value, [&] {
    return Mechanism{DenseChannel::from_rows(domain.inputs(), std::move(labels), std::move(builder), context.budget)};
  });
  mechanisms::ReadingPart named;
  for (const Case& one : cases) {
    for (const auto& condition : one.when.values) named.coordinates.push_back(condition.first);
  }
  mechanism.unread = mechanisms::unread_by_all(domain, std::vector{named});
  return mechanism;
}

Mechanism read_file_mechanism(JsonView value, const Domain& domain, ReadingContext& context) {
  const Fields fields(value, {"type", "file"}, "a mechanism from a file");
  return read_mechanism_file(fields.require("file"), domain, context);
}

const std::vector<std::pair<std::string, MechanismReader>>& mechanism_readers() {
  static const std::vector<std::pair<std::string, MechanismReader>> table = [] {
    std::vector<std::pair<std::string, MechanismReader>> readers = {
        {"matrix", read_matrix},
        {"cases", read_cases},
        {"per_coordinate", read_per_coordinate},
        {"on", read_on},
        {"compose", read_compose},
        {"repeat", read_repeat},
        {"memoized", read_memoized},
        {"cascade", read_cascade},
        {"adaptive", read_adaptive},
        {"mixture", read_mixture},
        {"post_process", read_post_process},
        {"function", read_function},
        {"shuffle", read_shuffle},
        {"public", read_public},
        {"bcdp_steps", read_bcdp_steps},
    };
    readers.insert(readers.end(), module_mechanisms().begin(), module_mechanisms().end());
    readers.emplace_back("file", read_file_mechanism);
    return readers;
  }();
  return table;
}

}  // namespace

void require_cells(JsonView value, std::uint64_t inputs, std::uint64_t outputs, Budget& budget) {
  at_place(value, [&] { budget.require_cells(inputs, outputs); });
}

ChannelPtr finite_channel(const Mechanism& mechanism, JsonView value) {
  if (!mechanism.channel) {
    value.fail("a mechanism with " + mechanism.outputs_word() + " outputs cannot be part of another one");
  }
  if (!branches_of(*mechanism.channel).empty()) {
    value.fail(
        "an adaptive composition that is too large to be listed (--max-cells) cannot be part of another mechanism");
  }
  return mechanism.channel;
}

Mechanism read_family(const Family& family, JsonView value, const Domain& domain, ReadingContext& context,
                      const std::optional<Level>& epsilon) {
  std::vector<Field> parameters;
  std::vector<std::string> known{"type"};
  for (const Field& parameter : family.parameters) {
    if (epsilon && parameter.name == "epsilon") continue;
    parameters.push_back(parameter);
    known.push_back(parameter.name);
  }
  const Fields fields(value, known, "the family " + family.name + (epsilon ? " at the level of a step" : ""));
  Arguments arguments = read_fields(fields, parameters, domain, context);
  if (epsilon) arguments.set("epsilon", *epsilon);
  if (family.keeps_an_answer) ++context.remarks.kept_answers;
  try {
    Mechanism mechanism = at_place(value, [&] { return family.build(domain, arguments, context.budget); });
    if (!mechanism.note.empty()) context.remarks.notes.push_back(family.name + ": " + mechanism.note);
    return mechanism;
  } catch (const ParameterError& error) {
    fields.find(error.parameter()).value_or(value).fail(error.what());
  }
}

Mechanism read_mechanism(JsonView value, const Domain& domain, ReadingContext& context) {
  context.budget.check();
  const std::string type = read_type(value, "a mechanism");
  // A LimitError is reported at the mechanism that exceeds the limit.
  if (const Family* family = find_family(type)) {
    return at_place(value, [&] { return read_family(*family, value, domain, context, {}); });
  }
  std::vector<std::string> known;
  for (const auto& [name, reader] : mechanism_readers()) {
    if (name == type) return at_place(value, [&] { return reader(value, domain, context); });
    known.push_back(name);
  }
  for (const Family& family : families()) known.push_back(family.name);
  fail_unknown_type(value, type, known, "type of mechanism");
}

}  // namespace oddsbound::specs
