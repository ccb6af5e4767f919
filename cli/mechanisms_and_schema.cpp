// mechanisms: lists the families with their parameters and sources.

#include <algorithm>

#include "cli/common.h"
#include "mechanisms/family.h"
#include "reports/level_fields.h"
#include "specs/spec_error.h"

namespace oddsbound::cli {

namespace {

std::string text_listing(const std::vector<const Family*>& chosen) {
  std::string text;
  for (const Family* family : chosen) {
    if (!text.empty()) text += "\n";
    text += family->name + "\n  " + family->summary + "\n  source: " + family->source + "\n";
    for (const Field& parameter : family->parameters) {
      text += "    " + parameter.name + (parameter.required ? "" : " (optional)") + ": " + kind_words(parameter.kind) +
              "; " + parameter.description + "\n";
    }
  }
  return text;
}

std::string json_listing(const std::vector<const Family*>& chosen) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const Family* family : chosen) {
    nlohmann::ordered_json parameters = nlohmann::ordered_json::array();
    for (const Field& parameter : family->parameters) {
      parameters.push_back({{"name", parameter.name},
                            {"kind", kind_words(parameter.kind)},
                            {"required", parameter.required},
                            {"description", parameter.description}});
      if (!parameter.words.empty()) parameters.back()["words"] = parameter.words;
    }
    list.push_back(
        {{"name", family->name}, {"summary", family->summary}, {"source", family->source}, {"parameters", parameters}});
  }
  nlohmann::ordered_json document = json_head();
  document["families"] = list;
  return json_text(document);
}

}  // namespace

Command mechanisms_command(CLI::App& app) {
  CLI::App* command = app.add_subcommand("mechanisms", "List the mechanism families with their parameters and sources");
  command->footer("\nExample:\n  oddsbound mechanisms hadamard_response");
  struct Request {
    std::vector<std::string> names;
    std::string format = "text";
  };
  auto request = std::make_shared<Request>();
  std::vector<std::string> known;
  for (const Family& family : families()) known.push_back(family.name);
  command->add_option("families", request->names, "Only these")->check(CLI::IsMember(known));
  add_format(*command, request->format, {"text", "json"});
  return {command, [request] {
            std::vector<const Family*> chosen;
            for (const Family& family : families()) {
              const auto& names = request->names;
              if (names.empty() || std::find(names.begin(), names.end(), family.name) != names.end()) {
                chosen.push_back(&family);
              }
            }
            return write_text(request->format == "json" ? json_listing(chosen) : text_listing(chosen)) ? 0 : kUsage;
          }};
}

// schema: prints the JSON Schema of a kind of file.

Command schema_command(CLI::App& app) {
  CLI::App* command = app.add_subcommand("schema", "Print the JSON Schema of spec files, or of another kind of file");
  command->footer(
      "\nExamples:\n  oddsbound schema > oddsbound.schema.json\n"
      "  oddsbound schema design > oddsbound-design.schema.json");
  auto chosen = std::make_shared<std::string>("spec");
  std::vector<std::string> kinds;
  for (const Schema& schema : schemas()) kinds.emplace_back(schema.kind);
  command->add_option("kind", *chosen, "The kind of file")->check(CLI::IsMember(kinds))->capture_default_str();
  return {command, [chosen] {
            const auto one = std::find_if(schemas().begin(), schemas().end(),
                                          [&](const Schema& schema) { return schema.kind == *chosen; });
            return write_out(one->text) ? 0 : kUsage;
          }};
}

}  // namespace oddsbound::cli
