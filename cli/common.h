// What the subcommands share: options, complaints, writing to standard output.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <optional>
#include <string>

#include "base/budget.h"
#include "verifier/exact/number.h"
#include "verifier/smt/solver.h"

namespace oddsbound::cli {

constexpr int kUsage = 2;
constexpr int kLimit = 3;

/// A subcommand: its parser, and what it does once its options are parsed. Returns the exit status.
struct Command {
  CLI::App* parser;
  std::function<int()> run;
};

/// One function per subcommand; each adds itself to the program.
Command analyze_command(CLI::App& app);
Command verify_command(CLI::App& app);
Command schema_command(CLI::App& app);
Command mechanisms_command(CLI::App& app);
Command sample_command(CLI::App& app);
Command estimate_command(CLI::App& app);
Command audit_command(CLI::App& app);
Command search_command(CLI::App& app);
Command new_command(CLI::App& app);
Command release_command(CLI::App& app);
Command design_command(CLI::App& app);
Command repair_command(CLI::App& app);
Command tune_command(CLI::App& app);
Command compare_command(CLI::App& app);
Command report_command(CLI::App& app);
Command lock_command(CLI::App& app);
Command completion_command(CLI::App& app);
Command man_command(CLI::App& app);

void add_limits(CLI::App& command, Limits& limits);
/// --threads, which work on one file.
void add_threads(CLI::App& command, Limits& limits, const std::string& none = "as many as there are cores");
void add_smt_limits(CLI::App& command, SmtOptions& options);
void add_format(CLI::App& command, std::string& format, const std::vector<std::string>& formats);
void add_color(CLI::App& command, std::string& color);
/// Who begins several processes gives each what looks like a terminal, and is none.
void expect_no_terminal();
bool is_terminal(int descriptor);
bool use_color(const std::string& choice);
/// Columns of the terminal that standard output is, else COLUMNS, else 100.
std::size_t text_width();

/// For options that take a finite number above 0: whatever else comes, as "nan", is refused.
CLI::Validator above_zero();
/// A share from 0 to 1: "5%", "0.05" or "1/20". None after a complaint that names the option.
std::optional<Number> read_share(const std::string& option, const std::string& text);
/// For options that take a whole number of 64 bits: others would be cut off, or taken for 0, in silence.
CLI::Validator whole_number();

/// Lines on standard error, without what steers a terminal. Where nobody reads that any more, it is lost, and the work
/// goes on.
void tell(const std::string& text);
/// "error: message" on standard error: one line.
void complain(const std::string& message);
/// To standard error as it is, where that is a terminal.
void steer_terminal(const std::string& text);
/// To standard output as it is. All of it or a complaint: a closed pipe or a full disk is not a success.
bool write_out(const std::string& text);
/// The same for text that people read: without what steers a terminal, but for our own colors.
bool write_text(const std::string& text);

}  // namespace oddsbound::cli
