// The JSON Schema against every spec of the gallery and every broken spec: it accepts what the reader accepts, and
// rejects the errors that the table of expectations lists as visible to it.
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <sstream>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validator.hpp>

#include "mechanisms/family.h"
#include "verifier/notions/table.h"

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

const fs::path kRoot = ODDSBOUND_SOURCE_DIR;

std::string text_of(const fs::path& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

const json& schema_document() {
  static const json document = json::parse(text_of(kRoot / "specs/oddsbound.schema.json"));
  return document;
}

std::string verdict(const std::string& text) {
  static const auto schema = [] {
    auto parsed = std::make_unique<valijson::Schema>();
    valijson::SchemaParser parser;
    parser.populateSchema(valijson::adapters::NlohmannJsonAdapter(schema_document()), *parsed);
    return parsed;
  }();
  const json document = json::parse(text, nullptr, false);
  if (document.is_discarded()) return "not-json";
  valijson::Validator validator;
  return validator.validate(*schema, valijson::adapters::NlohmannJsonAdapter(document), nullptr) ? "accepts"
                                                                                                 : "rejects";
}

}  // namespace

TEST_CASE("the schemas of other kinds of files accept what the program reads, and reject unknown keys") {
  const std::vector<std::pair<std::string, std::vector<std::string>>> kinds = {
      {"design", {"specs/designs", "tests/cli/mixed"}},
      {"release", {"specs/releases"}},
      {"plan", {"audits/plans", "audits/deployed", "tests/cli/plan-with-schema"}},
      {"lock", {"tests/cli/mixed"}}};
  for (const auto& [kind, folders] : kinds) {
    valijson::Schema schema;
    const json document = json::parse(text_of(kRoot / ("specs/oddsbound-" + kind + ".schema.json")));
    CHECK(document.contains("title"));
    CHECK(document.contains("description"));
    for (const auto& [name, property] : document["properties"].items()) {
      CHECK_MESSAGE((property.contains("title") && property.contains("description")), (kind + " " + name));
    }
    valijson::SchemaParser().populateSchema(valijson::adapters::NlohmannJsonAdapter(document), schema);
    const auto accepts = [&](const json& file) {
      return valijson::Validator().validate(schema, valijson::adapters::NlohmannJsonAdapter(file), nullptr);
    };
    std::size_t count = 0;
    for (const std::string& folder : folders) {
      for (const auto& entry : fs::directory_iterator(kRoot / folder)) {
        if (entry.path().extension() != ".json") continue;
        json file = json::parse(text_of(entry.path()));
        if (!file.contains(kind == "plan" ? "spec" : "oddsbound_" + kind)) continue;
        ++count;
        CHECK_MESSAGE(accepts(file), entry.path().string());
        file["key of nothing"] = 1;
        CHECK_MESSAGE(!accepts(file), entry.path().string());
      }
    }
    CHECK_MESSAGE(count > 0, kind);
  }
}

TEST_CASE("the schema accepts the whole gallery") {
  std::size_t count = 0;
  for (const auto& entry : fs::directory_iterator(kRoot / "specs/gallery")) {
    if (entry.path().extension() != ".json") continue;
    ++count;
    CHECK_MESSAGE(verdict(text_of(entry.path())) == "accepts", entry.path().string());
  }
  CHECK(count >= 20);
}

TEST_CASE("the schema says of every broken spec what the table expects") {
  std::ifstream table(kRoot / "tests/cli/broken/expected.txt");
  std::string line;
  std::size_t count = 0;
  while (std::getline(table, line)) {
    const std::size_t tab = line.find('\t');
    const std::string name = line.substr(0, tab);
    const std::string expected = line.substr(tab + 1, line.find('\t', tab + 1) - tab - 1);
    ++count;
    CHECK_MESSAGE(verdict(text_of(kRoot / "tests/cli/broken" / name)) == expected, name);
  }
  CHECK(count >= 60);
}

TEST_CASE("the schema knows every notion with its fields and every family with its parameters") {
  // {type: its properties}, from the branches "if the type is this, then these properties".
  const auto branches = [](const std::string& definition, const std::string& key) {
    std::map<std::string, json> result;
    for (const json& branch : schema_document()["definitions"][definition]["allOf"]) {
      result[branch["if"]["properties"][key]["enum"][0]] = branch["then"]["properties"];
    }
    return result;
  };
  std::map<std::string, json> claims = branches("claim", "notion");
  std::map<std::string, json> mechanisms = branches("mechanism", "type");
  for (const oddsbound::Notion& notion : oddsbound::notion_table()) {
    REQUIRE_MESSAGE(claims.contains(notion.name), notion.name);
    CHECK(claims[notion.name].size() == notion.fields.size() + 4);
    for (const oddsbound::Field& field : notion.fields) CHECK(claims[notion.name].contains(field.name));
  }
  CHECK(claims.size() == oddsbound::notion_table().size());
  for (const oddsbound::Family& family : oddsbound::families()) {
    REQUIRE_MESSAGE(mechanisms.contains(family.name), family.name);
    CHECK(mechanisms[family.name].size() == family.parameters.size() + 1);
    for (const oddsbound::Field& parameter : family.parameters) {
      CHECK(mechanisms[family.name].contains(parameter.name));
    }
  }
}
