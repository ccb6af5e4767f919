// A JSON text as a flat array of nodes with source positions.
//
// Parsed through nlohmann's SAX interface, which checks syntax and UTF-8. Numbers keep their exact text, duplicate
// keys are rejected and nesting is bounded by kMaxDepth. Cost: 20 bytes per number.
//
// Line, column and pointer of a value come from an index that the first lookup builds. Looking up all places of a
// document in order takes linear time.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "specs/spec_error.h"

namespace oddsbound::specs {

enum class JsonKind : std::uint8_t { kNull, kBoolean, kNumber, kString, kArray, kObject };

class JsonDocument;

/// A value of a document. Valid as long as the document.
class JsonView {
 public:
  JsonView(const JsonDocument& document, std::uint32_t node) : document_(&document), node_(node) {}
  JsonKind kind() const;
  bool is_string() const { return kind() == JsonKind::kString; }
  bool is_array() const { return kind() == JsonKind::kArray; }
  bool is_object() const { return kind() == JsonKind::kObject; }
  /// Returns the kind for messages: "a string", "an object", ...
  std::string kind_name() const;
  /// Returns the decoded string, the text of a number, or the word of a literal.
  std::string_view text() const;

  struct Member;
  /// Returns the members of an object, or the items of an array, in the order of the file.
  std::vector<Member> members() const;
  std::vector<JsonView> items() const;

  SourcePlace place() const;
  /// Throws SpecError at this value.
  [[noreturn]] void fail(const std::string& message, const std::string& hint = "") const;
  const JsonDocument& document() const { return *document_; }

 private:
  friend class JsonDocument;
  const JsonDocument* document_;
  std::uint32_t node_;
};

struct JsonView::Member {
  JsonView key;
  JsonView value;
};

/// Texts of the files that a document names, by those names.
using GivenFiles = std::map<std::string, std::string>;

class JsonDocument {
 public:
  static constexpr std::size_t kMaxDepth = 200;

  /// given: files that are not read from disk. Throws SpecError for invalid JSON, nesting deeper than kMaxDepth, or a
  /// duplicate key in an object.
  JsonDocument(std::string file, std::string text, GivenFiles given = {});
  JsonDocument& operator=(const JsonDocument&) = delete;
  /// Returns a copy in which the number or string `value` has another text. Its kind and all source positions are
  /// unchanged.
  std::shared_ptr<const JsonDocument> with_text(JsonView value, std::string text) const;

  const std::string& file() const { return file_; }
  const std::string& text() const { return text_; }
  /// Returns the text of a file in `given`, or nullptr.
  const std::string* given(const std::string& name) const;
  JsonView root() const { return JsonView(*this, 0); }

 private:
  friend class JsonView;
  class Handler;
  struct Node {
    std::uint32_t next;   // index of the node after this one and its contents
    std::uint32_t begin;  // offsets of its text
    std::uint32_t end;
    std::uint32_t decoded;  // 1 + index of the decoded text; 0 if equal to the text in the file
    JsonKind kind;
  };
  struct PlaceIndex;
  JsonDocument(const JsonDocument&) = default;
  SourcePlace place_at(std::size_t offset, std::string pointer) const;
  std::string pointer_to(std::uint32_t node) const;
  /// The member or item of `container` that is `target` or contains it.
  struct Child {
    std::uint32_t node = 0;  // the key if it is a member
    std::size_t index = 0;
  };
  Child child_towards(std::uint32_t container, std::uint32_t target) const;

  std::string file_;
  std::string text_;
  GivenFiles given_;
  std::vector<Node> nodes_;
  std::vector<std::string> decoded_;
  std::shared_ptr<PlaceIndex> index_;  // shared with copies, which have the same text and nodes
};

}  // namespace oddsbound::specs
