#include "results/report.h"

#include <algorithm>
#include <iterator>
#include <new>

#include "base/errors.h"
#include "base/short_message.h"
#include "results/environment.h"

namespace oddsbound::results {

FileError file_error(const SpecError& error) { return {error.place(), error.message(), error.hint()}; }

FileError file_error(const std::string& file, const std::string& message) {
  return {{file, 0, 0, ""}, base::shortened(message), ""};
}

FileError file_error_in_flight(const std::string& file) {
  try {
    throw;
  } catch (const SpecError& error) {
    return file_error(error);
  } catch (const LimitError& error) {
    FileError limit = file_error(file, error.what());
    limit.limit = true;
    return limit;
  } catch (const std::bad_alloc&) {
    return file_error(file, "out of memory");
  } catch (const std::exception& error) {
    return file_error(file, error.what());
  }
}

std::string FileError::text() const { return SpecError(place, message, hint).what(); }

MadeWith MadeWith::this_program() { return {ODDSBOUND_VERSION, oddsbound::environment()}; }

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
  return static_cast<std::size_t>(
      std::count_if(errors.begin(), errors.end(), [](const FileError& error) { return !error.stopped; }));
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

}  // namespace oddsbound::results
