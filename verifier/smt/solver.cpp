#include "verifier/smt/solver.h"

#include <unistd.h>
#include <z3++.h>

#include <algorithm>
#include <sstream>

#include "verifier/exact/expression.h"

namespace oddsbound::smt {

namespace {

std::string logic_of(const std::string& script) {
  // At the start of a line: comments may say anything.
  const std::string command = "\n(set-logic ";
  const std::size_t begin = ("\n" + script).find(command) + command.size() - 1;
  return script.substr(begin, script.find(')', begin) - begin);
}

// One line per variable: its name, and a truth value, a rational, or a lower and an upper rational.
std::string model_lines(z3::context& context, const z3::model& model) {
  constexpr unsigned kDigits = 40;
  std::ostringstream lines;
  for (unsigned i = 0; i < model.num_consts(); ++i) {
    const z3::func_decl variable = model.get_const_decl(i);
    const z3::expr value = model.get_const_interp(variable);
    lines << variable.name().str() << ' ';
    if (value.is_bool()) {
      lines << (value.is_true() ? "true" : "false");
    } else if (Z3_is_algebraic_number(context, value)) {
      const z3::expr low(context, Z3_get_algebraic_number_lower(context, value, kDigits));
      const z3::expr high(context, Z3_get_algebraic_number_upper(context, value, kDigits));
      lines << Z3_get_numeral_string(context, low) << ' ' << Z3_get_numeral_string(context, high);
    } else {
      lines << Z3_get_numeral_string(context, value);
    }
    lines << '\n';
  }
  return lines.str();
}

// A context takes longer to make than most queries to answer: it is made once, and every child has a copy. This process
// itself never works in it, so that no other thread holds a lock of Z3 when a child is made. It ends with the process.
z3::context& context_of_children() {
  static auto* const context = new z3::context;
  return *context;
}

std::string decide(z3::context& context, const std::string& script, const ChildLimits& limits) {
  z3::set_param("memory_max_size", static_cast<int>(std::min<std::uint64_t>(limits.memory_mb, 1 << 30)));
  try {
    z3::solver solver(context, logic_of(script).c_str());
    const z3::expr_vector assertions = context.parse_string(script.c_str());
    for (unsigned i = 0; i < assertions.size(); ++i) solver.add(assertions[static_cast<int>(i)]);
    switch (solver.check()) {
      case z3::sat: return "sat\n" + model_lines(context, solver.get_model());
      case z3::unsat: return "unsat\n";
      case z3::unknown: return "unknown\n" + solver.reason_unknown();
    }
  } catch (const z3::exception& error) {
    return std::string("unknown\n") + error.msg();
  }
  return "unknown\n";
}

void write_all(int descriptor, const std::string& text) {
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t count = write(descriptor, text.data() + done, text.size() - done);
    if (count <= 0) return;
    done += static_cast<std::size_t>(count);
  }
}

std::map<std::string, SolverValue> read_model(std::istringstream& lines) {
  std::map<std::string, SolverValue> model;
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string name, low, high;
    words >> name >> low >> high;
    SolverValue& value = model[name];
    value.truth = low == "true";
    if (low == "true" || low == "false") continue;
    value.low = parse_number(low);
    value.high = high.empty() ? value.low : parse_number(high);
  }
  return model;
}

}  // namespace

SolverAnswer solve_with_z3(const std::string& script, const ChildLimits& limits) {
  z3::context& context = context_of_children();
  const ChildResult child =
      run_in_child([&](int output) { write_all(output, decide(context, script, limits)); }, limits);
  SolverAnswer answer;
  answer.seconds = child.seconds;
  std::istringstream lines(child.output);
  std::string status;
  std::getline(lines, status);
  if (child.end == ChildResult::End::kDeadline) {
    answer.reason = "Z3 was stopped at its time limit (--smt-seconds)";
  } else if (child.end == ChildResult::End::kStopped) {
    answer.reason = child.how_it_ended();
  } else if (child.end == ChildResult::End::kMemory) {
    answer.reason = "Z3 ended without an answer at its memory limit (--smt-memory-mb)";
  } else if (child.end != ChildResult::End::kFinished || status.empty()) {
    answer.reason =
        "Z3 ended without an answer, most likely at its memory limit (--smt-memory-mb): " + child.how_it_ended();
  } else if (status == "sat") {
    answer.status = SolverAnswer::Status::kSat;
    answer.model = read_model(lines);
  } else if (status == "unsat") {
    answer.status = SolverAnswer::Status::kUnsat;
  } else {
    std::getline(lines, answer.reason);
    const bool memory = answer.reason.find("memory") != std::string::npos;
    answer.reason = "Z3 gave up: " + answer.reason + (memory ? " (--smt-memory-mb)" : "");
  }
  return answer;
}

std::string ask_program(const std::string& program, const std::string& file, double seconds) {
  const ChildResult child = run_program({program, file}, {seconds, 1 << 20});
  if (child.end == ChildResult::End::kDeadline) return "no answer within the time limit";
  const std::string first = child.output.substr(0, child.output.find('\n'));
  if (first == "sat" || first == "unsat" || first == "unknown") return first;
  return "no answer: " + (first.empty() ? child.how_it_ended() : first.substr(0, 100));
}

}  // namespace oddsbound::smt
