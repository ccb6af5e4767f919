#include "mechanisms/k_randomized_response.h"

namespace oddsbound {

namespace {

struct Values {
  ValuePool pool;
  std::uint32_t same = 0;
  std::uint32_t other = 0;
};

class ResponseColumns : public Columns {
 public:
  ResponseColumns(std::uint64_t inputs, std::shared_ptr<const Values> values)
      : Columns(inputs, inputs), values_(std::move(values)) {}

  const ValuePool& pool() const override { return values_->pool; }

  std::span<const std::uint32_t> ranks(std::uint64_t y, std::vector<std::uint32_t>& scratch) const override {
    scratch.assign(inputs(), values_->other);
    scratch[y] = values_->same;
    return scratch;
  }

  std::span<const double> approx(std::uint64_t y, std::vector<double>& scratch) const override {
    scratch.assign(inputs(), pool().approx(values_->other));
    scratch[y] = pool().approx(values_->same);
    return scratch;
  }

 private:
  std::shared_ptr<const Values> values_;
};

class Response : public Channel {
 public:
  Response(const Domain& domain, const Level& epsilon) : Channel(domain.inputs(), domain.inputs()), domain_(domain) {
    const Number others(static_cast<std::int64_t>(domain.inputs()) - 1);
    Number other(0);
    Number same(1);
    if (!epsilon.is_infinite()) {
      other = Number(1) / (epsilon.exponential() + others);
      same = Number(1) - others * other;
    }
    auto values = std::make_shared<Values>();
    PoolBuilder builder;
    builder.add(same);
    if (!others.is_zero()) builder.add(other);
    std::vector<std::uint32_t> ranks;
    Budget budget;
    values->pool = std::move(builder).finish(ranks, budget);
    values->same = ranks.front();
    values->other = ranks.back();
    values_ = std::move(values);
  }

  std::string label_of(std::span<const std::uint64_t> output) const override {
    const std::vector<std::string> tuple = domain_.tuple(output[0]);
    if (tuple.size() == 1) return tuple[0];
    std::string label;
    for (const std::string& value : tuple) label += (label.empty() ? "(" : ",") + value;
    return label + ")";
  }

  Number entry_of(std::uint64_t x, std::span<const std::uint64_t> output) const override {
    return values_->pool.value(x == output[0] ? values_->same : values_->other);
  }

  std::unique_ptr<Columns> columns(Budget& budget) const override {
    budget.require_cells(inputs(), outputs());
    return std::make_unique<ResponseColumns>(inputs(), values_);
  }

 private:
  Domain domain_;
  std::shared_ptr<const Values> values_;
};

}  // namespace

ChannelPtr k_randomized_response(const Domain& domain, const Level& epsilon) {
  return std::make_shared<Response>(domain, epsilon);
}

Family k_randomized_response_family() {
  return {"k_randomized_response",
          "the true input with probability e^eps / (e^eps + k - 1), every other one with 1 / (e^eps + k - 1)",
          "Warner (1965) for two inputs; Kairouz, Oh, Viswanath (2016)",
          {{"epsilon", ParameterKind::kLevel, "the LDP level; inf releases the input itself"}},
          [](const Domain& domain, const FamilyArguments& arguments) {
            return k_randomized_response(domain, std::get<Level>(arguments.at("epsilon")));
          }};
}

}  // namespace oddsbound
