#include "app/verify.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <iterator>
#include <set>
#include <thread>
#include <variant>

#include "app/certify.h"
#include "app/certify_claims.h"
#include "app/scope.h"
#include "app/spec_text.h"
#include "base/errors.h"
#include "base/files.h"
#include "base/limit_events.h"
#include "specs/source_file.h"
#include "verifier/exact/threads.h"
#include "verifier/notions/analysis.h"
#include "verifier/notions/rounded.h"
#include "verifier/notions/table.h"
#include "verifier/smt/solver.h"

namespace oddsbound::app {

FileError skipped(const std::string& file) {
  FileError error = file_error(file, "the work was stopped before this was read");
  error.stopped = true;
  return error;
}

namespace {

using FileErrors = std::vector<FileError>;
using FileOutcome = std::variant<std::monostate, SpecResult, FileErrors>;

// Divides the cores among the files that are processed concurrently.
Limits limits_of_a_file(Limits limits, std::size_t at_once) {
  if (limits.threads == 0) limits.threads = std::max<std::size_t>(1, std::thread::hardware_concurrency() / at_once);
  return limits;
}

// With a cache, a file is evaluated only if its result is not kept.
template <typename Evaluate>
SpecResult cached(ResultCache* cache, const std::string& file, const Limits& limits, const VerifyOptions& options,
                  Evaluate evaluate_now) {
  if (cache == nullptr) return evaluate_now();
  if (std::optional<SpecResult> kept = cache->find(file, options, limits)) return *std::move(kept);
  using Clock = std::chrono::steady_clock;
  const Clock::time_point begun = Clock::now();
  const std::uint64_t before = limit_events();
  SpecResult result = evaluate_now();
  const double seconds = std::chrono::duration<double>(Clock::now() - begun).count();
  cache->keep(result, options, limits, {seconds, limit_events() != before});
  return result;
}

SpecResult evaluate_spec(std::size_t number, const std::string& file, const Limits& limits,
                         const VerifyOptions& options) {
  const double begun = processor_seconds();
  const auto timed = [&](SpecResult result) {
    if (options.timings) result.processor_seconds = processor_seconds() - begun;
    return result;
  };
  Budget budget(limits);
  const Spec spec = read_spec(file, budget, options.row_tolerance);
  Limits own = limits;
  const std::unique_ptr<TaskScope> scope =
      begin_scope(std::to_string(number + 1) + ": " + file, digests_of(spec.files), own);
  if (!scope) return timed(evaluate(spec, budget, options));
  Budget within(own);
  VerifyOptions kept = options;
  kept.smt.solver = caching_solver(options.smt, within);
  return timed(evaluate(spec, within, kept));
}

FileOutcome evaluate_file(std::size_t number, const std::string& file, const Limits& limits,
                          const VerifyOptions& options, ResultCache* cache) {
  if (limits.stop.stop_requested()) return FileErrors{skipped(file)};
  try {
    return cached(cache, file, limits, options, [&] { return evaluate_spec(number, file, limits, options); });
  } catch (const Abandoned&) {
    return std::monostate();
  } catch (const std::exception&) {
    return limits.stop.stop_requested() ? FileErrors{skipped(file)} : file_errors_in_flight(file);
  }
}

// There is no channel to measure.
void leave_undecided(const Spec& spec, const VerifyOptions& options, SpecResult& result) {
  const std::string reason =
      "the mechanism's outputs are " + spec.mechanism.outputs_word() + ": it has a sampler, and no exact levels";
  for (std::size_t index = 0; options.decide_claims && index < spec.claims.size(); ++index) {
    result.claims.push_back(undecided_claim(spec, index, reason));
  }
  if (options.analysis) result.analysis.undecided["ldp"] = reason;
}

// Entries that take too long are left out, with a reason.
Functions functions_of(const Spec& spec, Budget& budget, const VerifyOptions& options, Analysis& analysis) {
  Functions functions;
  for (const Symbol& symbol : spec.symbols->symbols()) functions.symbols.push_back(symbol.range_text());
  if (!options.analysis) return functions;
  try {
    std::set<std::string> seen;
    for (const auto& row : rows_of(*spec.model.channel, budget)) {
      for (const Number& entry : row) {
        if (seen.insert(entry.to_string()).second) functions.entries.push_back(entry.to_string());
      }
    }
  } catch (const LimitError& error) {
    functions.entries.clear();
    analysis.undecided["functions"] = error.what();
  }
  return functions;
}

// Figures that take too long are left out, with a reason.
std::optional<HeatMaps> pairs_within_limits(MeasuredModel& subject, Analysis& analysis) {
  try {
    HeatMaps pairs = measure_heat_maps(subject);
    subject.budget().reserve_output(written_size(pairs));
    return pairs;
  } catch (const LimitError& error) {
    analysis.undecided["figures"] = error.what();
    return std::nullopt;
  }
}

// Effects that take too long are left out, with a reason.
Effects effects_within_limits(MeasuredModel& subject) {
  Effects effects;
  try {
    effects = measure_effects(subject);
  } catch (const LimitError& error) {
    effects.without = error.what();
  }
  return effects;
}

// Throws SpecError for an unknown set.
void add_levels_over_sets(const Spec& spec, const std::vector<std::string>& names, MeasuredModel& subject,
                          Analysis& analysis) {
  for (const std::string& name : names) {
    if (name != "*" && !spec.prior_sets.contains(name)) {
      throw SpecError({spec.file, 0, 0, "/prior_sets"}, "unknown set of priors '" + printable(name) + "'",
                      hint_of_sets(name, spec.prior_sets));
    }
  }
  for (const auto& [name, set] : spec.prior_sets) {
    const bool asked = std::any_of(names.begin(), names.end(), [&](const auto& n) { return n == "*" || n == name; });
    if (asked) add_levels_over(subject, name, set, analysis);
  }
}

// Only for claims about the spec's own prior.
void add_tolerances(const Spec& spec, MeasuredModel& subject, Analysis& analysis) {
  std::set<std::pair<std::size_t, Level>> seen;
  for (const Claim& claim : spec.claims) {
    const bool of_prior = claim.notion->tolerates && claimed_scope(spec.model.domain, claim.arguments).is_everything();
    if (!of_prior || !claim.expect_holds) continue;
    const CoordinateLevels& levels = claim.arguments.get<CoordinateLevels>("epsilon");
    for (std::size_t i = 0; i < levels.size(); ++i) {
      if (levels[i] && !levels[i]->is_infinite() && seen.emplace(i, *levels[i]).second) {
        add_tolerance(subject, i, *levels[i], analysis);
      }
    }
  }
}

std::size_t count_unfinished(const Analysis& analysis) {
  const auto is_unfinished = [](const MeasuredLevel& level) { return level.unfinished.has_value(); };
  std::size_t count = 0;
  const auto add = [&](const auto& by_notion) {
    for (const auto& [notion, measured] : by_notion) {
      if (const auto* level = std::get_if<MeasuredLevel>(&measured)) count += is_unfinished(*level) ? 1 : 0;
      if (const auto* levels = std::get_if<std::vector<MeasuredLevel>>(&measured)) {
        count += static_cast<std::size_t>(std::count_if(levels->begin(), levels->end(), is_unfinished));
      }
    }
  };
  add(analysis.levels);
  if (analysis.given_public) add(analysis.given_public->levels);
  return count;
}

// Counts the requested quantities that are undecided. If claims are decided, levels were only requested by claims.
std::size_t count_open(const Analysis& analysis, const VerifyOptions& options) {
  std::size_t open = options.decide_claims ? 0 : count_unfinished(analysis);
  for (const auto& [what, reason] : analysis.undecided) {
    if (what == "figures") {
      open += options.figures_wanted ? 1 : 0;
    } else if (what == "tradeoff") {
      open += options.tradeoffs ? 1 : 0;
    } else {
      open += options.decide_claims ? 0 : 1;
    }
  }
  return open;
}

void measure_levels(const Spec& spec, MeasuredModel& subject, const VerifyOptions& options, SpecResult& result) {
  result.analysis = analyze(subject);
  add_levels_over_sets(spec, options.for_all, subject, result.analysis);
  if (options.tolerances && spec.model.prior) add_tolerances(spec, subject, result.analysis);
  if (options.figures) result.pairs = pairs_within_limits(subject, result.analysis);
  result.left_open += count_open(result.analysis, options);
}

// The levels of a printed matrix that are bounded, and the reasons of the others.
void measure_rounded_levels(const Spec& spec, Budget& budget, const VerifyOptions& options, SpecResult& result) {
  for (const Notion& notion : notion_table()) {
    if (!notion.measure || (notion.needs_prior && !spec.model.prior)) continue;
    try {
      Measured measured = measure_rounded(notion, spec.model, *spec.rounded, budget);
      budget.reserve_output(written_size(measured));
      result.analysis.levels.emplace_back(notion.name, std::move(measured));
    } catch (const LimitError& error) {
      result.analysis.undecided[notion.name] = error.what();
    }
  }
  if (!result.public_coordinates.empty()) {
    result.analysis.undecided["given_public"] = notions::not_supported_by_rounding("levels given what is public");
  }
  if (options.tradeoffs) result.analysis.undecided["tradeoff"] = notions::not_supported_by_rounding("trade-off curves");
  if (options.figures && options.figures_wanted)
    result.analysis.undecided["figures"] = notions::not_supported_by_rounding("figures");
  if (!options.for_all.empty())
    result.analysis.undecided["for_all"] = notions::not_supported_by_rounding("levels over a set of priors");
  if (options.tolerances)
    result.analysis.undecided["tolerance"] = notions::not_supported_by_rounding("how wrong the prior may be");
  // Intervals are what was asked for.
  Analysis missing;
  missing.undecided = result.analysis.undecided;
  result.left_open += count_open(missing, options);
}

// Claims and levels for all matrices that agree with a printed one. Throws SpecError for other requests.
void evaluate_rounded(const Spec& spec, Budget& budget, const VerifyOptions& options, SpecResult& result) {
  if (options.certificate || options.claim_certificates) {
    throw SpecError({spec.file, 0, 0, ""}, notions::not_supported_by_rounding("certificates"));
  }
  const RoundedRows& rows = *spec.rounded;
  result.row_tolerance = RowTolerance{rows.tolerance, rows.exact_zeros};
  MeasuredModel subject(spec.model, budget, false);
  if (options.decide_claims) {
    result.claims = decide_claims(spec, all_claims(spec), subject, options.engine, options.smt, result.disagreements,
                                  options.timings);
  }
  if (options.analysis) measure_rounded_levels(spec, budget, options, result);
  if (options.effects && options.effects_wanted && spec.model.prior) {
    result.effects.emplace().without = notions::not_supported_by_rounding("effects of outputs");
    ++result.left_open;
  }
}

void add_claim_certificate(const Spec& spec, const Budget& budget, SpecResult& result) {
  result.claim_certificate = certify_claims(spec, result, budget.limits());
  if (result.claim_certificate) result.left_open += result.claim_certificate->without.size();
}

// The number of histograms of shuffled reports; nullopt if it is too long.
std::optional<Number> histograms_of(const Shuffle& shuffle) {
  const std::uint64_t people = shuffle.people, later = shuffle.local->outputs() - 1;
  constexpr std::uint64_t kMostFactors = 4096;
  if (std::min(people, later) > kMostFactors) return std::nullopt;
  Number count(1);
  for (std::uint64_t k = 1; k <= std::min(people, later); ++k) {
    count *= Number::ratio(static_cast<std::int64_t>(std::max(people, later) + k), static_cast<std::int64_t>(k));
  }
  return count;
}

// Claims about the histogram of the reports of several people; without claims nothing is measured.
void decide_shuffled(const Spec& spec, Budget& budget, const VerifyOptions& options, SpecResult& result) {
  // First: after the time limit, long numbers are not computed.
  result.outputs = histograms_of(*spec.mechanism.shuffle);
  result.unlisted = !result.outputs;
  const Model local = model_of_claims(spec);
  MeasuredModel subject(local, budget);
  if (options.decide_claims) {
    result.claims = decide_claims(spec, all_claims(spec), subject, options.engine, options.smt, result.disagreements,
                                  options.timings);
  }
  if (options.analysis) result.analysis.undecided["ldp"] = "levels of shuffled reports are measured only for claims";
  if (options.claim_certificates) add_claim_certificate(spec, budget, result);
}

// Priors that take too long to be written are left out, with a note.
void add_witness_specs(const Spec& spec, Budget& budget, SpecResult& result) {
  for (const ClaimResult& claim : result.claims) {
    try {
      std::vector<NamedText> of_claim = witness_specs(spec, claim, budget);
      std::move(of_claim.begin(), of_claim.end(), std::back_inserter(result.witness_specs));
    } catch (const LimitError& error) {
      result.notes.push_back("the prior of claim " + std::to_string(claim.index) +
                             " is not written as a spec: " + error.what());
      ++result.left_open;
    }
  }
}

// Specs with the same name get different certificate names.
void name_certificates(std::vector<SpecResult>& specs) {
  std::map<std::string, std::size_t> seen;
  for (SpecResult& spec : specs) {
    if (!spec.claim_certificate) continue;
    std::string& name = spec.claim_certificate->file_name;
    const std::size_t before = seen[name]++;
    if (before > 0) name += "-" + std::to_string(before + 1);
    name += "-certificate.json";
  }
}

void add_certificate(Certificate certificate, SpecResult& result) {
  certificate.confidential = result.confidential;
  result.left_open += certificate.without.size();
  result.certificate = std::move(certificate);
}

}  // namespace

SpecResult evaluate(const Spec& spec, Budget& budget, const VerifyOptions& options) {
  SpecResult result;
  result.file = spec.file;
  result.name = spec.name;
  result.description = spec.description;
  result.source = spec.source;
  result.analyzed = options.analysis;
  result.files = spec.files;
  result.notes = spec.notes;
  result.tables = spec.tables;
  result.confidential = has_confidential_table(spec);
  result.confidential_prior = spec.confidential_prior;
  result.inputs = spec.model.domain.input_count();
  for (std::size_t i = 0; i < spec.model.domain.size(); ++i) {
    const Coordinate& coordinate = spec.model.domain.coordinate(i);
    result.coordinates.push_back(coordinate.name);
    if (coordinate.is_public) result.public_coordinates.push_back(coordinate.name);
  }
  if (!spec.model.channel) {
    result.unlisted = spec.mechanism.unlisted != nullptr;
    if (spec.mechanism.shuffle) {
      decide_shuffled(spec, budget, options, result);
    } else {
      leave_undecided(spec, options, result);
    }
    if (options.certificate) add_certificate(without_proofs(spec, result.analysis.undecided.at("ldp")), result);
    return result;
  }
  result.outputs = spec.model.channel->output_count();
  if (spec.rounded) {
    evaluate_rounded(spec, budget, options, result);
    return result;
  }
  const bool figures = options.figures && !spec.symbols;
  const bool curves = figures && small_enough_to_draw(*spec.model.channel, budget.limits());
  MeasuredModel subject(spec.model, budget, options.tradeoffs || curves);
  subject.share_as("the mechanism");
  if (options.decide_claims) {
    result.claims = decide_claims(spec, all_claims(spec), subject, options.engine, options.smt, result.disagreements,
                                  options.timings);
  }
  if (options.witness_specs) add_witness_specs(spec, budget, result);
  if (spec.symbols) {
    result.functions = functions_of(spec, budget, options, result.analysis);
    result.left_open += count_open(result.analysis, options);
    if (options.certificate)
      add_certificate(without_proofs(spec, "levels of a spec with symbols are functions"), result);
  } else {
    if (options.analysis) measure_levels(spec, subject, options, result);
    if (options.effects && spec.model.prior) result.effects = effects_within_limits(subject);
    if (result.effects && options.effects_wanted && !result.effects->without.empty()) ++result.left_open;
    if (options.certificate) {
      Budget as_much_again(budget.limits());
      add_certificate(certify(spec, subject, as_much_again), result);
    }
  }
  if (options.claim_certificates) add_claim_certificate(spec, budget, result);
  return result;
}

Report evaluate_files(std::span<const std::string> files, const VerifyOptions& options, const Context& context,
                      ResultCache* cache) {
  std::vector<FileOutcome> outcomes(files.size());
  std::atomic<std::size_t> next{0};
  const std::size_t at_once = std::clamp<std::size_t>(options.jobs, 1, std::max<std::size_t>(1, files.size()));
  const Limits limits = limits_of_a_file(context.limits, at_once);
  const auto work = [&] {
    const NumberThread cleanup;
    for (std::size_t i = next++; i < files.size(); i = next++) {
      Limits own = limits;
      if (context.progress) {
        context.progress(i + 1, files.size(), files[i]);
        const std::string name = std::filesystem::path(files[i]).filename().string() + ": ";
        own.told = [&, i, name](const std::string& at) { context.progress(i + 1, files.size(), name + at); };
      }
      outcomes[i] = evaluate_file(i, files[i], own, options, cache);
    }
  };
  std::vector<std::jthread> helpers;
  for (std::size_t j = 1; j < at_once; ++j) helpers.emplace_back(work);
  work();
  helpers.clear();
  Report run = Report::of_this_program(options.decide_claims ? Report::Kind::kSpecs : Report::Kind::kLevels);
  for (FileOutcome& outcome : outcomes) {
    if (auto* spec = std::get_if<SpecResult>(&outcome)) {
      for (const Disagreement& disagreement : spec->disagreements) run.errors.push_back(disagreement.error);
      run.specs.push_back(std::move(*spec));
    }
    if (auto* errors = std::get_if<FileErrors>(&outcome)) {
      std::move(errors->begin(), errors->end(), std::back_inserter(run.errors));
    }
  }
  name_certificates(run.specs);
  return run;
}

std::vector<std::string> write_disagreement_dumps(const Report& report, const std::string& folder) {
  std::vector<std::string> sentences;
  for (const SpecResult& spec : report.specs) {
    for (const Disagreement& disagreement : spec.disagreements) {
      std::string files;
      for (const NamedText& exhibit : disagreement.exhibits) {
        const std::string file = (std::filesystem::path(folder) / ("oddsbound-disagreement-" + exhibit.name)).string();
        write_whole(file, exhibit.text);
        files.append(files.empty() ? "" : ", ").append(file);
      }
      const FileError& error = disagreement.error;
      sentences.push_back(error.place.file + ": " + error.place.pointer + ": what each decided is in " + files);
    }
  }
  return sentences;
}

}  // namespace oddsbound::app
