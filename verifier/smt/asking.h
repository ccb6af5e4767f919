// How queries are put and kept, whatever they ask.
#pragma once

#include <string>
#include <vector>

#include "verifier/smt/decide.h"
#include "verifier/smt/script.h"

namespace oddsbound::smt {

/// Puts the queries of one claim, which share a time, and keeps them.
class Asking {
 public:
  Asking(const ClaimTitle& title, Budget& budget, const SmtOptions& options)
      : title_(title), budget_(budget), options_(options) {}

  /// lines: comments below the title. A query of the same name as the one before replaces it.
  SolverAnswer ask(const Script& script, const std::string& name, const std::vector<std::string>& lines);
  std::vector<QueryRecord> take() { return std::move(records_); }

 private:
  const ClaimTitle& title_;
  Budget& budget_;
  const SmtOptions& options_;
  std::vector<QueryRecord> records_;
  double spent_ = 0;  // by Z3, in seconds
};

/// "sat", "unsat", "unknown"
const char* status_word(SolverAnswer::Status status);
/// Throws LimitError for a model with more cells than are put to Z3.
void require_askable(const Model& model, const SmtOptions& options);
/// Writes the queries to files, where somebody asked, and asks another solver about them.
void emit(SmtVerdict& verdict, const ClaimTitle& title, const SmtOptions& options);

}  // namespace oddsbound::smt
