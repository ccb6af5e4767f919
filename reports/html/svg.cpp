#include "reports/html/svg.h"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <set>

#include "base/characters.h"
#include "reports/markdown.h"

namespace oddsbound::reports {

namespace {

std::string title_of(const std::string& tooltip) {
  return tooltip.empty() ? "/>" : "><title>" + escaped_markup(tooltip) + "</title>";
}

std::string closing(const std::string& tooltip, const char* element) {
  return tooltip.empty() ? "" : fmt::format("</{}>", element);
}

// The same with hidden characters of all strings made visible.
nlohmann::ordered_json visible_json(const nlohmann::ordered_json& json) {
  if (json.is_string()) return visible(json.get_ref<const std::string&>());
  if (!json.is_structured()) return json;
  nlohmann::ordered_json result = json.is_array() ? nlohmann::ordered_json::array() : nlohmann::ordered_json::object();
  for (const auto& item : json.items()) {
    json.is_array() ? result.push_back(visible_json(item.value()))
                    : void(result[visible(item.key())] = visible_json(item.value()));
  }
  return result;
}

}  // namespace

Svg::Svg(double width, double height, std::string title) : width_(width), height_(height), title_(std::move(title)) {}

void Svg::rect(double x, double y, double width, double height, const std::string& style_class,
               const std::string& tooltip) {
  body_ += fmt::format(R"(<rect class="{}" x="{:.1f}" y="{:.1f}" width="{:.1f}" height="{:.1f}"{}{})", style_class, x,
                       y, width, height, title_of(tooltip), closing(tooltip, "rect"));
}

void Svg::shade(double x, double y, double width, double height, double opacity, const std::string& style_class,
                const std::string& tooltip) {
  body_ +=
      fmt::format(R"(<rect class="{}" x="{:.1f}" y="{:.1f}" width="{:.1f}" height="{:.1f}" fill-opacity="{:.3f}"{}{})",
                  style_class, x, y, width, height, opacity, title_of(tooltip), closing(tooltip, "rect"));
}

void Svg::line(double x1, double y1, double x2, double y2, const std::string& style_class) {
  body_ +=
      fmt::format(R"(<line class="{}" x1="{:.1f}" y1="{:.1f}" x2="{:.1f}" y2="{:.1f}"/>)", style_class, x1, y1, x2, y2);
}

void Svg::path(const std::vector<std::pair<double, double>>& points, bool closed, const std::string& style_class) {
  std::string steps;
  for (const auto& [x, y] : points) steps += fmt::format("{}{:.2f} {:.2f}", steps.empty() ? "M" : "L", x, y);
  body_ += fmt::format(R"(<path class="{}" d="{}{}"/>)", style_class, steps, closed ? "Z" : "");
}

void Svg::circle(double x, double y, double radius, const std::string& style_class) {
  body_ += fmt::format(R"(<circle class="{}" cx="{:.2f}" cy="{:.2f}" r="{:.1f}"/>)", style_class, x, y, radius);
}

void Svg::diamond(double x, double y, double radius, const std::string& style_class) {
  path({{x - radius, y}, {x, y - radius}, {x + radius, y}, {x, y + radius}}, true, style_class);
}

void Svg::cross(double x, double y, double radius, const std::string& style_class) {
  body_ += fmt::format(R"(<path class="{0}" d="M{1:.1f} {2:.1f}L{3:.1f} {4:.1f}M{1:.1f} {4:.1f}L{3:.1f} {2:.1f}"/>)",
                       style_class, x - radius, y - radius, x + radius, y + radius);
}

void Svg::text(double x, double y, const std::string& words, Anchor anchor, const std::string& style_class,
               double angle) {
  const char* anchors[] = {"start", "middle", "end"};
  const std::string turn = fmt::format("{:.0f} {:.1f} {:.1f}", angle, x, y);
  body_ += fmt::format(R"(<text class="{}" x="{:.1f}" y="{:.1f}" text-anchor="{}"{}>{}</text>)", style_class, x, y,
                       anchors[static_cast<int>(anchor)], angle == 0 ? "" : " transform=\"rotate(" + turn + ")\"",
                       escaped_markup(words));
}

std::string Svg::finish() const {
  return fmt::format(
      R"(<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="{}" width="{:.0f}" height="{:.0f}" viewBox="0 0 {:.0f} {:.0f}">{}</svg>)",
      escaped_markup(title_), width_, height_, width_, height_, body_);
}

std::vector<std::string> distinct(std::vector<std::string> labels) {
  // Compares labels as displayed: labels that differ only in hidden characters get numbers.
  for (std::string& label : labels) label = visible(label);
  std::set<std::string> seen;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    while (!seen.insert(labels[i]).second) labels[i] += " #" + std::to_string(i);
  }
  return labels;
}

std::string cut(const std::string& text, std::size_t longest) {
  std::size_t characters = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool begins = (static_cast<unsigned char>(text[i]) & 0xc0) != 0x80;
    if (begins && ++characters > longest) return text.substr(0, i) + "…";
  }
  return text;
}

std::vector<double> round_ticks(double most) {
  const double rough = most / 5;
  const double power = std::pow(10, std::floor(std::log10(rough)));
  const double step = power * (rough > 5 * power ? 10 : rough > 2 * power ? 5 : rough > power ? 2 : 1);
  std::vector<double> ticks;
  for (int i = 0; i <= 12; ++i) {
    ticks.push_back(i * step);
    if (ticks.back() >= most * (1 - 1e-9)) break;
  }
  return ticks;
}

std::string short_number(double value) { return std::isinf(value) ? "∞" : fmt::format("{:.4g}", value); }

double largest_finite(const std::vector<double>& values) {
  double largest = 0;
  for (const double value : values) {
    if (std::isfinite(value)) largest = std::max(largest, value);
  }
  return largest > 0 ? largest : 1;
}

void add_value(nlohmann::ordered_json& json, double value) {
  json["value"] = std::isfinite(value) ? value : 0;
  json["infinite"] = !std::isfinite(value);
}

std::string embedded_json(const nlohmann::ordered_json& json) {
  std::string text;
  for (const char c : visible_json(json).dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace)) {
    c == '<' ? void(text += "\\u003c") : void(text += c);
  }
  return text;
}

}  // namespace oddsbound::reports
