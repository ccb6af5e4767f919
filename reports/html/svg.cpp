#include "reports/html/svg.h"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <set>

#include "base/characters.h"
#include "reports/markdown.h"

namespace oddsbound::reports {

namespace {

// At most so many decimals.
std::string short_decimal(double value, int decimals = 1) {
  std::string text = fmt::format("{:.{}f}", value, decimals);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text == "-0" ? "0" : text;
}

std::string end_of(const char* element, const std::string& tooltip) {
  return tooltip.empty() ? "/>" : fmt::format("><title>{}</title></{}>", escaped_markup(tooltip), element);
}

}  // namespace

Svg::Svg(double width, double height, std::string title, std::string description)
    : width_(width), height_(height), title_(std::move(title)), description_(std::move(description)) {}

void Svg::rect(double x, double y, double width, double height, const std::string& style_class,
               const std::string& tooltip) {
  body_ += fmt::format(R"(<rect class="{}" x="{}" y="{}" width="{}" height="{}"{})", style_class, short_decimal(x),
                       short_decimal(y), short_decimal(width), short_decimal(height), end_of("rect", tooltip));
}

void Svg::rects(const Positions& corners, double width, double height, double opacity, const std::string& style_class,
                const std::string& tooltip) {
  const std::string outline = fmt::format("h{0}v{1}h-{0}z", short_decimal(width), short_decimal(height));
  std::string steps;
  double last_x = 0, last_y = 0;
  for (const auto& [x, y] : corners) {
    // "z" goes back to the corner: steps to the next one are short.
    steps += fmt::format("{}{} {}{}", steps.empty() ? "M" : "m", short_decimal(x - last_x), short_decimal(y - last_y),
                         outline);
    last_x = x;
    last_y = y;
  }
  const std::string fill = opacity < 1 ? fmt::format(R"( fill-opacity="{}")", short_decimal(opacity, 3)) : "";
  body_ += fmt::format(R"(<path class="{}"{} d="{}"{})", style_class, fill, steps, end_of("path", tooltip));
}

void Svg::ground(double x, double y, double width, double height, double cell_width, double cell_height) {
  const auto grid = fmt::format("{} {} {} {}", short_decimal(x), short_decimal(y), short_decimal(cell_width),
                                short_decimal(cell_height));
  body_ += fmt::format(R"(<rect class="ground" data-grid="{}" x="{}" y="{}" width="{}" height="{}"/>)", grid,
                       short_decimal(x), short_decimal(y), short_decimal(width), short_decimal(height));
}

void Svg::line(double x1, double y1, double x2, double y2, const std::string& style_class, const std::string& tooltip) {
  body_ += fmt::format(R"(<line class="{}" x1="{}" y1="{}" x2="{}" y2="{}"{})", style_class, short_decimal(x1),
                       short_decimal(y1), short_decimal(x2), short_decimal(y2), end_of("line", tooltip));
}

void Svg::path(const Positions& points, bool closed, const std::string& style_class, const std::string& tooltip) {
  std::string steps;
  for (const auto& [x, y] : points) {
    steps += fmt::format("{}{} {}", steps.empty() ? "M" : "L", short_decimal(x, 2), short_decimal(y, 2));
  }
  body_ +=
      fmt::format(R"(<path class="{}" d="{}{}"{})", style_class, steps, closed ? "Z" : "", end_of("path", tooltip));
}

void Svg::circle(double x, double y, double radius, const std::string& style_class, const std::string& tooltip) {
  body_ += fmt::format(R"(<circle class="{}" cx="{}" cy="{}" r="{}"{})", style_class, short_decimal(x, 2),
                       short_decimal(y, 2), short_decimal(radius), end_of("circle", tooltip));
}

void Svg::diamond(double x, double y, double radius, const std::string& style_class, const std::string& tooltip) {
  path({{x - radius, y}, {x, y - radius}, {x + radius, y}, {x, y + radius}}, true, style_class, tooltip);
}

void Svg::crosses(const Positions& centers, double radius, const std::string& style_class, const std::string& tooltip) {
  const std::string across = short_decimal(2 * radius);
  std::string steps;
  for (const auto& [x, y] : centers) {
    steps +=
        fmt::format("M{0} {1}l{2} {2}m-{2} 0l{2}-{2}", short_decimal(x - radius), short_decimal(y - radius), across);
  }
  body_ += fmt::format(R"(<path class="{}" d="{}"{})", style_class, steps, end_of("path", tooltip));
}

void Svg::text(double x, double y, const std::string& words, Anchor anchor, const std::string& style_class,
               double angle) {
  const char* anchors[] = {"", R"( text-anchor="middle")", R"( text-anchor="end")"};
  const std::string turn =
      angle == 0 ? "" : fmt::format(" transform=\"rotate({:.0f} {} {})\"", angle, short_decimal(x), short_decimal(y));
  body_ += fmt::format(R"(<text class="{}" x="{}" y="{}"{}{}>{}</text>)", style_class, short_decimal(x),
                       short_decimal(y), anchors[static_cast<int>(anchor)], turn, escaped_markup(words));
}

std::string Svg::finish() const {
  return fmt::format(
      R"(<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="{}" width="{:.0f}" height="{:.0f}" viewBox="0 0 {:.0f} {:.0f}"><desc>{}</desc>{}</svg>)",
      escaped_markup(title_), width_, height_, width_, height_, escaped_markup(description_), body_);
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

}  // namespace oddsbound::reports
