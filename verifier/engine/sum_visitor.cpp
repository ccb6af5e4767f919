#include "verifier/engine/sum_visitor.h"

#include <algorithm>

#include "verifier/engine/sum_loops.h"

namespace oddsbound::engine {

namespace {

constexpr double kNegligible = 0x1p-900;

}  // namespace

double bounded_log(double x) { return LogTable::get().log(x); }

SumVisitor::SumVisitor(const SumPlan& plan, const VisitLimits& limits, double margin)
    : plan_(plan), limits_(limits), log_(LogTable::get()), margin_(margin), likely_(margin) {
  for (std::size_t d = 0; d <= plan.block; ++d) {
    nodes_.emplace_back(plan.depths[d].cells);
    sums_.emplace_back(plan.sums);
  }
  nodes_[0] = plan.root;
  path_.resize(plan.factors.size());
  parts_.assign(plan.block + 1, 1);
  std::size_t lanes = 1;
  for (std::size_t d = plan.block; d < plan.steps.size(); ++d) {
    lanes *= d + 1 == plan.steps.size() ? plan.slice : plan.steps[d].outputs;
    in_block_.emplace_back(plan.depths[d + 1].cells * lanes);
  }
  for (std::vector<double>* all : {&term_, &inverse_, &lane_parts_}) all->resize(plan.lanes);
}

SumVisitor::Found SumVisitor::below(std::span<const std::uint32_t> prefix, Budget& budget) {
  budget_ = &budget;
  left_any_ = false;
  blocks_ = 0;
  steps_ = 0;
  likely_ = LikelySums(margin_);
  // The prefix itself is always opened: other units have parts of it in common.
  const std::size_t depth = prefix.size();
  double mass = 1;
  for (std::size_t d = 0; d < depth && mass > 0; ++d) mass = fix(d, prefix[d]);
  sums_[depth].clear();
  if (mass > 0) may_open(mass) ? visit(depth) : leave(depth, mass, sums_[depth]);
  return {sums_[depth], std::move(likely_), left_any_, blocks_, steps_};
}

// Fixes an output of factor d. Returns the mass of all outputs below.
double SumVisitor::fix(std::size_t d, std::uint32_t output) {
  const SumStep& step = plan_.steps[d];
  const double* entries = step.entries + output * step.classes;
  const double* from = nodes_[d].data();
  double* to = nodes_[d + 1].data();
  for (std::size_t t = 0; t < step.targets(); ++t) {
    const bool maximum = t >= step.first_maximum;
    double sum = 0;
    for (std::uint32_t k = step.begin[t]; k < step.begin[t + 1]; ++k) {
      const double product = from[step.sources[k].cell] * entries[step.sources[k].entry];
      sum = maximum ? std::max(sum, product) : sum + product;
    }
    to[t] = sum;
  }
  steps_ += static_cast<double>(step.sources.size());
  path_[d] = output;
  parts_[d + 1] = parts_[d] * plan_.factors[d].parts[output];
  double mass = 0;
  for (std::size_t c = 0; c < plan_.depths[d + 1].all; ++c) mass += to[c];
  return mass;
}

bool SumVisitor::may_open(double mass) const {
  return mass >= limits_.threshold && !limits_.late->load(std::memory_order_relaxed);
}

void SumVisitor::visit(std::size_t d) {
  budget_->check_every();
  if ((++visits_ & 0xff) == 0 && std::chrono::steady_clock::now() > limits_.deadline) *limits_.late = true;
  sums_[d].clear();
  if (d == plan_.block) {
    visit_block();
    return;
  }
  for (std::uint32_t y = 0; y < plan_.steps[d].outputs; ++y) {
    const double mass = fix(d, y);
    if (mass == 0) continue;
    if (!may_open(mass)) {
      leave(d + 1, mass, sums_[d]);
      continue;
    }
    visit(d + 1);
    sums_[d].add(sums_[d + 1]);
  }
}

// Adds the bounds of the sums over all outputs below a prefix that is not opened.
void SumVisitor::leave(std::size_t d, double mass, PartialSums& sums) {
  left_any_ = true;
  likely_.leave_unopened(mass);
  if (mass <= kNegligible) return;
  const SumDepth& depth = plan_.depths[d];
  const double* cells = nodes_[d].data();
  for (std::size_t k = 0; k < plan_.partitions.size(); ++k) {
    const PlannedPartition& own = plan_.partitions[k];
    const LabelCells& place = depth.partitions[k];
    const std::size_t labels = own.inverse_masses.size();
    by_label_.assign(labels, 0);
    by_rest_.assign(depth.all * labels, 0);
    for (std::size_t c = 0; c < place.labels.size(); ++c) {
      by_label_[place.labels[c]] += cells[place.first + c];
      by_rest_[place.rests[c] * labels + place.labels[c]] = cells[place.first + c];
    }
    add_term(own, by_label_.data(), mass, sums.lower);
    for (std::size_t rest = 0; rest < depth.all; ++rest) {
      if (cells[rest] > kNegligible) add_term(own, by_rest_.data() + rest * labels, cells[rest], sums.upper);
    }
  }
  if (!plan_.record) return;
  const double* maxima = cells + depth.cells - depth.all;
  sums.lower[plan_.guess_sum] += *std::max_element(maxima, maxima + depth.all);
  double lower = -mass * log_.log(mass), of_rests = 0;
  const double upper = lower + mass * depth.log_rests;
  for (std::size_t rest = 0; rest < depth.all; ++rest) {
    sums.upper[plan_.guess_sum] += maxima[rest];
    lower += cells[rest] * depth.rest_entropy[rest];
    if (cells[rest] > kNegligible) of_rests -= cells[rest] * log_.log(cells[rest] / mass);
  }
  sums.lower[plan_.entropy_sum] += lower;
  sums.upper[plan_.entropy_sum] += std::min(upper, lower + of_rests);
}

// Adds the terms of an output with these masses of the labels, or of all outputs below a prefix as one.
void SumVisitor::add_term(const PlannedPartition& own, const double* by_label, double mass,
                          std::vector<double>& sums) const {
  const std::size_t labels = own.inverse_masses.size();
  if (own.guesses) sums[own.guess_sum] += *std::max_element(by_label, by_label + labels);
  for (std::size_t a = 0; a < labels && own.information; ++a) {
    sums[own.information_sum] += by_label[a] * log_.log(by_label[a] / mass * own.inverse_masses[a]);
  }
  for (std::size_t e = 0; e < own.excesses.size(); ++e) {
    const PlannedExcess& excess = own.excesses[e];
    sums[own.first_excess + e] +=
        std::max(0.0, by_label[excess.from] * excess.from_scale - by_label[excess.to] * excess.to_scale);
  }
}

void SumVisitor::visit_block() {
  ++blocks_;
  const std::size_t last = plan_.steps.size() - 1;
  const std::size_t outputs = plan_.steps[last].outputs;
  for (std::size_t first = 0; first < outputs; first += plan_.slice) {
    const std::size_t end = std::min(first + plan_.slice, outputs);
    const double* cells = nodes_[plan_.block].data();
    std::size_t lanes = 1;
    for (std::size_t d = plan_.block; d <= last; ++d) {
      double* next = in_block_[d - plan_.block].data();
      const bool sliced = d == last;
      fix_outputs(plan_.steps[d], cells, lanes, sliced ? first : 0, sliced ? end : plan_.steps[d].outputs, next);
      lanes *= sliced ? end - first : plan_.steps[d].outputs;
      cells = next;
    }
    add_outputs(cells, lanes, sums_[plan_.block]);
    if (plan_.record) find_likely(cells, lanes, first);
  }
}

// The terms of all lanes. `cells`: the cells after the last factor, one per label.
void SumVisitor::add_outputs(const double* cells, std::size_t lanes, PartialSums& sums) {
  const double* all = cells;
  double* const term = term_.data();
  for (std::size_t l = 0; l < lanes; ++l) inverse_[l] = all[l] > kNegligible ? 1 / all[l] : 0;
  for (std::size_t k = 0; k < plan_.partitions.size(); ++k) {
    const PlannedPartition& own = plan_.partitions[k];
    const double* masses = cells + plan_.depths.back().partitions[k].first * lanes;
    const std::size_t labels = own.inverse_masses.size();
    if (own.guesses) {
      set_maxima(masses, labels, lanes, term);
      sums.visited[own.guess_sum] += tree_sum(term, lanes);
    }
    if (own.information) {
      std::fill_n(term, lanes, 0);
      for (std::size_t a = 0; a < labels; ++a) {
        log_.add_logs(masses + a * lanes, inverse_.data(), own.inverse_masses[a], lanes, term);
      }
      sums.visited[own.information_sum] += tree_sum(term, lanes);
    }
    for (std::size_t e = 0; e < own.excesses.size(); ++e) {
      const PlannedExcess& excess = own.excesses[e];
      set_excesses(masses + excess.from * lanes, excess.from_scale, masses + excess.to * lanes, excess.to_scale, lanes,
                   term);
      sums.visited[own.first_excess + e] += tree_sum(term, lanes);
    }
  }
  if (!plan_.record) return;
  std::copy_n(cells + (plan_.depths.back().cells - 1) * lanes, lanes, term);
  sums.visited[plan_.guess_sum] += tree_sum(term, lanes);
  for (std::size_t l = 0; l < lanes; ++l) term[l] = all[l] > kNegligible ? -all[l] * log_.log(all[l]) : 0;
  sums.visited[plan_.entropy_sum] += tree_sum(term, lanes);
}

// Calls visit(factor, output) for the factors of the block; the first factor varies fastest.
template <typename Visit>
void SumVisitor::each_in_lane(std::size_t lane, std::size_t first, const Visit& visit) const {
  const std::size_t last = plan_.steps.size() - 1;
  for (std::size_t d = plan_.block; d < last; ++d) {
    visit(d, lane % plan_.steps[d].outputs);
    lane /= plan_.steps[d].outputs;
  }
  visit(last, first + lane);
}

void SumVisitor::find_likely(const double* all, std::size_t lanes, std::size_t first) {
  if (lane_parts_of_ != first || lanes_known_ != lanes) {
    lane_parts_of_ = first;
    lanes_known_ = lanes;
    for (std::size_t l = 0; l < lanes; ++l) {
      lane_parts_[l] = 1;
      each_in_lane(l, first, [&](std::size_t d, std::size_t y) { lane_parts_[l] *= plan_.factors[d].parts[y]; });
    }
  }
  const double part = parts_[plan_.block];
  double most = 0;
  for (std::size_t l = 0; l < lanes; ++l) most = std::max(most, all[l] * lane_parts_[l] * part);
  if (!likely_.may_be(most)) return;
  for (std::size_t l = 0; l < lanes; ++l) {
    const double probability = all[l] * lane_parts_[l] * part;
    if (probability < most * (1 - margin_) || !likely_.may_be(probability)) continue;
    each_in_lane(l, first, [&](std::size_t d, std::size_t y) { path_[d] = static_cast<std::uint32_t>(y); });
    likely_.add({probability, path_});
  }
}

}  // namespace oddsbound::engine
