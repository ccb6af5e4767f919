// Claims decided from their bare definition by Z3. What it finds is checked in exact arithmetic before it is believed;
// a proof that there is nothing to find is Z3's own.
#pragma once

#include <string>
#include <vector>

#include "base/budget.h"
#include "verifier/model/definition.h"
#include "verifier/smt/query.h"
#include "verifier/smt/solver.h"

namespace oddsbound::smt {

/// One query, as it was put and answered.
struct QueryRecord {
  std::string name;         // of the claim and the comparison
  std::string text;         // the script
  std::string status;       // "sat", "unsat", "unknown"
  std::string file;         // where it was written; empty: nowhere
  std::string cross_check;  // what the second solver said; empty: not asked
  double seconds = 0;
};

struct SmtVerdict {
  enum class Kind { kHolds, kRefuted, kUndecided } kind = Kind::kUndecided;
  std::string reason;              // of kUndecided
  bool not_tight = false;          // refuted, in that a smaller level holds for the values
  std::optional<Witness> witness;  // of kRefuted, unless not_tight
  std::vector<Number> values;      // of the symbols, for which the claim is refuted
  std::vector<QueryRecord> queries;
};

/// What a claim is called in queries and files.
struct ClaimTitle {
  std::string file_stem;           // letters, digits and _ only
  std::vector<std::string> lines;  // comments that say which claim of which spec it is
};

/// Decides a question that is satisfiable if and only if the claim holds. `question` makes its text from comments.
SmtVerdict decide_question(const std::function<std::string(const std::vector<std::string>&)>& question,
                           const ClaimTitle& title, const SmtOptions& options);

/// Decides the definition of a claim on a model that is not too large for it (else `define` is not called); with
/// `tight`, also whether every level in it is the least one for all values of the symbols. ring: the symbols of the
/// model, or null.
///
/// Undecided past a limit of the options or the budget.
SmtVerdict decide_by_definition(const Model& model, const std::function<Definition()>& define, const SymbolRing* ring,
                                bool tight, const ClaimTitle& title, Budget& budget, const SmtOptions& options);

// How queries are put and kept, whatever they ask.

/// Puts the queries of one claim, which share a time, and keeps them.
class QuerySession {
 public:
  QuerySession(const ClaimTitle& title, Budget& budget, const SmtOptions& options)
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
