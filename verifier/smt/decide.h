// Decides claims from their bare definition with Z3. A counterexample is accepted only after a check in exact
// arithmetic; the absence of one rests on Z3 alone. Cost: models are limited to max_cells, since queries list
// inputs and outputs.
#pragma once

#include <string>
#include <vector>

#include "base/budget.h"
#include "verifier/model/definition.h"
#include "verifier/smt/query.h"
#include "verifier/smt/solver.h"

namespace oddsbound::smt {

/// A query and its answer.
struct QueryRecord {
  std::string name;         // of the claim and the comparison
  std::string text;         // the script
  std::string status;       // "sat", "unsat", "unknown"
  std::string file;         // the file it was written to; empty: none
  std::string cross_check;  // the second solver's answer; empty: not asked
  double seconds = 0;
};

struct SmtVerdict {
  Answer holds = Answer::kOpen;
  std::string reason;              // for kOpen
  bool not_tight = false;          // refuted since a smaller level holds at `values`
  std::optional<Witness> witness;  // for kNo, unless not_tight or violated by the empty event
  std::vector<Number> values;      // of the symbols, at which the claim is refuted
  std::vector<QueryRecord> queries;
};

/// The name of a claim in queries and files.
struct ClaimTitle {
  std::string file_stem;           // letters, digits and _ only
  std::vector<std::string> lines;  // comments that identify the claim and the spec
};

/// Decides a script that is satisfiable if and only if the claim holds. `question` makes its text from comments.
SmtVerdict decide_question(const std::function<std::string(const std::vector<std::string>&)>& question,
                           const ClaimTitle& title, const SmtOptions& options);

/// Decides a claim's definition; with `tight`, also whether every level in it is the least one for all values of
/// the symbols. `define` is not called if the model is too large. ring: the symbols of the model, or null.
///
/// Returns kOpen past a limit of the options or the budget.
SmtVerdict decide_by_definition(const Model& model, const std::function<Definition()>& define, const SymbolRing* ring,
                                bool tight, const ClaimTitle& title, Budget& budget, const SmtOptions& options);

// Queries: asking them and keeping their records.

/// Asks the queries of one claim, which share one time limit, and keeps their records.
class QuerySession {
 public:
  QuerySession(const ClaimTitle& title, Budget& budget, const SmtOptions& options)
      : title_(title), budget_(budget), options_(options) {}

  /// Asks a query. lines: comments below the title. A query with the same name as the one before replaces its
  /// record.
  SolverAnswer ask(const Script& script, const std::string& name, const std::vector<std::string>& lines);
  std::vector<QueryRecord> take() { return std::move(records_); }

 private:
  const ClaimTitle& title_;
  Budget& budget_;
  const SmtOptions& options_;
  std::vector<QueryRecord> records_;
  double spent_ = 0;  // by Z3, in seconds
};

/// Returns "sat", "unsat" or "unknown".
const char* status_word(Answer status);
/// Throws LimitError for a model with more cells than max_cells.
void require_askable(const Model& model, const SmtOptions& options);
/// Writes the queries to files and asks the second solver about them, as the options say.
void emit(SmtVerdict& verdict, const ClaimTitle& title, const SmtOptions& options);

}  // namespace oddsbound::smt
