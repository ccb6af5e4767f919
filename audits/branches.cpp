#include "audits/branches.h"

namespace oddsbound::audits {

namespace {

using Wide = unsigned __int128;

struct TooRare {};

class Branches final : public ComparingSource {
 public:
  Branches(unsigned cut_bits, ChoiceRegistry& registry)
      : least_(Number(1) / Number(2).pow(cut_bits)), registry_(registry) {}

  void restart() {
    ranges_.clear();
    depth_ = 0;
  }

  bool below(std::size_t number, std::uint64_t bound) override {
    Range& range = ranges_[number];
    if (range.end <= bound) return true;
    if (range.begin >= bound) return false;
    if (depth_ == decisions_.size()) decisions_.push_back(true);
    const bool answer = decisions_[depth_++];
    (answer ? range.end : range.begin) = bound;
    return answer;
  }

  Number mass() const {
    Number mass(1);
    for (const Range& range : ranges_) mass *= number_of(range.end - range.begin) / number_of(range.count);
    return mass;
  }

  // On to the next run; false after the last.
  bool advance() {
    while (!decisions_.empty() && !decisions_.back()) decisions_.pop_back();
    if (decisions_.empty()) return false;
    decisions_.back() = false;
    return true;
  }

 protected:
  std::size_t fresh_word() override { return add(Wide{1} << width()); }
  std::size_t fresh(const UniformBelow& choice) override {
    registry_.find(choice);
    return add(choice.outcomes());
  }

 private:
  // The integers from begin on below end, of `count` equally likely ones from 0 on.
  struct Range {
    Wide begin, end, count;
  };

  std::size_t add(Wide count) {
    if (mass() < least_) throw TooRare{};
    ranges_.push_back({0, count, count});
    return ranges_.size() - 1;
  }

  const Number least_;
  ChoiceRegistry& registry_;
  std::vector<Range> ranges_;
  std::vector<bool> decisions_;
  std::size_t depth_ = 0;
};

}  // namespace

std::optional<BranchedDistribution> follow_branches(const Choice& choice, unsigned cut_bits, ChoiceRegistry& registry,
                                                    Budget& budget) {
  BranchedDistribution result;
  Branches branches(cut_bits, registry);
  do {
    budget.tick();
    branches.restart();
    try {
      const std::optional<std::uint64_t> outcome = choice.compare(branches);
      if (!outcome) return std::nullopt;
      // Only now is it known that the code compares, and that its outcomes are few enough to be listed.
      if (result.outcomes.empty()) result.outcomes.resize(choice.outcomes() + 1);
      result.outcomes[std::min(*outcome, choice.outcomes())] += branches.mass();
    } catch (const TooRare&) {
      result.cut += branches.mass();
    }
    ++result.runs;
  } while (branches.advance());
  return result;
}

}  // namespace oddsbound::audits
