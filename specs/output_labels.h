// Parses labels of outputs: data files name collected outputs by label.
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

/// Maps labels to outputs. The channel parses the label itself, or all labels are listed once. A product or adaptive
/// composition with too many outputs to list is parsed part by part.
class OutputLabels {
 public:
  OutputLabels(const Channel& channel, Budget& budget) : channel_(channel), budget_(budget) {}
  /// Returns the output in the representation of Channel::split, or nullopt if no output has this label. Throws
  /// ModelError if labels are ambiguous or too many to list.
  std::optional<std::vector<std::uint64_t>> find(std::string_view label);
  /// A "did you mean" hint for a label that was not found.
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
  std::map<const Channel*, std::unique_ptr<OutputLabels>> parts_;  // one per distinct channel
};

}  // namespace oddsbound::specs
