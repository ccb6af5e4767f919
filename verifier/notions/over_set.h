// Claims that are meant for all priors of a set (verifier/sets), not for the spec's.
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "verifier/model/arguments.h"
#include "verifier/model/witness.h"
#include "verifier/notions/scope.h"
#include "verifier/ratios/measured_model.h"
#include "verifier/smt/over_sets.h"

namespace oddsbound::notions {

/// The field that names the set.
Field field_for_all();

/// The level between the values of a coordinate over the set; scope: which of them. at_once: levels of how many
/// coordinates are to hold together; to_come: of how many others after this one, which share the time that is left. The
/// witness has the prior that shows it. Throws LimitError where inputs and outputs are too many to go through, and the
/// set and the channel leave no other way.
MeasuredLevel value_level_over(MeasuredModel& subject, const sets::PriorSet& set, std::size_t coordinate,
                               const Scope& scope = {}, std::size_t at_once = 1, std::size_t to_come = 0);
/// The same between inputs that a member holds possible.
MeasuredLevel input_level_over(MeasuredModel& subject, const sets::PriorSet& set);
/// The same between the labels of a secret.
MeasuredLevel label_level_over(MeasuredModel& subject, const sets::PriorSet& set, const Arguments& arguments);

/// What a claim over a set compares, level by level.
std::vector<OverSet> compared_over_set(const Domain& domain, const Arguments& arguments);

/// What is wrong with a claim's scope or its set: the field, and what is wrong with it.
std::optional<std::pair<std::string, std::string>> complaint_about_set(const Domain& domain,
                                                                       const Arguments& arguments);

}  // namespace oddsbound::notions
