#include "verifier/exact/quotient_process.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <flint/fmpz.h>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <stdexcept>

#include "base/budget.h"
#include "base/child.h"
#include "base/errors.h"
#include "verifier/exact/exp_quotient.h"

namespace oddsbound::exact {

namespace {

using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

void require(bool well) {
  if (!well) throw std::runtime_error("a number could not be passed from one process to another");
}

void write_polynomial(std::FILE* file, const fmpz_poly_t poly) {
  const slong length = fmpz_poly_length(poly);
  require(std::fwrite(&length, sizeof length, 1, file) == 1);
  for (slong i = 0; i < length; ++i) require(fmpz_out_raw(file, fmpz_poly_get_coeff_ptr(poly, i)) > 0);
}

void read_polynomial(std::FILE* file, fmpz_poly_t poly) {
  slong length = 0;
  require(std::fread(&length, sizeof length, 1, file) == 1 && length >= 0);
  fmpz_poly_zero(poly);
  fmpz_poly_fit_length(poly, length);
  fmpz_t coefficient;
  fmpz_init(coefficient);
  bool well = true;
  for (slong i = 0; i < length && well; ++i) {
    well = fmpz_inp_raw(coefficient, file) > 0;
    fmpz_poly_set_coeff_fmpz(poly, i, coefficient);
  }
  fmpz_clear(coefficient);
  require(well);
}

void* allocated(void* memory) {
  if (memory == nullptr) _exit(kStatusOfMemory);
  return memory;
}

// FLINT and GMP abort if memory runs out; let the child report it by kStatusOfMemory instead. Their other messages
// are not for users: send stderr to /dev/null.
void prepare_libraries() {
  __flint_set_memory_functions([](std::size_t size) { return allocated(std::malloc(size)); },
                               [](std::size_t count, std::size_t size) { return allocated(std::calloc(count, size)); },
                               [](void* memory, std::size_t size) { return allocated(std::realloc(memory, size)); },
                               std::free);
  mp_set_memory_functions(
      [](std::size_t size) { return allocated(std::malloc(size)); },
      [](void* memory, std::size_t, std::size_t size) { return allocated(std::realloc(memory, size)); },
      [](void* memory, std::size_t) { std::free(memory); });
  const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (nowhere >= 0) dup2(nowhere, STDERR_FILENO);
}

bool too_large(const fmpz_poly_t poly) { return size_of(poly) > kMaxPolynomialBits; }

[[noreturn]] void fail_for_size() {
  throw LimitError("a number passes the limit of " + std::to_string(kMaxPolynomialBits) +
                   " bits of all its coefficients together");
}

}  // namespace

std::size_t size_of(const fmpz_poly_t poly) {
  return static_cast<std::size_t>(fmpz_poly_length(poly)) *
         static_cast<std::size_t>(std::abs(fmpz_poly_max_bits(poly)));
}

void check_size(const fmpz_poly_t poly) {
  if (too_large(poly)) fail_for_size();
}

namespace {

using Write = std::function<void(std::FILE*)>;

// Runs `work` in a child process within the remaining budget. Returns what it writes.
std::string done_apart(Budget& budget, const Write& work) {
  budget.check();
  const ChildResult child = run_in_child(
      [&](int output) {
        prepare_libraries();
        const File file(fdopen(output, "wb"), std::fclose);
        require(file != nullptr);
        work(file.get());
        require(std::fflush(file.get()) == 0);
      },
      {budget.seconds_left(), budget.memory_left_mb()});
  switch (child.end) {
    case ChildResult::End::kFinished: break;
    case ChildResult::End::kOverflow: fail_for_size();
    case ChildResult::End::kMemory: budget.fail_for_memory();
    case ChildResult::End::kStopped: Budget::fail_for_stop();
    case ChildResult::End::kDeadline:
      while (true) budget.check();
    case ChildResult::End::kFailed:
    case ChildResult::End::kKilled:
      throw LimitError("an operation on large numbers, in a process of its own, has no result: " +
                       child.how_it_ended());
  }
  if (child.output.empty()) fail_for_size();
  return child.output;
}

File open_text(std::string& bytes) {
  File file(fmemopen(bytes.data(), bytes.size(), "rb"), std::fclose);
  require(file != nullptr);
  return file;
}

}  // namespace

void within_budget(fmpz_poly_q_t result, std::size_t size, const std::function<void()>& operation) {
  Budget::work_on(size);
  if (Budget::current() == nullptr || size < kLargeOperands) {
    operation();
    return;
  }
  std::string bytes = done_apart(*Budget::current(), [&](std::FILE* file) {
    operation();
    // Write nothing for a result that is too large: done_apart reports empty output as an error.
    if (too_large(fmpz_poly_q_numref(result)) || too_large(fmpz_poly_q_denref(result))) return;
    write_polynomial(file, fmpz_poly_q_numref(result));
    write_polynomial(file, fmpz_poly_q_denref(result));
  });
  const File file = open_text(bytes);
  read_polynomial(file.get(), fmpz_poly_q_numref(result));
  read_polynomial(file.get(), fmpz_poly_q_denref(result));
}

namespace {

template <typename Pass>
void pass_entries(fmpq_mat_struct* matrix, const Pass& pass) {
  for (slong i = 0; i < fmpq_mat_nrows(matrix); ++i) {
    for (slong j = 0; j < fmpq_mat_ncols(matrix); ++j) {
      require(pass(fmpq_numref(fmpq_mat_entry(matrix, i, j))) > 0);
      require(pass(fmpq_denref(fmpq_mat_entry(matrix, i, j))) > 0);
    }
  }
}

// Shared memory: a matrix may be larger than what is collected from a pipe.
File shared_file() {
  const int descriptor = memfd_create("matrix", MFD_CLOEXEC);
  require(descriptor >= 0);
  File file(fdopen(descriptor, "w+b"), std::fclose);
  require(file != nullptr);
  return file;
}

}  // namespace

void within_budget(RationalMatrix& matrix, double steps, const std::function<void()>& operation) {
  Budget* budget = Budget::current();
  if (budget == nullptr || steps < kMostStepsHere) {
    if (budget != nullptr) budget->check();
    operation();
    return;
  }
  const File shared = shared_file();
  done_apart(*budget, [&](std::FILE* file) {
    operation();
    pass_entries(matrix.value(), [&](const fmpz* part) { return fmpz_out_raw(shared.get(), part); });
    require(std::fflush(shared.get()) == 0);
    require(std::fputc('.', file) == '.');
  });
  require(std::fseek(shared.get(), 0, SEEK_END) == 0);
  budget->require_memory(static_cast<std::uint64_t>(std::ftell(shared.get())));
  std::rewind(shared.get());
  pass_entries(matrix.value(), [&](fmpz* part) {
    Budget::work_on(0);
    return fmpz_inp_raw(part, shared.get());
  });
}

Rational within_budget(std::size_t size, const std::function<Rational()>& operation) {
  Budget::work_on(size);
  if (Budget::current() == nullptr || size < kLargeOperands) return operation();
  std::string bytes = done_apart(*Budget::current(), [&](std::FILE* file) {
    const Rational result = operation();
    require(mpz_out_raw(file, mpq_numref(result.backend().data())) > 0);
    require(mpz_out_raw(file, mpq_denref(result.backend().data())) > 0);
  });
  const File file = open_text(bytes);
  Rational result;
  require(mpz_inp_raw(mpq_numref(result.backend().data()), file.get()) > 0);
  require(mpz_inp_raw(mpq_denref(result.backend().data()), file.get()) > 0);
  return result;
}

}  // namespace oddsbound::exact
