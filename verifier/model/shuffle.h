// The shuffle model: each of n people sends one report of the same channel, and the analyst sees how often each report
// occurs.
#pragma once

#include <cstdint>

#include "verifier/model/channel.h"

namespace oddsbound::model {

struct Shuffle {
  ChannelPtr local;  // on the domain of one person
  std::uint64_t people = 1;
};

}  // namespace oddsbound::model
