#include "audits/replay.h"

#include <algorithm>

#include "base/errors.h"

namespace oddsbound::audits {

namespace {

struct CutOff {};

// The path of outcomes that the present run follows.
class Path final : public ChoiceObserver {
 public:
  Path(unsigned cut_bits, ChoiceRegistry& registry) : cut_bits_(cut_bits), registry_(registry) {}

  void restart() { depth_ = 0; }
  const Mass& mass() const { return nodes_.empty() ? whole_ : nodes_.back().after; }
  // The run is over: it must have made all choices that the runs before it made with the same outcomes.
  void finish() const {
    if (depth_ != nodes_.size()) unsteady();
  }

  std::uint64_t choose(const Choice& choice) override {
    const ChoiceName name(choice);
    if (depth_ < nodes_.size()) return again(name);
    return begin(registry_.find(choice), name);
  }

  std::uint64_t choose_word(unsigned width) {
    if (depth_ < nodes_.size()) return again(std::nullopt);
    StatedMasses& words = words_[width];
    words = {std::uint64_t{1} << width, Mass::half_power(width), {}, false};
    return begin(words, std::nullopt);
  }

  // On to the next path; false after the last.
  bool advance() {
    for (; !nodes_.empty(); nodes_.pop_back()) {
      Node& node = nodes_.back();
      if (enter(node, node.outcome + 1)) return true;
    }
    return false;
  }

 private:
  struct Node {
    std::optional<ChoiceName> name;  // none for a random word
    const StatedMasses* stated;
    Mass before;
    std::uint64_t outcome;
    Mass after;
  };

  [[noreturn]] static void unsteady() {
    throw ModelError("a sampler does not draw the same again from the same outcomes of its choices");
  }

  std::uint64_t again(const std::optional<ChoiceName>& name) {
    if (nodes_[depth_].name != name) unsteady();
    return nodes_[depth_++].outcome;
  }

  std::uint64_t begin(const StatedMasses& stated, const std::optional<ChoiceName>& name) {
    if (mass().below(cut_bits_)) throw CutOff{};
    Node node{name, &stated, mass(), 0, Mass()};
    enter(node, 0);
    nodes_.push_back(node);
    ++depth_;
    return node.outcome;
  }

  static bool enter(Node& node, std::uint64_t outcome) {
    while (outcome < node.stated->outcomes && node.stated->of(outcome).is_zero()) ++outcome;
    if (outcome >= node.stated->outcomes) return false;
    node.outcome = outcome;
    node.after = node.before * node.stated->of(outcome);
    return true;
  }

  unsigned cut_bits_;
  ChoiceRegistry& registry_;
  std::map<unsigned, StatedMasses> words_;
  std::vector<Node> nodes_;
  std::size_t depth_ = 0;
  const Mass whole_ = Mass::one();
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
    for (std::uint64_t o = 0; o < stated.outcomes; ++o) stated.masses.push_back(Mass::of(choice.probability(o)));
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
