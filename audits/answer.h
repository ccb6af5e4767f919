// A line of a program's answer, read as it goes by (docs/auditing.md).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "mechanisms/unlisted.h"

namespace oddsbound::audits {

/// Who takes the outputs of an answer.
class OutputTaker {
 public:
  virtual ~OutputTaker() = default;
  /// in_order: the answer gives outputs in the order in which they were drawn.
  virtual void label(const std::string& label, std::uint64_t times, bool in_order) = 0;
  virtual void vector(const std::vector<double>& values) = 0;
  /// Numbers by name.
  virtual void told(const std::vector<KeyedNumber>& numbers) = 0;
};

/// What outputs are: labels or lists of them, lists of numbers, or objects of numbers by name.
enum class AnswerKind { kLabels, kVectors, kTold };
/// Throws ProgramError for what is no answer.
void read_answer_line(const std::string& line, AnswerKind kind, OutputTaker& taker);

/// Throws the ProgramError "the program's answer ...".
[[noreturn]] void fail_answer(const std::string& what);

}  // namespace oddsbound::audits
