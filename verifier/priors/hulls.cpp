// Finite lists of priors, and their mixtures.
//
// Over the mixtures of some priors the largest quotient is attained, or approached, by mixtures of two of them
// (line.h). No single prior of the list needs to come near it. Cost: one line search per pair of priors.

#include <algorithm>
#include <map>

#include "verifier/priors/member.h"
#include "verifier/priors/prior_set.h"

namespace oddsbound::priors {

namespace {

// One of the priors, as its cells of positive mass by label.
struct Vertex {
  std::vector<std::vector<std::pair<std::size_t, Number>>> cells;  // per label: place and mass
  std::vector<Number> masses;
  std::uint64_t number = 0;  // index in the set
};

// Returns bound * mass_from * p_to - p_from * mass_to, with the `from` terms of one prior and the `to` terms of
// another. For one prior it is non-negative if and only if its quotient is at most the bound. The mixed term of
// two priors is the sum for both orders.
Surd short_of(const Surd& bound, const JointMasses& first, const JointMasses& second) {
  return bound * Surd(first.mass_from * second.p_to) - Surd(first.p_from * second.mass_to);
}

class HullSearch final : public SetSearch {
 public:
  HullSearch(std::vector<Vertex> vertices, const ColumnInputs& inputs, bool mixes, Budget& budget)
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
    return best.shown([&](const Number& w) {
      MemberBuilder builder;
      add(vertices_[best.where().first], Number(1) - w, builder);
      add(vertices_[best.where().second], w, builder);
      return builder.finish();
    });
  }

  // Over mixtures, bound * mass_from * p_to - p_from * mass_to is a quadratic form of the weights. It is non-negative
  // if it is so for every two of the weights.
  std::optional<SetProof> proof(std::size_t from, std::size_t to, const Surd& bound) override {
    std::vector<JointMasses> all;
    std::vector<Surd> own;
    for (std::size_t j = 0; j < vertices_.size(); ++j) {
      all.push_back(forms(j, from, to));
      own.push_back(short_of(bound, all[j], all[j]));
      if (own[j].sign() < 0) return std::nullopt;
    }
    BySquares squares;
    for (std::size_t j = 0; mixes_ && j < all.size(); ++j) {
      budget_.check();
      for (std::size_t l = j + 1; l < all.size(); ++l) {
        const Surd mixed = short_of(bound, all[j], all[l]) + short_of(bound, all[l], all[j]);
        if (mixed.sign() >= 0) continue;
        if (mixed * mixed > Surd(Number(4)) * own[j] * own[l]) return std::nullopt;
        squares.pairs.emplace_back(vertices_[j].number, vertices_[l].number);
      }
    }
    if (squares.pairs.empty()) return ByForm{};
    return squares;
  }

 private:
  void add(const Vertex& vertex, const Number& share, MemberBuilder& builder) const {
    for (std::size_t label = 0; label < vertex.cells.size(); ++label) {
      for (const auto& [place, mass] : vertex.cells[label]) builder.add(inputs_.inputs[label][place], share * mass);
    }
  }

  JointMasses forms(std::size_t vertex, std::size_t from, std::size_t to) const {
    return {joints_[vertex][from], vertices_[vertex].masses[from], joints_[vertex][to], vertices_[vertex].masses[to]};
  }

  // The quotient of a mixture of two priors is at most the larger of their means given `from` over the smaller of
  // their means given `to`.
  struct Means {
    double most, least;  // 0 and infinity if the label has no mass

    explicit Means(const JointMasses& forms)
        : most(forms.mass_from.is_zero() ? 0 : (forms.p_from / forms.mass_from).approx()),
          least(forms.mass_to.is_zero() ? kNoMean : (forms.p_to / forms.mass_to).approx()) {}
    double bound_with(const Means& other) const {
      const double above = std::max(most, other.most), below = std::min(least, other.least);
      return below < 1e-250 || above > 1e250 ? kNoMean : above / below * (1 + 0x1p-40);
    }
  };

  BestLine<std::pair<std::size_t, std::size_t>> best_line(std::size_t from, std::size_t to) const {
    std::vector<JointMasses> all;
    std::vector<Means> means;
    for (std::size_t j = 0; j < vertices_.size(); ++j) {
      all.push_back(forms(j, from, to));
      means.emplace_back(all.back());
    }
    const double enough = mixes_ ? reached(all, means) : 0;
    BestLine<std::pair<std::size_t, std::size_t>> best;
    for (std::size_t j = 0; j < vertices_.size(); ++j) {
      budget_.check();
      for (std::size_t l = j; l < (mixes_ ? vertices_.size() : j + 1); ++l) {
        if (means[j].bound_with(means[l]) >= enough) best.offer(all[j], all[l], {j, l});
      }
    }
    return best;
  }

  // Returns a lower bound of the largest quotient, from the priors with the largest and the smallest mean. Pairs
  // with a smaller bound are skipped.
  double reached(const std::vector<JointMasses>& all, const std::vector<Means>& means) const {
    std::size_t largest = 0, smallest = 0;
    for (std::size_t j = 0; j < means.size(); ++j) {
      if (means[j].most > means[largest].most) largest = j;
      if (means[j].least < means[smallest].least) smallest = j;
    }
    const auto found = largest_on_line(all[largest], all[smallest]);
    if (!found) return 0;
    return found->ratio.infinite ? kNoMean : rounded_down(found->ratio);
  }

  const std::vector<Vertex> vertices_;
  const ColumnInputs& inputs_;
  const bool mixes_;
  Budget& budget_;
  std::vector<std::vector<Number>> joints_;  // per vertex and label
};

// part_of(x): index of the vertex that the mass of input x belongs to.
template <typename PartOf>
std::vector<Vertex> split(const Prior& prior, const ColumnInputs& inputs, std::size_t parts, Budget& budget,
                          PartOf part_of) {
  const NumberedRows rows = prior.numbered_rows(budget);
  const std::size_t labels = inputs.inputs.size();
  std::vector<Vertex> vertices(
      parts, Vertex{std::vector<std::vector<std::pair<std::size_t, Number>>>(labels), std::vector<Number>(labels), 0});
  for (std::size_t label = 0; label < labels; ++label) {
    for (std::size_t place = 0; place < inputs.inputs[label].size(); ++place) {
      const std::uint64_t x = inputs.inputs[label][place];
      const Number weight = weight_among(rows, x);
      if (weight.is_zero()) continue;
      Vertex& vertex = vertices[part_of(x)];
      vertex.cells[label].emplace_back(place, weight / prior.total());
      vertex.masses[label] += vertex.cells[label].back().second;
    }
  }
  return vertices;
}

// A vertex in doubles.
struct RoundedVertex {
  struct Cell {
    std::size_t place;
    double mass;
  };
  std::vector<std::vector<Cell>> cells;  // per label
  std::vector<double> masses;

  explicit RoundedVertex(const Vertex& vertex) {
    for (const auto& of_label : vertex.cells) {
      std::vector<Cell>& mine = cells.emplace_back();
      for (const auto& [place, mass] : of_label) mine.push_back({place, rounded_mass(mass)});
    }
    for (const Number& mass : vertex.masses) masses.push_back(rounded_mass(mass));
  }
  double joint(std::size_t label, std::span<const double> column) const {
    double sum = 0;
    for (const Cell& cell : cells[label]) sum += cell.mass * column[cell.place];
    return sum;
  }
};

// Parts: each vertex by itself, or pairs of vertices with their weights cut. For many vertices all pairs would be
// too many parts; then each label is bounded by its best vertex.
class HullBounds final : public MeanBounds {
 public:
  HullBounds(const std::vector<Vertex>& vertices, bool mixes) {
    for (const Vertex& vertex : vertices) vertices_.emplace_back(vertex);
    const std::size_t count = vertices_.size();
    if (!mixes || count == 1) {
      for (std::size_t j = 0; j < count; ++j) parts_.push_back({j, j, 0, 1});
    } else if (count <= kMostInPairs) {
      for (std::size_t j = 0; j < count; ++j) {
        for (std::size_t l = j + 1; l < count; ++l) {
          for (std::size_t cut = 1; cut < std::size(kWeights); ++cut) {
            parts_.push_back({j, l, kWeights[cut - 1], kWeights[cut]});
          }
        }
      }
    }
  }

  std::size_t parts() const override { return std::max<std::size_t>(1, parts_.size()); }
  double most(std::size_t part, std::size_t label, std::span<const double> column, double) const override {
    if (parts_.empty()) return best_vertex(label, column, true);
    const std::optional<Ends> found = ends(parts_[part], label, column);
    return found ? std::max(found->first, found->second) : 0;
  }
  void least(std::size_t label, std::span<const double> column, double, std::span<double> by_part) const override {
    if (parts_.empty()) by_part[0] = best_vertex(label, column, false);
    for (std::size_t part = 0; part < parts_.size(); ++part) {
      const std::optional<Ends> found = ends(parts_[part], label, column);
      by_part[part] = found ? std::min(found->first, found->second) : kNoMean;
    }
  }
  std::optional<Weighted> above(std::size_t part, std::size_t label) const override {
    return weighted(part, label, [](double a, double b) { return std::max(a, b); });
  }
  std::optional<Weighted> below(std::size_t part, std::size_t label) const override {
    return weighted(part, label, [](double a, double b) { return std::min(a, b); });
  }

 private:
  static constexpr std::size_t kMostInPairs = 6;
  static constexpr double kWeights[] = {0,       1.0 / 64, 1.0 / 16, 1.0 / 8,   1.0 / 4,   3.0 / 8, 1.0 / 2,
                                        5.0 / 8, 3.0 / 4,  7.0 / 8,  15.0 / 16, 63.0 / 64, 1};
  struct Part {
    std::size_t begin, end;  // vertices
    double from, to;         // weight of the second vertex in the mixture
  };
  using Ends = std::pair<double, double>;

  // The mean is a quotient of linear functions of the weight, so it is between its values at the ends. If one of
  // the two vertices gives the label no mass, the mean is that of the other vertex.
  std::optional<Ends> ends(const Part& part, std::size_t label, std::span<const double> column) const {
    const RoundedVertex &begin = vertices_[part.begin], &end = vertices_[part.end];
    const double mass = begin.masses[label], other = end.masses[label];
    if (mass == 0 && other == 0) return std::nullopt;
    const double joint = begin.joint(label, column), other_joint = end.joint(label, column);
    if (mass == 0 || other == 0) {
      const double mean = mass == 0 ? other_joint / other : joint / mass;
      return Ends(mean, mean);
    }
    const auto at = [&](double w) {
      if (w == 0) return joint / mass;
      if (w == 1) return other_joint / other;
      return ((1 - w) * joint + w * other_joint) / ((1 - w) * mass + w * other);
    };
    return Ends(at(part.from), at(part.to));
  }
  // Returns the weights of both ends of the part, combined place by place. As in ends(), a vertex that gives the label
  // no mass does not count.
  template <typename Combine>
  std::optional<Weighted> weighted(std::size_t part, std::size_t label, const Combine& combine) const {
    if (parts_.empty()) return std::nullopt;
    Part own = parts_[part];
    const bool begins = vertices_[own.begin].masses[label] != 0, ends = vertices_[own.end].masses[label] != 0;
    if (!begins && !ends) return Weighted{{}, 0, true};
    if (!begins || !ends) own = {begins ? own.begin : own.end, begins ? own.begin : own.end, 0, 1};
    const auto at_end = [&](double w) {
      const std::pair<const RoundedVertex&, double> both[] = {{vertices_[own.begin], 1 - w}, {vertices_[own.end], w}};
      Weighted sum;
      double mass = 0;
      for (const auto& [vertex, share] : both) {
        mass += share * vertex.masses[label];
        if (share == 0) continue;
        for (const RoundedVertex::Cell& cell : vertex.cells[label]) {
          if (sum.places.size() <= cell.place) sum.places.resize(cell.place + 1, 0);
          sum.places[cell.place] += share * cell.mass;
        }
      }
      for (double& weight : sum.places) weight /= mass;
      return sum;
    };
    Weighted first = at_end(own.from);
    if (own.begin == own.end) return first;
    const Weighted second = at_end(own.to);
    first.places.resize(std::max(first.places.size(), second.places.size()), 0);
    for (std::size_t k = 0; k < first.places.size(); ++k) {
      first.places[k] = combine(first.places[k], k < second.places.size() ? second.places[k] : 0);
    }
    return first;
  }
  double best_vertex(std::size_t label, std::span<const double> column, bool most) const {
    double best = most ? 0 : kNoMean;
    for (const RoundedVertex& vertex : vertices_) {
      if (vertex.masses[label] == 0) continue;
      const double mean = vertex.joint(label, column) / vertex.masses[label];
      best = most ? std::max(best, mean) : std::min(best, mean);
    }
    return best;
  }

  std::vector<RoundedVertex> vertices_;
  std::vector<Part> parts_;  // empty: all vertices together
};

class ListSet final : public PriorSet {
 public:
  ListSet(std::vector<Prior> priors, bool mixes) : priors_(std::move(priors)), mixes_(mixes) {}
  std::string words() const override {
    return (mixes_ ? "priors that mix the " : "priors among the ") + std::to_string(priors_.size()) + " stated ones";
  }
  std::unique_ptr<SetSearch> search(const SetQuestion& question, Budget& budget) const override {
    return std::make_unique<HullSearch>(vertices(question, budget), question.inputs, mixes_, budget);
  }
  std::optional<NamedInputs> named_inputs(Budget& budget) const override {
    MemberBuilder all;
    for (const Prior& prior : priors_) {
      for (const auto& [input, weight] : prior.numbered_rows(budget)) all.add(input, weight / prior.total());
    }
    return NamedInputs{all.finish().rows, false};
  }
  std::unique_ptr<MeanBounds> bounds(const SetQuestion& question, Budget& budget) const override {
    return std::make_unique<HullBounds>(vertices(question, budget), mixes_);
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
  std::vector<Vertex> vertices(const SetQuestion& question, Budget& budget) const {
    std::vector<Vertex> vertices;
    for (const Prior& prior : priors_) {
      vertices.push_back(split(prior, question.inputs, 1, budget, [](std::uint64_t) { return std::size_t{0}; })[0]);
      vertices.back().number = vertices.size() - 1;
    }
    return vertices;
  }

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

  std::unique_ptr<SetSearch> search(const SetQuestion& question, Budget& budget) const override {
    return std::make_unique<HullSearch>(slices(question, budget), question.inputs, true, budget);
  }
  std::optional<NamedInputs> named_inputs(Budget& budget) const override {
    return NamedInputs{center_.numbered_rows(budget), false};
  }
  std::unique_ptr<MeanBounds> bounds(const SetQuestion& question, Budget& budget) const override {
    return std::make_unique<HullBounds>(slices(question, budget), true);
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
  // Learning something about these coordinates multiplies every record of them by some number. So the set is the
  // hull of the center's slices that have mass.
  std::vector<Vertex> slices(const SetQuestion& question, Budget& budget) const {
    const Projection project(question.domain, about_);
    std::map<std::uint64_t, std::size_t> known;
    for (const auto& [input, weight] : center_.numbered_rows(budget)) known.emplace(project(input), known.size());
    std::vector<Vertex> vertices =
        split(center_, question.inputs, known.size(), budget, [&](std::uint64_t x) { return known.at(project(x)); });
    for (const auto& [value, place] : known) vertices[place].number = value;
    return vertices;
  }

  Prior center_;
  std::vector<std::size_t> about_;
};

}  // namespace

PriorSetPtr any_of(std::vector<Prior> priors) { return std::make_shared<ListSet>(std::move(priors), false); }
PriorSetPtr mixtures_of(std::vector<Prior> priors) { return std::make_shared<ListSet>(std::move(priors), true); }
PriorSetPtr side_knowledge(Prior center, std::vector<std::size_t> about) {
  return std::make_shared<KnowledgeSet>(std::move(center), std::move(about));
}

}  // namespace oddsbound::priors
