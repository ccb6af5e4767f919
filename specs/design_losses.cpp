#include <algorithm>

#include "specs/design_parts.h"
#include "specs/release_steps.h"
#include "specs/suggest.h"
#include "verifier/exact/expression.h"
#include "verifier/model/joined_values.h"

namespace oddsbound::specs {

namespace {

// By input, the values that a named loss compares with an output's: one text where outputs are labels.
std::vector<std::vector<std::string>> compared_values(const Domain& domain, const DesignOutputs& outputs) {
  std::vector<std::vector<std::string>> inputs;
  for (std::uint64_t x = 0; x < domain.inputs(); ++x) inputs.push_back(domain.tuple(x));
  if (outputs.values.empty()) {
    std::vector<std::string> texts = joined_lists(inputs, ",");
    for (std::size_t x = 0; x < texts.size(); ++x) inputs[x] = {std::move(texts[x])};
    return inputs;
  }
  for (std::vector<std::string>& values : inputs) {
    std::vector<std::string> released;
    for (const std::size_t i : outputs.released) released.push_back(values[i]);
    values = std::move(released);
  }
  return inputs;
}

Number number_of_label(JsonView at, const std::string& text) {
  return at_place(at, [&] { return parse_number(text); });
}

Number named_loss(JsonView name, const std::string& kind, const std::vector<std::string>& input,
                  const std::vector<std::string>& output) {
  if (kind == "zero_one") return Number(input == output ? 0 : 1);
  if (kind == "hamming") {
    std::int64_t differ = 0;
    for (std::size_t i = 0; i < input.size(); ++i) differ += input[i] == output[i] ? 0 : 1;
    return Number(differ);
  }
  if (input.size() != 1) name.fail("a loss by distance is between the values of one attribute");
  const Number off = number_of_label(name, input[0]) - number_of_label(name, output[0]);
  if (kind == "squared") return off * off;
  return off.sign() < 0 ? -off : off;
}

std::vector<std::vector<Number>> read_loss_table(JsonView value, const Domain& domain, std::size_t outputs,
                                                 ReadingContext& context) {
  std::vector<std::vector<Number>> losses;
  for (const JsonView row : read_array(value, "losses, a row for each input")) {
    std::vector<Number>& of_input = losses.emplace_back();
    for (const JsonView loss : read_array(row, "losses, one for each output")) {
      of_input.push_back(read_number(loss, context));
      if (!of_input.back().is_rational() || of_input.back().sign() < 0) {
        loss.fail("found " + printable(loss.text(), 40) + ", expected a rational loss that is not negative");
      }
    }
    if (of_input.size() != outputs) {
      row.fail("found " + std::to_string(of_input.size()) + " losses, expected one for each of the " +
               std::to_string(outputs) + " outputs");
    }
  }
  if (losses.size() != domain.inputs()) {
    value.fail("found " + std::to_string(losses.size()) + " rows, expected one for each of the " +
               std::to_string(domain.inputs()) + " inputs");
  }
  return losses;
}

void read_table_or_name(JsonView value, const Domain& domain, const DesignOutputs& outputs, ReadingContext& context,
                        Losses& losses) {
  if (value.is_array()) {
    losses.table = read_loss_table(value, domain, outputs.labels.size(), context);
    losses.words = "loss";
    return;
  }
  const std::vector<std::string> kinds{"zero_one", "hamming", "absolute", "squared"};
  const std::string kind = read_string(value, "the name of a loss, or a table of losses");
  if (std::find(kinds.begin(), kinds.end(), kind) == kinds.end()) {
    std::string hint = suggestion(kind, kinds);
    value.fail("unknown loss '" + printable(kind) + "'", hint.empty() ? "known: " + listing(kinds) : hint);
  }
  if (kind == "hamming" && outputs.values.empty()) value.fail("'hamming' compares attributes: it goes with 'release'");
  for (const std::vector<std::string>& input : compared_values(domain, outputs)) {
    std::vector<Number>& of_input = losses.table.emplace_back();
    for (std::size_t y = 0; y < outputs.labels.size(); ++y) {
      const std::vector<std::string> output =
          outputs.values.empty() ? std::vector{outputs.labels[y]} : outputs.values[y];
      of_input.push_back(named_loss(value, kind, input, output));
    }
  }
  losses.words = kind + " loss";
}

}  // namespace

Losses read_losses(const Fields& fields, const Model& model, const DesignOutputs& outputs, ReadingContext& context) {
  if (fields.has("expected") == fields.has("largest")) {
    fields.object().fail("a loss is either the 'expected' one, or the 'largest' one of all inputs");
  }
  Losses losses;
  losses.largest = fields.has("largest");
  const std::string which = losses.largest ? "largest" : "expected";
  if (!losses.largest && !model.prior) fields.object().fail("an expected loss needs a prior");
  read_table_or_name(fields.require(which), model.domain, outputs, context, losses);
  losses.words = which + " " + losses.words;
  return losses;
}

std::vector<LossLimit> read_loss_limits(JsonView value, const Model& model, const DesignOutputs& outputs,
                                        ReadingContext& context) {
  std::vector<LossLimit> limits;
  for (const JsonView one : read_array(value, "limits on losses")) {
    const Fields fields(one, {"expected", "largest", "at_most"}, "a limit on a loss");
    LossLimit& limit = limits.emplace_back();
    limit.losses = read_losses(fields, model, outputs, context);
    const JsonView at_most = fields.require("at_most");
    limit.at_most = read_number(at_most, context);
    if (!limit.at_most.is_rational() || limit.at_most.sign() < 0) {
      at_most.fail("found " + printable(at_most.text(), 40) + ", expected a rational number that is not negative");
    }
  }
  return limits;
}

}  // namespace oddsbound::specs
