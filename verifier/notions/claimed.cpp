#include "verifier/notions/claimed.h"

#include "verifier/notions/notion.h"

#include <cassert>

namespace oddsbound::notions {

namespace {

const std::string kEpsilon = "epsilon", kDelta = "delta";

Stated stated(const Level& level, bool symbols) { return symbols ? Stated(level.to_string()) : Stated(level); }
Stated stated(const Number& number, bool symbols) { return symbols ? Stated(number.to_string()) : Stated(number); }

}  // namespace

std::string Stated::text() const {
  if (level_) return level_->to_string();
  return number_ ? number_->to_string() : text_;
}

std::size_t Stated::text_size() const {
  if (level_) return level_->text_size();
  return number_ ? number_->text_size() : text_.size();
}

const Level* Claimed::level_of(const std::string& name) const {
  if (form != ClaimForm::kLevel && form != ClaimForm::kByCoordinate) return nullptr;
  for (const auto& [own, value] : values) {
    if (own == name) return value.level();
  }
  return nullptr;
}

Claimed claimed_of(const Notion& notion, const Domain& domain, const Arguments& arguments, bool symbols) {
  ClaimForm form = notion.form;
  const auto level = [&]() -> const std::string& { return notion.locking.bounds.front(); };
  if (form == ClaimForm::kLevel && arguments.find_if<CoordinateLevels>(level()) != nullptr) {
    form = ClaimForm::kByCoordinate;
  }
  Claimed claimed{form, {}, {}};
  switch (form) {
    case ClaimForm::kLevel: claimed.values.emplace_back("", stated(arguments.get<Level>(level()), symbols)); break;
    case ClaimForm::kLevelAndDelta:
      claimed.values.emplace_back(kEpsilon, stated(arguments.get<Level>(kEpsilon), symbols));
      claimed.values.emplace_back(kDelta, stated(arguments.get<Number>(kDelta), symbols));
      break;
    case ClaimForm::kByCoordinate: {
      const CoordinateLevels& levels = arguments.get<CoordinateLevels>(level());
      for (std::size_t i = 0; i < levels.size(); ++i) {
        if (levels[i]) claimed.values.emplace_back(domain.coordinate(i).name, stated(*levels[i], symbols));
      }
      break;
    }
    case ClaimForm::kMatrix: {
      const LevelMatrix& bounds = arguments.get<LevelMatrix>(kEpsilon);
      claimed.matrix.resize(domain.inputs());
      for (std::size_t k = 0; k < bounds.levels.size(); ++k) {
        claimed.matrix[k / domain.inputs()].push_back(stated(bounds.levels[k], symbols));
      }
      break;
    }
    case ClaimForm::kMechanism: break;
  }
  return claimed;
}

std::vector<std::vector<std::string>> matrix_text(const LevelMatrix& matrix, std::uint64_t inputs) {
  std::vector<std::vector<std::string>> rows(inputs);
  for (std::size_t k = 0; k < matrix.levels.size(); ++k) rows[k / inputs].push_back(matrix.levels[k].to_string());
  return rows;
}

}  // namespace oddsbound::notions
