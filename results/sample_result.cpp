#include "results/sample_result.h"

#include <utility>

#include "results/csv_text.h"
#include "results/document.h"

namespace oddsbound::results {

using Outputs = decltype(SampleResult::outputs);

template <typename Fields>
void describe(Fields& fields, DrawnOutput& drawn) {
  fields.object("an output");
  fields.field("output", drawn.output);
  fields.field("count", drawn.count);
}

template <>
struct Codec<Outputs> {
  static nlohmann::ordered_json write(const Outputs& outputs) {
    return std::visit([](const auto& drawn) { return written(drawn); }, outputs);
  }
  static Outputs read(JsonView json, ReadingContext& context) {
    const std::vector<JsonView> items = read_array(json, "outputs");
    if (items.empty() || items[0].is_string()) return Codec<std::vector<std::string>>::read(json, context);
    if (items[0].is_object()) return Codec<std::vector<DrawnOutput>>::read(json, context);
    return Codec<std::vector<std::vector<double>>>::read(json, context);
  }
};

template <typename Fields>
void describe(Fields& fields, SampleResult& result) {
  fields.object("samples");
  fields.field("file", result.file);
  fields.field("name", result.name);
  fields.derived("random", random_words(result.seed));
  describe_seed(fields, result.seed);
  fields.field("outputs", result.outputs);
}

namespace {

// All before the outputs: a document without them, without its end.
std::string json_before_outputs(const SampleResult& result) {
  nlohmann::ordered_json head = json_head();
  head.update(written(SampleResult{result.file, result.name, result.seed, {}, {}}));
  head.erase("outputs");
  std::string text = json_text(head);
  text.erase(text.size() - 3);
  return text + ",\n  \"outputs\": [";
}

template <typename Cell>
std::string csv_row(const std::vector<Cell>& cells) {
  std::string line;
  for (const Cell& cell : cells) line += (line.empty() ? "" : ",") + csv_cell(cell);
  return line + "\n";
}

struct CsvNames {
  const SampleResult& result;
  std::string operator()(const std::vector<std::string>&) const { return "output\n"; }
  std::string operator()(const std::vector<DrawnOutput>&) const { return "output,count\n"; }
  std::string operator()(const std::vector<std::vector<double>>&) const { return csv_row(result.coordinates); }
};

std::string csv_line(const std::string& label) { return csv_cell(label) + "\n"; }
std::string csv_line(const DrawnOutput& drawn) {
  return csv_cell(drawn.output) + "," + std::to_string(drawn.count) + "\n";
}
std::string csv_line(const std::vector<double>& vector) { return csv_row(vector); }

std::string whole(bool json, const SampleResult& result) {
  SampleWriter writer(json);
  std::string text = writer.piece(result);
  return text + writer.end();
}

}  // namespace

std::string SampleWriter::piece(const SampleResult& piece) {
  std::string text;
  if (!begun_) text = json_ ? json_before_outputs(piece) : std::visit(CsvNames{piece}, piece.outputs);
  begun_ = true;
  const auto item = [&](const auto& drawn) {
    if (!json_) return csv_line(drawn);
    const char* before = std::exchange(first_, false) ? "\n    " : ",\n    ";
    return before + one_line(written(drawn));
  };
  std::visit(
      [&](const auto& outputs) {
        for (const auto& drawn : outputs) text += item(drawn);
      },
      piece.outputs);
  return text;
}

std::string SampleWriter::end() const { return json_ ? "\n  ]\n}\n" : ""; }

std::string to_json(const SampleResult& result) { return whole(true, result); }
std::string text_samples(const SampleResult& result) { return whole(false, result); }

SampleResult samples_from_json(const JsonDocument& document, Budget& budget) {
  return read_document<SampleResult>(document, budget);
}

}  // namespace oddsbound::results
