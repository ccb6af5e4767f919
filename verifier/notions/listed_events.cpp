// A part of a product whose rows are equal for both inputs cancels. So outputs that agree in all other parts are in the
// event together, and their exact probabilities are compared once: four times for a unary encoding, however many bits
// it has.
#include "verifier/notions/listed_events.h"

#include <map>
#include <utility>
#include <vector>

namespace oddsbound::notions {

namespace {

using PartRow = std::vector<Number>;

class EventOfPair {
 public:
  EventOfPair(const Model& model, const InputRow& from, const InputRow& to, const std::optional<Number>& factor)
      : factor_(factor) {
    const auto add = [&](const Channel& channel, std::uint64_t a, std::uint64_t b) {
      PartRow given_from, given_to;
      for (std::uint64_t y = 0; y < channel.outputs(); ++y) {
        given_from.push_back(channel.entry(a, y));
        given_to.push_back(a == b ? given_from.back() : channel.entry(b, y));
      }
      differs_.push_back(given_from != given_to);
      rows_.emplace_back(std::move(given_from), std::move(given_to));
    };
    const auto factors = model.channel->factors();
    for (const Factor& part : factors) {
      const Projection project(model.domain, part.coordinates);
      add(*part.channel, project(from), project(to));
    }
    if (factors.empty()) add(*model.channel, model.domain.number(from), model.domain.number(to));
  }

  bool contains(const std::vector<std::uint64_t>& output) {
    std::vector<std::uint64_t> differing;
    for (std::size_t f = 0; f < rows_.size(); ++f) {
      if (differs_[f]) {
        differing.push_back(output[f]);
      } else if (rows_[f].first[output[f]].is_zero()) {
        return false;
      }
    }
    const auto [place, added] = known_.try_emplace(std::move(differing), false);
    if (added) place->second = is_more_likely(output);
    return place->second;
  }

 private:
  bool is_more_likely(const std::vector<std::uint64_t>& output) const {
    Number p(1), q(1);
    for (std::size_t f = 0; f < rows_.size(); ++f) {
      if (!differs_[f]) continue;
      p *= rows_[f].first[output[f]];
      q *= rows_[f].second[output[f]];
    }
    return factor_ ? p > *factor_ * q : !p.is_zero() && q.is_zero();
  }

  const std::optional<Number>& factor_;
  std::vector<std::pair<PartRow, PartRow>> rows_;  // [part]: given `from`, and given `to`
  std::vector<bool> differs_;                      // [part]: these rows
  std::map<std::vector<std::uint64_t>, bool> known_;
};

}  // namespace

void list_event(MeasuredModel& subject, const InputRow& from, const InputRow& to, const std::optional<Number>& factor,
                Witness& witness) {
  const Channel& channel = subject.channel();
  EventOfPair event(subject.model(), from, to, factor);
  witness.likelihood_event = false;
  for (std::uint64_t y = 0; y < channel.outputs(); ++y) {
    subject.budget().check_every();
    if (event.contains(channel.split(y))) witness.outputs.push_back(channel.output_label(y));
  }
}

}  // namespace oddsbound::notions
