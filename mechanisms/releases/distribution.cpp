#include "mechanisms/releases/distribution.h"

#include <algorithm>
#include <cmath>

#include "mechanisms/releases/enough.h"
#include "verifier/exact/decimal.h"

namespace oddsbound::mechanisms {

namespace {

class Distribution final : public Step {
 public:
  explicit Distribution(DistributionRequest request)
      : request_(std::move(request)), hitters_(heavy_hitters_step(request_.hitters)) {}

  std::string words() const override {
    return "the distribution of " + words_of(request_.hitters.schema, request_.hitters.attributes) +
           ", by combinations that at least " + decimal_text(Number(2) * request_.hitters.share.number()) +
           " of all people have; " + hitters_->words();
  }
  Loss loss(const Attributes& changed) const override { return hitters_->loss(changed); }
  std::vector<CostPart> parts() const override { return hitters_->parts(); }
  StepPtr within(std::uint64_t window) const override {
    DistributionRequest request = request_;
    request.hitters.window = window;
    return distribution_step(std::move(request));
  }
  std::vector<std::int64_t> run(const PeopleTable& table, RandomSource& source) const override {
    return hitters_->run(table, source);
  }

  std::vector<KeyedNumber> keyed(std::span<const std::int64_t> told) const override { return hitters_->keyed(told); }

  // A combination that three times the share have is listed, and counted to be had by twice the share.
  std::optional<Promise> promise() const override {
    const SmallRatio share = request_.hitters.share;
    const std::uint64_t most = share.bottom / (3 * share.top);
    if (most == 0) return std::nullopt;
    return Promise{"every combination that at least " + decimal_text(Number(3) * share.number()) +
                       " of all people have is counted",
                   least_for([&](std::uint64_t people) {
                     const auto count = static_cast<std::int64_t>(share_above(3 * share.top, share.bottom, people));
                     // The count less the least one that is kept, which is not below share * people, rounded down.
                     const auto above = static_cast<std::int64_t>(share_below(share.top, share.bottom, people));
                     return static_cast<double>(most) * (missed_in_tests(request_.hitters, count, people) +
                                                         laplace_tail(*request_.hitters.count_scale, above + 1));
                   })};
  }

  std::vector<ToldNumber> answers(std::span<const std::int64_t> told, std::size_t people) const override {
    const SmallRatio share = request_.hitters.share;
    const std::uint64_t least = share_above(2 * share.top, share.bottom, people);
    std::vector<Listed> kept = listed_in(request_.hitters, told);
    std::erase_if(kept, [&](const Listed& one) { return *one.count < static_cast<std::int64_t>(least); });
    double sum = 0;
    for (const Listed& one : kept) sum += static_cast<double>(*one.count);
    const Domain shown = request_.hitters.schema.restricted_to(request_.hitters.attributes);
    std::vector<ToldNumber> answers;
    for (const Listed& one : kept) {
      ToldNumber& answer = answers.emplace_back();
      answer.about = words_of(shown, one.values);
      answer.number = *one.count;
      if (request_.normalised && sum > 0) {
        answer.number = std::llround(static_cast<double>(*one.count) / sum * static_cast<double>(people));
      } else {
        answer.margin = Noise(Noise::Kind::kLaplace, *request_.hitters.count_scale).margin();
      }
    }
    return answers;
  }

 private:
  DistributionRequest request_;
  StepPtr hitters_;
};

}  // namespace

StepPtr distribution_step(DistributionRequest request) {
  return std::make_shared<const Distribution>(std::move(request));
}

}  // namespace oddsbound::mechanisms
