// Specs, read or built, results in their formats, and the privacy lock.
#include "api/api.h"

#include <algorithm>
#include <cstdlib>
#include <set>

#include "app/lock.h"
#include "base/characters.h"
#include "base/errors.h"
#include "reports/formats.h"
#include "reports/html/page.h"
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
  return text_audits(report);
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
  if (format == "text") return printable_lines(text_tune(result));
  if (format == "html") return html_tune(result, options);
  return std::nullopt;
}

std::optional<std::string> render(const DesignComparison& exact, std::string_view format,
                                  const RenderOptions& options) {
  if (format == "json") return to_json(exact);
  const DesignComparison comparison = options.exact ? exact : publishable(exact);
  if (format == "text") return printable_lines(text_comparison(comparison));
  if (format == "html") return html_comparison(comparison, options);
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

// The privacy lock

namespace {

const char* const kUpgradeFirst = "this lock is of format 1: convert it with 'oddsbound lock upgrade --reason ...'";

// The first reason why the specs cannot be locked; nullopt if there is none.
std::optional<FileError> obstacle(const MeasuredSpecs& now) {
  if (!now.errors.empty()) return now.errors.front();
  for (const auto& [name, spec] : now.specs) {
    if (spec.open.empty()) continue;
    const auto& [key, reason] = *spec.open.begin();
    return file_error(spec.file, key + " is undecided, and cannot be locked: " + reason);
  }
  return std::nullopt;
}

// Renews the promises. A spec that moved keeps its promises.
void take_in(Lock& lock, const MeasuredSpecs& now, const LockOptions& options, bool raises) {
  for (const auto& [name, from] : moved_specs(lock, now.specs, now.missing)) lock.specs[name] = lock.specs.at(from);
  for (const std::string& gone : now.missing) lock.specs.erase(gone);
  for (const auto& [name, spec] : now.specs) {
    lock.specs[name] = renewed_promises(lock.specs[name], spec, options, raises);
  }
}

}  // namespace

bool is_without_promise(const Check& check) { return check.message.starts_with(kNotLocked); }

MeasuredSpecs measure(const LockedFiles& specs, const LockOptions& options, const Context& context) {
  const char* key = std::getenv("ODDSBOUND_LOCK_KEY");
  const std::string lock_key = key == nullptr ? "" : key;
  MeasuredSpecs now;
  for (std::size_t i = 0; i < specs.size(); ++i) {
    const auto& [name, file] = specs[i];
    if (context.progress) context.progress(i + 1, specs.size(), file.path);
    auto spec =
        as_expected(file.path, [&] { return measure_for_lock(file.path, options.smt, context.limits, lock_key); });
    if (spec) {
      now.specs.emplace(name, *std::move(spec));
    } else {
      now.errors.push_back(spec.error());
    }
  }
  return now;
}

MeasuredSpecs measure(const LockedFiles& specs, const Lock& lock, const LockOptions& options, const Context& context) {
  MeasuredSpecs now = measure(specs, options, context);
  for (const auto& [name, spec] : lock.specs) {
    const auto is_named = [&name = name](const auto& one) { return one.first == name; };
    if (std::none_of(specs.begin(), specs.end(), is_named)) now.missing.push_back(name);
  }
  return now;
}

Expected<Lock> lock(const LockedFiles& specs, const LockOptions& options, const Context& context) {
  Lock lock;
  for (const auto& [name, file] : specs) lock.paths.push_back(name);
  if (const auto error = renew(lock, measure(specs, options, context), options)) return *error;
  return lock;
}

Expected<Lock> read_lock(const Text& text, const Context& context) {
  return within(context.limits, text.name,
                [&](Budget& budget) { return reports::read_lock(text.name, text.text, budget); });
}

Checks check(const Lock& lock, const MeasuredSpecs& now, const LockOptions& options) {
  Checks checks = compare_with_lock(lock, now.specs, now.missing, options.strict);
  // A spec with an error is neither missing nor changed: nothing was decided about it.
  for (const FileError& error : now.errors) checks.list.push_back(check_of(error));
  checks.exit_status = status_of(checks);
  return checks;
}

std::optional<FileError> renew(Lock& lock, const MeasuredSpecs& now, const LockOptions& options) {
  if (lock.format == 1) return file_error("", kUpgradeFirst);
  if (auto error = obstacle(now)) return error;
  for (const Check& one : check(lock, now).list) {
    const bool fails = one.outcome == Outcome::kFail && !is_without_promise(one);
    if (fails || one.outcome == Outcome::kUndecided) return file_error(one.suite, one.title + " " + one.message);
  }
  take_in(lock, now, options, false);
  return std::nullopt;
}

Expected<std::vector<std::string>> accept(Lock& lock, const MeasuredSpecs& now, const std::string& reason,
                                          const LockOptions& options) {
  if (lock.format == 1) return file_error("", kUpgradeFirst);
  if (const auto error = obstacle(now)) return *error;
  std::vector<std::string> changes;
  for (const Check& one : check(lock, now).list) {
    if (one.outcome != Outcome::kPass) changes.push_back(one.suite + ": " + one.title + " " + one.message);
  }
  if (changes.empty()) return changes;
  lock.accepted.push_back({reason, changes});
  take_in(lock, now, options, true);
  return changes;
}

std::optional<FileError> upgrade(Lock& lock, const MeasuredSpecs& now, const std::string& reason) {
  if (lock.format != 1) return file_error("", "this lock is of format 2 already");
  if (auto error = obstacle(now)) return error;
  if (!now.missing.empty()) return file_error(now.missing.front(), "is locked and is gone: accept that first");
  for (const auto& [name, locked] : lock.specs) {
    if (!now.specs.contains(name)) return file_error(name, "is locked and was not measured: upgrade all specs at once");
  }
  std::vector<std::string> changes{"format 1 to format 2: exact levels became promises"};
  for (const Check& one : check(lock, now).list) {
    const bool is_new = is_without_promise(one) || one.message.starts_with("is new");
    if (one.outcome == Outcome::kNote && !is_new) continue;
    if (one.outcome == Outcome::kPass) continue;
    if (!is_new) return file_error(one.suite, one.title + " " + one.message);
    changes.push_back(one.suite + ": " + one.title + " " + one.message);
  }
  for (const auto& [name, spec] : now.specs) {
    const auto locked = lock.specs.find(name);
    lock.specs[name] = locked == lock.specs.end() ? promises_for(spec, {}) : upgraded_promises(locked->second, spec);
  }
  // Earlier accepted changes contain exact levels. Only changes that certainly concern public tables are kept.
  const auto may_stay = [&](const std::string& change) {
    return std::any_of(now.specs.begin(), now.specs.end(), [&](const auto& spec) {
      return !spec.second.confidential &&
             (change.starts_with(spec.first + ": ") || change.starts_with(spec.second.file + ": "));
    });
  };
  for (Acceptance& acceptance : lock.accepted) {
    for (std::string& change : acceptance.changes) {
      if (!may_stay(change)) change = "a change that was accepted under format 1";
    }
  }
  lock.accepted.push_back({reason, changes});
  lock.format = kLockFormat;
  return std::nullopt;
}

}  // namespace oddsbound::api
