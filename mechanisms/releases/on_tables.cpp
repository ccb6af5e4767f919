#include "mechanisms/releases/on_tables.h"

#include "base/errors.h"

namespace oddsbound::mechanisms {

namespace {

class OnTables final : public UnlistedMechanism {
 public:
  OnTables(std::shared_ptr<const Release> release, std::vector<PeopleTable> tables)
      : release_(std::move(release)), tables_(std::move(tables)) {}

  std::vector<KeyedNumber> draw(std::uint64_t x, RandomSource& source) const override {
    std::vector<KeyedNumber> numbers;
    for (std::uint64_t s = 0; s < release_->steps.size(); ++s) {
      const Step& step = *release_->steps[s];
      for (const KeyedNumber& told : step.keyed(step.run(tables_[x], source))) {
        const std::uint64_t about[] = {s, told.key};
        numbers.push_back({key_of(about), told.number});
      }
    }
    return numbers;
  }

  std::string draw_label(std::uint64_t x, RandomSource& source) const override {
    return release_->label(release_->run(tables_[x], source));
  }

 private:
  std::shared_ptr<const Release> release_;
  std::vector<PeopleTable> tables_;
};

}  // namespace

std::shared_ptr<const UnlistedMechanism> release_on_tables(std::shared_ptr<const Release> release,
                                                           std::vector<PeopleTable> tables) {
  for (const StepPtr& step : release->steps) {
    if (!step->runs()) throw ModelError("the step '" + step->words() + "' is declared: it cannot be run");
  }
  return std::make_shared<const OnTables>(std::move(release), std::move(tables));
}

}  // namespace oddsbound::mechanisms
