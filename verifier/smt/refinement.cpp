#include "verifier/smt/refinement.h"

#include <algorithm>
#include <map>

#include "base/errors.h"
#include "verifier/smt/query.h"
#include "verifier/smt/solver.h"

namespace oddsbound::smt {

namespace {

Matrix zeros(std::size_t rows, std::size_t columns) { return Matrix(rows, std::vector<Number>(columns, Number(0))); }

std::vector<Number> column(const Matrix& matrix, std::size_t j) {
  std::vector<Number> result;
  for (const auto& row : matrix) result.push_back(row[j]);
  return result;
}

Matrix beside(const Matrix& left, const Matrix& right) {
  Matrix result = left;
  for (std::size_t i = 0; i < left.size(); ++i) result[i].insert(result[i].end(), right[i].begin(), right[i].end());
  return result;
}

// The other channel without irrelevant outputs: those that never occur, and all but one of each class of outputs
// with proportional columns.
struct Merged {
  Matrix channel;
  std::vector<std::size_t> place;  // per output: its column; past the end if it never occurs
};

Merged merged(const Matrix& other) {
  Merged result{Matrix(other.size()), {}};
  std::map<std::vector<Number>, std::size_t> index;
  std::vector<std::vector<Number>> columns;
  for (std::size_t y = 0; y < other[0].size(); ++y) {
    std::vector<Number> entries = column(other, y);
    Number sum(0);
    for (const Number& entry : entries) sum += entry;
    if (sum.is_zero()) {
      result.place.push_back(static_cast<std::size_t>(-1));
      continue;
    }
    std::vector<Number> shape = entries;
    for (Number& entry : shape) entry /= sum;
    const auto [place, added] = index.try_emplace(std::move(shape), columns.size());
    result.place.push_back(place->second);
    if (added) {
      columns.push_back(std::move(entries));
      continue;
    }
    for (std::size_t x = 0; x < entries.size(); ++x) columns[place->second][x] += entries[x];
  }
  for (const auto& entries : columns) {
    for (std::size_t x = 0; x < entries.size(); ++x) result.channel[x].push_back(entries[x]);
  }
  return result;
}

bool is_kernel(const Matrix& channel, const Matrix& other, const Matrix& kernel) {
  for (const auto& row : kernel) {
    Number sum(0);
    for (const Number& entry : row) {
      if (entry.sign() < 0) return false;
      sum += entry;
    }
    if (!sum.is_one()) return false;
  }
  for (std::size_t z = 0; z < channel[0].size(); ++z) {
    const std::vector<Number> target = column(kernel, z);
    for (std::size_t x = 0; x < channel.size(); ++x) {
      if (dot(other[x], target) != channel[x][z]) return false;
    }
  }
  return true;
}

Refinement of_kernel(const Matrix& channel, const Matrix& other, const Merged& small, const Matrix& kernel) {
  Refinement result;
  for (const std::size_t place : small.place) {
    result.kernel.push_back(place < kernel.size() ? kernel[place] : std::vector<Number>(channel[0].size(), Number(0)));
    if (place >= kernel.size()) result.kernel.back()[0] = Number(1);
  }
  result.holds = true;
  if (!is_kernel(channel, other, result.kernel)) throw LimitError("the kernel that was found does not check");
  return result;
}

Refinement of_gain(const Matrix& channel, const Matrix& other, Matrix gain) {
  Refinement result;
  result.value = Number(0);
  for (std::size_t x = 0; x < channel.size(); ++x) result.value += dot(gain[x], channel[x]);
  result.best = Number(0);
  for (std::size_t y = 0; y < other[0].size(); ++y) {
    const std::vector<Number> seen = column(other, y);
    Number most = dot(column(gain, 0), seen);
    for (std::size_t z = 1; z < channel[0].size(); ++z) most = std::max(most, dot(column(gain, z), seen));
    result.best += most;
  }
  result.gain = std::move(gain);
  if (result.value <= result.best) throw LimitError("the gain function that was found does not check");
  return result;
}

std::string kernel_name(std::size_t y, std::size_t z) {
  return "kernel_" + std::to_string(y) + "_" + std::to_string(z);
}
std::string gain_name(std::size_t x, std::size_t z) { return "gain_" + std::to_string(x) + "_" + std::to_string(z); }

std::string times(const Number& factor, const std::string& variable) {
  return factor.is_one() ? variable : "(* " + rational_term(factor) + " " + variable + ")";
}

// The linear system other * kernel = channel in reduced row echelon form. Outputs with a pivot depend on the free
// ones: kernel[pivot i] = start[i] - sum over free f of reduced[i][f] kernel[f] solves the system for any
// kernel[f].
struct Solved {
  Matrix reduced, start;
  std::vector<std::size_t> pivots, free;
  std::optional<std::size_t> unseen;  // an output of the channel that no kernel yields: no solution
};

Solved solve(const Matrix& channel, const Matrix& other) {
  const std::size_t columns = other[0].size();
  const Matrix both = reduced_row_echelon_form(beside(other, channel), columns);
  Solved solved;
  for (const auto& row : both) {
    const auto pivot = std::find_if(row.begin(), row.end(), [](const Number& entry) { return !entry.is_zero(); });
    if (pivot == row.end()) break;
    const auto place = static_cast<std::size_t>(pivot - row.begin());
    if (place >= columns) {
      solved.unseen = place - columns;
      break;
    }
    const auto end = row.begin() + static_cast<std::ptrdiff_t>(columns);
    solved.pivots.push_back(place);
    solved.reduced.emplace_back(row.begin(), end);
    solved.start.emplace_back(end, row.end());
  }
  for (std::size_t y = 0; y < columns; ++y) {
    if (std::find(solved.pivots.begin(), solved.pivots.end(), y) == solved.pivots.end()) solved.free.push_back(y);
  }
  return solved;
}

// Returns some X with system * X = right. The system must have a solution.
Matrix any_solution(const Matrix& system, const Matrix& right) {
  const std::size_t columns = system[0].size();
  const Matrix both = reduced_row_echelon_form(beside(system, right));
  Matrix result = zeros(columns, right[0].size());
  for (const auto& row : both) {
    const auto pivot = std::find_if(row.begin(), row.end(), [](const Number& entry) { return !entry.is_zero(); });
    const auto place = static_cast<std::size_t>(pivot - row.begin());
    if (place >= columns) break;
    result[place].assign(row.begin() + static_cast<std::ptrdiff_t>(columns), row.end());
  }
  return result;
}

// Returns the gain function under which naming z at output y of the other channel has the value worth[y][z].
Matrix gain_of(const Matrix& other, const Matrix& worth) { return any_solution(transposed(other), worth); }

// Satisfiable if and only if there are free rows that complete a kernel.
Script freedom_script(const Solved& solved, std::size_t outputs) {
  Script script(nullptr, 0);
  for (const std::size_t f : solved.free) {
    std::vector<std::string> row;
    for (std::size_t z = 0; z < outputs; ++z) {
      row.push_back(kernel_name(f, z));
      script.declare(row.back(), "Real");
      script.assert_term("(>= " + row.back() + " 0)");
    }
    script.assert_term("(= " + sum_term(row) + " 1)");
  }
  for (std::size_t i = 0; i < solved.pivots.size(); ++i) {
    Number sum(0);
    std::vector<std::string> row;
    for (std::size_t z = 0; z < outputs; ++z) {
      std::vector<std::string> terms;
      for (const std::size_t f : solved.free) {
        if (!solved.reduced[i][f].is_zero()) terms.push_back(times(solved.reduced[i][f], kernel_name(f, z)));
      }
      script.assert_term("(<= " + sum_term(terms) + " " + rational_term(solved.start[i][z]) + ")");
      row.insert(row.end(), terms.begin(), terms.end());
      sum += solved.start[i][z];
    }
    script.assert_term("(= " + sum_term(row) + " " + rational_term(sum - Number(1)) + ")");
  }
  return script;
}

// Satisfiable if and only if there is no kernel: weights on which `start` does better than any kernel.
Script weights_script(const Solved& solved, std::size_t outputs) {
  Script script(nullptr, 0);
  std::vector<std::string> value, best;
  const auto declare_best = [&](std::size_t y) {
    best.push_back("best_" + std::to_string(y));
    script.declare(best.back(), "Real");
  };
  for (std::size_t i = 0; i < solved.pivots.size(); ++i) {
    declare_best(solved.pivots[i]);
    for (std::size_t z = 0; z < outputs; ++z) {
      const std::string weight = gain_name(i, z);
      script.declare(weight, "Real");
      script.assert_term("(<= (- 1) " + weight + " 1)");
      script.assert_term("(<= " + weight + " " + best.back() + ")");
      if (!solved.start[i][z].is_zero()) value.push_back(times(solved.start[i][z], weight));
    }
  }
  for (const std::size_t f : solved.free) {
    declare_best(f);
    for (std::size_t z = 0; z < outputs; ++z) {
      std::vector<std::string> terms;
      for (std::size_t i = 0; i < solved.pivots.size(); ++i) {
        if (!solved.reduced[i][f].is_zero()) terms.push_back(times(solved.reduced[i][f], gain_name(i, z)));
      }
      script.assert_term("(<= " + sum_term(terms) + " " + best.back() + ")");
    }
  }
  script.assert_term("(> " + sum_term(value) + " " + sum_term(best) + ")");
  return script;
}

template <typename Name>
Matrix from_model(const SolverAnswer& answer, std::size_t rows, std::size_t columns, Name name) {
  Matrix result = zeros(rows, columns);
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < columns; ++j) {
      const auto place = answer.model.find(name(i, j));
      if (place != answer.model.end()) result[i][j] = place->second.low;
    }
  }
  return result;
}

// For linearly dependent outputs of the other channel, where the kernel has free rows.
Refinement by_solver(const Matrix& channel, const Matrix& other, const Merged& small, const Solved& solved,
                     const Solver& solver, const ChildLimits& limits) {
  const std::size_t outputs = channel[0].size();
  const SolverAnswer primal = solver(freedom_script(solved, outputs).text({}), limits);
  if (primal.satisfiable == Answer::kYes) {
    Matrix kernel = from_model(primal, small.channel[0].size(), outputs, kernel_name);
    for (std::size_t i = 0; i < solved.pivots.size(); ++i) {
      for (std::size_t z = 0; z < outputs; ++z) {
        Number& entry = kernel[solved.pivots[i]][z] = solved.start[i][z];
        for (const std::size_t f : solved.free) entry -= solved.reduced[i][f] * kernel[f][z];
      }
    }
    return of_kernel(channel, other, small, kernel);
  }
  const SolverAnswer dual = solver(weights_script(solved, outputs).text({}), limits);
  if (dual.satisfiable == Answer::kYes) {
    const Matrix weights = from_model(dual, solved.pivots.size(), outputs, gain_name);
    Matrix worth = zeros(small.channel[0].size(), outputs);
    for (std::size_t i = 0; i < weights.size(); ++i) {
      worth[solved.pivots[i]] = weights[i];
      for (const std::size_t f : solved.free) {
        for (std::size_t z = 0; z < outputs; ++z) worth[f][z] += solved.reduced[i][f] * weights[i][z];
      }
    }
    return of_gain(channel, other, gain_of(small.channel, worth));
  }
  throw LimitError("neither a kernel nor a gain function was found: " +
                   (dual.reason.empty() ? primal.reason : dual.reason));
}

}  // namespace

// Satisfiable if and only if there is a kernel.
Script kernel_script(const Matrix& channel, const Matrix& other) {
  Script script(nullptr, 0);
  script.note("kernel_y_z: the probability of answering z where the other mechanism's output is y");
  for (std::size_t y = 0; y < other[0].size(); ++y) {
    std::vector<std::string> row;
    for (std::size_t z = 0; z < channel[0].size(); ++z) {
      row.push_back(kernel_name(y, z));
      script.declare(row.back(), "Real");
      script.assert_term("(>= " + row.back() + " 0)");
    }
    script.assert_term("(= " + sum_term(row) + " 1)");
  }
  for (std::size_t x = 0; x < channel.size(); ++x) {
    for (std::size_t z = 0; z < channel[0].size(); ++z) {
      std::vector<std::string> terms;
      for (std::size_t y = 0; y < other[0].size(); ++y) {
        if (!other[x][y].is_zero()) terms.push_back(times(other[x][y], kernel_name(y, z)));
      }
      script.assert_term("(= " + sum_term(terms) + " " + rational_term(channel[x][z]) + ")");
    }
  }
  return script;
}

Refinement decide_refinement(const Matrix& channel, const Matrix& other, const Solver& solver,
                             const ChildLimits& limits) {
  const Merged small = merged(other);
  const Solved solved = solve(channel, small.channel);
  const std::size_t outputs = channel[0].size();
  if (solved.unseen) {
    // A combination of inputs on which the other channel cancels, and this output of the channel does not.
    Matrix system = transposed(small.channel);
    system.push_back(column(channel, *solved.unseen));
    Matrix right = zeros(system.size(), 1);
    right.back()[0] = Number(1);
    const Matrix combination = any_solution(system, right);
    Matrix gain = zeros(channel.size(), outputs);
    for (std::size_t x = 0; x < gain.size(); ++x) gain[x][*solved.unseen] = combination[x][0];
    return of_gain(channel, other, std::move(gain));
  }
  if (!solved.free.empty()) return by_solver(channel, other, small, solved, solver, limits);
  // `start` is the only candidate for a kernel; a negative entry yields a gain function.
  Matrix kernel = zeros(small.channel[0].size(), outputs);
  for (std::size_t i = 0; i < solved.pivots.size(); ++i) {
    for (std::size_t z = 0; z < outputs; ++z) {
      if (solved.start[i][z].sign() >= 0) continue;
      Matrix worth = zeros(small.channel[0].size(), outputs);
      worth[solved.pivots[i]][z] = Number(-1);
      return of_gain(channel, other, gain_of(small.channel, worth));
    }
    kernel[solved.pivots[i]] = solved.start[i];
  }
  return of_kernel(channel, other, small, kernel);
}

}  // namespace oddsbound::smt
