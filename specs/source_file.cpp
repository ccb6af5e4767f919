#include "specs/source_file.h"

#include <openssl/evp.h>

#include <array>
#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "base/interrupted.h"
#include "specs/csv.h"
#include "verifier/exact/expression.h"

namespace oddsbound::specs {

namespace {

bool is_free_text(std::string_view key) { return key == "name" || key == "description" || key == "source"; }

std::string quoted(std::string_view text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string listed(const std::vector<std::string>& parts, char open, char close) {
  std::string text(1, open);
  for (std::size_t i = 0; i < parts.size(); ++i) text += (i > 0 ? "," : "") + parts[i];
  return text + close;
}

using Keeps = bool (*)(std::string_view key);

std::string object_text(JsonView object, Keeps keeps, std::string (*text_of)(std::string_view key, JsonView value)) {
  std::map<std::string, std::string> members;
  for (const JsonView::Member& member : object.members()) {
    if (keeps(member.key.text())) members[quoted(member.key.text())] = text_of(member.key.text(), member.value);
  }
  std::vector<std::string> parts;
  for (const auto& [key, value] : members) parts.push_back(std::string(key).append(":").append(value));
  return listed(parts, '{', '}');
}

bool keeps_all(std::string_view) { return true; }

// Claims without their names.
std::string claims_text(JsonView claims) {
  std::vector<std::string> parts;
  for (const JsonView& claim : claims.items()) {
    const Keeps keeps = [](std::string_view key) { return key != "name"; };
    parts.push_back(claim.is_object() ? object_text(claim, keeps, [](auto, JsonView v) { return canonical_json(v); })
                                      : canonical_json(claim));
  }
  return listed(parts, '[', ']');
}

}  // namespace

std::string sha256_base64(std::string_view bytes) {
  const Digest digest = digest_of(bytes);
  std::array<unsigned char, 48> text;
  const int size = EVP_EncodeBlock(text.data(), digest.data(), digest.size());
  return {text.begin(), text.begin() + size};
}

std::string canonical_json(JsonView value) {
  switch (value.kind()) {
    case JsonKind::kObject:
      return object_text(value, keeps_all, [](auto, JsonView member) { return canonical_json(member); });
    case JsonKind::kArray: {
      std::vector<std::string> parts;
      for (const JsonView& item : value.items()) parts.push_back(canonical_json(item));
      return listed(parts, '[', ']');
    }
    case JsonKind::kNumber: try { return parse_number(value.text()).to_string();
      } catch (const Interrupted&) {
        throw;
      } catch (const std::runtime_error& error) {
        value.fail(error.what());
      }
    case JsonKind::kString: return quoted(value.text());
    case JsonKind::kBoolean:
    case JsonKind::kNull: break;
  }
  return std::string(value.text());
}

std::string content_hash(const JsonDocument& spec) {
  if (!spec.root().is_object()) return sha256(canonical_json(spec.root()));
  const Keeps keeps = [](std::string_view key) { return !is_free_text(key); };
  return sha256(object_text(spec.root(), keeps, [](std::string_view key, JsonView value) {
    return key == "claims" && value.is_array() ? claims_text(value) : canonical_json(value);
  }));
}

std::string table_hash(const std::string& file, std::string_view text, Budget& budget) {
  return sha256(csv_with_line_feeds(file, text, budget));
}

}  // namespace oddsbound::specs
