// analyze and verify: measure levels and decide claims of spec files.
#include <cstdlib>
#include <filesystem>
#include <iterator>

#include "api/api.h"
#include "app/result_cache.h"
#include "app/verify.h"
#include "base/child.h"
#include "base/files.h"
#include "cli/common.h"
#include "cli/files.h"
#include "cli/outputs.h"
#include "cli/progress.h"
#include "cli/shared_run.h"

namespace oddsbound::cli {

namespace {

struct VerifyArguments {
  std::vector<std::string> paths;
  std::unique_ptr<Outputs> outputs;
  std::string color = "auto";
  std::string certificate;   // a file; empty: none
  std::string witnesses;     // a folder; empty: none
  std::string certificates;  // a folder; empty: none
  bool no_analysis = false;
  std::optional<std::string> row_tolerance;
  bool exact_zeros = false;
  VerifyOptions options;
  CheckpointOptions checkpoint;
  ResultCache::Settings cache;  // without a directory: none
  Context context;
};

// The folder of SMT queries. If only a second solver reads them, it is temporary and removed at the end.
class QueryFolder {
 public:
  explicit QueryFolder(SmtOptions& options) {
    if (options.emit_directory.empty() && !options.cross_check.empty()) {
      std::string pattern = (std::filesystem::temp_directory_path() / "oddsbound-XXXXXX").string();
      if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("cannot make a temporary directory");
      temporary_ = options.emit_directory = pattern;
    }
    if (options.emit_directory.empty()) return;
    make_directory(options.emit_directory);
  }
  ~QueryFolder() {
    std::error_code ignored;
    if (!temporary_.empty()) std::filesystem::remove_all(temporary_, ignored);
  }
  QueryFolder(const QueryFolder&) = delete;
  QueryFolder& operator=(const QueryFolder&) = delete;

 private:
  std::string temporary_;
};

// Checked before hours of work. Returns false after a complaint.
bool certificate_can_be_written(const VerifyArguments& request, const std::vector<std::string>& files) {
  const std::string& path = request.certificate;
  const auto fails = [&](const std::string& why) {
    complain("--certificate " + printable(path, 200) + ": " + why);
    return false;
  };
  std::error_code ignored;
  if (path == "-") return fails("expected the name of a file");
  if (files.size() != 1) return fails("it is about one spec, and " + std::to_string(files.size()) + " are given");
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  if (!folder.empty() && !std::filesystem::is_directory(folder, ignored)) return fails("there is no such directory");
  if (std::filesystem::is_directory(path, ignored)) return fails("this is a directory");
  for (const Output& output : request.outputs->list()) {
    if (!output.file.empty() && std::filesystem::weakly_canonical(std::filesystem::absolute(output.file), ignored) ==
                                    std::filesystem::weakly_canonical(std::filesystem::absolute(path), ignored)) {
      return fails("--output writes there too");
    }
  }
  return true;
}

// Returns `exit_status`, or kUsage if the file cannot be written.
int write_certificate(const std::string& path, const Report& run, int exit_status) {
  if (path.empty() || run.specs.empty()) return exit_status;
  const Certificate& certificate = *run.specs[0].certificate;
  for (const SourceFile& file : run.specs[0].files) {
    std::error_code ignored;
    if (!std::filesystem::equivalent(path, file.file, ignored)) continue;
    complain("--certificate " + printable(path, 200) + " would overwrite what is read");
    return kUsage;
  }
  for (const std::string& line : missing_proofs(certificate)) tell(line + "\n");
  return write_output({"json", path}, to_json(certificate)) ? exit_status : kUsage;
}

// Writes every prior that shows a level over a set as a spec into the folder. Returns false after a complaint.
bool write_witnesses(const std::string& folder, const Report& run) {
  std::vector<SpecFile> files;
  for (const SpecResult& spec : run.specs) {
    for (const NamedText& witness : spec.witness_specs) files.push_back({&spec, witness});
  }
  return write_spec_files(
      {"--write-witness", folder, "spec", "no spec is written: no prior of a set shows a level, or it is too large"},
      files);
}

// Writes a certificate per spec: its decided claims with witnesses and proofs. Returns false after a complaint.
bool write_claim_certificates(const std::string& folder, Report& run) {
  std::vector<SpecFile> files;
  for (SpecResult& spec : run.specs) {
    if (!spec.claim_certificate) continue;
    spec.certificate_file = (std::filesystem::path(folder) / spec.claim_certificate->file_name).string();
    files.push_back({&spec, {spec.claim_certificate->file_name, to_json(*spec.claim_certificate)}});
    for (const std::string& line : missing_proofs(*spec.claim_certificate)) tell("not proved: " + line + "\n");
  }
  return write_spec_files({"--certificates", folder, "certificate", "no claim is decided, and nothing is written"},
                          files);
}

// If queries were requested but none was made, explains why.
void tell_of_no_queries(const VerifyArguments& request, const Report& run) {
  const bool asked = std::any_of(run.specs.begin(), run.specs.end(), [](const SpecResult& spec) {
    return std::any_of(spec.claims.begin(), spec.claims.end(),
                       [](const ClaimResult& claim) { return !claim.queries.empty(); });
  });
  const SmtOptions& smt = request.options.smt;
  if (asked || (smt.emit_directory.empty() && smt.cross_check.empty()) || run.specs.empty()) return;
  tell((smt.emit_directory.empty() ? "--cross-check: nothing was asked of Z3, and there is no query to ask again"
                                   : "--emit-smt2: nothing was asked of Z3, and no query is written") +
       std::string(": the exact engine decides without queries (ask with --engine smt or both)\n"));
}

// True if resuming the run could not find more.
bool is_complete(const Report& run) {
  const auto is_open = [](const SpecResult& spec) {
    return spec.left_open > 0 || std::any_of(spec.claims.begin(), spec.claims.end(), [](const ClaimResult& claim) {
             return claim.verdict == Verdict::kUndecided;
           });
  };
  return std::none_of(run.errors.begin(), run.errors.end(), [](const FileError& error) { return error.stopped; }) &&
         std::none_of(run.specs.begin(), run.specs.end(), is_open);
}

// True if an output shows levels. GitHub's job summary is Markdown.
bool shows_levels(const Outputs& outputs) {
  return outputs.wants("json") || outputs.wants("html") || outputs.wants("markdown") ||
         (outputs.wants("github") && writes_summary());
}

// Returns false after a complaint about an attribute that no spec has.
bool knows_attributes(const Outputs& outputs, const Report& run) {
  for (const std::string& name : outputs.attributes()) {
    const auto has = [&](const SpecResult& spec) {
      return std::find(spec.coordinates.begin(), spec.coordinates.end(), name) != spec.coordinates.end();
    };
    if (run.specs.empty() || std::any_of(run.specs.begin(), run.specs.end(), has)) continue;
    std::vector<std::string> known;
    for (const SpecResult& spec : run.specs) {
      std::copy_if(spec.coordinates.begin(), spec.coordinates.end(), std::back_inserter(known),
                   [&](const auto& own) { return std::find(known.begin(), known.end(), own) == known.end(); });
    }
    const std::string near = suggestion(name, known);
    complain("--attribute: no spec has an attribute '" + printable(name, 40) + "' (" +
             (near.empty() ? "attributes: " + listing(known) : near) + ")");
    return false;
  }
  return true;
}

std::vector<Output> outputs_of(const VerifyArguments& request) {
  std::vector<Output> outputs = request.outputs->list();
  outputs.push_back({"json", request.certificate});
  return outputs;
}

// Returns false after a complaint.
bool read_row_tolerance(VerifyArguments& request) {
  if (!request.row_tolerance) return true;
  std::optional<Number> tolerance;
  try {
    tolerance = parse_number(*request.row_tolerance);
  } catch (const std::runtime_error&) {
    // Reported like a number out of range.
  }
  if (tolerance && is_row_tolerance(*tolerance)) {
    request.options.row_tolerance = RowTolerance{*tolerance, request.exact_zeros};
    return true;
  }
  complain("--row-tolerance: found '" + printable(*request.row_tolerance, 40) +
           "', expected a rational number above 0 and below 1, such as 1e-8");
  return false;
}

// The cache of results that the request names; null if there is none, or if the options ask for more than results.
// Throws std::runtime_error if its directory cannot be used.
std::unique_ptr<ResultCache> cache_of(const VerifyArguments& request, const VerifyOptions& options) {
  if (request.cache.directory.empty()) return nullptr;
  if (is_one_of_several()) throw std::runtime_error("--cache is for a single process");
  if (!ResultCache::supports(options)) return nullptr;
  return std::make_unique<ResultCache>(request.cache);
}

// is_verify: otherwise the command is 'analyze', which decides claims only with --quiet.
int run_specs(VerifyArguments& request, bool is_verify) {
  if (!request.outputs->resolve() || !read_row_tolerance(request)) return kUsage;
  const bool decides = is_verify || request.outputs->is_quiet();
  if (request.options.timings && request.options.jobs > 1) {
    complain("--timings measures one file at a time: leave out --jobs");
    return kUsage;
  }
  Report run;
  std::vector<FileError> path_errors;
  const std::vector<std::string> files = expand_paths(request.paths, path_errors);
  if (!request.outputs->spares(files)) return kUsage;
  if (!request.certificate.empty() && !certificate_can_be_written(request, files)) return kUsage;
  VerifyOptions options = request.options;
  options.certificate = !request.certificate.empty();
  options.witness_specs = !request.witnesses.empty();
  options.claim_certificates = !request.certificates.empty();
  const QueryFolder folder(options.smt);
  if (!options.smt.cross_check.empty() && program_path(options.smt.cross_check).empty()) {
    complain("there is no program '" + options.smt.cross_check + "' (--cross-check)");
    return kUsage;
  }
  const Interrupt interrupt;
  bool was_stopped = false;
  SharedRun shared(request.checkpoint, files, outputs_of(request));
  {
    Progress progress;
    const bool html = request.outputs->wants("html");
    options.analysis = !decides || (!request.no_analysis && shows_levels(*request.outputs));
    options.figures_wanted = options.figures;
    options.figures = options.figures || (options.analysis && html);
    options.effects_wanted = options.effects;
    options.effects = options.effects || (options.analysis && (html || request.outputs->wants("markdown")));
    Context context = interrupt.within(request.context);
    context.progress = progress.shown();
    context.limits.scopes = shared.scopes();
    const std::unique_ptr<ResultCache> cache = cache_of(request, options);
    run = decides ? verify(files, options, context, cache.get()) : analyze(files, options, context, cache.get());
    if (cache && !cache->complaint().empty()) tell("note: " + cache->complaint() + "\n");
    was_stopped = interrupt.token().stop_requested();
    shared.end(is_complete(run) && !was_stopped);
  }
  for (const SpecResult& spec : run.specs) {
    std::vector<std::string> read;
    for (const SourceFile& file : spec.files) read.push_back(file.file);
    if (!request.outputs->spares(read)) return kUsage;
  }
  if (!knows_attributes(*request.outputs, run)) return kUsage;
  run.errors.insert(run.errors.begin(), path_errors.begin(), path_errors.end());
  for (const FileError& error : run.errors) complain(error.text());
  tell_of_no_queries(request, run);
  if (!write_witnesses(request.witnesses, run)) return kUsage;
  if (!write_claim_certificates(request.certificates, run)) return kUsage;
  for (const std::string& sentence : write_disagreement_dumps(run, "")) tell(sentence + "\n");
  RenderOptions render_options;
  render_options.color = use_color(request.color);
  render_options.width = text_width();
  int status = write_outputs(*request.outputs, run, render_options);
  status = write_certificate(request.certificate, run, status);
  shared.is_told(status != kUsage || run.exit_status() == kUsage);
  // All claims may be decided while levels for the report are still unknown.
  return was_stopped && status == 0 ? kLimit : status;
}

// others: options of the command that --row-tolerance does not support.
void add_row_tolerance(CLI::App& command, VerifyArguments& request, const std::vector<std::string>& others) {
  CLI::Option* tolerance =
      command
          .add_option("--row-tolerance", request.row_tolerance,
                      "The matrix is printed with rounded numbers: give levels as intervals over all matrices whose "
                      "entries differ from the printed ones by at most this; rows may miss 1 by rounding")
          ->type_name("NUMBER");
  for (const std::string& other : others) tolerance->excludes(command.get_option(other));
  command
      .add_flag("--exact-zeros", request.exact_zeros,
                "With --row-tolerance: an entry that is printed as 0 is 0, not merely at most the tolerance")
      ->needs(tolerance);
}

void add_cache(CLI::App& command, ResultCache::Settings& cache) {
  const std::string group = "Cache";
  CLI::Option* directory =
      command
          .add_option("--cache", cache.directory,
                      "Keep results in this directory and reuse them while the program, the options, the spec and its "
                      "tables stay the same; closed to other users")
          ->type_name("DIR")
          ->group(group);
  if (CLI::Option* checkpoint = command.get_option_no_throw("--checkpoint")) directory->excludes(checkpoint);
  command
      .add_option("--cache-max-mb", cache.max_mb, "Size of all kept results; then the least recently used are removed")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1} << 20))
      ->capture_default_str()
      ->needs(directory)
      ->group(group);
  command
      .add_flag("--cache-confidential", cache.confidential,
                "Also keep exact results that depend on a confidential table")
      ->needs(directory)
      ->group(group);
}

std::shared_ptr<VerifyArguments> add_options(CLI::App& command, std::vector<std::string> formats) {
  auto request = std::make_shared<VerifyArguments>();
  command.add_option("specs", request->paths, "Spec files, directories (searched for *.json), or - for standard input")
      ->required();
  request->outputs = std::make_unique<Outputs>(command, std::move(formats));
  add_color(command, request->color);
  command.add_option("--jobs,-j", request->options.jobs, "Files that are worked on at once")
      ->check(CLI::Range(1, 1024))
      ->capture_default_str();
  command.add_flag("--timings", request->options.timings,
                   "Add the processor seconds of each spec and claim to the JSON; not with --jobs");
  add_threads(command, request->context.limits, "its share of the cores");
  command.add_flag("--tradeoff", request->options.tradeoffs,
                   "Add trade-off curves (type I against type II error) of the worst pairs to the JSON");
  command.add_flag("--figures", request->options.figures,
                   "Add what reports draw to the JSON: losses between all pairs, correlations, trade-off curves");
  command.add_flag("--explain", request->options.effects,
                   "Say what outputs do to the odds of each attribute, at worst, most often and on average");
  command.add_flag("!--by-columns", request->context.limits.use_disjoint_parts,
                   "Enumerate every column even where a mechanism's structure allows a proof by cases");
  add_limits(command, request->context.limits);
  add_checkpoint(command, request->checkpoint);
  add_cache(command, request->cache);
  return request;
}

void add_engine(CLI::App& command, VerifyArguments& request) {
  SmtOptions& smt = request.options.smt;
  const std::string group = "Z3";
  add_choice(command, "--engine", request.options.engine, kEngines,
             "exact arithmetic, smt (Z3, from the bare definition), or both")
      ->default_str("exact")
      ->group(group);
  command.add_option("--emit-smt2", smt.emit_directory, "Write every query to this directory, as SMT-LIB 2")
      ->type_name("DIR")
      ->group(group);
  command.add_option("--cross-check", smt.cross_check, "Ask another solver about the same queries")
      ->check(CLI::IsMember({"cvc5"}))
      ->group(group);
  add_smt_limits(command, smt);
  command.add_option("--smt-max-cells", smt.max_cells, "Inputs x (inputs + outputs) that are put to Z3")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1} << 30))
      ->capture_default_str()
      ->group(group);
}

}  // namespace

Command analyze_command(CLI::App& app) {
  CLI::App* command = app.add_subcommand("analyze", "Show every privacy level of a mechanism, exactly");
  command->footer("\nExample:\n  oddsbound analyze specs/gallery/titanic.json");
  const auto request = add_options(*command, {"text", "json", "html", "markdown"});
  command
      ->add_option("--for-all", request->options.for_all,
                   "Add BCDP levels over this set of priors (of the spec's prior_sets); '*': over all of them")
      ->type_name("NAME");
  request->outputs->add_verbose("Text: exact forms, witnesses and bounds of all levels, below the table");
  request->outputs->add_quiet(
      "Text: decide the claims, and print one line per claim that is not as expected, and nothing else; the exit "
      "status is that of verify");
  request->outputs->add_attribute();
  command->add_flag("--tolerance", request->options.tolerances,
                    "Say how wrong the prior may be before each BCDP level that the spec claims fails");
  command
      ->add_option("--certificate", request->certificate,
                   "Write proofs of the upper bounds of BCDP levels to this file, for others to check; one spec only")
      ->type_name("FILE");
  add_row_tolerance(*command, *request,
                    {"--certificate", "--explain", "--figures", "--for-all", "--tolerance", "--tradeoff"});
  return {command, [request] { return run_specs(*request, false); }};
}

Command verify_command(CLI::App& app) {
  CLI::App* command = app.add_subcommand("verify", "Decide the claims of spec files");
  command->footer("\nExample:\n  oddsbound verify --jobs 2 specs/gallery");
  const auto request = add_options(*command, formats_of_reports());
  command
      ->add_flag("--no-analysis", request->no_analysis,
                 "Decide the claims, and measure no other levels for JSON, HTML and Markdown")
      ->excludes("--tradeoff", "--figures");
  command
      ->add_option("--write-witness", request->witnesses,
                   "Write the priors that show levels over sets of priors to this directory, as specs to be verified")
      ->type_name("DIR");
  command
      ->add_option("--certificates", request->certificates,
                   "Write why every claim is decided as it is to this directory, witnesses and proofs, a file for each "
                   "spec, for others to check")
      ->type_name("DIR");
  request->outputs->add_quiet("Text: one line per claim that is not as expected, and nothing else");
  add_engine(*command, *request);
  add_row_tolerance(*command, *request,
                    {"--certificates", "--cross-check", "--emit-smt2", "--engine", "--explain", "--figures",
                     "--tradeoff", "--write-witness"});
  return {command, [request] { return run_specs(*request, true); }};
}

}  // namespace oddsbound::cli
