#include "audits/answer.h"

#include <nlohmann/json.hpp>
#include <set>

#include "audits/runner.h"
#include "specs/spec_error.h"
#include "verifier/exact/decimal.h"

namespace oddsbound::audits {

namespace {

using Json = nlohmann::json;

class AnswerReader final : public nlohmann::json_sax<Json> {
 public:
  explicit AnswerReader(OutputTaker& taker, AnswerKind kind)
      : taker_(taker), vectors_(kind == AnswerKind::kVectors), told_(kind == AnswerKind::kTold) {}

  bool null() override { fail_answer("has null where an output is expected"); }
  bool boolean(bool) override { fail_answer("has a truth value where an output is expected"); }
  bool number_integer(number_integer_t value) override {
    return number(static_cast<double>(value), std::to_string(value));
  }
  bool number_unsigned(number_unsigned_t value) override {
    if (depth_ == 2 && in_ == In::kCounts) {
      taker_.label(key_, value, false);
      return true;
    }
    return number(static_cast<double>(value), std::to_string(value));
  }
  bool number_float(number_float_t value, const string_t& text) override { return number(value, text); }
  bool string(string_t& text) override {
    if (in_ == In::kError) throw ProgramError("the program says: " + printable(text, 200));
    if (in_ == In::kCounts) fail_answer("has a count that is not a whole number: '" + printable(text) + "'");
    if (in_tuple()) {
      parts_.push_back(std::move(text));
    } else {
      single(text);
    }
    return true;
  }
  bool binary(binary_t&) override { return false; }
  bool start_object(std::size_t) override {
    ++depth_;
    if (depth_ == 1 && in_ == In::kTop) {
      is_object_ = true;
      return true;
    }
    if (depth_ == 2 && in_ == In::kCounts && !told_) return true;
    if (in_told()) {
      numbers_.clear();
      names_.clear();
      return true;
    }
    fail_answer(told_ && in_ == In::kCounts ? "has counts where outputs are objects of numbers"
                                            : "has an object where an output is expected");
  }
  bool key(string_t& name) override {
    key_ = name;
    if (depth_ != 1) return true;
    if (name == "outputs") {
      in_ = In::kOutputs;
    } else if (name == "counts") {
      in_ = In::kCounts;
    } else if (name == "error") {
      in_ = In::kError;
    } else {
      fail_answer("has the key '" + printable(name) + "', expected outputs, counts or error");
    }
    return true;
  }
  bool end_object() override {
    if (in_told()) taker_.told(numbers_);
    --depth_;
    return true;
  }
  bool start_array(std::size_t) override {
    ++depth_;
    const bool is_list = told_ && depth_ > 2;
    if (in_ == In::kError || in_ == In::kCounts || depth_ > tuple_depth() || is_list) {
      fail_answer("has an array where something else is expected");
    }
    parts_.clear();
    values_.clear();
    return true;
  }
  bool end_array() override {
    if (in_tuple()) {
      if (vectors_) {
        taker_.vector(values_);
      } else {
        std::string label = "(";
        for (const std::string& part : parts_) label += (label.size() > 1 ? "," : "") + part;
        taker_.label(label + ")", 1, true);
      }
    }
    --depth_;
    return true;
  }
  bool parse_error(std::size_t position, const std::string& token, const nlohmann::detail::exception&) override {
    fail_answer("is not JSON at column " + std::to_string(position) + ": '" + printable(token, 40) + "'");
  }

 private:
  enum class In { kTop, kOutputs, kCounts, kError };

  int tuple_depth() const { return is_object_ ? 3 : 1; }
  bool in_tuple() const { return depth_ == tuple_depth() && !told_; }
  bool in_told() const { return told_ && in_ == In::kOutputs && depth_ == 3; }
  bool number(double value, const std::string& text) {
    if (in_ == In::kCounts) fail_answer("has the count " + printable(text) + ", expected a whole number");
    if (in_ == In::kError) fail_answer("has an error that is not a string");
    if (in_told()) {
      if (!names_.insert(key_).second) fail_answer("names '" + printable(key_) + "' twice in an output");
      numbers_.push_back({key_of(key_), value});
    } else if (!in_tuple()) {
      single(text);
    } else if (vectors_) {
      values_.push_back(value);
    } else {
      parts_.push_back(text);
    }
    return true;
  }
  void single(const std::string& label) {
    if (told_) {
      fail_answer("has '" + printable(label) + "' where " +
                  (in_told() ? "a number is expected" : "an object of numbers by name is expected"));
    }
    if (is_object_ && depth_ != 2) fail_answer("has '" + printable(label) + "' where a list is expected");
    if (vectors_) fail_answer("has '" + printable(label) + "' where a list of numbers is expected");
    taker_.label(label, 1, true);
  }

  OutputTaker& taker_;
  bool vectors_, told_;
  bool is_object_ = false;
  int depth_ = 0;
  In in_ = In::kTop;
  std::string key_;
  std::vector<std::string> parts_;
  std::vector<double> values_;
  std::vector<KeyedNumber> numbers_;
  std::set<std::string> names_;
};

}  // namespace

void fail_answer(const std::string& what) { throw ProgramError("the program's answer " + what); }

void read_answer_line(const std::string& line, AnswerKind kind, OutputTaker& taker) {
  AnswerReader reader(taker, kind);
  try {
    Json::sax_parse(line, &reader);
  } catch (const nlohmann::json::exception&) {
    fail_answer("has a number out of range");
  }
}

Number number_of(unsigned __int128 value) {
  const Number word = Number(2).pow(32);
  Number result(0);
  for (int part = 3; part >= 0; --part) {
    result = result * word + Number(static_cast<std::int64_t>(static_cast<std::uint32_t>(value >> (32 * part))));
  }
  return result;
}

FixedInterval FixedInterval::of(const Number& number) {
  if (number.is_one()) return one();
  const auto digits = binary_digits(number, 2);
  const Fixed low = ((static_cast<Fixed>(digits[0]) << 64) | digits[1]) >> (128 - kBits);
  return FixedInterval(low, binary_length(number) <= kBits ? low : low + 1);
}

// a * b / 2^126, from the four products of the 64-bit halves.
FixedInterval::Fixed FixedInterval::product(Fixed a, Fixed b, bool round_up) {
  const Fixed a1 = a >> 64, a0 = static_cast<std::uint64_t>(a);
  const Fixed b1 = b >> 64, b0 = static_cast<std::uint64_t>(b);
  const Fixed cross = a1 * b0 + a0 * b1;  // a1, b1 < 2^63: no overflow
  const Fixed bottom = a0 * b0;
  const Fixed low = bottom + (cross << 64);
  const Fixed high = a1 * b1 + (cross >> 64) + (low < bottom ? 1 : 0);
  const Fixed result = (high << (128 - kBits)) | (low >> kBits);
  const bool exact = (low & ((Fixed{1} << kBits) - 1)) == 0;
  return round_up && !exact ? result + 1 : result;
}

}  // namespace oddsbound::audits
