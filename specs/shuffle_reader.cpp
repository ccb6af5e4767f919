// Reads a shuffle: the reports of several people, of which the analyst sees how often each occurs.
#include <limits>

#include "mechanisms/mechanism.h"
#include "specs/spec.h"
#include "specs/spec_error.h"
#include "verifier/model/adaptive_channel.h"
#include "verifier/model/shuffle.h"

namespace oddsbound::specs {

Mechanism read_shuffle(JsonView value, const Domain& domain, ReadingContext& context) {
  const Fields fields(value, {"type", "mechanism", "people"}, "a shuffle");
  const std::int64_t people = read_integer(fields.require("people"), "the number of people", 1, 1'000'000);
  const JsonView place = fields.require("mechanism");
  const Mechanism local = read_mechanism(place, domain, context);
  const ChannelPtr channel = finite_channel(local, place);
  if (channel->outputs() > Counts::kMostOutputs) {
    place.fail("found more than " + std::to_string(Counts::kMostOutputs) +
               " outputs, expected at most as many reports");
  }
  Mechanism result;
  result.shuffle = std::make_shared<const Shuffle>(Shuffle{channel, static_cast<std::uint64_t>(people)});
  result.unread = local.unread;
  return result;
}

}  // namespace oddsbound::specs
