#include "app/compared_models.h"

#include <algorithm>

#include "base/budget.h"
#include "base/errors.h"

namespace oddsbound::app {

namespace {

constexpr std::uint64_t kMostEntries = std::uint64_t{1} << 20;

bool few(const Number& entries) { return entries <= Number(static_cast<std::int64_t>(kMostEntries)); }

bool differ_in_ldp(const MeasuredDesign& a, const MeasuredDesign& b) {
  const MeasuredLevel *first = a.result.analysis.level("ldp"), *second = b.result.analysis.level("ldp");
  return first != nullptr && second != nullptr && !first->unfinished && !second->unfinished &&
         first->at_least != second->at_least;
}

Answer same_channel(const MeasuredDesign& a, const MeasuredDesign& b) {
  if (!(a.spec.model.domain == b.spec.model.domain) || differ_in_ldp(a, b)) return Answer::kNo;
  if (!a.spec.model.channel || !b.spec.model.channel) return Answer::kOpen;
  const Channel &first = *a.spec.model.channel, &second = *b.spec.model.channel;
  if (first.output_count() != second.output_count()) return Answer::kNo;
  if (!few(first.output_count() * a.spec.model.domain.input_count())) return Answer::kOpen;
  Budget budget{Limits()};
  return answer_of(output_labels(first, budget) == output_labels(second, budget) &&
                   rows_of(first, budget) == rows_of(second, budget));
}

Answer same_prior(const MeasuredDesign& a, const MeasuredDesign& b) {
  const auto &first = a.spec.model.prior, &second = b.spec.model.prior;
  if (!first || !second) return answer_of(!first && !second);
  const Domain& domain = a.spec.model.domain;
  if (!(domain == b.spec.model.domain)) return Answer::kNo;
  if (!few(domain.input_count())) return Answer::kOpen;
  for (std::uint64_t x = 0; x < domain.input_numbers(); ++x) {
    if (first->probability(x) != second->probability(x)) return Answer::kNo;
  }
  return Answer::kYes;
}

// kUnknown if a limit is reached.
Answer within_limits(Answer (*compare)(const MeasuredDesign&, const MeasuredDesign&), const MeasuredDesign& a,
                     const MeasuredDesign& b) {
  try {
    return compare(a, b);
  } catch (const LimitError&) {
    return Answer::kOpen;
  }
}

std::string note_on_pair(const MeasuredDesign& a, const MeasuredDesign& b) {
  const Answer channel = within_limits(same_channel, a, b), prior = within_limits(same_prior, a, b);
  if (channel == Answer::kYes && prior == Answer::kYes) return "the same mechanism and the same prior";
  if (channel == Answer::kYes && prior == Answer::kNo) return "the same mechanism, only the priors differ";
  const std::string words = channel == Answer::kOpen ? "whether the mechanisms are the same was not compared: they are "
                                                       "continuous, unlisted, or too large"
                                                     : "";
  if (prior == Answer::kYes) return words;
  const std::string about = prior == Answer::kNo
                                ? "the priors differ; what rests on a prior is about that of each design"
                                : "the priors are too large to be compared";
  return words.empty() ? about : words + "; " + about;
}

}  // namespace

std::string why_not_comparable(const std::vector<MeasuredDesign>& designs, const std::string& coordinate) {
  const Domain* first = nullptr;
  for (const MeasuredDesign& design : designs) {
    const Domain& domain = design.spec.model.domain;
    if (coordinate.empty()) {
      if (first != nullptr && !(*first == domain)) return "the designs have different inputs";
    } else {
      const auto place = domain.find(coordinate);
      if (!place) continue;
      if (first != nullptr && first->coordinate(*first->find(coordinate)).values != domain.coordinate(*place).values) {
        return "the attribute has different values";
      }
    }
    if (first == nullptr) first = &domain;
  }
  return "";
}

std::vector<std::string> notes_on(const std::vector<MeasuredDesign>& designs,
                                  const std::vector<ComparedDesign>& described) {
  std::vector<std::string> notes;
  for (std::size_t i = 1; i < designs.size(); ++i) {
    const std::string pair = note_on_pair(designs[0], designs[i]);
    if (!pair.empty()) notes.push_back(described[0].label + " and " + described[i].label + ": " + pair);
  }
  for (std::size_t i = 0; i < designs.size(); ++i) {
    for (const std::string& name : designs[i].result.coordinates) {
      std::string without;
      for (std::size_t j = 0; j < designs.size(); ++j) {
        if (!designs[j].spec.model.domain.find(name)) without += (without.empty() ? "" : ", ") + described[j].label;
      }
      const std::string note = "attribute " + name + " is not there in " + without;
      const bool said = std::find(notes.begin(), notes.end(), note) != notes.end();
      if (!without.empty() && !said) notes.push_back(note);
    }
  }
  return notes;
}

}  // namespace oddsbound::app
