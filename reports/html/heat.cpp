#include <algorithm>
#include <cmath>

#include "reports/html/drawing.h"
#include "reports/html/svg.h"

namespace oddsbound::reports {

namespace {

using Json = nlohmann::ordered_json;
using Anchor = Svg::Anchor;

constexpr double kHeatLeft = 104, kHeatTop = 104;

double cell_size(const Heat& heat) {
  const std::size_t most = std::max(heat.from.size(), heat.to.size());
  return most <= 6 ? 46 : most <= 10 ? 38 : most <= 20 ? 20 : 11;
}

std::string tooltip_of(const Heat& heat, const Heat::Cell& cell) {
  return heat.from[cell.from] + " → " + heat.to[cell.to] + ": " + cell.value.text +
         (cell.over ? ", above the claimed " + cell.claim : "");
}

double darkest_of(const Heat& heat) {
  if (heat.darkest) return *heat.darkest;
  std::vector<double> values;
  for (const Heat::Cell& cell : heat.cells) values.push_back(std::abs(cell.value.value));
  return largest_finite(values);
}

std::string style_of(const Heat::Cell& cell) {
  return std::isinf(cell.value.value) ? "cell infinite" : cell.value.value < 0 ? "cell below" : "cell";
}

// What stands in a cell that is so wide.
std::string written_in(const Heat::Cell& cell, double size) {
  constexpr double kDigit = 6.3;
  if (std::isinf(cell.value.value)) return "∞";
  if (!cell.written.empty() && kDigit * static_cast<double>(cell.written.size()) <= size - 2) return cell.written;
  return short_number(std::round(cell.value.value * 100) / 100);
}

// Below the picture: what is where, and what its colours mean.
std::vector<std::string> reading_of(const Heat& heat, double most) {
  std::vector<std::string> lines{"rows: " + heat.rows_are, "columns: " + heat.columns_are,
                                 "0 (pale) to " + short_number(most) + " " + heat.unit + " (dark)"};
  if (!heat.below_zero.empty()) lines.push_back("blue: " + heat.above + ", orange: " + heat.below_zero);
  return lines;
}

std::string picture(const Heat& heat) {
  const double size = cell_size(heat);
  const double most = darkest_of(heat);
  const std::vector<std::string> reading = reading_of(heat, most);
  const double width = size * static_cast<double>(heat.to.size()),
               height = size * static_cast<double>(heat.from.size());
  Svg svg(std::max(kHeatLeft + width + 12, 280.0), kHeatTop + height + 10 + 16 * static_cast<double>(reading.size()),
          heat.title);
  const std::string labels = size < 20 ? "tick small" : "tick";
  for (std::size_t i = 0; i < heat.from.size(); ++i) {
    svg.text(kHeatLeft - 6, kHeatTop + size * (static_cast<double>(i) + 0.5) + 4, cut(heat.from[i], 16), Anchor::kEnd,
             labels);
  }
  for (std::size_t j = 0; j < heat.to.size(); ++j) {
    svg.text(kHeatLeft + size * (static_cast<double>(j) + 0.5) + 3, kHeatTop - 6, cut(heat.to[j], 16), Anchor::kStart,
             labels, -90);
  }
  svg.rect(kHeatLeft, kHeatTop, width, height, "ground");
  const bool numbers = heat.to.size() <= 10;
  for (const Heat::Cell& cell : heat.cells) {
    const double x = kHeatLeft + size * static_cast<double>(cell.to),
                 y = kHeatTop + size * static_cast<double>(cell.from);
    const double share = std::isinf(cell.value.value) ? 1 : std::abs(cell.value.value) / most;
    svg.shade(x + 0.5, y + 0.5, size - 1, size - 1, share, style_of(cell), tooltip_of(heat, cell));
    if (numbers) {
      svg.text(x + size / 2, y + size / 2 + 4, written_in(cell, size), Anchor::kMiddle,
               share > 0.55 ? "value on-dark" : "value");
    }
    if (!cell.over) continue;
    const double mark = numbers ? 3 : size / 4;
    svg.rect(x + 1.5, y + 1.5, size - 3, size - 3, "outline");
    svg.cross(numbers ? x + size - 8 : x + size / 2, numbers ? y + 8 : y + size / 2, mark, "over");
  }
  double y = kHeatTop + height + 18;
  for (const std::string& line : reading) {
    svg.text(8, y, cut(line, 44), Anchor::kStart, "tick");
    y += 16;
  }
  return svg.finish();
}

}  // namespace

Drawing draw(const Heat& heat) {
  Drawing drawing{"heat", heat.title, picture(heat), "", {}, {heat.rows_are}, {}};
  const auto over = std::count_if(heat.cells.begin(), heat.cells.end(), [](const auto& cell) { return cell.over; });
  drawing.wide = heat.to.size() > 10;
  drawing.marks = {{"cell", heat.cells.size()}, {"over", static_cast<std::size_t>(over)}};
  Json data{{"kind", "heat"}, {"rows_are", heat.rows_are}, {"columns_are", heat.columns_are}, {"unit", heat.unit}};
  data["measure"] = heat.measure;
  data["darkest"] = heat.darkest ? Json(*heat.darkest) : Json(nullptr);
  data["above"] = heat.above;
  data["below_zero"] = heat.below_zero;
  data["from"] = heat.from;
  data["to"] = heat.to;
  data["cells"] = Json::array();
  drawing.columns.insert(drawing.columns.end(), heat.to.begin(), heat.to.end());
  for (const std::string& label : heat.from) {
    drawing.rows.push_back({label});
    drawing.rows.back().resize(drawing.columns.size());
  }
  for (const Heat::Cell& cell : heat.cells) {
    Json json{{"from", heat.from[cell.from]}, {"to", heat.to[cell.to]}};
    add_value(json, cell.value.value);
    json["text"] = cell.value.text;
    if (!cell.written.empty()) json["written"] = cell.written;
    json["over"] = cell.over;
    json["claim"] = cell.claim.empty() ? Json(nullptr) : Json(cell.claim);
    data["cells"].push_back(std::move(json));
    drawing.rows[cell.from][cell.to + 1] = cell.value.text + (cell.over ? " (above " + cell.claim + ")" : "");
  }
  drawing.data = embedded_json(data);
  return drawing;
}

}  // namespace oddsbound::reports
