#include "results/audit_words.h"

#include <fmt/format.h>

#include <sstream>

#include "specs/spec_error.h"

namespace oddsbound::results {

namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);)
    lines.push_back(line.substr(std::min(line.find_first_not_of(' '), line.size())));
  return lines;
}

std::string sampler_title(const SamplerUsed& sampler) {
  if (!sampler.transcript.empty()) return "recorded runs, " + printable(sampler.transcript, 200);
  if (!sampler.function.empty()) return "the function `" + printable(sampler.function, 200) + "`";
  if (sampler.program.empty()) return "the built-in sampler";
  return "the program `" + printable(sampler.program, 200) + "`" +
         (sampler.one_process_per_sample ? ", one process per sample" : "");
}

}  // namespace

std::vector<std::string> summary_lines(const AuditResult& audit) {
  if (audit.exhaustive() != nullptr) return lines_of(derivation_text(audit));
  std::vector<std::string> lines =
      lines_of(runs_text(audit) + (audit.statistical()->runs == 0 ? "" : agreement_text(audit)));
  if (!audit.note.empty()) lines.push_back(audit.note);
  return lines;
}

std::string audit_text(const AuditResult& audit) {
  if (audit.exhaustive() != nullptr) {
    return fmt::format("{} ({})\n", printable(audit.name), printable(audit.file)) + derivation_text(audit);
  }
  const StatisticalAudit& found = *audit.statistical();
  const std::string head =
      fmt::format("{} ({}): {}\n", printable(audit.name), printable(audit.file, 200), sampler_title(found.sampler)) +
      runs_text(audit);
  const std::string note = audit.note.empty() ? "" : "  note: " + audit.note + "\n";
  return (found.runs == 0 ? head : head + bounds_text(found) + agreement_text(audit)) + note;
}

std::string sampler_words(const AuditResult& audit) {
  const StatisticalAudit* found = audit.statistical();
  if (found == nullptr) return "built in";
  const SamplerUsed& used = found->sampler;
  if (!used.transcript.empty()) return "recorded runs, " + used.transcript;
  if (!used.function.empty()) return "the function " + used.function;
  return used.program.empty() ? "built in" : "the program " + used.program;
}

}  // namespace oddsbound::results
