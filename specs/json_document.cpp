#include "specs/json_document.h"

#include <algorithm>
#include <cassert>
#include <iterator>
#include <mutex>
#include <nlohmann/json.hpp>
#include <unordered_map>
#include <unordered_set>

#include "base/budget.h"

namespace oddsbound::specs {

namespace {

// An iterator that records how far the parser has read.
class CountingIterator {
 public:
  using iterator_category = std::forward_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  CountingIterator(const char* at, const char** furthest) : at_(at), furthest_(furthest) {}
  reference operator*() const { return *at_; }
  CountingIterator& operator++() {
    *furthest_ = ++at_;
    return *this;
  }
  CountingIterator operator++(int) {
    CountingIterator before = *this;
    ++*this;
    return before;
  }
  friend bool operator!=(const CountingIterator& a, const CountingIterator& b) { return a.at_ != b.at_; }

 private:
  const char* at_;
  const char** furthest_;
};

bool in_number(char c) { return (c >= '0' && c <= '9') || c == '-' || c == '+' || c == '.' || c == 'e' || c == 'E'; }

// Strips the prefix from nlohmann's "[json.exception.parse_error.101] parse error at line 1, column 2: syntax error
// ...".
std::string parser_message(const std::string& what) {
  std::size_t begin = what.find("column ");
  begin = begin == std::string::npos ? std::string::npos : what.find(": ", begin);
  if (begin == std::string::npos) {
    begin = what.find("] ");
    return begin == std::string::npos ? what : what.substr(begin + 2);
  }
  return what.substr(begin + 2);
}

std::string escaped_key(std::string_view key) {
  std::string result;
  for (const char c : key) {
    if (c == '~') {
      result += "~0";
    } else if (c == '/') {
      result += "~1";
    } else {
      result += c;
    }
  }
  return result;
}

}  // namespace

// Line and column at every kStride-th byte, and per container the child of the last lookup. Lookups mostly follow the
// order of the file, so the next search starts there.
struct JsonDocument::PlaceIndex {
  static constexpr std::size_t kStride = 1024;
  struct Mark {
    std::size_t line = 1;
    std::size_t column = 1;
    void pass(char c) {
      if (c == '\n') {
        ++line;
        column = 1;
      } else if ((static_cast<unsigned char>(c) & 0xc0) != 0x80) {
        ++column;
      }
    }
  };
  std::once_flag counted;
  std::vector<Mark> marks;
  std::mutex mutex;  // guards `last`
  std::unordered_map<std::uint32_t, Child> last;
};

class JsonDocument::Handler {
 public:
  using number_integer_t = nlohmann::json::number_integer_t;
  using number_unsigned_t = nlohmann::json::number_unsigned_t;
  using number_float_t = nlohmann::json::number_float_t;
  using string_t = nlohmann::json::string_t;
  using binary_t = nlohmann::json::binary_t;

  Handler(JsonDocument& document, const char** furthest) : document_(document), furthest_(furthest) {}

  bool null() { return literal(JsonKind::kNull, 4); }
  bool boolean(bool value) { return literal(JsonKind::kBoolean, value ? 4 : 5); }
  bool number_integer(number_integer_t) { return number(); }
  bool number_unsigned(number_unsigned_t) { return number(); }
  bool number_float(number_float_t, const string_t&) { return number(); }
  bool string(string_t& value) { return text(value); }
  bool binary(binary_t&) { return false; }

  bool start_object(std::size_t) { return open(JsonKind::kObject); }
  bool start_array(std::size_t) { return open(JsonKind::kArray); }
  bool key(string_t& value) {
    text(value);
    if (keys_.back().insert(value).second) return true;
    JsonView(document_, last()).fail("the key '" + printable(value) + "' occurs twice in this object");
  }
  bool end_object() { return close(); }
  bool end_array() { return close(); }

  bool parse_error(std::size_t, const std::string& token, const nlohmann::json::exception& error) {
    const SourcePlace place = document_.place_at(offset() == 0 ? 0 : offset() - 1, "");
    if (error.id == 406) {
      throw SpecError(place, "the number " + printable(token, 40) + " is too large to be a JSON number",
                      "write it as a string: numbers in strings are exact expressions");
    }
    throw SpecError(place, "this is not JSON: " + printable(parser_message(error.what()), 300));
  }

 private:
  std::uint32_t offset() const { return static_cast<std::uint32_t>(*furthest_ - document_.text_.data()); }
  std::uint32_t last() const { return static_cast<std::uint32_t>(document_.nodes_.size() - 1); }

  bool add(JsonKind kind, std::uint32_t begin, std::uint32_t end, std::uint32_t decoded = 0) {
    constexpr std::size_t kWorkOfNode = 256;
    Budget::work_on(kWorkOfNode);
    const auto next = static_cast<std::uint32_t>(document_.nodes_.size() + 1);
    document_.nodes_.push_back({next, begin, end, decoded, kind});
    return true;
  }

  bool literal(JsonKind kind, std::uint32_t length) { return add(kind, offset() - length, offset()); }

  // The parser reads one character past a number, unless the text ends there.
  bool number() {
    const std::string& text = document_.text_;
    std::uint32_t end = offset();
    if (!in_number(text[end - 1])) --end;
    std::uint32_t begin = end;
    while (begin > 0 && in_number(text[begin - 1])) --begin;
    return add(JsonKind::kNumber, begin, end);
  }

  // Searches backwards for the opening quote: an unescaped quote. Quotes inside the string follow a backslash.
  bool text(const string_t& value) {
    const std::string& source = document_.text_;
    const std::uint32_t end = offset() - 1;
    // Without escapes, the length of the decoded value gives the position of the opening quote.
    std::uint32_t begin = value.size() < end ? end - static_cast<std::uint32_t>(value.size()) : end;
    if (source[begin - 1] != '"' || escapes_before(begin - 1) % 2 == 1) begin = end;
    while (source[begin - 1] != '"' || escapes_before(begin - 1) % 2 == 1) --begin;
    std::uint32_t decoded = 0;
    if (value.size() != end - begin) {
      document_.decoded_.push_back(value);
      decoded = static_cast<std::uint32_t>(document_.decoded_.size());
    }
    return add(JsonKind::kString, begin, end, decoded);
  }

  std::uint32_t escapes_before(std::uint32_t position) const {
    std::uint32_t count = 0;
    while (position > count && document_.text_[position - 1 - count] == '\\') ++count;
    return count;
  }

  bool open(JsonKind kind) {
    add(kind, offset() - 1, offset());
    document_.nodes_.back().next = UINT32_MAX;
    open_.push_back(last());
    keys_.emplace_back();
    if (open_.size() > kMaxDepth) {
      throw SpecError(document_.place_at(offset() - 1, ""),
                      "brackets are nested deeper than the limit of " + std::to_string(kMaxDepth));
    }
    return true;
  }

  bool close() {
    assert(!open_.empty() && open_.size() == keys_.size());
    Node& node = document_.nodes_[open_.back()];
    node.next = static_cast<std::uint32_t>(document_.nodes_.size());
    node.end = offset();
    open_.pop_back();
    keys_.pop_back();
    return true;
  }

  JsonDocument& document_;
  const char** furthest_;
  std::vector<std::uint32_t> open_;
  std::vector<std::unordered_set<std::string>> keys_;
};

const std::string* JsonDocument::given(const std::string& name) const {
  const auto found = given_.find(name);
  return found == given_.end() ? nullptr : &found->second;
}

JsonDocument::JsonDocument(std::string file, std::string text, GivenFiles given)
    : file_(std::move(file)), text_(std::move(text)), given_(std::move(given)), index_(std::make_shared<PlaceIndex>()) {
  // Offsets in nodes have 32 bits.
  if (text_.size() >= UINT32_MAX) throw SpecError({file_, 1, 0, ""}, "the file has 4 GB or more");
  constexpr std::size_t kTypicalValue = 10;  // typical characters per value in a file of numbers, with its comma
  nodes_.reserve(text_.size() / kTypicalValue + 1);
  const char* furthest = text_.data();
  Handler handler(*this, &furthest);
  const char* begin = text_.data();
  nlohmann::json::sax_parse(CountingIterator(begin, &furthest), CountingIterator(begin + text_.size(), &furthest),
                            &handler);
}

std::shared_ptr<const JsonDocument> JsonDocument::with_text(JsonView value, std::string text) const {
  assert(&value.document() == this && (value.kind() == JsonKind::kNumber || value.is_string()));
  std::shared_ptr<JsonDocument> copy(new JsonDocument(*this));
  copy->decoded_.push_back(std::move(text));
  copy->nodes_[value.node_].decoded = static_cast<std::uint32_t>(copy->decoded_.size());
  return copy;
}

SourcePlace JsonDocument::place_at(std::size_t offset, std::string pointer) const {
  PlaceIndex& index = *index_;
  std::call_once(index.counted, [&] {
    PlaceIndex::Mark at;
    for (std::size_t i = 0; i < text_.size(); ++i) {
      if (i % PlaceIndex::kStride == 0) index.marks.push_back(at);
      at.pass(text_[i]);
    }
    index.marks.push_back(at);
  });
  offset = std::min(offset, text_.size());
  const std::size_t block = offset / PlaceIndex::kStride;
  PlaceIndex::Mark at = index.marks[block];
  for (std::size_t i = block * PlaceIndex::kStride; i < offset; ++i) at.pass(text_[i]);
  return {file_, at.line, at.column, std::move(pointer)};
}

// Nodes are in file order, so the search resumes at the child found last, unless the target is before it. During
// parsing an open container has no end yet.
JsonDocument::Child JsonDocument::child_towards(std::uint32_t container, std::uint32_t target) const {
  const bool object = nodes_[container].kind == JsonKind::kObject;
  const std::lock_guard lock(index_->mutex);
  Child& child = index_->last.try_emplace(container, Child{container + 1, 0}).first->second;
  if (child.node > target) child = {container + 1, 0};
  for (;;) {
    const std::uint32_t value = object ? nodes_[child.node].next : child.node;
    if (target <= value || value >= nodes_.size() || nodes_[value].next > target) return child;
    child = {nodes_[value].next, child.index + 1};
  }
}

std::string JsonDocument::pointer_to(std::uint32_t target) const {
  std::string pointer;
  std::uint32_t node = 0;
  while (node != target && node < nodes_.size()) {
    const bool object = nodes_[node].kind == JsonKind::kObject;
    const Child child = child_towards(node, target);
    pointer += "/" + (object ? escaped_key(JsonView(*this, child.node).text()) : std::to_string(child.index));
    if (child.node == target) break;
    node = object ? nodes_[child.node].next : child.node;
  }
  return pointer;
}

JsonKind JsonView::kind() const { return document_->nodes_[node_].kind; }

std::string JsonView::kind_name() const {
  switch (kind()) {
    case JsonKind::kNull: return "null";
    case JsonKind::kBoolean: return "a boolean";
    case JsonKind::kNumber: return "a number";
    case JsonKind::kString: return "a string";
    case JsonKind::kArray: return "an array";
    case JsonKind::kObject: return "an object";
  }
  return "";
}

std::string_view JsonView::text() const {
  const JsonDocument::Node& node = document_->nodes_[node_];
  if (node.decoded > 0) return document_->decoded_[node.decoded - 1];
  return std::string_view(document_->text_).substr(node.begin, node.end - node.begin);
}

std::vector<JsonView::Member> JsonView::members() const {
  std::vector<Member> result;
  const auto& nodes = document_->nodes_;
  for (std::uint32_t key = node_ + 1; key < nodes[node_].next;) {
    const std::uint32_t value = nodes[key].next;
    result.push_back({JsonView(*document_, key), JsonView(*document_, value)});
    key = nodes[value].next;
  }
  return result;
}

std::vector<JsonView> JsonView::items() const {
  std::vector<JsonView> result;
  const auto& nodes = document_->nodes_;
  for (std::uint32_t item = node_ + 1; item < nodes[node_].next; item = nodes[item].next) {
    result.emplace_back(*document_, item);
  }
  return result;
}

SourcePlace JsonView::place() const {
  const JsonDocument::Node& node = document_->nodes_[node_];
  const std::size_t quote = node.kind == JsonKind::kString ? 1 : 0;
  return document_->place_at(node.begin - quote, document_->pointer_to(node_));
}

void JsonView::fail(const std::string& message, const std::string& hint) const {
  throw SpecError(place(), message, hint);
}

}  // namespace oddsbound::specs
