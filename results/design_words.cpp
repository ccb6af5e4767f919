#include <fmt/format.h>

#include "results/design_result.h"
#include "results/words.h"
#include "results/wrap.h"

namespace oddsbound::results {

std::string text_design(const DesignResult& result) {
  std::string text =
      fmt::format("{}\n{}: {}\n", printable(result.name), result.loss_words, number_and_about(result.loss));
  if (result.at_least == result.loss) {
    text += "no mechanism within these constraints has less\n";
  } else {
    text += fmt::format("no mechanism within these constraints has less than {}\n", number_and_about(result.at_least));
  }
  if (!result.family.empty()) text += "it is " + result.family + "\n";
  return text + fmt::format("outputs that are ever given: {}\n", result.outputs);
}

}  // namespace oddsbound::results
