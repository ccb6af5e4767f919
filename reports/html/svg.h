// Writing SVG: shapes with a class (the page's style gives the colors), text that stays text, axes.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/namespaces.h"

namespace oddsbound::reports {

class Svg {
 public:
  /// In pixels; the page may show it smaller. title: what a screen reader says.
  Svg(double width, double height, std::string title);

  void rect(double x, double y, double width, double height, const std::string& style_class,
            const std::string& tooltip = "");
  /// The same, seen through: 0 is invisible.
  void shade(double x, double y, double width, double height, double opacity, const std::string& style_class,
             const std::string& tooltip);
  void line(double x1, double y1, double x2, double y2, const std::string& style_class);
  void path(const std::vector<std::pair<double, double>>& points, bool closed, const std::string& style_class);
  void circle(double x, double y, double radius, const std::string& style_class);
  void diamond(double x, double y, double radius, const std::string& style_class);
  void cross(double x, double y, double radius, const std::string& style_class);
  enum class Anchor { kStart, kMiddle, kEnd };
  void text(double x, double y, const std::string& words, Anchor anchor, const std::string& style_class = "label",
            double angle = 0);
  std::string finish() const;

 private:
  double width_, height_;
  std::string title_, body_;
};

/// Labels as they are, numbered where two are equal.
std::vector<std::string> distinct(std::vector<std::string> labels);
/// At most `longest` characters, the rest as an ellipsis.
std::string cut(const std::string& text, std::size_t longest);
/// About six round values from 0 to at least `most`.
std::vector<double> round_ticks(double most);
/// "1.0986", "∞"
std::string short_number(double value);
/// The largest finite one, at least a little.
double largest_finite(const std::vector<double>& values);

/// {"value": ..., "infinite": ...}: JSON has no infinity.
void add_value(nlohmann::ordered_json& json, double value);
/// JSON within a script element: no '<' in it, whatever names it holds.
std::string embedded_json(const nlohmann::ordered_json& json);

}  // namespace oddsbound::reports
