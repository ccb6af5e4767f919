// Pages of designed and repaired mechanisms.

#include <doctest/doctest.h>
#include <algorithm>

#include "design/page.h"

using namespace oddsbound;
using namespace oddsbound::reports;
using designs::DesignResult;
using designs::RepairResult;
using designs::ShownMatrix;

namespace {

const std::string kEvilName = "</script><img src=x onerror=alert(1)>";

std::size_t occurrences(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

bool says(const std::string& page, const std::string& words) { return page.find(words) != std::string::npos; }

// Randomized response at log(3) between two answers, with an output of probability 0.
DesignResult best_of_two() {
  DesignResult result;
  result.name = "two answers";
  result.loss_words = "expected zero_one loss";
  result.loss = result.at_least = Number::ratio(1, 4);
  result.outputs = result.entries = 2;
  const Number three = Number::ratio(3, 4), one = Number::ratio(1, 4), none(0);
  result.matrix = {{"no", "yes"}, {"no", "never", "yes"}, {{three, none, one}, {one, none, three}}};
  return result;
}

RepairResult mended_of_two() {
  RepairResult result;
  result.name = "two answers";
  result.before = {{"no", "yes"}, {"no", "yes"}, {{Number(1), Number(0)}, {Number(0), Number(1)}}};
  const Number three = Number::ratio(3, 4), one = Number::ratio(1, 4);
  result.after = {{"no", "yes"}, {"no", "yes"}, {{three, one}, {one, three}}};
  result.entries = result.rows = one;
  return result;
}

ShownMatrix large(std::size_t size) {
  ShownMatrix matrix;
  for (std::size_t i = 0; i < size; ++i) {
    matrix.rows.push_back(std::to_string(i));
    matrix.outputs.push_back(std::to_string(i));
    matrix.entries.emplace_back(size, Number(0))[i] = Number(1);
  }
  return matrix;
}

const RenderOptions kPictures{true};

}  // namespace

TEST_CASE("the page of a design says what its text says, and draws the outputs that are ever given") {
  const std::string page = html_design(best_of_two(), kPictures);
  CHECK(says(page, "<p>expected zero_one loss: 1/4 = 0.25</p>"));
  CHECK(says(page, "<p>no mechanism within these constraints has less</p>"));
  CHECK(says(page, "<p>outputs that are ever given: 2, different probabilities: 2</p>"));
  CHECK(says(page, "proven best"));
  CHECK(occurrences(page, "<figure") == 1);
  CHECK(occurrences(page, "class=\"cell\"") == 4);
  CHECK(says(page, "<title>no → yes: 1/4 = 0.25</title>"));
  CHECK(says(page, ">3/4</text>"));
  CHECK(!says(page, "never"));
  CHECK(!says(page, "<script"));
}

TEST_CASE("a design that is not known to be the best is not called that") {
  DesignResult result = best_of_two();
  result.at_least = Number::ratio(1, 5);
  const std::string page = html_design(result, kPictures);
  CHECK(!says(page, "proven best"));
  CHECK(says(page, "has less than 1/5 = 0.2</p>"));
}

TEST_CASE("the loss is drawn over epsilon, with a mark where what is best turns") {
  DesignResult result = best_of_two();
  result.curve = {{Number(3), Number::ratio(3, 4)},
                  {Number(5), Number::ratio(1, 2), true, true},
                  {Number(7), Number::ratio(2, 5), true, false},
                  {Number(30), Number::ratio(4, 33)}};
  const std::string page = html_design(result, kPictures);
  CHECK(occurrences(page, "<figure") == 2);
  CHECK(says(page, "data-marks=\"{&quot;point&quot;:4}\""));
  // Two marks and their legend entry.
  CHECK(occurrences(page, "class=\"point turn\"") == 2);
  CHECK(occurrences(page, "class=\"turn\"") == 1);
  CHECK(says(page, "log(5) = 1.60944</th>"));
  CHECK(says(page, ">what is best turns here</td>"));
  CHECK(says(page, "about log(7) = 1.94591</th>"));
  CHECK(says(page, ">4/33 = 0.121212</td>"));
  CHECK(says(page, "the loss lies between theirs"));
}

TEST_CASE("a design of levels draws these, and what does not go together is named without a figure") {
  DesignResult result = best_of_two();
  result.matrix = {};
  result.product.emplace();
  result.product->levels = {{"age", Level::of_exponential(Number(3))}, {"sex", Level::infinite()}};
  const std::string page = html_design(result, kPictures);
  CHECK(says(page, "randomized response at log(3) = 1.09861"));
  CHECK(says(page, "as it is"));
  CHECK(occurrences(page, "<figure") == 1);
  result.conflict = {"constraint 1: ldp <= log(3)"};
  const std::string none = html_design(result, kPictures);
  CHECK(says(none, "<p>constraint 1: ldp &lt;= log(3)</p>"));
  CHECK(occurrences(none, "<figure") == 0);
}

TEST_CASE("the page of a mended mechanism shows it before and after, and the change with its sign") {
  RepairResult result = mended_of_two();
  result.notes = {"claim 2 was not looked at"};
  const std::string page = html_repair(result, kPictures);
  CHECK(says(page, "<p>largest change of an entry: 1/4 = 0.25</p>"));
  CHECK(says(page, "<p>claim 2 was not looked at</p>"));
  CHECK(occurrences(page, "<figure") == 3);
  CHECK(says(page, "<title>no → no: -1/4 = -0.25</title>"));
  CHECK(says(page, "<title>no → yes: +1/4 = 0.25</title>"));
  CHECK(occurrences(page, "class=\"cell below\"") == 2);
}

TEST_CASE("a mechanism that was not changed is drawn once") {
  RepairResult result = mended_of_two();
  result.before = result.after;
  result.entries = result.rows = Number(0);
  const std::string page = html_repair(result, kPictures);
  CHECK(says(page, "its claims hold: nothing was changed"));
  CHECK(occurrences(page, "<figure") == 1);
}

TEST_CASE("of a large matrix a part is drawn, and the page says which") {
  const ShownMatrix before = large(60);
  const DrawnPart first = drawn_part(before);
  CHECK(first.rows.size() == 48);
  CHECK(first.outputs.size() == 48);
  CHECK(first.words.find("48 of 60 rows") == 0);
  ShownMatrix after = before;
  after.entries[59][59] = after.entries[59][58] = Number::ratio(1, 2);
  const DrawnPart changed = drawn_part(before, after);
  CHECK(changed.rows.back() == 59);
  CHECK(changed.outputs.back() == 59);
  CHECK(changed.outputs[46] == 58);
  CHECK(drawn_part(large(48)).words.empty());
}

TEST_CASE("names stay text on the pages of designs") {
  DesignResult result = best_of_two();
  RepairResult mended = mended_of_two();
  result.name = result.loss_words = result.family = mended.name = kEvilName;
  for (auto* labels : {&result.matrix.rows, &result.matrix.outputs, &mended.before.rows, &mended.after.outputs}) {
    std::fill(labels->begin(), labels->end(), kEvilName);
  }
  mended.notes = {kEvilName};
  for (const bool pictures : {false, true}) {
    for (const std::string& page : {html_design(result, {pictures}), html_repair(mended, {pictures})}) {
      CHECK(!says(page, "<img"));
      CHECK(says(page, "&lt;/script&gt;&lt;img src=x onerror=alert(1)&gt; #1"));
    }
  }
}
