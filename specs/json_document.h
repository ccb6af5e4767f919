// A JSON text as a flat list of nodes that remember where they stand.
//
// Read through nlohmann's SAX interface, which checks the syntax and UTF-8; numbers keep their exact text, duplicate
// keys are seen, nesting is bounded, and a matrix of a million numbers costs twenty bytes a number. Places are found
// from an index that the first question makes: all places of a document, asked for in order, cost linear time.
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

/// A value of a document; valid as long as the document.
class JsonView {
 public:
  JsonView(const JsonDocument& document, std::uint32_t node) : document_(&document), node_(node) {}
  JsonKind kind() const;
  bool is_string() const { return kind() == JsonKind::kString; }
  bool is_array() const { return kind() == JsonKind::kArray; }
  bool is_object() const { return kind() == JsonKind::kObject; }
  /// "a string", "an object", ...: for messages.
  std::string kind_name() const;
  /// The decoded string, the text of a number, or the word of a literal.
  std::string_view text() const;

  struct Member;
  /// The members of an object in the order of the file; the items of an array.
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

/// The texts of files that a document names, by these names.
using GivenFiles = std::map<std::string, std::string>;

class JsonDocument {
 public:
  static constexpr std::size_t kMaxDepth = 200;

  /// given: of files that it names; these are not looked for on disk. Throws SpecError for what is not JSON, nested
  /// deeper than kMaxDepth, or has a key twice in one object.
  JsonDocument(std::string file, std::string text, GivenFiles given = {});
  JsonDocument& operator=(const JsonDocument&) = delete;
  /// The same with other words where a number or a string stands, which stays that; places are those of the text.
  std::shared_ptr<const JsonDocument> with_text(JsonView value, std::string text) const;

  const std::string& file() const { return file_; }
  const std::string& text() const { return text_; }
  /// The text of a file that was given; null if it was not.
  const std::string* given(const std::string& name) const;
  JsonView root() const { return JsonView(*this, 0); }

 private:
  friend class JsonView;
  class Handler;
  struct Node {
    std::uint32_t next;   // the node after this one and all it contains
    std::uint32_t begin;  // where its text begins and ends
    std::uint32_t end;
    std::uint32_t decoded;  // 1 + index of the decoded text, if that differs from the text in the file
    JsonKind kind;
  };
  struct PlaceIndex;
  JsonDocument(const JsonDocument&) = default;
  SourcePlace place_at(std::size_t offset, std::string pointer) const;
  std::string pointer_to(std::uint32_t node) const;
  /// The member or item of `container` that is `target` or holds it.
  struct Child {
    std::uint32_t node = 0;  // the key, of a member
    std::size_t index = 0;
  };
  Child child_towards(std::uint32_t container, std::uint32_t target) const;

  std::string file_;
  std::string text_;
  GivenFiles given_;
  std::vector<Node> nodes_;
  std::vector<std::string> decoded_;
  std::shared_ptr<PlaceIndex> index_;  // a copy has the same text and nodes, and shares it
};

}  // namespace oddsbound::specs
