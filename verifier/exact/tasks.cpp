#include "verifier/exact/tasks.h"

#include "base/digest.h"
#include "verifier/exact/expression.h"

namespace oddsbound::exact {

namespace {

class OwnUnits final : public Begun {
 public:
  OwnUnits(std::vector<Bytes> units, const Unit& unit, Budget& budget)
      : units_(std::move(units)), unit_(unit), budget_(budget) {}
  std::vector<Bytes> results() override {
    std::vector<Bytes> results;
    for (const Bytes& unit : units_) results.push_back(unit_(unit, 0, budget_));
    return results;
  }

 private:
  std::vector<Bytes> units_;
  const Unit& unit_;
  Budget& budget_;
};

class OwnHands final : public Hands {
 public:
  OwnHands(const Unit& unit, Budget& budget) : unit_(unit), budget_(budget) {}
  std::size_t count() const override { return 1; }
  std::unique_ptr<Begun> begin(std::vector<Bytes> units) override {
    return std::make_unique<OwnUnits>(std::move(units), unit_, budget_);
  }

 private:
  const Unit& unit_;
  Budget& budget_;
};

}  // namespace

Bytes run_task(const std::string& name, const Unit& unit, const Lead& lead, Budget& budget) {
  if (TaskScope* scope = budget.limits().scope) return scope->run(name, unit, lead, budget);
  OwnHands hands(unit, budget);
  return lead(hands, budget);
}

std::string task_name(const std::string& kind, const Bytes& question) { return kind + " " + sha256(question); }

void pack(Packer& packer, const Number& number) { packer.put(number.to_string()); }

Number unpack_number(Unpacker& unpacker) { return parse_number(unpacker.text()); }

}  // namespace oddsbound::exact
