#include "verifier/smt/asking.h"

#include "base/errors.h"
#include "base/files.h"

namespace oddsbound::smt {

using Status = SolverAnswer::Status;

const char* status_word(Status status) {
  return status == Status::kSat ? "sat" : (status == Status::kUnsat ? "unsat" : "unknown");
}

void require_askable(const Model& model, const SmtOptions& options) {
  const std::uint64_t inputs = model.channel->inputs();
  const std::uint64_t outputs = model.channel->outputs();
  if (outputs > options.max_cells || inputs > options.max_cells / (inputs + outputs)) {
    throw LimitError("the model has more cells than are put to the solver (--smt-max-cells)");
  }
}

SolverAnswer Asking::ask(const Script& script, const std::string& name, const std::vector<std::string>& lines) {
  budget_.look();
  const double left = options_.seconds - spent_;
  if (left <= 0) return {Status::kUnknown, "Z3 was stopped at its time limit (--smt-seconds)", {}, 0};
  std::vector<std::string> title = title_.lines;
  title.insert(title.end(), lines.begin(), lines.end());
  QueryRecord record;
  record.name = name;
  const std::string text = script.text(title);
  SolverAnswer answer = options_.solver(text, {left, options_.memory_mb});
  record.status = status_word(answer.status);
  record.text = with_status(text, record.status);
  record.seconds = answer.seconds;
  spent_ += answer.seconds;
  if (!records_.empty() && records_.back().name == name) records_.pop_back();
  records_.push_back(std::move(record));
  return answer;
}

void emit(SmtVerdict& verdict, const ClaimTitle& title, const SmtOptions& options) {
  if (options.emit_directory.empty()) return;
  for (QueryRecord& query : verdict.queries) {
    query.file = options.emit_directory + "/" + title.file_stem + "_" + query.name + ".smt2";
    write_whole(query.file, query.text);
    if (options.cross_check.empty()) continue;
    query.cross_check = ask_program(options.cross_check, query.file, options.seconds);
  }
}

}  // namespace oddsbound::smt
