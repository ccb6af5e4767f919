// Specs, read or built, and results in their formats.
#include "api/api.h"

#include <set>

#include "base/characters.h"
#include "base/errors.h"
#include "reports/formats.h"
#include "reports/html/page.h"
#include "reports/layout.h"
#include "reports/publishable.h"
#include "reports/text.h"
#include "verifier/model/channel.h"
#include "verifier/notions/table.h"

namespace oddsbound::api {

namespace {

// Throws ModelError if the rows are not a channel.
void require_rows(const Domain& domain, const std::vector<std::string>& outputs,
                  const std::vector<std::vector<Number>>& rows) {
  if (outputs.empty()) throw ModelError("a mechanism needs at least one output");
  if (std::set<std::string>(outputs.begin(), outputs.end()).size() != outputs.size()) {
    throw ModelError("two outputs have one label");
  }
  if (rows.size() != domain.inputs()) {
    throw ModelError("found " + std::to_string(rows.size()) + " rows, expected one for each of the " +
                     std::to_string(domain.inputs()) + " inputs");
  }
  for (std::size_t x = 0; x < rows.size(); ++x) {
    const std::string where = "the row of input " + std::to_string(x);
    if (rows[x].size() != outputs.size()) {
      throw ModelError(where + " has " + std::to_string(rows[x].size()) + " entries, expected " +
                       std::to_string(outputs.size()));
    }
    std::vector<WeightedTerm> terms;
    for (const Number& entry : rows[x]) {
      if (entry.sign() < 0) throw ModelError(where + " has the negative entry " + entry.to_string());
      terms.push_back({Number(1), entry});
    }
    const Number sum = weighted_sum(terms);
    if (!sum.is_one()) throw ModelError(where + " sums to " + sum.to_string() + ", expected 1");
  }
}

}  // namespace

Expected<Spec> read(const File& file, const Context& context) {
  return within(context.limits, file.path, [&](Budget& budget) { return read_spec(file.path, budget); });
}

Expected<Spec> read(const Text& text, const Context& context) {
  return within(context.limits, text.name,
                [&](Budget& budget) { return read_spec_text(text.name, text.folder, text.text, budget, text.files); });
}

Expected<Spec> build(const std::string& name, const Domain& domain, const std::vector<std::string>& outputs,
                     const std::vector<std::vector<Number>>& rows, const std::optional<Prior>& prior,
                     const Context& context) {
  return within(context.limits, name, [&](Budget& budget) {
    require_rows(domain, outputs, rows);
    PoolBuilder builder;
    for (const auto& row : rows) {
      for (const Number& entry : row) builder.add(entry);
    }
    Spec spec;
    spec.file = spec.name = name;
    spec.model = {domain, DenseChannel::from_rows(domain.inputs(), outputs, std::move(builder), budget), prior};
    spec.mechanism.channel = spec.model.channel;
    return spec;
  });
}

std::optional<FileError> add_claim(Spec& spec, const std::string& notion, const Arguments& fields, bool expect_holds) {
  const Notion* found = find_notion(notion);
  if (found == nullptr) return file_error(spec.file, "there is no notion '" + notion + "'");
  if (found->needs_prior && !spec.model.prior) {
    return file_error(spec.file, "a claim about " + notion + " needs a prior, and the spec has none");
  }
  for (const Field& field : found->fields) {
    if (field.required && !fields.has(field.name)) {
      return file_error(spec.file, "a claim about " + notion + " needs the field '" + field.name + "'");
    }
  }
  if (found->complaint) {
    if (const auto complaint = found->complaint(spec.model.domain, fields))
      return file_error(spec.file, complaint->second);
  }
  Claim& claim = spec.claims.emplace_back();
  claim.notion = found;
  claim.arguments = fields;
  claim.expect_holds = expect_holds;
  claim.place.file = spec.file;
  return std::nullopt;
}

// Results in their formats

namespace {

std::string text_of(const Report& report, const RenderOptions& options) {
  switch (report.kind) {
    case Report::Kind::kSpecs: return text_verification(report, options);
    case Report::Kind::kLevels: return text_analysis(report, options);
    case Report::Kind::kStatistical:
    case Report::Kind::kExhaustive: break;
  }
  return wrapped_lines(text_audits(report), options.width);
}

}  // namespace

std::vector<std::string> formats_of_reports() {
  std::vector<std::string> names = format_names();
  names.insert(names.begin(), {"text", "json"});
  return names;
}

std::vector<std::string> formats_of_checks() {
  std::vector<std::string> names = format_names(true);
  names.insert(names.begin(), "text");
  return names;
}

std::optional<std::string> render(const Report& exact, std::string_view format, const RenderOptions& options) {
  if (format == "json") return to_json(exact);
  const Report report = options.exact ? exact : publishable(exact);
  if (format == "text") return printable_lines(text_of(report, options), options.color);
  const Format* found = find_format(format);
  if (found == nullptr) return std::nullopt;
  const Checks checks = checks_of(report, options.exit_status.value_or(report.exit_status()));
  return found->of_report(report, checks, options);
}

std::optional<std::string> render(const Checks& checks, std::string_view format, const RenderOptions&) {
  const Format* found = find_format(format);
  if (found == nullptr || !found->of_checks) return std::nullopt;
  return found->of_checks(checks);
}

std::optional<std::string> render(const TuneResult& exact, std::string_view format, const RenderOptions& options) {
  if (format == "json") return to_json(exact);
  const TuneResult result = options.exact ? exact : publishable(exact);
  if (format == "text") return printable_lines(wrapped_lines(text_tune(result), options.width));
  if (format == "html") return html_tune(result, options);
  return std::nullopt;
}

std::optional<std::string> render(const DesignComparison& exact, std::string_view format,
                                  const RenderOptions& options) {
  if (format == "json") return to_json(exact);
  const DesignComparison comparison = options.exact ? exact : publishable(exact);
  if (format == "text") return printable_lines(text_comparison(comparison, options));
  if (format == "html") return html_comparison(comparison, options);
  return std::nullopt;
}

std::optional<std::string> render(const ComposedResult& exact, std::string_view format, const RenderOptions& options) {
  if (format == "json") return to_json(exact);
  const ComposedResult result = options.exact ? exact : publishable(exact);
  if (format == "text") return printable_lines(wrapped_lines(text_composition(result), options.width));
  if (format == "html") return html_composition(result, options);
  return std::nullopt;
}

std::optional<std::string> render(const EstimateResult& exact, std::string_view format, const RenderOptions& options) {
  if (format == "json") return to_json(exact);
  if (format == "text") return printable_lines(text_estimates(options.exact ? exact : publishable(exact)));
  return std::nullopt;
}

std::optional<std::string> render(const RunPlan& exact, std::string_view format, const RenderOptions& options) {
  if (format == "json") return to_json(std::vector{exact});
  if (format == "text") return printable_lines(text_run_plan(options.exact ? exact : publishable(exact)));
  return std::nullopt;
}

std::optional<std::string> render(const LeastSquaresResult& result, std::string_view format, const RenderOptions&) {
  if (format == "json") return to_json(result);
  if (format == "text") return printable_lines(text_least_squares(result));
  return std::nullopt;
}

std::optional<std::string> render(const SplitResult& result, std::string_view format, const RenderOptions&) {
  if (format == "json") return to_json(result);
  if (format == "text") return printable_lines(text_split(result));
  return std::nullopt;
}

std::optional<std::string> render(const SearchResult& result, std::string_view format, const RenderOptions&) {
  if (format == "json") return to_json(result);
  if (format == "text") return printable_lines(text_search(result));
  return std::nullopt;
}

std::optional<std::string> render(const SampleResult& result, std::string_view format, const RenderOptions&) {
  if (format == "json") return to_json(result);
  if (format == "text") return text_samples(result);
  return std::nullopt;
}

Expected<Report> read_report(const Text& json, const Context& context) {
  return within(context.limits, json.name,
                [&](Budget& budget) { return report_from_json(JsonDocument(json.name, json.text), budget); });
}

}  // namespace oddsbound::api
