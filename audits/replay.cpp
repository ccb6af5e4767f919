#include "audits/replay.h"

#include <algorithm>

#include "base/errors.h"

namespace oddsbound::audits {

namespace {

struct CutOff {};

// Decides choices: the present run follows one path of outcomes.
class Path final : public ChoiceObserver {
 public:
  Path(unsigned cut_bits, ChoiceRegistry& registry) : cut_bits_(cut_bits), registry_(registry) {}

  void restart() { path_.restart(); }
  const Mass& mass() const { return path_.weight(); }
  void finish() const { path_.finish(); }
  bool advance() { return path_.advance(); }

  std::uint64_t choose(const Choice& choice) override {
    const ChoiceName name(choice);
    if (path_.is_known()) return path_.again(name);
    return begin(registry_.find(choice), name);
  }

  std::uint64_t choose_word(unsigned width) {
    if (path_.is_known()) return path_.again(std::nullopt);
    StatedMasses& words = words_[width];
    words.outcomes = std::uint64_t{1} << width;
    words.each = Mass::half_power(width);
    return begin(words, std::nullopt);
  }

 private:
  std::uint64_t begin(const StatedMasses& stated, const std::optional<ChoiceName>& name) {
    if (mass().below(cut_bits_)) throw CutOff{};
    return path_.begin(stated, name);
  }

  unsigned cut_bits_;
  ChoiceRegistry& registry_;
  std::map<unsigned, StatedMasses> words_;
  mechanisms::ChoicePath<Mass> path_{Mass::one()};
};

class ReplaySource final : public RandomSource {
 public:
  ReplaySource(unsigned width, Path& path) : RandomSource(width, &path), path_(path) {}

 protected:
  void refill() override {
    if (width() > 64) throw ModelError("a sampler draws random words itself, past the choices that are checked");
    word_ = path_.choose_word(width());
    provide(&word_, 1);
  }

 private:
  Path& path_;
  std::uint64_t word_ = 0;
};

}  // namespace

const StatedMasses& ChoiceRegistry::find(const Choice& choice) {
  const ChoiceName name(choice);
  const auto place = known_.find(name);
  if (place != known_.end()) {
    if (place->second.open) throw ModelError("the choice '" + choice.describe() + "' is made by making it");
    return place->second;
  }
  StatedMasses stated;
  stated.outcomes = choice.outcomes();
  if (choice.is_uniform()) {
    if (!(choice.probability(0) * number_of(stated.outcomes)).is_one()) {
      throw ModelError("the probabilities of the choice '" + choice.describe() + "' do not sum to 1");
    }
    stated.each = Mass::of(choice.probability(0));
  } else {
    for (std::uint64_t o = 0; o < stated.outcomes; ++o) stated.weights.push_back(Mass::of(choice.probability(o)));
  }
  StatedMasses& kept = known_.emplace(name, std::move(stated)).first->second;
  announce_(choice);
  kept.open = false;
  return kept;
}

Distribution replay(const Choice& choice, unsigned cut_bits, ChoiceRegistry& registry, Budget& budget) {
  Distribution result;
  result.outcomes.resize(choice.outcomes() + 1);
  Path path(cut_bits, registry);
  do {
    budget.tick();
    ++result.runs;
    path.restart();
    ReplaySource source(std::max(1U, choice.check_width()), path);
    std::uint64_t outcome = 0;
    try {
      const bool accepted = choice.attempt(source, outcome);
      path.finish();
      if (accepted) {
        result.outcomes[std::min<std::uint64_t>(outcome, choice.outcomes())] += path.mass();
      } else {
        result.rejected += path.mass();
      }
    } catch (const CutOff&) {
      result.cut += path.mass();
    }
  } while (path.advance());
  return result;
}

}  // namespace oddsbound::audits
