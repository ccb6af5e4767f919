#include "verifier/exact/budget.h"

#include <algorithm>

#include <unistd.h>

#include <fstream>
#include <sstream>
#include <string>

#include "verifier/exact/errors.h"

namespace oddsbound {

namespace {

std::uint64_t resident_bytes() {
  std::ifstream statm("/proc/self/statm");
  std::uint64_t total = 0;
  std::uint64_t resident = 0;
  statm >> total >> resident;
  return resident * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

std::string plain_text(double value) {
  std::ostringstream text;
  text << value;
  return text.str();
}

}  // namespace

void Budget::look() {
  const auto now = std::chrono::steady_clock::now();
  if (std::chrono::duration<double>(now - start_).count() > limits_.max_seconds) {
    throw LimitError("the time limit was reached (--max-seconds " + plain_text(limits_.max_seconds) + ")");
  }
  if (now < next_look_) return;
  next_look_ = now + std::chrono::milliseconds(50);
  if (resident_bytes() > limits_.max_memory_mb * 1024 * 1024) {
    throw LimitError("the memory limit was reached (--max-memory-mb " + std::to_string(limits_.max_memory_mb) + ")");
  }
}

double Budget::seconds_left() const {
  const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start_;
  return std::max(0.0, limits_.max_seconds - passed.count());
}

void Budget::require_cells(std::uint64_t inputs, std::uint64_t outputs) const {
  if (inputs != 0 && outputs > limits_.max_cells / inputs) {
    throw LimitError("the channel has " + std::to_string(inputs) + " inputs x " +
                     (outputs == UINT64_MAX ? std::string("more than 2^64") : std::to_string(outputs)) +
                     " outputs, more than may be enumerated (--max-cells " + std::to_string(limits_.max_cells) + ")");
  }
}

}  // namespace oddsbound
