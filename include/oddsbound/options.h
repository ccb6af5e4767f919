// The options of every command: one struct each, for the command line, C++ and Python alike.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "oddsbound/level.h"
#include "oddsbound/limits.h"
#include "oddsbound/number.h"

namespace oddsbound {

struct ChildLimits;
struct SolverAnswer;

/// A spec file. File names in it are relative to its folder.
struct File {
  std::string path;
};

/// The text of a spec. name: its name in error messages. folder: the base of file names in it. files: texts of such
/// files, by the names in the spec, used instead of the files on disk.
struct Text {
  std::string text;
  std::string name = "spec.json";
  std::string folder = ".";
  std::map<std::string, std::string> files{};
};

/// A file that was read.
struct SourceFile {
  std::string file;
  std::string sha256;    // of the bytes, hexadecimal
  bool is_spec = false;  // false: a table
  char separator = ',';  // of a table's cells
};

/// The engine that decides claims: exact, Z3 from the bare definition, or both, which must agree.
enum class Engine { kExact, kSmt, kBoth };

/// Decides a script in SMT-LIB 2.
using Solver = std::function<SolverAnswer(const std::string& script, const ChildLimits& limits)>;

/// Z3, wherever it is asked.
struct SmtOptions {
  double seconds = 60;  // per claim, size of a search, or proof
  std::uint64_t memory_mb = 2048;
  std::uint64_t max_cells = 1 << 15;  // limit on inputs x (inputs + outputs) of a model for Z3
  std::string emit_directory{};       // directory for the queries; empty: none
  std::string cross_check{};          // program of a second solver for the same files; empty: none
  Solver solver{};                    // empty: Z3
};

/// How far the entries of a printed matrix may be from the true ones. Levels are then for all matrices within this.
struct RowTolerance {
  Number tolerance{0};       // rational, above 0 and below 1
  bool exact_zeros = false;  // an entry that is printed as 0 is 0
};

/// verify, analyze
struct VerifyOptions {
  std::optional<RowTolerance> row_tolerance{};
  Engine engine = Engine::kExact;      // engine that decides claims
  SmtOptions smt{};                    // options of Z3, if used
  bool decide_claims = true;           // set by `verify` and `analyze`
  bool analysis = true;                // verify: also levels without claims; required for curves and figures
  bool tradeoffs = false;              // trade-off curves
  bool figures = false;                // data of a report's figures: losses between pairs, correlations, curves
  bool figures_wanted = true;          // figures left out by a limit make the result undecided; false: only noted
  bool effects = false;                // effects of outputs on the odds of each attribute, if there is a prior
  bool effects_wanted = true;          // like figures_wanted
  std::vector<std::string> for_all{};  // BCDP levels over these sets of priors, by name; "*": all of the spec
  bool tolerances = false;             // how wrong the prior may be before claimed BCDP levels fail
  bool witness_specs = false;          // priors that attain levels over sets, as specs (SpecResult::witness_specs)
  bool certificate = false;            // proofs of upper bounds; may double the time of the levels
  bool claim_certificates = false;     // proofs of all verdicts, likewise (SpecResult::claim_certificate)
  bool timings = false;                // processor seconds of each spec and claim; per process, so only with one job
  std::size_t jobs = 1;                // files processed concurrently
};

/// Limits of a program that samples.
struct ProgramLimits {
  std::string directory{};     // to run it in; empty: the current one
  double answer_seconds = 60;  // time limit for a line
  std::uint64_t memory_mb = 4096;
};

struct AuditOptions {
  std::uint64_t samples = 1'000'000;  // runs in total
  double alpha = 0.01;                // probability that anything reported is wrong
  std::uint64_t seed = 0;
  std::size_t threads = 1;
  bool all_levels = false;
  std::uint64_t shard = 0, shards = 1;
};

/// The expected result of an audit.
enum class Expectation { kPasses, kContradicted, kDeviates, kFails, kPassesForTried };

/// audit
struct AuditRequest {
  std::string name{};        // in the plan; empty without one
  std::string spec{};        // file
  std::string program{};     // empty: the built-in sampler
  std::string transcript{};  // file of recorded runs, in place of a sampler
  bool one_process_per_sample = false;
  bool until = false;
  ProgramLimits program_limits{};
  AuditOptions options{};
  bool seed_given = false;
  Expectation expect = Expectation::kPasses;
  std::vector<SourceFile> files{};  // files that the request was read from
  std::string function{};           // name of a caller's function that is audited instead
  std::vector<Level> curve{};       // epsilons whose delta is audited in place of the claims
};

/// audit --exhaustive
struct ExhaustiveOptions {
  unsigned bound_bits = 60;        // mass cut off per input < 2^-bound_bits
  SmtOptions smt{};                // seconds and memory of each proof by induction
  bool keep_intervals = false;     // keep the interval of every entry, not only of those that differ
  bool accept_exceptions = false;  // choices that could not be proved do not count as failures
};

/// sample
struct SampleOptions {
  std::uint64_t count = 1;              // draws per input
  std::optional<std::uint64_t> seed{};  // nullopt: the system's randomness, the only private choice
  bool tally = false;                   // counts of outputs, not every draw
};

/// estimate
struct EstimateOptions {
  /// The coordinates, by name, of every requested joint distribution. Empty: the proportions of the inputs, if those
  /// are few and identifiable; otherwise those of the coordinates that are identifiable.
  std::vector<std::vector<std::string>> marginals{};
  std::string label{};  // least squares: the coordinate to predict
  double radius = 1;    // least squares: largest length of the coefficients, > 0
  /// Before collecting, with 0 outputs: the expected total variation distance between the estimated distribution and
  /// that of the inputs for which people are counted, a rational above 0 such as "1/20". Empty: not asked.
  std::string people_for{};
  bool theory = false;  // also the papers' bounds on the error, for mechanisms that have some
  /// Least squares: the coefficients that are allowed. A box or a simplex takes the place of the ball.
  std::vector<std::pair<std::string, double>> center{};  // of the ball, by coordinate; of one that is not named: 0
  /// The least and the greatest coefficient, by coordinate; an empty name stands for all others.
  std::vector<std::pair<std::string, std::pair<double, double>>> box{};
  bool simplex = false;  // at least 0, with sum 1
};

/// split. Each list is by coordinate: a name and a number or level; an empty name stands for all others.
struct SplitRequest {
  using Values = std::vector<std::pair<std::string, std::string>>;
  Values correlation{};  // q_i; a coordinate that is not named: 1
  Values delta{};        // BCDP levels to split into CDP levels
  Values cdp{};          // or: CDP levels, for the BCDP levels that they keep
  std::string ldp{};     // beside cdp: the mechanism's LDP level; empty: the sum of the CDP levels
};

/// The treatment of blank cells: reject them, drop their rows, or make them a value.
enum class BlankCells { kRefused, kDropped, kValue };

/// new
struct NewSpecRequest {
  std::string table{};                  // a CSV file with a header
  std::string epsilon{};                // of each released attribute: a level above 0
  std::vector<std::string> hidden{};    // columns that are not released
  std::vector<std::string> columns{};   // attributes besides hidden ones; empty: all columns
  std::vector<std::string> excluded{};  // columns that are no attributes
  /// Cells that are blank too ("NA").
  std::vector<std::string> missing_cells{};
  std::string count{};      // column with the number of people per row; empty: one each
  std::string separator{};  // of cells: ",", ";" or "\t"; empty: the one that the header has most often
  BlankCells blank = BlankCells::kRefused;
  std::size_t max_values = 100;  // maximum per column
  std::string file{};            // path for the spec; empty: current folder
  bool published = false;        // the table is public: claims about it are exact
  /// Otherwise the relative slack of claims about the table: 5 %.
  Number headroom = Number::ratio(1, 20);
};

/// search: the largest size of the unknown mechanism, and the premise.
struct SearchOptions {
  std::vector<std::uint64_t> coordinates{2, 2};  // number of values of each
  std::uint64_t outputs = 2;
  std::uint64_t second_outputs = 2;  // of a second mechanism or a post-processing
  std::uint64_t runs = 2;            // that are composed
  std::optional<Level> level{};      // in the premise: log of a rational; nullopt: the property's own
  SmtOptions smt{};                  // Z3's limits are per size
};

/// tune
struct TuneRequest {
  std::string parameter{};             // a symbol, a parameter, or a JSON pointer
  std::vector<std::string> claims{};   // index (as in `verify`'s JSON, from 0) or name; empty: all that should hold
  std::optional<Number> from{}, to{};  // the range; nullopt: the symbol's own, or that of `grid`
  std::size_t parts = 16;              // intervals of the initial grid
  std::vector<Number> grid{};          // or these values
  std::optional<Number> width{};       // of the final interval; nullopt: 2^-20 of the range
  bool smallest = false;               // seek the smallest value, not the largest
  bool integers = false;               // only integers are values
  bool prove = true;                   // also ask Z3 about all values between the decided ones
  SmtOptions smt{};                    // solver options
};

/// compose
struct ComposeOptions {
  std::vector<std::uint64_t> times{};               // runs of each spec; empty: one each
  std::optional<Number> delta{};                    // ask for the smallest epsilon at this delta
  std::optional<Level> epsilon{};                   // ask for the smallest delta at this epsilon
  std::string neighbors = "all";                    // the compared inputs: "all", "coordinate" or "record"
  std::vector<std::vector<std::string>> records{};  // coordinates by record, for "record"
};

/// lock
struct LockOptions {
  Number headroom{0};    // write, accept: relative slack of promises that depend on the prior: 1/20 for 5 %
  bool tighten = false;  // write: lower promises that allow more than a new one would
  bool strict = false;   // check: new items fail too
  SmtOptions smt{};      // limits of Z3, where specs are measured
};

/// How much a text says.
enum class Detail {
  kProblems,  // verify: one line per claim that is not as expected
  kSummary,   // analyze: a table of attributes; compare: rows in which designs differ
  kFull,      // also witnesses, exact forms, bounds, and rows in which all are equal
};

/// How a result is written.
struct RenderOptions {
  bool static_figures = false;  // HTML without scripts
  bool color = false;           // text for a terminal
  /// The exit status of the run, if it differs from the report's.
  std::optional<int> exit_status{};
  std::size_t width = 0;  // maximum width of text lines about specs; 0: unlimited
  std::string folder{};   // the folder of the HTML, for links to certificates; empty: current one
  /// Exact values even if a table is confidential. Otherwise levels that depend on it are rounded, except in JSON,
  /// which is always exact.
  bool exact = false;
  /// HTML: makes an index for a report that is too long for one page. The folder, relative to the index, of one page
  /// per spec, then per audit, in order (1.html, 2.html, ...). Empty: one page.
  std::string pages{};
  /// HTML: the index that a page links back to; empty: none.
  std::string index{};
  Detail detail = Detail::kSummary;       // of text
  std::vector<std::string> attributes{};  // text of analyze: attributes with full detail below the summary
};

}  // namespace oddsbound
