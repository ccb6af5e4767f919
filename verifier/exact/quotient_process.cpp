#include "verifier/exact/quotient_process.h"

#include <fcntl.h>
#include <flint/fmpz.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <stdexcept>

#include "base/budget.h"
#include "base/child.h"
#include "base/errors.h"
#include "verifier/exact/exp_quotient.h"

namespace oddsbound {

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

// FLINT and GMP say it on standard error when there is no memory; the limit is what is told.
void be_silent() {
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

// Runs work in a process of its own, within what is left of the budget; what it writes is returned.
std::string done_apart(Budget& budget, const Write& work) {
  budget.look();
  const ChildResult child = run_in_child(
      [&](int output) {
        be_silent();
        const File file(fdopen(output, "wb"), std::fclose);
        require(file != nullptr);
        work(file.get());
        require(std::fflush(file.get()) == 0);
      },
      {budget.seconds_left(), budget.limits().max_memory_mb});
  if (child.end == ChildResult::End::kDeadline) {
    // Or it wrote more than a child may.
    constexpr double kRounding = 0.1;
    if (budget.seconds_left() > kRounding) fail_for_size();
    while (true) budget.look();
  }
  if (child.end == ChildResult::End::kDied) budget.fail_for_memory();
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
    // Nothing is passed on that has no place in a number.
    if (too_large(fmpz_poly_q_numref(result)) || too_large(fmpz_poly_q_denref(result))) return;
    write_polynomial(file, fmpz_poly_q_numref(result));
    write_polynomial(file, fmpz_poly_q_denref(result));
  });
  const File file = open_text(bytes);
  read_polynomial(file.get(), fmpz_poly_q_numref(result));
  read_polynomial(file.get(), fmpz_poly_q_denref(result));
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

}  // namespace oddsbound
