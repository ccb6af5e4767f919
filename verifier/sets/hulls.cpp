// Finite lists of priors and their mixtures.
//
// Over the mixtures of some priors the largest quotient is attained, or approached, by mixtures of two of them
// (line.h); none of them alone need come near.
#include <algorithm>
#include <map>

#include "verifier/sets/kinds.h"
#include "verifier/sets/member.h"

namespace oddsbound::sets {

namespace {

// What one of the priors says of labels and inputs, by those that have mass.
struct Vertex {
  std::vector<std::vector<std::pair<std::size_t, Number>>> cells;  // per label: place and mass
  std::vector<Number> masses;
};

class HullSearch final : public SetSearch {
 public:
  HullSearch(std::vector<Vertex> vertices, const LabelledInputs& inputs, bool mixes, Budget& budget)
      : vertices_(std::move(vertices)), inputs_(inputs), mixes_(mixes), budget_(budget) {}

  void look_at(const LabelledColumn& column) override {
    joints_.clear();
    for (const Vertex& vertex : vertices_) {
      std::vector<Number>& joints = joints_.emplace_back();
      for (std::size_t label = 0; label < vertex.cells.size(); ++label) {
        std::vector<WeightedTerm> terms;
        for (const auto& [place, mass] : vertex.cells[label]) terms.push_back({mass, column.entries[label][place]});
        joints.push_back(weighted_sum(terms));
      }
    }
  }

  std::optional<Ratio> largest(std::size_t from, std::size_t to) override { return best_line(from, to).ratio(); }

  Member member(std::size_t from, std::size_t to) override {
    const auto best = best_line(from, to);
    const Number w = best.weight();
    MemberBuilder builder;
    add(vertices_[best.where().first], Number(1) - w, builder);
    add(vertices_[best.where().second], w, builder);
    return builder.finish(best.attains());
  }

 private:
  void add(const Vertex& vertex, const Number& share, MemberBuilder& builder) const {
    for (std::size_t label = 0; label < vertex.cells.size(); ++label) {
      for (const auto& [place, mass] : vertex.cells[label]) builder.add(inputs_.inputs[label][place], share * mass);
    }
  }

  Forms forms(std::size_t vertex, std::size_t from, std::size_t to) const {
    return {joints_[vertex][from], vertices_[vertex].masses[from], joints_[vertex][to], vertices_[vertex].masses[to]};
  }

  BestLine<std::pair<std::size_t, std::size_t>> best_line(std::size_t from, std::size_t to) const {
    BestLine<std::pair<std::size_t, std::size_t>> best;
    for (std::size_t j = 0; j < vertices_.size(); ++j) {
      budget_.look();
      const Forms mine = forms(j, from, to);
      for (std::size_t l = j; l < (mixes_ ? vertices_.size() : j + 1); ++l) {
        best.offer(mine, forms(l, from, to), {j, l});
      }
    }
    return best;
  }

  const std::vector<Vertex> vertices_;
  const LabelledInputs& inputs_;
  const bool mixes_;
  Budget& budget_;
  std::vector<std::vector<Number>> joints_;  // per vertex and label
};

// part_of: which of several vertices an input's mass belongs to.
template <typename PartOf>
std::vector<Vertex> split(const Prior& prior, const LabelledInputs& inputs, std::size_t parts, Budget& budget,
                          PartOf part_of) {
  const std::vector<Number>& weights = prior.dense(budget).weights;
  const std::size_t labels = inputs.inputs.size();
  std::vector<Vertex> vertices(
      parts, Vertex{std::vector<std::vector<std::pair<std::size_t, Number>>>(labels), std::vector<Number>(labels)});
  for (std::size_t label = 0; label < labels; ++label) {
    for (std::size_t place = 0; place < inputs.inputs[label].size(); ++place) {
      const std::uint64_t x = inputs.inputs[label][place];
      if (weights[x].is_zero()) continue;
      Vertex& vertex = vertices[part_of(x)];
      vertex.cells[label].emplace_back(place, weights[x] / prior.total());
      vertex.masses[label] += vertex.cells[label].back().second;
    }
  }
  return vertices;
}

class ListSet final : public PriorSet {
 public:
  ListSet(std::vector<Prior> priors, bool mixes) : priors_(std::move(priors)), mixes_(mixes) {}
  std::string words() const override {
    return (mixes_ ? "priors that mix the " : "priors among the ") + std::to_string(priors_.size()) + " stated ones";
  }
  std::unique_ptr<SetSearch> search(const SetQuestion& question, Budget& budget) const override {
    std::vector<Vertex> vertices;
    for (const Prior& prior : priors_) {
      vertices.push_back(split(prior, question.inputs, 1, budget, [](std::uint64_t) { return std::size_t{0}; })[0]);
    }
    return std::make_unique<HullSearch>(std::move(vertices), question.inputs, mixes_, budget);
  }
  std::vector<SetDefinition> definitions(const SetQuestion& question, Budget& budget) const override {
    std::vector<SetDefinition> all(mixes_ ? 1 : priors_.size());
    for (SetDefinition& definition : all) definition.cells.resize(question.domain.inputs());
    for (std::size_t j = 0; j < priors_.size(); ++j) {
      SetDefinition& definition = all[mixes_ ? 0 : j];
      const std::size_t share = definition.unknown();
      const std::vector<Number> cells = probabilities(priors_[j], budget);
      for (std::size_t x = 0; x < cells.size(); ++x) definition.cells[x].emplace_back(share, cells[x]);
    }
    return all;
  }

 private:
  std::vector<Prior> priors_;
  bool mixes_;
};

class KnowledgeSet final : public PriorSet {
 public:
  KnowledgeSet(Prior center, std::vector<std::size_t> about) : center_(std::move(center)), about_(std::move(about)) {}

  std::string words() const override { return "priors of who learned something about other coordinates"; }

  std::string complaint(const Domain& domain, std::optional<std::size_t> about) const override {
    if (!about || std::find(about_.begin(), about_.end(), *about) == about_.end()) return {};
    return "it is what somebody learned about '" + domain.coordinate(*about).name + "', and the claim is about it";
  }

  // What is learned weighs every record of those coordinates by some number: the hull of the center's slices.
  std::unique_ptr<SetSearch> search(const SetQuestion& question, Budget& budget) const override {
    const Projection project(question.domain, about_);
    std::vector<Vertex> vertices =
        split(center_, question.inputs, project.size(), budget, [&](std::uint64_t x) { return project(x); });
    std::erase_if(vertices, [](const Vertex& vertex) {
      return std::all_of(vertex.masses.begin(), vertex.masses.end(), [](const Number& mass) { return mass.is_zero(); });
    });
    return std::make_unique<HullSearch>(std::move(vertices), question.inputs, true, budget);
  }
  std::vector<SetDefinition> definitions(const SetQuestion& question, Budget& budget) const override {
    const Projection project(question.domain, about_);
    const std::vector<Number> cells = probabilities(center_, budget);
    SetDefinition definition;
    definition.unknowns = project.size();
    for (std::uint64_t x = 0; x < cells.size(); ++x) definition.cells.push_back({{project(x), cells[x]}});
    return {definition};
  }

 private:
  Prior center_;
  std::vector<std::size_t> about_;
};

}  // namespace

PriorSetPtr any_of(std::vector<Prior> priors) { return std::make_shared<ListSet>(std::move(priors), false); }
PriorSetPtr mixtures_of(std::vector<Prior> priors) { return std::make_shared<ListSet>(std::move(priors), true); }
PriorSetPtr side_knowledge(Prior center, std::vector<std::size_t> about) {
  return std::make_shared<KnowledgeSet>(std::move(center), std::move(about));
}

}  // namespace oddsbound::sets
