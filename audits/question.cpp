#include "audits/question.h"

#include <algorithm>
#include <cassert>
#include <map>
#include <set>

#include "audits/runner.h"
#include "base/errors.h"
#include "verifier/notions/table.h"
#include "verifier/smt/sides.h"

namespace oddsbound::audits {

namespace {

constexpr std::size_t kMostQuestions = 256;  // each has its own sides and a part of the runs
static_assert(kMostQuestions >> kQuestionBits == 0);
constexpr std::size_t kManySides = 128;  // with more sides, each is run rarely
constexpr double kRarest = 1e-3;         // smallest probability of a label that is drawn by rejection

std::vector<Side> single_inputs(const Domain& domain) {
  std::vector<Side> sides;
  for (std::uint64_t x = 0; x < domain.inputs(); ++x) sides.push_back({domain.tuple(x), {x}, {Number(1)}});
  return sides;
}

Label side_party(const Comparison& comparison, std::uint32_t label) {
  if (comparison.given.empty()) return comparison.labels[label];
  return label_text(comparison, label);
}

// Sides: the labels with positive mass, and the inputs given each. Returns the label of each side.
std::vector<std::uint32_t> set_label_sides(Question& question, const Comparison& comparison,
                                           const std::vector<Number>& weights) {
  std::vector<std::uint32_t> place(comparison.labels.size(), Question::kNoSide);
  std::vector<Number> totals;
  std::vector<std::uint32_t> labels;
  question.side_of.assign(comparison.label_of.size(), Question::kNoSide);
  for (std::uint64_t x = 0; x < comparison.label_of.size(); ++x) {
    const Number& weight = weights[x];
    if (weight.is_zero()) continue;
    const std::uint32_t label = comparison.label_of[x];
    if (place[label] == Question::kNoSide) {
      place[label] = static_cast<std::uint32_t>(question.sides.size());
      question.sides.push_back({side_party(comparison, label), {}, {}});
      labels.push_back(label);
      totals.emplace_back();
    }
    Side& side = question.sides[place[label]];
    side.inputs.push_back(x);
    side.probabilities.push_back(weight);
    totals[place[label]] += weight;
    question.side_of[x] = place[label];
  }
  for (std::size_t s = 0; s < totals.size(); ++s) {
    for (Number& probability : question.sides[s].probabilities) probability /= totals[s];
  }
  return labels;
}

// Sides: the chosen inputs that are compared.
void set_place_sides(Question& question, const Comparison& comparison) {
  const InputChoice& among = *question.among;
  auto pairs = comparison.pairs;
  std::set<std::uint64_t> places;
  const auto gather = [&] {
    places.clear();
    for (const auto& [from, to] : pairs) places.insert({from, to});
  };
  gather();
  if (places.size() > kManySides) {
    // Neighbors are only for comparisons that need them.
    const auto is_neighbor = [&](std::uint64_t place) { return among.reasons[place] == ChosenFor::kNeighbor; };
    auto fewer = pairs;
    std::erase_if(fewer, [&](const auto& pair) { return is_neighbor(pair.first) || is_neighbor(pair.second); });
    if (!fewer.empty()) pairs = std::move(fewer);
    gather();
  }
  question.side_of.assign(among.rows.size(), Question::kNoSide);
  for (const std::uint64_t place : places) {
    question.side_of[place] = static_cast<std::uint32_t>(question.sides.size());
    question.sides.push_back({among.domain.tuple(among.rows[place]), {place}, {Number(1)}});
  }
  for (const auto& [from, to] : pairs) question.pairs.emplace_back(question.side_of[from], question.side_of[to]);
}

// Sides: labels under a prior whose rows are not listed. Returns the label of each side.
std::vector<std::uint32_t> set_drawn_sides(Question& question, const Comparison& comparison, const Prior& prior,
                                           Budget& budget) {
  if (!comparison.coordinate) {
    throw LimitError("a secret is audited where at most 65536 inputs have mass, and the prior has more");
  }
  question.label_at = comparison.label_at;
  question.side_of.assign(question.among->rows.size(), Question::kNoSide);
  const std::vector<Number> weights = prior.marginal_weights(*comparison.coordinate, budget);
  std::vector<std::uint32_t> labels;
  for (std::uint32_t label = 0; label < weights.size(); ++label) {
    if (weights[label].is_zero()) continue;
    if ((weights[label] / prior.total()).approx() < kRarest) {
      throw LimitError("value '" + std::get<std::string>(comparison.labels[label]) + "' of '" + comparison.about +
                       "' has a probability below 1/1000, too rare to draw inputs from the prior until one has it");
    }
    question.sides.push_back({comparison.labels[label], {}, {}, label});
    labels.push_back(label);
  }
  return labels;
}

// Pairs of sides whose labels are compared.
void set_label_pairs(Question& question, const Comparison& comparison, const std::vector<std::uint32_t>& labels) {
  std::set<std::pair<std::uint64_t, std::uint64_t>> compared;
  if (comparison.label_pairs) compared.insert(comparison.label_pairs->begin(), comparison.label_pairs->end());
  for (std::uint32_t from = 0; from < labels.size(); ++from) {
    for (std::uint32_t to = 0; to < labels.size(); ++to) {
      const bool meant = !comparison.label_pairs || compared.contains({labels[from], labels[to]});
      if (from != to && meant) question.pairs.emplace_back(from, to);
    }
  }
}

// Groups of sides that are all compared both ways: the connected components that are complete.
std::vector<std::vector<std::uint32_t>> groups_of(const Question& question) {
  std::vector<std::set<std::uint32_t>> compared(question.sides.size());
  for (const auto& [from, to] : question.pairs) compared[from].insert(to);
  std::vector<std::vector<std::uint32_t>> groups;
  std::vector<bool> seen(question.sides.size(), false);
  for (std::uint32_t s = 0; s < question.sides.size(); ++s) {
    if (seen[s] || compared[s].empty()) continue;
    std::vector<std::uint32_t> group(compared[s].begin(), compared[s].end());
    group.insert(std::lower_bound(group.begin(), group.end(), s), s);
    const bool complete = std::all_of(group.begin(), group.end(), [&](std::uint32_t member) {
      if (compared[member].size() + 1 != group.size()) return false;
      return std::all_of(group.begin(), group.end(),
                         [&](std::uint32_t other) { return other == member || compared[member].contains(other); });
    });
    if (!complete) continue;
    for (const std::uint32_t member : group) seen[member] = true;
    groups.push_back(std::move(group));
  }
  return groups;
}

// The invariants of the fields of a question (question.h).
[[maybe_unused]] bool is_well_formed(const Question& question) {
  const auto known = [&](std::uint32_t side) { return side < question.sides.size(); };
  return std::is_sorted(question.pairs.begin(), question.pairs.end()) &&
         std::all_of(question.pairs.begin(), question.pairs.end(),
                     [&](const auto& pair) { return known(pair.first) && known(pair.second); }) &&
         std::all_of(question.side_of.begin(), question.side_of.end(),
                     [&](std::uint32_t side) { return side == Question::kNoSide || known(side); }) &&
         std::all_of(question.sides.begin(), question.sides.end(), [](const Side& side) {
           return (side.drawn || !side.inputs.empty()) && side.inputs.size() == side.probabilities.size();
         });
}

// Labels all rows of the choice, not only the tried ones.
Comparison over_all_rows(Comparison comparison, const InputChoice& among) {
  comparison.label_of.clear();
  for (const InputRow& row : among.rows) comparison.label_of.push_back(comparison.label_at(row));
  return comparison;
}

// The sides of a comparison that follows from a claim.
std::string words_of_implied(const Comparison& comparison) {
  if (comparison.labels.empty()) {
    if (!comparison.scope.empty()) return "between " + comparison.scope;
    return "between neighbors" + (comparison.about.empty() ? "" : " in " + comparison.about);
  }
  const std::string labels = comparison.label_at ? "between labels" : "between inputs";
  return (comparison.about.empty() ? labels : "between values of " + comparison.about) +
         (comparison.scope.empty() ? "" : " " + comparison.scope);
}

Question question_of(const std::string& notion, const Comparison& comparison, const Model& model,
                     const InputChoicePtr& among, Budget& budget) {
  Question question;
  question.notion = notion;
  question.about =
      comparison.about + (comparison.about.empty() || comparison.scope.empty() ? "" : " ") + comparison.scope;
  question.among = among;
  question.compares_inputs = !comparison.label_at;
  if (comparison.labels.empty() && among) {
    set_place_sides(question, comparison);
  } else if (comparison.labels.empty()) {
    question.sides = single_inputs(model.domain);
    for (std::uint32_t x = 0; x < question.sides.size(); ++x) question.side_of.push_back(x);
    for (const auto& [from, to] : comparison.pairs) {
      question.pairs.emplace_back(static_cast<std::uint32_t>(from), static_cast<std::uint32_t>(to));
    }
  } else {
    std::vector<std::uint32_t> labels;
    if (among && comparison.label_at && among->drawn) {
      labels = set_drawn_sides(question, comparison, *model.prior, budget);
    } else if (among && comparison.label_at) {
      labels = set_label_sides(question, over_all_rows(comparison, *among), among->weights);
    } else {
      labels = set_label_sides(question, comparison, among ? among->weights : model.prior->dense(budget).weights);
      if (among) question.side_of.resize(among->rows.size(), Question::kNoSide);
    }
    set_label_pairs(question, comparison, labels);
  }
  std::sort(question.pairs.begin(), question.pairs.end());
  if (!comparison.delta.is_zero()) question.at = comparison.level;
  assert(is_well_formed(question));
  return question;
}

// The key by which two questions are the same.
struct Shape {
  bool implied = false;
  std::string drawn;  // what it is about, if inputs are not listed
  std::vector<std::vector<std::uint64_t>> inputs;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
  std::string at;
  friend auto operator<=>(const Shape&, const Shape&) = default;
};

Shape shape_of(const Question& question) {
  Shape shape;
  shape.implied = !question.implied.empty();
  if (question.is_drawn()) shape.drawn = question.about;
  for (const Side& side : question.sides) shape.inputs.push_back(side.inputs);
  shape.pairs = question.pairs;
  shape.at = question.at ? question.at->to_string() : "";
  return shape;
}

// A comparison, and its words if it follows from a claim.
struct Compared {
  Comparison comparison;
  std::string implied;
};

// A question of one claim, and the level or delta that the claim bounds in it.
struct QuestionOfClaim {
  Question question;
  Level level;
  Number delta;
};

class Collector {
 public:
  Collector(const Spec& spec, const InputChoicePtr& among, Budget& budget)
      : spec_(spec),
        among_(among),
        looked_at_(among ? InputSubset(spec.model.domain, std::span(among->rows).first(among->tried()))
                         : InputSubset(spec.model.domain)),
        budget_(budget) {}

  /// Adds the questions of a notion at every level.
  void add(const Notion& notion, const Arguments& arguments) {
    for (QuestionOfClaim& own : questions_of_claim(notion, arguments)) place_of(std::move(own.question));
  }

  /// Adds the questions of a claim, all or none of them.
  void add(const Notion& notion, const Arguments& arguments, std::size_t index, bool expect_holds) {
    std::vector<QuestionOfClaim> own;
    try {
      own = questions_of_claim(notion, arguments);
      if (notion.imply) require_room(own);
    } catch (const Interrupted&) {
      throw;
    } catch (const LimitError& error) {
      asked_.unasked.insert_or_assign(index, error.what());
      return;
    }
    for (QuestionOfClaim& one : own) {
      std::vector<ClaimedLevel>& claims = asked_.questions[place_of(std::move(one.question))].claims;
      if (!claims.empty() && claims.back().claim == index) {
        claims.back().level = std::min(claims.back().level, one.level);
        claims.back().delta = std::min(claims.back().delta, one.delta);
      } else {
        claims.push_back({index, one.level, one.delta, expect_holds});
      }
    }
  }

  AskedClaims take() { return std::move(asked_); }

 private:
  std::vector<QuestionOfClaim> questions_of_claim(const Notion& notion, const Arguments& arguments) {
    std::vector<Compared> all;
    Definition definition = notion.imply ? notion.imply(spec_.model, arguments, looked_at_)
                                         : notion.define(spec_.model, arguments, looked_at_);
    for (Comparison& comparison : definition) {
      budget_.check();
      if (comparison.level.is_infinite()) continue;
      if (comparison.last_is_everyone) {
        add_against_others(comparison, all);
      } else {
        std::string implied = notion.imply ? words_of_implied(comparison) : "";
        all.push_back({std::move(comparison), std::move(implied)});
      }
    }
    std::vector<QuestionOfClaim> questions;
    for (const auto& [comparison, implied] : all) {
      budget_.check();
      Question question = question_of(notion.name, comparison, spec_.model, among_, budget_);
      question.implied = implied;
      if (!question.pairs.empty()) questions.push_back({std::move(question), comparison.level, comparison.delta});
    }
    return questions;
  }

  static void require_few(std::size_t comparisons) {
    if (comparisons <= kMostQuestions) return;
    throw LimitError("it is audited by " + std::to_string(comparisons) + " levels, and an audit has at most " +
                     std::to_string(kMostQuestions));
  }

  void require_room(const std::vector<QuestionOfClaim>& own) const {
    const auto added = std::count_if(
        own.begin(), own.end(), [&](const QuestionOfClaim& one) { return !index_.contains(shape_of(one.question)); });
    if (asked_.questions.size() + static_cast<std::size_t>(added) <= kMostQuestions) return;
    throw LimitError("it is audited by " + std::to_string(own.size()) +
                     " levels, and with those of the claims before there are more than " +
                     std::to_string(kMostQuestions));
  }

  std::size_t place_of(Question question) {
    std::vector<Question>& questions = asked_.questions;
    const auto [place, added] = index_.try_emplace(shape_of(question), questions.size());
    if (added) {
      if (questions.size() == kMostQuestions) {
        throw LimitError("there are more than " + std::to_string(kMostQuestions) + " levels to audit");
      }
      question.groups = groups_of(question);
      questions.push_back(std::move(question));
    }
    return place->second;
  }

  // Replaces everyone by all other labels (question.h). Labels of inputs that are drawn are left out, and so are those
  // under a confidential prior, which the levels would reveal.
  void add_against_others(const Comparison& whole, std::vector<Compared>& compared) {
    if (spec_.confidential_prior) return;
    if (among_ && among_->drawn) {
      throw LimitError(
          "it is audited by levels between a value and all others, which need a prior with at most 65536 inputs");
    }
    require_few(whole.label_pairs->size());
    const Comparison listed = among_ ? over_all_rows(whole, *among_) : whole;
    const std::vector<Number> weights = among_ ? among_->weights : spec_.model.prior->dense(budget_).weights;
    const std::uint64_t everyone = whole.labels.size() - 1;
    std::vector<Number> masses(everyone);
    Number total(0);
    for (std::uint64_t x = 0; x < listed.label_of.size(); ++x) {
      masses[listed.label_of[x]] += weights[x];
      total += weights[x];
    }
    const Number& factor = whole.level.exponential();
    for (const auto& [from, to] : *whole.label_pairs) {
      budget_.check();
      const bool is_upper = to == everyone;
      const std::uint64_t label = is_upper ? from : to;
      const Number p = masses[label] / total;
      const Number own = is_upper ? Number(1) - factor * p : Number(1) - p;
      if (p.is_zero() || p.is_one() || own.sign() <= 0 || whole.delta.sign() < 0) continue;
      Comparison comparison;
      comparison.level = Level::of_exponential((is_upper ? factor * (Number(1) - p) : factor - p) / own);
      comparison.delta = whole.delta / own;
      if (comparison.delta >= Number(1)) continue;
      comparison.labels = {whole.labels[label], Label("another value")};
      comparison.label_at = [label_at = whole.label_at, label](InputView row) {
        return static_cast<std::uint32_t>(label_at(row) == label ? 0 : 1);
      };
      for (const std::uint32_t other : whole.label_of) comparison.label_of.push_back(other == label ? 0 : 1);
      comparison.label_pairs.emplace().emplace_back(is_upper ? 0 : 1, is_upper ? 1 : 0);
      const std::string name = (whole.about.empty() ? "" : whole.about + " = ") + party_text(whole.labels[label]);
      compared.push_back({std::move(comparison), "between " + name + " and the others"});
    }
  }

  const Spec& spec_;
  const InputChoicePtr& among_;
  InputSubset looked_at_;
  Budget& budget_;
  std::map<Shape, std::size_t> index_;
  AskedClaims asked_;
};

}  // namespace

bool is_audited(const Notion& notion, const Arguments& arguments) {
  if (notion.defines(arguments)) return true;
  return notion.imply && !arguments.has(kForAll) && !arguments.has_roots() && !knows_anything(arguments);
}

Arguments at_level_zero(const Notion& notion, const Domain& domain) {
  Arguments arguments;
  if (notion.form == ClaimForm::kByCoordinate) {
    arguments.set("epsilon", CoordinateLevels(domain.size(), Level()));
  } else {
    arguments.set("epsilon", Level());
  }
  return arguments;
}

std::string title_of_implied(const std::string& compared, const std::vector<std::size_t>& claims) {
  std::string text = compared + ", implied by claim" + (claims.size() == 1 ? "" : "s");
  for (std::size_t k = 0; k < claims.size(); ++k) {
    text += (k == 0 ? " " : k + 1 == claims.size() ? " and " : ", ") + std::to_string(claims[k]);
  }
  return text;
}

std::string Question::title() const {
  if (implied.empty()) return about.empty() ? notion : notion + " " + about;
  std::vector<std::size_t> indices;
  for (const ClaimedLevel& claim : claims) indices.push_back(claim.claim);
  return title_of_implied(implied, indices);
}

AskedClaims asked_claims(const Spec& spec, bool all_levels, Budget& budget, const InputChoicePtr& among) {
  if (!among && !all_are_tried(spec.model.domain)) {
    throw LimitError("all inputs are tried where there are at most " + std::to_string(kMostInputs) + " inputs");
  }
  Collector collector(spec, among, budget);
  for (std::size_t i = 0; i < spec.claims.size(); ++i) {
    budget.check();
    const Claim& claim = spec.claims[i];
    if (is_audited(*claim.notion, claim.arguments)) {
      collector.add(*claim.notion, claim.arguments, i, claim.expect_holds);
    }
  }
  if (all_levels || spec.claims.empty()) {
    for (const Notion& notion : notion_table()) {
      if (!notion.audited || (notion.needs_prior && !spec.model.prior)) continue;
      collector.add(notion, at_level_zero(notion, spec.model.domain));
    }
  }
  return collector.take();
}

std::vector<Question> questions_of(const Spec& spec, bool all_levels, Budget& budget, const InputChoicePtr& among) {
  return asked_claims(spec, all_levels, budget, among).questions;
}

}  // namespace oddsbound::audits
