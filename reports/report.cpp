#include "reports/report.h"

#include <arb.h>
#include <gmp.h>
#include <sys/utsname.h>
#include <z3.h>

#include <flint/flint.h>
#include <openssl/crypto.h>
#include <algorithm>
#include <iterator>
#include <set>
#include <string_view>

#include "reports/audit_json.h"
#include "reports/fields.h"
#include "reports/level_fields.h"
#include "reports/spec_result_json.h"

namespace oddsbound::reports {

MadeWith MadeWith::this_program() {
  utsname system{};
  uname(&system);
  unsigned major = 0, minor = 0, build = 0, revision = 0;
  Z3_get_version(&major, &minor, &build, &revision);
  return {ODDSBOUND_VERSION,
          {{"system", std::string(system.sysname) + " " + system.release + " " + system.machine},
#ifdef __clang__
           {"compiler", "Clang " __clang_version__},
#else
           {"compiler", "GCC " __VERSION__},
#endif
           {"GMP", gmp_version},
           {"FLINT", flint_version},
           {"Arb", arb_version},
           {"Z3", std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(build)},
           {"OpenSSL", OpenSSL_version(OPENSSL_VERSION)}}};
}

namespace {

template <typename Counts>
std::size_t count_claims(const Report& report, Counts counts) {
  std::size_t count = 0;
  for (const SpecResult& spec : report.specs) {
    count += static_cast<std::size_t>(std::count_if(spec.claims.begin(), spec.claims.end(), counts));
  }
  return count;
}

}  // namespace

Report Report::of_this_program(Kind kind) {
  Report report;
  report.kind = kind;
  report.made_with = MadeWith::this_program();
  return report;
}

std::size_t Report::claims() const {
  return count_claims(*this, [](const ClaimResult&) { return true; });
}

std::size_t Report::ok() const {
  return count_claims(*this, [](const ClaimResult& claim) { return claim.ok(); });
}

std::size_t Report::undecided() const {
  return count_claims(*this, [](const ClaimResult& claim) { return claim.undecided(); });
}

std::size_t Report::wrong_files() const {
  std::set<std::string_view> files;
  for (const FileError& error : errors) {
    if (!error.stopped) files.insert(error.place.file);
  }
  return files.size();
}

std::size_t Report::skipped_files() const {
  return static_cast<std::size_t>(
      std::count_if(errors.begin(), errors.end(), [](const FileError& error) { return error.stopped; }));
}

int Report::exit_status() const {
  const auto any_audit = [&](auto condition) { return std::any_of(audits.begin(), audits.end(), condition); };
  if (wrong_files() > 0 || any_audit([](const AuditResult& audit) { return audit.failed(); })) return 2;
  if (failed() > 0 || any_audit([](const AuditResult& audit) { return !audit.ok() && !audit.undecided(); })) return 1;
  const bool open = std::any_of(specs.begin(), specs.end(), [](const SpecResult& spec) { return spec.left_open > 0; });
  const auto cut_short = [](const AuditResult& audit) {
    return audit.undecided() || (audit.statistical() != nullptr && audit.statistical()->interrupted);
  };
  return open || !errors.empty() || undecided() > 0 || any_audit(cut_short) ? 3 : 0;
}

void Report::add(Report other) {
  made_with = std::move(other.made_with);
  std::move(other.specs.begin(), other.specs.end(), std::back_inserter(specs));
  std::move(other.audits.begin(), other.audits.end(), std::back_inserter(audits));
  std::move(other.errors.begin(), other.errors.end(), std::back_inserter(errors));
}

// JSON of reports, in both directions

namespace {

using Json = nlohmann::ordered_json;

Json audits_summary(const Report& report) {
  const auto count = [&](auto condition) {
    return std::count_if(report.audits.begin(), report.audits.end(), condition);
  };
  if (report.kind == Report::Kind::kStatistical) {
    return {{"audits", report.audits.size()},
            {"as_expected", count([](const AuditResult& audit) { return audit.ok(); })},
            {"errors", report.errors.size()}};
  }
  const auto with = [&](const char* verdict) {
    return count([&](const AuditResult& audit) { return audit.verdict() == verdict; });
  };
  return {{"audits", report.audits.size()},
          {"passed", with("passes")},
          {"excepted", with("passes except")},
          {"failed", with("fails")},
          {"undecided", with("undecided")}};
}

Json claims_summary(const Report& report) {
  return {{"specs", report.specs.size()},
          {"claims", report.claims()},
          {"ok", report.ok()},
          {"failed", report.failed()},
          {"undecided", report.undecided()}};
}

// Throws SpecError if the counts of the summary are wrong.
void require_summary(const ResultObject& root, const Report& report) {
  const auto found = root.find("summary");
  if (!found) return;
  const ResultObject summary(*found, "the summary");
  const Json there_are = claims_summary(report);
  for (const auto& [key, count] : there_are.items()) {
    const auto stated = summary.find(key);
    const auto there = count.get<std::int64_t>();
    if (stated && read_integer(*stated, "a count", 0, INT64_MAX) != there) {
      stated->fail("found " + std::string(stated->text()) + ", but there are " + std::to_string(there));
    }
  }
}

void read_head(const ResultObject& root, MadeWith& made_with) {
  const JsonView version = root.require("oddsbound");
  if (version.kind() != JsonKind::kNumber || version.text() != "1") {
    version.fail("found version " + printable(version.text(), 20) + " of the result format, expected 1",
                 "another version of oddsbound wrote this; make the result anew");
  }
  if (root.find("mechanism")) {
    root.view().fail("this is a spec, expected a result", "verify --format html writes the report of a spec");
  }
  made_with.version = ResultObject(root.require("tool"), "the tool").string("version");
}

}  // namespace

std::string to_json(const Report& report) {
  Json json = json_head(report.made_with.version);
  json["environment"] = written(report.made_with.environment);
  const bool specs = report.kind == Report::Kind::kSpecs || report.kind == Report::Kind::kLevels;
  if (!report.bound.empty()) json["bound"] = report.bound;
  Json& found = json[specs ? "specs" : "audits"] = written(report.specs);
  for (const AuditResult& audit : report.audits) found.push_back(written(audit));
  if (!report.errors.empty()) json["errors"] = written(report.errors);
  json["summary"] = specs ? claims_summary(report) : audits_summary(report);
  return json_text(json);
}

Report report_from_json(const JsonDocument& document, Budget& budget) {
  Report report;
  const ResultObject root(document.root(), "a result");
  read_head(root, report.made_with);
  ResultContext context(document.file(), budget);
  FieldReader fields(document.root(), context);
  fields.object("a result");
  fields.newer("environment", report.made_with.environment);
  fields.newer("bound", report.bound);
  const bool audits = fields.has("audits");
  if (!fields.has("specs") && !audits) {
    document.root().fail("there are neither 'specs' nor 'audits': this is no result to report");
  }
  fields.newer("specs", report.specs);
  fields.newer("audits", report.audits);
  if (!audits) require_summary(root, report);
  if (audits) report.kind = report.bound.empty() ? Report::Kind::kStatistical : Report::Kind::kExhaustive;
  fields.newer("errors", report.errors);
  return report;
}

}  // namespace oddsbound::reports
