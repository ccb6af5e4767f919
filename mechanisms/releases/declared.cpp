#include "mechanisms/releases/declared.h"

#include "base/errors.h"

namespace oddsbound::mechanisms {

namespace {

class Declared final : public Step {
 public:
  Declared(std::string name, Attributes reads, const Loss& loss)
      : name_(std::move(name)), reads_(std::move(reads)), loss_(loss) {}
  std::string words() const override { return name_; }
  Loss loss(const Attributes& changed) const override { return meet(reads_, changed) ? loss_ : Loss{}; }
  std::vector<CostPart> parts() const override { return {{name_, reads_, loss_}}; }
  StepPtr within(std::uint64_t) const override { return std::make_shared<const Declared>(*this); }
  bool runs() const override { return false; }
  std::vector<std::int64_t> run(const PeopleTable&, RandomSource&) const override {
    throw ModelError("the step '" + name_ + "' is declared: it cannot be run");
  }
  std::vector<ToldNumber> answers(std::span<const std::int64_t>) const override { return {}; }

 private:
  std::string name_;
  Attributes reads_;
  Loss loss_;
};

}  // namespace

StepPtr declared_step(std::string name, Attributes reads, const Loss& loss) {
  return std::make_shared<const Declared>(std::move(name), std::move(reads), loss);
}

}  // namespace oddsbound::mechanisms
