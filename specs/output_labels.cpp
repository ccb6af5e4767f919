#include "specs/output_labels.h"

#include <typeinfo>

#include "base/errors.h"
#include "specs/spec_error.h"

namespace oddsbound::specs {

namespace {

constexpr std::uint64_t kMostListed = std::uint64_t{1} << 22;
// Products with more outputs are read part by part.
constexpr std::uint64_t kMostListedOfProduct = std::uint64_t{1} << 16;

// A prefix of a label that parses as the labels of the first parts.
struct ReadSoFar {
  std::vector<std::uint64_t> words;
  bool ambiguous = false;
};
// By the offset at which the next part's label begins.
using Beginnings = std::map<std::size_t, ReadSoFar>;

void add(Beginnings& beginnings, std::size_t at, const ReadSoFar& before, const std::vector<std::uint64_t>& words) {
  const auto [place, added] = beginnings.try_emplace(at, before);
  ReadSoFar& so_far = place->second;
  if (!added) {
    so_far.ambiguous = true;
    return;
  }
  so_far.words.insert(so_far.words.end(), words.begin(), words.end());
}

}  // namespace

std::optional<std::vector<std::uint64_t>> OutputLabels::find(std::string_view label) {
  Words output;
  if (channel_.parse_label(label, output)) return output;
  if (channel_.outputs() > kMostListedOfProduct) {
    const auto* product = dynamic_cast<const ProductChannel*>(&channel_);
    if (product != nullptr && typeid(channel_) == typeid(ProductChannel)) return find_by_parts(*product, label);
    if (const auto* adaptive = dynamic_cast<const AdaptiveChannel*>(&channel_))
      return find_by_branches(*adaptive, label);
    // A subclass with its own labels has parsed all of them in parse_label.
    if (product != nullptr) return std::nullopt;
  }
  if (index_.empty()) list();
  const auto place = index_.find(std::string(label));
  if (place == index_.end()) return std::nullopt;
  return channel_.split(place->second);
}

std::string OutputLabels::hint(const std::string& label) const { return suggestion(label, labels_); }

void OutputLabels::list() {
  if (channel_.outputs() > kMostListed) {
    throw ModelError("the mechanism has more than 2^22 outputs, too many to look up labels");
  }
  labels_ = output_labels(channel_, budget_);
  for (std::uint64_t y = 0; y < labels_.size(); ++y) index_.emplace(labels_[y], y);
  if (index_.size() < labels_.size()) throw ModelError("two outputs of the mechanism have the same label");
}

OutputLabels& OutputLabels::labels_of(const ChannelPtr& part) {
  std::unique_ptr<OutputLabels>& labels = parts_[part.get()];
  if (!labels) labels = std::make_unique<OutputLabels>(*part, budget_);
  return *labels;
}

std::optional<OutputLabels::Words> OutputLabels::find_by_branches(const AdaptiveChannel& adaptive,
                                                                  std::string_view label) {
  if (!label.ends_with(')')) return std::nullopt;
  std::optional<Words> found;
  for (std::uint64_t y = 0; y < adaptive.then().size(); ++y) {
    const std::string beginning = "(" + adaptive.first().output_label(y) + ",";
    if (!label.starts_with(beginning)) continue;
    const std::string_view rest = label.substr(beginning.size(), label.size() - beginning.size() - 1);
    const std::optional<Words> second = labels_of(adaptive.then()[y]).find(rest);
    if (!second) continue;
    if (found) throw ModelError("several outputs of the mechanism have this label");
    found.emplace(1, y);
    found->insert(found->end(), second->begin(), second->end());
    found->resize(adaptive.words());
  }
  return found;
}

// Labels may contain commas, so every split of the label is tried. Dynamic programming from the left, one part at a
// time, over the offsets that a prefix can reach.
std::optional<OutputLabels::Words> OutputLabels::find_by_parts(const ProductChannel& product, std::string_view label) {
  if (product.labels_are_tuples()) {
    if (label.size() < 2 || label.front() != '(' || label.back() != ')') return std::nullopt;
    label = label.substr(1, label.size() - 2);
  }
  Beginnings beginnings{{0, {}}};
  const std::size_t count = product.parts().size();
  for (std::size_t p = 0; p < count && !beginnings.empty(); ++p) {
    OutputLabels& part = labels_of(product.parts()[p].channel);
    Beginnings next;
    for (const auto& [begin, before] : beginnings) {
      std::size_t end = p + 1 < count ? label.find(',', begin) : label.size();
      while (end != std::string_view::npos) {
        budget_.check_every();
        if (const auto words = part.find(label.substr(begin, end - begin))) add(next, end + 1, before, *words);
        if (end == label.size()) break;
        end = label.find(',', end + 1);
      }
    }
    beginnings = std::move(next);
  }
  if (beginnings.empty()) return std::nullopt;
  if (beginnings.begin()->second.ambiguous) throw ModelError("several outputs of the mechanism have this label");
  return std::move(beginnings.begin()->second.words);
}

}  // namespace oddsbound::specs
