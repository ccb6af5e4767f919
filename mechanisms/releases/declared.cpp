#include "mechanisms/releases/declared.h"

#include "base/errors.h"

namespace oddsbound::mechanisms {

namespace {

class Declared final : public Step {
 public:
  explicit Declared(CostPart part) : part_(std::move(part)) {}
  std::string words() const override { return part_.name; }
  Loss loss(const Attributes& changed) const override { return part_.of(changed); }
  std::vector<CostPart> parts() const override { return {part_}; }
  StepPtr within(std::uint64_t) const override { return std::make_shared<const Declared>(*this); }
  bool runs() const override { return false; }
  std::vector<std::int64_t> run(const PeopleTable&, RandomSource&) const override {
    throw ModelError("the step '" + part_.name + "' is declared: it cannot be run");
  }
  std::vector<ToldNumber> answers(std::span<const std::int64_t>, std::size_t) const override { return {}; }

 private:
  CostPart part_;
};

}  // namespace

StepPtr declared_step(CostPart part) { return std::make_shared<const Declared>(std::move(part)); }

}  // namespace oddsbound::mechanisms
