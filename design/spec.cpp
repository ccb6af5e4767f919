#include "design/spec.h"

namespace oddsbound::designs {

namespace {

linear::Matrix read_forms(JsonView value, std::uint64_t inputs, ReadingContext& context) {
  linear::Matrix forms;
  for (const JsonView row : read_array(value, "rows of numbers, one for each input")) {
    std::vector<Number>& form = forms.emplace_back();
    for (const JsonView number : read_array(row, "numbers, one for each input")) {
      form.push_back(read_number(number, context));
      if (!form.back().is_rational()) {
        number.fail("found " + printable(number.text(), 40) + ", expected a rational number");
      }
    }
    if (form.size() != inputs) {
      row.fail("found " + std::to_string(form.size()) + " numbers, expected one for each of the " +
               std::to_string(inputs) + " inputs");
    }
  }
  if (forms.empty()) value.fail("expected a row at least");
  return forms;
}

void require_named(JsonView value, const std::string& name) {
  const std::string what = "'" + name + "'" + (name == "frequencies" ? "" : ", or {\"largest_of\": rows of numbers}");
  if (read_string(value, what) != name) {
    value.fail("found '" + printable(value.text(), 40) + "', expected " + what);
  }
}

ColumnGoal read_goal(const Fields& objective, const Model& model, ReadingContext& context) {
  using Kind = ColumnGoal::Kind;
  if (const auto estimate = objective.find("estimate")) {
    require_named(*estimate, "frequencies");
    return {Kind::kFrequencies, objective.object(), {}};
  }
  const JsonView most = objective.require("most");
  if (most.is_object()) {
    const JsonView forms = Fields(most, {"largest_of"}, "a utility").require("largest_of");
    return {Kind::kLargestOf, objective.object(), read_forms(forms, model.domain.inputs(), context)};
  }
  require_named(most, "mutual_information");
  return {Kind::kInformation, objective.object(), {}};
}

}  // namespace

std::optional<ColumnGoal> read_column_goal(const Fields& objective, const Fields& root, const Model& model,
                                           ReadingContext& context) {
  if (!objective.has("most") && !objective.has("estimate")) return std::nullopt;
  if (objective.members().size() > 1) {
    objective.object().fail("found " + std::to_string(objective.members().size()) + " objectives, expected one");
  }
  ColumnGoal goal = read_goal(objective, model, context);
  if (goal.kind != ColumnGoal::Kind::kLargestOf && !model.prior)
    objective.object().fail("this objective needs a prior");
  for (const char* key : {"release", "outputs", "losses", "symmetries", "curve", "exact"}) {
    if (const auto said = root.find(key)) {
      said->fail("'" + std::string(key) + "' does not go with this objective, for which the outputs are found");
    }
  }
  return goal;
}

}  // namespace oddsbound::designs
