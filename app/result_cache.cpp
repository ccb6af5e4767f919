// Entries of a cache of results: "KEY.result", with the key, a digest of the rest, and the JSON document of one spec.
//
// The key is a digest of everything that a result depends on and that is known before the spec is read. The document
// lists the files that the spec was read from, with their digests. Files are replaced by renaming, so that readers
// never see a part of one; runs need no lock.
#include "app/result_cache.h"

#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <utility>
#include <vector>

#include "base/bytes.h"
#include "base/files.h"
#include "reports/check.h"
#include "reports/formats.h"
#include "reports/text.h"
#include "specs/json_document.h"
#include "specs/reading.h"

namespace oddsbound::app {

namespace {

namespace fs = std::filesystem;

constexpr const char* kEnding = ".result";
constexpr const char* kPart = "part-";
constexpr std::string_view kHead = "oddsbound cache 1\n";
constexpr mode_t kAccess = 07777, kOthers = 077, kOwnDirectory = 0700;

class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  int number() const { return number_; }
  bool is_open() const { return number_ >= 0; }

 private:
  int number_;
};

// The digest of this program's file: a version alone does not distinguish two builds.
std::string digest_of_program() {
  const Descriptor file(open("/proc/self/exe", O_RDONLY | O_CLOEXEC));
  struct stat status {};
  if (!file.is_open() || fstat(file.number(), &status) != 0 || status.st_size <= 0) {
    throw std::runtime_error("this program's own file cannot be read (/proc/self/exe)");
  }
  const auto size = static_cast<std::size_t>(status.st_size);
  void* const bytes = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.number(), 0);
  if (bytes == MAP_FAILED) throw std::runtime_error("this program's own file cannot be read (/proc/self/exe)");
  std::string digest = sha256({static_cast<const char*>(bytes), size});
  munmap(bytes, size);
  return digest;
}

// The files of the libraries that this process has loaded: an update of one can change a result, and its version does
// not tell two builds apart.
std::string loaded_libraries() {
  BinaryWriter libraries;
  const auto put = [](dl_phdr_info* library, std::size_t, void* writer) {
    struct stat status {};
    if (stat(library->dlpi_name, &status) != 0) return 0;  // the program itself has no name, and the kernel's no file
    static_cast<BinaryWriter*>(writer)
        ->put(std::string(library->dlpi_name))
        .put(static_cast<std::uint64_t>(status.st_size))
        .put(static_cast<std::uint64_t>(status.st_mtim.tv_sec))
        .put(static_cast<std::uint64_t>(status.st_mtim.tv_nsec));
    return 0;
  };
  dl_iterate_phdr(put, &libraries);
  return libraries.take();
}

// A pipe could be read only once, and reading a device may not end.
bool is_regular(const std::string& file) {
  std::error_code ignored;
  return file != "-" && fs::is_regular_file(file, ignored);
}

void require_closed_directory(const std::string& path) {
  const auto fails = [&](const std::string& why) {
    throw std::runtime_error("cannot keep results in " + printable(path, 400) + ": " + why);
  };
  struct stat status {};
  if (stat(path.c_str(), &status) != 0) fails(std::strerror(errno));
  if (!S_ISDIR(status.st_mode)) fails("it is not a directory");
  if (status.st_uid != geteuid()) fails("the directory belongs to another user");
  const mode_t mode = status.st_mode & kAccess;
  if ((mode & kOthers) == 0) return;
  std::array<char, 8> octal{};
  std::snprintf(octal.data(), octal.size(), "%04o", static_cast<unsigned>(mode));
  fails(std::string("other users have access to the directory (mode ") + octal.data() + "); expected mode 0700");
}

std::string text_of(const std::optional<RowTolerance>& rounding) {
  return rounding ? rounding->tolerance.to_string() + (rounding->exact_zeros ? " exact zeros" : "") : "none";
}

// Everything in the options that changes a result. All members are named, so that a new one does not compile here until
// it is decided on.
void put_options(BinaryWriter& key, const VerifyOptions& options) {
  const auto& [rounding, engine, smt, claims, analysis, tradeoffs, figures, figures_wanted, effects, effects_wanted,
               for_all, tolerances, witnesses, certificate, certificates, timings, jobs] = options;
  const auto& [smt_seconds, smt_memory, smt_cells, queries, cross_check, solver] = smt;
  (void)engine, (void)witnesses, (void)certificate, (void)certificates, (void)timings, (void)queries;  // supports()
  (void)cross_check, (void)solver;
  (void)jobs;  // changes no result
  key.put(text_of(rounding)).put(smt_seconds).put(smt_memory).put(smt_cells);
  key.put(claims).put(analysis).put(tradeoffs).put(figures).put(figures_wanted).put(effects).put(effects_wanted);
  key.put(for_all).put(tolerances);
}

void put_limits(BinaryWriter& key, const Limits& limits) {
  key.put(limits.max_inputs).put(limits.max_cells).put(limits.max_seconds).put(limits.max_memory_mb);
  key.put(limits.max_file_mb).put(limits.use_disjoint_parts);
}

std::string key_of(const std::string& program, const std::string& file, const std::string& spec,
                   const VerifyOptions& options, const Limits& limits) {
  BinaryWriter key;
  key.put(program).put(file).put(spec);
  put_options(key, options);
  put_limits(key, limits);
  return sha256(key.take());
}

Report report_of(SpecResult result, const VerifyOptions& options) {
  Report report = Report::of_this_program(options.decide_claims ? Report::Kind::kSpecs : Report::Kind::kLevels);
  report.specs.push_back(std::move(result));
  return report;
}

// Throws SpecError unless the text is the document of one spec.
SpecResult read_back(const std::string& name, std::string text, Budget& budget) {
  const JsonDocument document(name, std::move(text));
  Report report = report_from_json(document, budget);
  if (report.specs.size() != 1 || !report.audits.empty() || !report.errors.empty()) {
    document.root().fail("expected the result of one spec");
  }
  return std::move(report.specs[0]);
}

// True if every format that such options are for shows the same of both. json: of the first.
bool look_equal(const Report& a, const std::string& json, const Report& b, const VerifyOptions& options) {
  RenderOptions shown;
  shown.detail = Detail::kFull;
  shown.exact = true;
  if (a.exit_status() != b.exit_status() || json != to_json(b)) return false;
  const auto text = [&](const Report& report) {
    return a.kind == Report::Kind::kLevels ? text_analysis(report, shown) : text_verification(report, shown);
  };
  if (text(a) != text(b)) return false;
  return std::all_of(formats().begin(), formats().end(), [&](const Format& format) {
    // Without an analysis there is no Markdown, and without figures no HTML.
    const bool is_asked = format.name == "html" ? options.figures : format.name != "markdown" || options.analysis;
    const auto written = [&](const Report& report) {
      return format.of_report(report, checks_of(report, report.exit_status()), shown);
    };
    return !is_asked || written(a) == written(b);
  });
}

// True if something is open in the result: a claim, a level, a figure. json: of the result.
bool is_open(const SpecResult& result, const std::string& json) {
  const auto has = [&](const char* key) { return json.find(key) != std::string::npos; };
  return result.left_open > 0 || !result.analysis.undecided.empty() || has("\"reason\":") || has("\"gap\":") ||
         has("\"without\":") || (result.effects && !result.effects->without.empty()) ||
         std::any_of(result.claims.begin(), result.claims.end(), [](const ClaimResult& claim) {
           return claim.undecided() || claim.verdict == Verdict::kUndecided;
         });
}

// The content of an own regular file; nullopt for any other.
std::optional<std::string> read_own(const std::string& path, std::uint64_t most_bytes) {
  const Descriptor file(open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  struct stat status {};
  if (!file.is_open() || fstat(file.number(), &status) != 0 || !S_ISREG(status.st_mode)) return std::nullopt;
  if (status.st_uid != geteuid() || (status.st_mode & kOthers) != 0) return std::nullopt;
  if (status.st_size < 0 || static_cast<std::uint64_t>(status.st_size) > most_bytes) return std::nullopt;
  std::string text(static_cast<std::size_t>(status.st_size), '\0');
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t got = ::read(file.number(), text.data() + done, text.size() - done);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return std::nullopt;
    done += static_cast<std::size_t>(got);
  }
  futimens(file.number(), nullptr);  // used now: the last one to be removed
  return text;
}

std::string entry_text(const std::string& key, const std::string& json) {
  const std::string signed_part = key + "\n" + json;
  return std::string(kHead) + sha256(signed_part) + "\n" + signed_part;
}

// The document in an entry; nullopt if the entry is damaged or another one.
std::optional<std::string> json_of(const std::string& entry, const std::string& key) {
  const std::size_t digits = key.size();
  const std::size_t begin = kHead.size() + digits + 1;
  if (!entry.starts_with(kHead) || entry.size() < begin + digits + 1) return std::nullopt;
  const std::string_view rest = std::string_view(entry).substr(begin);
  if (std::string_view(entry).substr(kHead.size(), digits) != sha256(rest) || entry[begin - 1] != '\n') {
    return std::nullopt;
  }
  if (!rest.starts_with(key) || rest[digits] != '\n') return std::nullopt;
  return std::string(rest.substr(digits + 1));
}

}  // namespace

bool ResultCache::supports(const VerifyOptions& options) {
  return options.engine == Engine::kExact && !options.witness_specs && !options.certificate &&
         !options.claim_certificates && !options.timings && options.smt.emit_directory.empty() &&
         options.smt.cross_check.empty() && !options.smt.solver;
}

ResultCache::ResultCache(Settings settings) : settings_(std::move(settings)) {
  // The parent of "results/" would be "results".
  std::string& folder = settings_.directory;
  while (folder.size() > 1 && folder.ends_with('/')) folder.pop_back();
  const fs::path parent = fs::path(folder).parent_path();
  if (!parent.empty()) make_directory(parent.string());
  if (mkdir(folder.c_str(), kOwnDirectory) == 0) {
    // Entries are not for version control.
    const fs::path ignored = fs::path(folder) / ".gitignore";
    write_whole(ignored.string(), "*\n");
    fs::permissions(ignored, fs::perms::owner_read | fs::perms::owner_write);
  } else if (errno != EEXIST) {
    throw std::runtime_error("cannot make the directory " + printable(folder, 400) + ": " + std::strerror(errno));
  }
  require_closed_directory(folder);
  BinaryWriter program;
  const MadeWith made = MadeWith::this_program();
  program.put(made.version).put(digest_of_program()).put(loaded_libraries());
  for (const auto& [part, version] : made.environment) program.put(part).put(version);
  program_ = program.take();
  evict();
}

std::string ResultCache::path_of(const std::string& key) const {
  return (fs::path(settings_.directory) / (key + kEnding)).string();
}

std::optional<SpecResult> ResultCache::find(const std::string& file, const VerifyOptions& options,
                                            const Limits& limits) {
  if (!is_regular(file)) return std::nullopt;
  try {
    const std::string key = key_of(program_, file, sha256(read_file(file, limits)), options, limits);
    const std::string path = path_of(key);
    const auto entry = read_own(path, settings_.max_mb << 20);
    std::optional<std::string> json = entry ? json_of(*entry, key) : std::nullopt;
    if (!json) return std::nullopt;
    Budget budget(limits);
    SpecResult result = read_back(path, std::move(*json), budget);
    if (result.file != file || result.files.empty() || (result.confidential && !settings_.confidential)) {
      return std::nullopt;
    }
    const bool same = std::all_of(result.files.begin(), result.files.end(), [&](const SourceFile& source) {
      return is_regular(source.file) && sha256(read_file(source.file, limits)) == source.sha256;
    });
    if (same) return result;
  } catch (const std::exception&) {
    // As if there were no entry: what is wrong with a file is reported when it is read as a spec.
  }
  return std::nullopt;
}

void ResultCache::keep(const SpecResult& result, const VerifyOptions& options, const Limits& limits,
                       const Effort& effort) {
  // Beyond this part of a time limit, a search may have been cut short without an exception. Some searches have limits
  // of their own, of 60 s or more.
  constexpr double kShare = 0.01, kOwnLimit = 60;
  if (result.confidential && !settings_.confidential) return;
  if (!is_regular(result.file) || result.files.empty() || !result.disagreements.empty()) return;
  try {
    const auto spec = std::find_if(result.files.begin(), result.files.end(),
                                   [&](const SourceFile& source) { return source.file == result.file; });
    if (spec == result.files.end()) return;
    Budget budget(limits);
    const Report report = report_of(result, options);
    const std::string json = to_json(report);
    const bool in_time = effort.seconds <= kShare * std::min({limits.max_seconds, options.smt.seconds, kOwnLimit});
    const bool was_limited = effort.was_limited || limits.stop.stop_requested() || !in_time;
    if (was_limited && is_open(result, json)) return;
    const std::string key = key_of(program_, result.file, spec->sha256, options, limits);
    const std::string entry = entry_text(key, json);
    if (entry.size() > settings_.max_mb << 20) return;
    if (look_equal(report, json, report_of(read_back(result.file, json, budget), options), options)) write(key, entry);
  } catch (const std::exception&) {
    // Too long to be written, or not readable: not kept.
  }
}

void ResultCache::write(const std::string& key, const std::string& entry) {
  const auto fails = [&](int error) {
    const std::lock_guard lock(guard_);
    complaint_ = "cannot keep a result in " + printable(settings_.directory, 400) + ": " + std::strerror(error);
  };
  // mkstemp gives mode 0600.
  std::string part = (fs::path(settings_.directory) / (std::string(kPart) + "XXXXXX")).string();
  const Descriptor file(mkstemp(part.data()));
  if (!file.is_open()) return fails(errno);
  int error = 0;
  for (std::string_view rest = entry; !rest.empty() && error == 0;) {
    const ssize_t written = ::write(file.number(), rest.data(), rest.size());
    if (written < 0 && errno != EINTR) error = errno;
    if (written > 0) rest.remove_prefix(static_cast<std::size_t>(written));
  }
  if (error == 0 && std::rename(part.c_str(), path_of(key).c_str()) != 0) error = errno;
  if (error != 0) {
    unlink(part.c_str());
    return fails(error);
  }
  const std::lock_guard lock(guard_);
  bytes_ += entry.size();
  if (bytes_ > settings_.max_mb << 20) evict();
}

// Removes the least recently used entries until the rest is within the limit, and what killed runs left behind.
void ResultCache::evict() {
  constexpr auto kLeftOver = std::chrono::hours(1);
  struct Entry {
    fs::file_time_type used;
    std::uint64_t size;
    fs::path path;
  };
  std::vector<Entry> entries;
  bytes_ = 0;
  std::error_code failed;
  for (const fs::directory_entry& found : fs::directory_iterator(settings_.directory, failed)) {
    std::error_code gone;
    const std::string name = found.path().filename().string();
    const fs::file_time_type used = found.last_write_time(gone);
    const std::uint64_t size = gone ? 0 : found.file_size(gone);
    if (gone) continue;
    if (name.starts_with(kPart) && used + kLeftOver < fs::file_time_type::clock::now()) fs::remove(found.path(), gone);
    if (!name.ends_with(kEnding)) continue;
    entries.push_back({used, size, found.path()});
    bytes_ += size;
  }
  if (bytes_ <= settings_.max_mb << 20) return;
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) { return a.used < b.used; });
  for (const Entry& entry : entries) {
    if (bytes_ <= settings_.max_mb << 20) return;
    std::error_code gone;
    fs::remove(entry.path, gone);
    bytes_ -= entry.size;
  }
}

std::string ResultCache::complaint() const {
  const std::lock_guard lock(guard_);
  return complaint_;
}

}  // namespace oddsbound::app
