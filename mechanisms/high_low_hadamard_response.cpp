// Hadamard response for the sensitive inputs alone; the others say who they are, except for as much as hides the
// sensitive ones among them. Context-aware LDP paper, Section 5, equations (13) to (16), with row x + 1 in (13) for the
// printed x (row 1 is all ones, and its "distribution" would sum to 2 e^eps / (e^eps + 1)).
#include "mechanisms/family.h"
#include "mechanisms/formulas.h"
#include "mechanisms/hadamard.h"
#include "mechanisms/rule_channel.h"

namespace oddsbound::mechanisms::high_low_hadamard_response {

namespace {

// Where an input stands: the row of a sensitive one (from 1), or the output of its own of any other.
struct Places {
  std::uint64_t order;                // S
  std::vector<std::uint64_t> row;     // 0 for inputs that are not sensitive
  std::vector<std::uint64_t> direct;  // their outputs
};

struct Rule {
  std::shared_ptr<const Places> places;
  std::uint32_t slot(std::uint64_t x, std::uint64_t y) const {
    constexpr std::uint32_t kPositive = 0, kNegative = 1, kDirect = 2, kNever = 3;
    const std::uint64_t row = places->row[x];
    if (y >= places->order) return row == 0 && places->direct[x] == y ? kDirect : kNever;
    return row != 0 && hadamard_positive(row, y) ? kPositive : kNegative;
  }
  std::string label(std::uint64_t y) const { return std::to_string(y); }
};

class Response final : public Sampler {
 public:
  Response(std::shared_ptr<const Places> places, const Level& epsilon, const Number& direct)
      : places_(std::move(places)), hadamard_(places_->order, epsilon), direct_(direct) {}
  void draw(std::uint64_t x, RandomSource& source, std::span<std::uint64_t> output) const override {
    if (const std::uint64_t row = places_->row[x]; row != 0) {
      output[0] = hadamard_(row, source);
    } else if (direct_(source) == 1) {
      output[0] = places_->direct[x];
    } else {
      output[0] = mechanisms::draw(UniformBelow(places_->order), source);
    }
  }

 private:
  std::shared_ptr<const Places> places_;
  HadamardDraw hadamard_;
  Bernoulli direct_;
};

// Equations (15) and (16), output by output: (15)'s terms in 1/(e + 1) cancel.
class Shares final : public ShareEstimator {
 public:
  Shares(const Domain& domain, std::shared_ptr<const Places> places, const Number& gain)
      : ShareEstimator(domain), places_(std::move(places)), gain_(gain) {}
  Number weight(std::uint64_t j, std::span<const std::uint64_t> output) const override {
    const std::uint64_t row = places_->row[j];
    if (row == 0) return output[0] == places_->direct[j] ? gain_ : Number(0);
    if (output[0] >= places_->order) return Number(0);
    return hadamard_positive(row, output[0]) ? gain_ : -gain_;
  }

 private:
  std::shared_ptr<const Places> places_;
  Number gain_;
};

Mechanism build(const Domain& domain, const Arguments& arguments, Budget&) {
  const Level& epsilon = arguments.get<Level>("epsilon");
  const std::vector<std::uint64_t>& sensitive = arguments.get<Inputs>("sensitive").inputs;
  auto places = std::make_shared<Places>();
  places->order = hadamard_order(sensitive.size());
  places->row.assign(domain.inputs(), 0);
  places->direct.assign(domain.inputs(), 0);
  for (const std::uint64_t x : sensitive) places->row[x] = 1;
  std::uint64_t rows = 0;
  std::uint64_t outputs = places->order;
  for (std::uint64_t x = 0; x < domain.inputs(); ++x) {
    if (places->row[x] != 0) {
      places->row[x] = ++rows;
    } else {
      places->direct[x] = outputs++;
    }
  }
  const HadamardEntries entries = hadamard_entries(places->order, epsilon);
  const Number positive = odds_share(epsilon, Number(1), Number(1));
  const Number direct = Number(2) * positive - Number(1);  // (e - 1) / (e + 1)
  Mechanism result;
  result.channel =
      rule_channel(domain.inputs(), outputs, {entries.positive, entries.negative, direct, Number(0)}, Rule{places});
  result.sampler = std::make_shared<const Response>(places, epsilon, direct);
  if (is_informative(epsilon)) result.estimator = std::make_shared<const Shares>(domain, places, sign_gain(epsilon));
  return result;
}

}  // namespace

Family family() {
  return {"high_low_hadamard_response",
          "Hadamard response for the sensitive inputs; the others name themselves with probability (e-1)/(e+1)",
          "context-aware LDP paper, Section 5, equations (13) to (16), row corrected",
          {{"sensitive", FieldKind::kInputs, true, "the inputs to hide"},
           {"epsilon", FieldKind::kLevel, true, "the high-low LDP level"}},
          build};
}

}  // namespace oddsbound::mechanisms::high_low_hadamard_response
