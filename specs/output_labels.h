// Labels of outputs, read back: a data file names what was collected by them.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/budget.h"
#include "verifier/model/adaptive_channel.h"
#include "verifier/model/channel.h"
#include "verifier/model/product_channel.h"

namespace oddsbound::specs {

/// Labels to outputs: read by the channel itself, listed once, or, of a product or an adaptive composition with too
/// many outputs for that, read part by part.
class OutputLabels {
 public:
  OutputLabels(const Channel& channel, Budget& budget) : channel_(channel), budget_(budget) {}
  /// The output as Channel::split writes it; none if there is no such label. Throws ModelError where labels cannot be
  /// told apart, or are too many.
  std::optional<std::vector<std::uint64_t>> find(std::string_view label);
  /// A label that was not found may be meant for another one.
  std::string hint(const std::string& label) const;

 private:
  using Words = std::vector<std::uint64_t>;

  void list();
  std::optional<Words> find_by_branches(const AdaptiveChannel& adaptive, std::string_view label);
  std::optional<Words> find_by_parts(const ProductChannel& product, std::string_view label);
  OutputLabels& labels_of(const ChannelPtr& part);

  const Channel& channel_;
  Budget& budget_;
  std::vector<std::string> labels_;
  std::unordered_map<std::string, std::uint64_t> index_;
  std::map<const Channel*, std::unique_ptr<OutputLabels>> parts_;  // equal ones share theirs
};

}  // namespace oddsbound::specs
