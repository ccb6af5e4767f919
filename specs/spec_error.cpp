#include "specs/spec_error.h"

#include <algorithm>
#include <cctype>
#include <new>
#include <numeric>
#include <utility>
#include <vector>

#include "base/errors.h"

namespace oddsbound {

std::string FileError::text() const { return SpecError(place, message, hint).what(); }

}  // namespace oddsbound

namespace oddsbound::specs {

namespace {

std::string formatted(const SourcePlace& place, const std::string& message, const std::string& hint) {
  std::string text = printable(place.file, 400);
  if (place.line > 0) text += ":" + std::to_string(place.line);
  if (place.line > 0 && place.column > 0) text += ":" + std::to_string(place.column);
  if (!place.pointer.empty()) text += ": " + printable(place.pointer, 200);
  text += ": " + message;
  if (!hint.empty()) text += " (" + hint + ")";
  return text;
}

}  // namespace

SpecError::SpecError(SourcePlace place, const std::string& message, std::string hint)
    : std::runtime_error(formatted(place, shortened(message), shortened(hint))),
      place_(std::move(place)),
      message_(shortened(message)),
      hint_(shortened(hint)) {}

FileError file_error(const SpecError& error) { return {error.place(), error.message(), error.hint()}; }

FileError file_error(const std::string& file, const std::string& message) {
  return {{file, 0, 0, ""}, shortened(message), ""};
}

FileError file_error_in_flight(const std::string& file) {
  try {
    throw;
  } catch (const SpecErrors& errors) {
    FileError first = file_error(errors.all().front());
    for (std::size_t k = 1; k < errors.all().size(); ++k) first.more.push_back(file_error(errors.all()[k]));
    return first;
  } catch (const SpecError& error) {
    return file_error(error);
  } catch (const LimitError& error) {
    FileError limit = file_error(file, error.what());
    limit.limit = true;
    return limit;
  } catch (const std::bad_alloc&) {
    return file_error(file, "out of memory");
  } catch (const std::exception& error) {
    return file_error(file, error.what());
  }
}

std::vector<FileError> file_errors_in_flight(const std::string& file) {
  std::vector<FileError> list;
  add_errors(file_error_in_flight(file), list);
  return list;
}

void add_errors(FileError error, std::vector<FileError>& list) {
  std::vector<FileError> more = std::move(error.more);
  error.more.clear();
  list.push_back(std::move(error));
  for (FileError& one : more) add_errors(std::move(one), list);
}

void FoundErrors::finish() const {
  if (errors_.size() == 1) throw SpecError(errors_.front());
  if (errors_.size() > 1) throw SpecErrors(errors_);
}

// A parameter with an error is found again by everything that uses it.
void FoundErrors::add(const SpecError& error) {
  const auto same = [&](const SpecError& other) { return std::string(other.what()) == error.what(); };
  if (std::any_of(errors_.begin(), errors_.end(), same)) return;
  errors_.push_back(error);
  if (errors_.size() == kMost) finish();
}

namespace {

constexpr std::size_t kLongestWord = 64;

// Edit distance with transpositions of adjacent characters (optimal string alignment).
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  std::iota(last.begin(), last.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t change = a[i - 1] == b[j - 1] ? 0 : 1;
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + change});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    before.swap(last);
    last.swap(row);
  }
  return last[b.size()];
}

bool same_but_for_case(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

}  // namespace

std::string suggestion(std::string_view unknown, std::span<const std::string> known) {
  if (unknown.size() > kLongestWord) return "";
  // Any word of two letters is one or two edits away; only a difference in case is a likely slip.
  const bool short_word = unknown.size() <= 2;
  std::size_t best = std::max<std::size_t>(1, unknown.size() / 3) + 1;
  const std::string* nearest = nullptr;
  for (const std::string& word : known) {
    if (word.size() > kLongestWord || (short_word && !same_but_for_case(unknown, word))) continue;
    const std::size_t edits = distance(unknown, word);
    if (edits < best) {
      best = edits;
      nearest = &word;
    }
  }
  return nearest == nullptr ? "" : "did you mean '" + printable(*nearest) + "'?";
}

std::string listing(std::span<const std::string> words) {
  // Lists of built-in names are shown in full. An attribute may have thousands of values; then only the first 12 are
  // shown.
  constexpr std::size_t kMostListed = 48, kMostOfMany = 12, kMostCharacters = 1000;
  std::vector<std::string> shown;
  std::size_t characters = 0;
  const std::size_t most = words.size() <= kMostListed ? words.size() : kMostOfMany;
  for (; shown.size() < most && characters <= kMostCharacters; characters += shown.back().size() + 2) {
    shown.push_back(printable(words[shown.size()], 40));
  }
  const std::size_t left = words.size() - shown.size();
  std::string text;
  for (std::size_t i = 0; i < shown.size(); ++i) {
    if (i > 0) text += i + 1 == words.size() ? " or " : ", ";
    text += shown[i];
  }
  return left == 0 ? text : text + " and " + std::to_string(left) + " more";
}

}  // namespace oddsbound::specs
