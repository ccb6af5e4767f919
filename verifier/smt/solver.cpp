#include "verifier/smt/solver.h"

#include <unistd.h>
#include <z3++.h>

#include <fmt/format.h>
#include <algorithm>
#include <sstream>

#include "base/errors.h"
#include "verifier/exact/expression.h"
#include "verifier/exact/interval.h"
#include "verifier/exact/threads.h"

namespace oddsbound::smt {

namespace {

std::string logic_of(const std::string& script) {
  // Match at the start of a line only: comments may contain any text.
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

// The context is made once and copied into every child by fork: making one takes longer than most queries. This
// process never works in it, so no thread holds a lock of Z3 at a fork. It is never destroyed.
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
    answer.satisfiable = Answer::kYes;
    answer.model = read_model(lines);
  } else if (status == "unsat") {
    answer.satisfiable = Answer::kNo;
  } else {
    std::getline(lines, answer.reason);
    const bool memory = answer.reason.find("memory") != std::string::npos;
    answer.reason =
        memory ? "Z3 gave up at its memory limit (--smt-memory-mb)" : std::string("Z3 gave up: ") + answer.reason;
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

namespace {

Bytes as_bytes(const SolverAnswer& answer) {
  BinaryWriter writer;
  writer.put(static_cast<std::uint64_t>(answer.satisfiable)).put(answer.reason).put(answer.seconds);
  writer.put(std::uint64_t{answer.model.size()});
  for (const auto& [name, value] : answer.model) {
    writer.put(name).put(value.truth);
    pack(writer, value.low);
    pack(writer, value.high);
  }
  return writer.take();
}

SolverAnswer answer_from(const Bytes& bytes) {
  BinaryReader reader(bytes);
  SolverAnswer answer;
  answer.satisfiable = reader.one_of(Answer::kOpen);
  answer.reason = reader.text();
  answer.seconds = reader.bound();
  for (std::size_t left = reader.count(32); left > 0; --left) {
    SolverValue& value = answer.model[reader.text()];
    value.truth = reader.flag();
    value.low = unpack_number(reader);
    value.high = unpack_number(reader);
  }
  reader.require_end();
  return answer;
}

}  // namespace

SolverAnswer ask_solver(const SmtOptions& options, const std::string& script, const ChildLimits& limits) {
  return options.solver ? options.solver(script, limits) : solve_with_z3(script, limits);
}

Solver caching_solver(const SmtOptions& options, Budget& budget) {
  if (budget.limits().scope == nullptr) return options.solver;
  return [options, &budget](const std::string& script, const ChildLimits& limits) {
    const TaskBody lead = [&](WorkerPool& workers, Budget&) {
      const SolverAnswer answer = ask_solver(options, script, limits);
      if (answer.satisfiable == Answer::kOpen) workers.is_unfinished({});
      return as_bytes(answer);
    };
    return answer_from(run_task(task_name("question to a solver", script), {}, lead, budget));
  };
}

namespace {

std::string joined(const char* operation, const std::vector<std::string>& terms, const char* empty) {
  if (terms.empty()) return empty;
  if (terms.size() == 1) return terms[0];
  std::string text = std::string("(") + operation;
  for (const std::string& term : terms) text += " " + term;
  return text + ")";
}

std::string bounds(const std::string& name, const Symbol& symbol) {
  std::vector<std::string> terms;
  if (symbol.low) terms.push_back((symbol.low_open ? "(> " : "(>= ") + name + " " + rational_term(*symbol.low) + ")");
  if (symbol.high)
    terms.push_back((symbol.high_open ? "(< " : "(<= ") + name + " " + rational_term(*symbol.high) + ")");
  return all_of(terms);
}

}  // namespace

std::string rational_term(const Number& number) {
  const bool negative = number.sign() < 0;
  std::string text = (negative ? -number : number).to_string();
  const std::size_t bar = text.find('/');
  // The grammar of numbers splits long literals; SMT-LIB needs plain digits.
  if (text.find_first_not_of("0123456789/") != std::string::npos) {
    throw LimitError("a number is too long for a query to the solver");
  }
  if (bar != std::string::npos) text = "(/ " + text.substr(0, bar) + " " + text.substr(bar + 1) + ")";
  return negative ? "(- " + text + ")" : text;
}

std::string rational_term(const Number& number, const char* what) {
  if (number.is_rational()) return rational_term(number);
  throw LimitError(what + std::string(" put to Z3 for rational probabilities and levels, and ") + number.to_string() +
                   " is not one");
}

std::string sum_term(const std::vector<std::string>& terms) { return joined("+", terms, "0"); }
std::string all_of(const std::vector<std::string>& terms) { return joined("and", terms, "true"); }
std::string any_of(const std::vector<std::string>& terms) { return joined("or", terms, "false"); }

std::string comment(std::string_view text) {
  std::string result;
  for (const char c : text.substr(0, 200)) result += static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? '?' : c;
  return result;
}

std::string symbol_name(std::size_t index) { return "sym_" + std::to_string(index); }

Script::Script(const SymbolRing* ring, unsigned bits) : ring_(ring), bits_(bits) {}

void Script::declare(const std::string& name, const char* sort, const std::string& meaning) {
  body_ += "(declare-const " + name + " " + sort + ")" + (meaning.empty() ? "" : " ; " + meaning) + "\n";
}

std::string Script::exp_name(const Number& exponent) {
  return exponents_.try_emplace(exponent, "exp_" + std::to_string(exponents_.size() + 1)).first->second;
}

std::string Script::polynomial(const Polynomial& polynomial) {
  std::vector<std::string> terms;
  for (const PolynomialTerm& term : polynomial) {
    std::vector<std::string> factors;
    for (std::size_t i = 0; i < term.powers.size(); ++i) factors.insert(factors.end(), term.powers[i], symbol_name(i));
    if (!term.exponent.is_zero()) factors.push_back(exp_name(term.exponent));
    if (!term.coefficient.is_one() || factors.empty()) factors.insert(factors.begin(), rational_term(term.coefficient));
    terms.push_back(joined("*", factors, "1"));
  }
  return sum_term(terms);
}

std::string Script::body() const {
  std::string text;
  const std::size_t symbols = ring_ == nullptr ? 0 : ring_->symbols().size();
  for (std::size_t i = 0; i < symbols; ++i) {
    const Symbol& symbol = ring_->symbols()[i];
    text += "(declare-const " + symbol_name(i) + " Real) ; the symbol " + comment(symbol.range_text()) + "\n";
    const std::string range = bounds(symbol_name(i), symbol);
    if (range != "true") text += "(assert " + range + ")\n";
  }
  for (const auto& [exponent, name] : exponents_) {
    const auto [low, high] = rational_bounds(Number::exp_of(exponent), bits_);
    text += fmt::format("(declare-const {} Real) ; exp({}), within bounds\n(assert (< {} {} {}))\n", name,
                        exponent.to_string(), rational_term(low), name, rational_term(high));
  }
  return text + body_;
}

std::string Script::text(const std::vector<std::string>& title) const {
  std::string text;
  for (const std::string& line : title) text += "; " + comment(line) + "\n";
  text += std::string("(set-logic ") + (is_linear() ? "QF_LRA" : "QF_NRA") + ")\n";
  text += "(set-info :status unknown)\n";
  return text + body() + "(check-sat)\n";
}

std::string with_status(std::string text, const std::string& status) {
  // Match at the start of a line only: titles may contain any text.
  const std::string unknown = "\n(set-info :status unknown)\n";
  return text.replace(text.find(unknown), unknown.size(), "\n(set-info :status " + status + ")\n");
}

}  // namespace oddsbound::smt
