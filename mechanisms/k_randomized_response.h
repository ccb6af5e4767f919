// k-ary randomized response: the true input with probability e^eps / (e^eps + k - 1), any other one with
// 1 / (e^eps + k - 1). For two inputs it is Warner's (1965); in general Kairouz, Oh and Viswanath (2016).
#pragma once

#include "mechanisms/family.h"

namespace oddsbound {

/// The channel, column by column, in memory proportional to the number of inputs. An infinite epsilon tells the input.
/// Outputs are labelled as inputs are: by their value, or by the tuple "(a,b)" of their values.
ChannelPtr k_randomized_response(const Domain& domain, const Level& epsilon);

Family k_randomized_response_family();

}  // namespace oddsbound
