// Several values in one text that still tells which they are.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace oddsbound::model {

/// The values with the separator between them, which begins with a comma. Different lists of one length have different
/// texts: of several values, one that has a comma in it or begins with a quotation mark is quoted as in CSV.
std::string joined_values(const std::vector<std::string>& values, std::string_view separator);

/// A text for each of these lists, which differ and have one length. Nothing is quoted if the texts differ as they are.
std::vector<std::string> joined_lists(const std::vector<std::vector<std::string>>& lists, std::string_view separator);

/// The labels, of which those that are there several times are numbered: "(a,b,c) #1", "(a,b,c) #2".
std::vector<std::string> distinct_labels(std::vector<std::string> labels);

}  // namespace oddsbound::model
