#include "cli/common.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "base/characters.h"
#include "base/errors.h"
#include "specs/spec_error.h"
#include "verifier/exact/expression.h"

namespace oddsbound::cli {

namespace {

bool has_terminal_of_its_own = true;

}  // namespace

void expect_no_terminal() { has_terminal_of_its_own = false; }

bool is_terminal(int descriptor) { return has_terminal_of_its_own && isatty(descriptor) != 0; }

bool use_color(const std::string& choice) {
  if (choice != "auto") return choice == "always";
  const char* no_color = std::getenv("NO_COLOR");
  const char* terminal = std::getenv("TERM");
  const bool dumb = terminal != nullptr && std::string_view(terminal) == "dumb";
  return is_terminal(STDOUT_FILENO) && (no_color == nullptr || *no_color == '\0') && !dumb;
}

std::size_t text_width() {
  constexpr std::size_t kNarrowest = 20;
  constexpr std::size_t kWidest = 10'000;
  winsize terminal{};
  if (is_terminal(STDOUT_FILENO) && ioctl(STDOUT_FILENO, TIOCGWINSZ, &terminal) == 0 && terminal.ws_col > 0) {
    return std::max<std::size_t>(terminal.ws_col, kNarrowest);
  }
  const char* columns = std::getenv("COLUMNS");
  const unsigned long wanted = columns == nullptr ? 0 : std::strtoul(columns, nullptr, 10);
  return wanted == 0 ? 100 : std::clamp<std::size_t>(wanted, kNarrowest, kWidest);
}

void steer_terminal(const std::string& text) { std::fputs(text.c_str(), stderr); }

void tell(const std::string& text) { steer_terminal(printable_lines(text)); }

void complain(const std::string& message) {
  // Enough for an error with its place and its hint.
  constexpr std::size_t kLongest = 3 * base::kLongestMessage;
  tell("error: " + printable(message, kLongest) + "\n");
}

bool write_text(const std::string& text) { return write_out(printable_lines(text, true)); }

bool write_out(const std::string& text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0) return true;
  complain_of_output();
  return false;
}

void complain_of_output() {
  if (errno != EPIPE) complain(std::string("cannot write to standard output: ") + std::strerror(errno));
}

void add_format(CLI::App& command, std::string& format, const std::vector<std::string>& formats) {
  command.add_option("--format", format, "What to write to standard output")
      ->check(CLI::IsMember(formats))
      ->capture_default_str();
}

void add_color(CLI::App& command, std::string& color) {
  command.add_option("--color", color, "Color in text; auto: on a terminal, unless NO_COLOR is set")
      ->check(CLI::IsMember({"auto", "always", "never"}))
      ->capture_default_str();
}

std::optional<Number> read_share(const std::string& option, const std::string& text) {
  const bool percent = text.ends_with('%');
  try {
    Number value = parse_number(percent ? text.substr(0, text.size() - 1) : text);
    if (percent) value /= Number(100);
    if (value.is_rational() && value.sign() >= 0 && value <= Number(1)) return value;
  } catch (const std::runtime_error&) {
    // Reported like a number out of range.
  }
  complain(option + ": found '" + printable(text, 40) + "', expected a share from 0% to 100%");
  return std::nullopt;
}

CLI::Validator above_zero() {
  const auto complaint = [](const std::string& text) -> std::string {
    char* end = nullptr;
    const double value = std::strtod(text.c_str(), &end);
    if (end != text.c_str() && *end == 0 && value > 0 && std::isfinite(value)) return "";
    return "found '" + printable(text, 40) + "', expected a number above 0";
  };
  return {complaint, "ABOVE 0"};
}

CLI::Validator whole_number() {
  const auto complaint = [](const std::string& text) -> std::string {
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error == std::errc() && end == text.data() + text.size()) return "";
    return "found '" + printable(text, 40) + "', expected a whole number from 0 to " + std::to_string(UINT64_MAX);
  };
  return {complaint, "WHOLE"};
}

void add_limits(CLI::App& command, Limits& limits) {
  const std::string group = "Limits";
  limits.memory_in_use = resident_bytes;  // the program holds nothing else
  command.add_option("--max-seconds", limits.max_seconds, "Time for one spec")
      ->check(above_zero())
      ->capture_default_str()
      ->group(group);
  command.add_option("--max-cells", limits.max_cells, "Inputs x outputs that may be enumerated")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1} << 40))
      ->capture_default_str()
      ->group(group);
  command.add_option("--max-inputs", limits.max_inputs, "Inputs gone through, or held, at once")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1} << 31))
      ->capture_default_str()
      ->group(group);
  command.add_option("--max-memory-mb", limits.max_memory_mb, "Memory of the program")
      ->check(CLI::Range(std::uint64_t{16}, std::uint64_t{1} << 30))
      ->capture_default_str()
      ->group(group);
  command.add_option("--max-file-mb", limits.max_file_mb, "Size of one file")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{4000}))
      ->capture_default_str()
      ->group(group);
}

void add_threads(CLI::App& command, Limits& limits, const std::string& none) {
  command.add_option("--threads", limits.threads, "Threads for one file; 0: " + none)
      ->check(CLI::Range(0, 1024))
      ->capture_default_str();
}

void add_smt_limits(CLI::App& command, SmtOptions& options) {
  const std::string group = "Z3";
  command
      .add_option("--smt-seconds", options.seconds, "Time that Z3 has for one claim, one size of a search, or a proof")
      ->check(above_zero())
      ->capture_default_str()
      ->group(group);
  command.add_option("--smt-memory-mb", options.memory_mb, "Memory that Z3 has")
      ->check(CLI::Range(std::uint64_t{64}, std::uint64_t{1} << 20))
      ->capture_default_str()
      ->group(group);
}

}  // namespace oddsbound::cli
