// audit: tests whether a sampler draws from the verified channel, and how much it leaks.
#include <algorithm>
#include <iterator>
#include <optional>
#include <random>

#include "api/api.h"
#include "cli/common.h"
#include "cli/files.h"
#include "cli/outputs.h"
#include "cli/progress.h"
#include "cli/shared_run.h"
#include "specs/collected.h"

namespace oddsbound::cli {

namespace {

struct AuditArguments {
  std::vector<std::string> paths;
  std::vector<std::string> plans;
  bool exhaustive = false;
  std::unique_ptr<Outputs> outputs, merged_outputs;
  ExhaustiveOptions proof;
  AuditRequest audit;
  std::string confidence = "0.99";
  std::string shard;
  double margin = 0;                 // 0: runs are made, not planned
  std::optional<std::string> curve;  // epsilons; without it, levels are audited
  std::vector<std::string> parts;
  CheckpointOptions checkpoint;
  Limits limits;
};

int report_audit(const Outputs& outputs, const Report& run) {
  for (const FileError& error : run.errors) complain(error.text());
  for (const AuditResult& audit : run.audits) {
    const StatisticalAudit* found = audit.statistical();
    if (found != nullptr && found->interrupted) complain(audit.file + ": " + found->interrupted.reason);
  }
  return write_outputs(outputs, run);
}

int run_exhaustive(const AuditArguments& request) {
  std::vector<FileError> path_errors;
  const std::vector<std::string> files = expand_paths(request.paths, path_errors);
  if (!request.outputs->spares(files)) return kUsage;
  Report run = audit_exhaustively(files, request.proof, {request.limits, {}});
  run.errors.insert(run.errors.begin(), path_errors.begin(), path_errors.end());
  return report_audit(*request.outputs, run);
}

std::uint64_t fresh_seed() {
  std::random_device device;
  return (std::uint64_t{device()} << 32 | device()) >> 11;
}

std::vector<AuditRequest> requests_of(const AuditArguments& request, std::vector<FileError>& errors) {
  std::vector<AuditRequest> requests;
  for (const std::string& file : expand_paths(request.paths, errors)) {
    requests.push_back(request.audit);
    requests.back().spec = file;
  }
  for (const std::string& file : expand_paths(request.plans, errors)) {
    Expected<AuditRequest> plan = read_plan(File{file}, {request.limits, {}});
    if (!plan) {
      add_errors(plan.error(), errors);
      continue;
    }
    plan->options.threads = request.audit.options.threads;
    plan->program_limits.answer_seconds = request.audit.program_limits.answer_seconds;
    plan->program_limits.memory_mb = request.audit.program_limits.memory_mb;
    requests.push_back(std::move(*plan));
  }
  for (AuditRequest& one : requests) {
    if (!one.seed_given) one.options.seed = fresh_seed();
  }
  return requests;
}

// Parses "2/4", the second of four shards.
bool parse_shard(const std::string& text, AuditOptions& options) {
  unsigned shard = 0, shards = 0;
  int end = 0;
  if (std::sscanf(text.c_str(), "%7u/%7u%n", &shard, &shards, &end) != 2 || text[static_cast<std::size_t>(end)] != 0) {
    return false;
  }
  if (shard < 1 || shard > shards) return false;
  options.shard = shard - 1;
  options.shards = shards;
  return true;
}

int run_shard(const AuditArguments& request) {
  std::vector<FileError> errors;
  std::vector<AuditRequest> requests = requests_of(request, errors);
  for (const FileError& error : errors) complain(error.text());
  if (!errors.empty()) return kUsage;
  if (requests.size() != 1 || !requests[0].seed_given || requests[0].until || !requests[0].transcript.empty()) {
    complain("--shard is for one audit with a seed, of a fixed number of runs of a sampler");
    return kUsage;
  }
  if (!parse_shard(request.shard, requests[0].options)) {
    complain("--shard: found '" + printable(request.shard) + "', expected a part such as 2/4");
    return kUsage;
  }
  if (request.outputs->list().size() > 1 || !request.outputs->spares({requests[0].spec})) {
    complain("--shard writes one file, for audit merge");
    return kUsage;
  }
  const auto part = [&] {
    Progress progress;
    return audit_shard(requests[0], {request.limits, progress.shown()});
  }();
  if (!part) return fail(part.error());
  return write_output({"json", request.outputs->list()[0].file}, *part) ? 0 : kUsage;
}

// A checkpoint, and a run of several processes, needs reproducible draws: a seed or a transcript, and no program
// with a checkpoint. Returns false after a complaint.
bool can_be_kept(const AuditArguments& request, const std::vector<AuditRequest>& requests) {
  const bool kept = !request.checkpoint.path.empty();
  for (const AuditRequest& one : requests) {
    if ((kept || is_one_of_several()) && !one.seed_given && one.transcript.empty()) {
      complain(printable(one.spec, 200) + ": without --seed every run, and every process, draws others: " +
               (kept ? "--checkpoint needs one" : "several processes need one"));
      return false;
    }
    if (kept && !one.program.empty()) {
      complain("--checkpoint does not keep what a program was seen to do: run it in parts (--shard), which are files");
      return false;
    }
  }
  return true;
}

bool is_complete(const Report& run) {
  return std::none_of(run.audits.begin(), run.audits.end(), [](const AuditResult& audit) {
    return audit.statistical() != nullptr && audit.statistical()->interrupted;
  });
}

int run_statistical(const AuditArguments& request) {
  std::vector<FileError> errors;
  const std::vector<AuditRequest> requests = requests_of(request, errors);
  for (const AuditRequest& one : requests) {
    if (!request.outputs->spares({one.spec, one.transcript})) return kUsage;
  }
  std::vector<std::string> files;
  for (const AuditRequest& one : requests) files.push_back(one.spec);
  if (!can_be_kept(request, requests)) return kUsage;
  std::optional<Interrupt> interrupt;
  if (!request.checkpoint.path.empty()) interrupt.emplace();
  SharedRun shared(request.checkpoint, files, request.outputs->list());
  Report run;
  bool was_stopped = false;
  {
    Progress progress;
    Context context{request.limits, progress.shown()};
    if (interrupt) context.limits.stop = interrupt->token();
    context.limits.scopes = shared.scopes();
    run = audit(requests, context);
    was_stopped = interrupt && interrupt->token().stop_requested();
    shared.end(is_complete(run) && !was_stopped);
  }
  run.errors.insert(run.errors.begin(), errors.begin(), errors.end());
  const int status = report_audit(*request.outputs, run);
  shared.is_told(status != kUsage || run.exit_status() == kUsage);
  // All runs may be made while exact values for the report are still unknown.
  return was_stopped && status == 0 ? kLimit : status;
}

int run_planning(const AuditArguments& request) {
  std::vector<FileError> errors;
  std::vector<RunPlan> plans;
  int status = 0;
  for (const AuditRequest& one : requests_of(request, errors)) {
    if (!request.outputs->spares({one.spec})) return kUsage;
    Expected<RunPlan> plan = plan_runs(one, request.margin, {request.limits, {}});
    if (!plan) {
      add_errors(plan.error(), errors);
      continue;
    }
    status = std::max(status, plan->exit_status());
    plans.push_back(std::move(*plan));
  }
  for (const FileError& error : errors) complain(error.text());
  return write_texts(*request.outputs, errors.empty() ? status : kUsage, [&](const std::string& format) {
    if (format == "json") return to_json(plans);
    std::string text;
    for (const RunPlan& plan : plans) text += *render(plan, format, request.outputs->options(format));
    return text;
  });
}

// Parses the epsilons of --curve; false after a complaint.
bool read_curve(AuditArguments& request) {
  AuditRequest& audit = request.audit;
  if (request.exhaustive || audit.until || !request.shard.empty() || !audit.transcript.empty() ||
      !request.plans.empty() || request.margin > 0 || !request.checkpoint.path.empty()) {
    complain(
        "--curve is for audits of a fixed number of runs of a sampler: without --exhaustive, --until, --shard, "
        "--transcript, --plan, --plan-runs and --checkpoint");
    return false;
  }
  for (const std::string& word : read_typed_names("--curve", *request.curve)) {
    try {
      audit.curve.push_back(parse_level(word));
    } catch (const std::runtime_error& error) {
      complain("--curve " + printable(word, 40) + ": " + error.what());
      return false;
    }
  }
  return true;
}

// True for an audit of a fixed number of runs that is written as text or JSON; false after a complaint.
bool can_be_planned(const AuditArguments& request) {
  if (request.exhaustive || request.audit.until || !request.shard.empty() || !request.audit.transcript.empty()) {
    complain(
        "--plan-runs is for audits of a fixed number of runs of a sampler: without --exhaustive, --until, --shard "
        "and --transcript");
    return false;
  }
  for (const Output& output : request.outputs->list()) {
    if (output.format == "text" || output.format == "json") continue;
    complain("--plan-runs writes text or json, not " + output.format);
    return false;
  }
  return true;
}

int run_merge(const AuditArguments& request) {
  if (!request.merged_outputs->resolve() || !request.merged_outputs->spares(request.parts)) return kUsage;
  return report_audit(*request.merged_outputs, merge_shards(request.parts, {request.limits, {}}));
}

int run_audit(AuditArguments& request) {
  if (request.paths.empty() && request.plans.empty()) {
    complain("say what to audit: spec files, or --plan FILE");
    return kUsage;
  }
  if (!request.outputs->resolve()) return kUsage;
  const AuditRequest& audit = request.audit;
  if (request.curve && !read_curve(request)) return kUsage;
  if (request.margin > 0 && !can_be_planned(request)) return kUsage;
  if (request.exhaustive) {
    const bool statistical = !audit.program.empty() || !audit.transcript.empty() || !request.plans.empty() ||
                             !request.shard.empty() || audit.until || audit.seed_given;
    if (!statistical) return run_exhaustive(request);
    complain("--exhaustive proves the built-in sampler: it has no runs to seed, and no other sampler");
    return kUsage;
  }
  if (!audit.program.empty() && !audit.transcript.empty()) {
    complain("--program and --transcript exclude each other");
    return kUsage;
  }
  if (audit.one_process_per_sample && audit.program.empty()) {
    complain("--one-process-per-sample needs --program");
    return kUsage;
  }
  try {
    request.audit.options.alpha = error_of_confidence(parse_number(request.confidence));
  } catch (const std::runtime_error& error) {
    complain(std::string("--confidence: ") + error.what());
    return kUsage;
  }
  if (request.margin > 0) return run_planning(request);
  return request.shard.empty() ? run_statistical(request) : run_shard(request);
}

void add_sampling(CLI::App& command, AuditArguments& request) {
  AuditRequest& audit = request.audit;
  command.add_option("--samples,-n", audit.options.samples, "Runs of the sampler in all")
      ->check(CLI::Range(std::uint64_t{100}, std::uint64_t{1'000'000'000'000}))
      ->capture_default_str();
  command.add_option("--confidence", request.confidence, "With which everything reported is true together")
      ->capture_default_str();
  command.add_option("--threads", audit.options.threads, "Threads; what a seed gives does not depend on it")
      ->check(CLI::Range(1, 1024))
      ->capture_default_str();
  command.add_flag_callback(
      "--accept-choice", [&audit] { audit.expect = Expectation::kPassesForTried; },
      "Where inputs are too many to try all, it is enough that those tried pass");
  command.add_flag("--until", audit.until, "Stop as soon as a claim is contradicted, or after --samples runs");
  command.add_flag("--all-levels", audit.options.all_levels, "Audit ldp, cdp and bcdp besides what is claimed");
  command
      .add_option("--plan-runs", request.margin,
                  "Make no runs: say how many find with 90 % that a claim is wrong by so much (nats; of delta, a "
                  "probability)")
      ->type_name("MARGIN")
      ->check(above_zero());
  command
      .add_option("--curve", request.curve,
                  "Audit delta at these epsilon, separated by commas, in place of the claims: lower bounds that hold "
                  "together")
      ->type_name("EPSILONS");
  command.add_option("--shard", request.shard, "Run one part of the audit, as 2/4, and write what it counted as JSON");
  command.add_option("--program", audit.program, "A program that samples, in place of the built-in sampler");
  command.add_option("--transcript", audit.transcript, "A CSV file of recorded runs, in place of a sampler")
      ->type_name("FILE");
  command.add_flag("--one-process-per-sample", audit.one_process_per_sample,
                   "Start the program anew for every sample, without a seed");
  command.add_option("--program-seconds", audit.program_limits.answer_seconds, "How long the program may be silent")
      ->check(above_zero().description("") & CLI::Range(0.01, 1e6))
      ->capture_default_str();
  command.add_option("--program-memory-mb", audit.program_limits.memory_mb, "Memory of the program")
      ->check(CLI::Range(std::uint64_t{16}, std::uint64_t{1} << 30))
      ->capture_default_str();
}

}  // namespace

Command audit_command(CLI::App& app) {
  CLI::App* command = app.add_subcommand("audit", "Find out what running samplers leak, or prove that they are right");
  command->footer(
      "\nExamples:\n"
      "  oddsbound audit specs/gallery/warner.json\n"
      "  oddsbound audit specs/gallery/warner.json --program 'python3 examples/samplers/sampler.py' --samples 2000000\n"
      "  oddsbound audit --plan-runs 0.1 specs/gallery/warner.json\n"
      "  oddsbound audit --plan examples/samplers/plan.json\n"
      "  oddsbound audit --exhaustive specs/gallery/hadamard-response.json\n\n"
      "With --exhaustive the built-in sampler's own code is replayed on every sequence of random choices, with exact\n"
      "weights. Exit status: 0 as expected, 1 not (a claim is contradicted, or the sampler is not the stated one),\n"
      "2 the request or a file is wrong, or the program failed, 3 undecided, or exceptions that are not accepted.");
  auto request = std::make_shared<AuditArguments>();
  command->add_option("specs", request->paths, "Spec files or directories");
  command->add_option("--plan", request->plans, "Audit plans: files or directories")->type_name("FILE");
  CLI::Option* seed = command->add_option("--seed", request->audit.options.seed, "Makes the audit repeatable")
                          ->check(CLI::Range(std::uint64_t{0}, std::uint64_t{INT64_MAX}));
  add_sampling(*command, *request);
  command->add_flag("--exhaustive", request->exhaustive, "Replay every sequence of random choices");
  command
      ->add_option("--bound", request->proof.bound_bits,
                   "Cut unbounded loops off where less than 2^-BOUND of the mass remains")
      ->check(CLI::Range(10, 100))
      ->capture_default_str();
  command->add_flag("--accept-exceptions", request->proof.accept_exceptions,
                    "Exit with 0 also where choices are too large to enumerate; they are still named");
  command->add_flag("--intervals", request->proof.keep_intervals, "Add the interval of every entry to the JSON");
  request->outputs = std::make_unique<Outputs>(*command, formats_of_reports());
  add_limits(*command, request->limits);
  add_checkpoint(*command, request->checkpoint);
  add_smt_limits(*command, request->proof.smt);
  CLI::App* merge = command->add_subcommand("merge", "Add up the parts of an audit that ran with --shard");
  merge->add_option("parts", request->parts, "The files of all parts")->required();
  request->merged_outputs = std::make_unique<Outputs>(*merge, formats_of_reports());
  return {
      command, [request, seed, merge] {
        const bool has_runs =
            !merge->parsed() && !request->exhaustive && request->shard.empty() && request->margin == 0;
        if (only_helps() && !has_runs) return 0;  // one process does it
        if (!request->checkpoint.path.empty() && !has_runs) {
          complain("--checkpoint is for the runs of a sampler: not for --exhaustive, --shard, --plan-runs or merge");
          return kUsage;
        }
        if (merge->parsed()) return run_merge(*request);
        request->audit.seed_given = seed->count() > 0;
        return run_audit(*request);
      }};
}

}  // namespace oddsbound::cli
