// Surveys: the search over outputs against enumeration. bench_surveys SPEC (specs/gallery/house-votes.json)
//
// The gap between the ends of a level over time: bench_surveys SPEC ATTRIBUTE SECONDS
// Averages, by sums over all outputs: bench_surveys SPEC ATTRIBUTE
// Bounds from sums over all rows: bench_surveys SPEC ATTRIBUTE,... COUNT,... SECONDS (with the first attributes only)
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <functional>
#include <numeric>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "bench/size.h"
#include "bench/timing.h"
#include "specs/spec.h"
#include "verifier/engine/group_search.h"
#include "verifier/engine/measured_model.h"
#include "verifier/engine/output_search.h"
#include "verifier/engine/output_sums.h"
#include "verifier/engine/pair_losses.h"
#include "verifier/model/product_channel.h"

using namespace oddsbound;
using oddsbound::bench::seconds;

namespace {

// The model with the first attributes and the first answers only.
Model first_of(const Model& model, std::size_t attributes, std::size_t answers, Budget& budget) {
  std::vector<std::size_t> coordinates(attributes);
  std::iota(coordinates.begin(), coordinates.end(), std::size_t{0});
  const Domain domain = model.domain.restricted_to(coordinates);
  std::vector<Factor> factors(model.channel->factors().begin(),
                              model.channel->factors().begin() + static_cast<std::ptrdiff_t>(answers));
  return {domain, std::make_shared<const ProductChannel>(domain, std::move(factors)),
          model.prior->marginal(coordinates, budget)};
}

// The baseline in plain doubles: fix one answer after another, and add up the rows that agree in the others.
class SuffixEnumeration {
 public:
  SuffixEnumeration(const ProjectedRows& seen, const Suffixes& suffixes) : suffixes_(suffixes) {
    weights_.resize(suffixes.depths() + 1);
    for (std::size_t d = 0; d <= suffixes.depths(); ++d)
      weights_[d].assign(2, std::vector<double>(suffixes.layer(d).size));
    for (std::size_t r = 0; r < seen.rows.size(); ++r) {
      const SeenRow& row = seen.rows[r];
      weights_[0][row.group][suffixes.root(r)] += (row.weight / seen.masses[row.group]).approx();
    }
    visit(0);
  }
  double most() const { return most_; }

 private:
  void visit(std::size_t depth) {
    if (depth == suffixes_.depths()) {
      const double ratio = weights_[depth][0][0] / weights_[depth][1][0];
      most_ = std::max({most_, ratio, 1 / ratio});
      return;
    }
    const SuffixLayer& layer = suffixes_.layer(depth);
    for (const std::vector<double>& entries : suffixes_.entries(depth)) {
      for (std::size_t g = 0; g < 2; ++g) {
        std::vector<double>& next = weights_[depth + 1][g];
        std::fill(next.begin(), next.end(), 0);
        for (std::size_t s = 0; s < layer.size; ++s)
          next[layer.next[s]] += weights_[depth][g][s] * entries[layer.seen[s]];
      }
      visit(depth + 1);
    }
  }

  const Suffixes& suffixes_;
  std::vector<std::vector<std::vector<double>>> weights_;  // [depth][group][suffix]
  double most_ = 0;
};

void row(std::size_t answers, const char* against, double outputs, const GroupLevel& level, double time, double other) {
  std::printf("| the party, %zu votes, %.0f outputs | %.6f | %llu | %.1f ms | %s | %.1f ms | %.4f |\n", answers,
              outputs, level.at_least.approx(), static_cast<unsigned long long>(level.nodes.value_or(0)), 1e3 * time,
              against, 1e3 * other, time / other);
}

int ends_over_time(const Model& model, const char* attribute, double most_seconds, Budget& budget) {
  const std::optional<std::size_t> coordinate = model.domain.find(attribute);
  if (!coordinate) return 2;
  const auto start = std::chrono::steady_clock::now();
  const auto line = [](double time, double least, double most) {
    const double gap = std::isinf(most) ? 1 : (most - least) / most;
    std::printf("| | %.1f | %.4f | %.4f | %.0f %% |\n", time, least, most, 100 * gap);
  };
  std::printf("| %s | seconds | at least | at most | gap |\n| --- | --- | --- | --- | --- |\n", attribute);
  double next = 1;
  const auto told = [&](double least, double most, std::uint64_t) {
    const double time = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    if (time < next) return;
    while (next <= time) next *= 2;
    line(time, least, most);
  };
  GroupLevel level;
  const double time = seconds([&] {
    level = search_outputs(rows_by_value(model, *coordinate, budget), budget, {most_seconds, {}, told});
  });
  line(time, level.at_least.approx(), level.at_most().approx());
  return 0;
}

std::vector<std::string> split_at_commas(const std::string& list) {
  std::vector<std::string> parts;
  std::istringstream text(list);
  for (std::string part; std::getline(text, part, ',');) parts.push_back(part);
  return parts;
}

double processor_seconds(const std::function<void()>& work) {
  const std::clock_t start = std::clock();
  work();
  return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

int bounds_of_sums(const Model& whole, const char* attributes, const char* counts, double most_seconds,
                   Budget& budget) {
  std::printf(
      "| attributes, level of | outputs | level | nodes | time | without such bounds | its time | ratio |\n"
      "| --- | --- | --- | --- | --- | --- | --- | --- |\n");
  const auto ends = [](const GroupLevel& level) {
    const std::string least = fmt::format("{:.4f}", level.at_least.approx());
    return level.unfinished ? least + fmt::format(" to {:.4f}", level.at_most().approx()) : least;
  };
  for (const std::string& count : split_at_commas(counts)) {
    const std::size_t attributes_kept = std::stoul(count);
    std::size_t answers = 0;
    double outputs = 1;
    for (const Factor& factor : whole.channel->factors()) {
      if (factor.coordinates.back() >= attributes_kept) break;
      ++answers;
      outputs *= static_cast<double>(factor.channel->outputs());
    }
    const Model model = first_of(whole, attributes_kept, answers, budget);
    for (const std::string& attribute : split_at_commas(attributes)) {
      const std::optional<std::size_t> coordinate = model.domain.find(attribute);
      if (!coordinate) return 2;
      const ProjectedRows seen = rows_by_value(model, *coordinate, budget);
      SearchLimits with{most_seconds}, without{most_seconds};
      without.averages = Averages::kNever;
      GroupLevel level, other;
      const double time = processor_seconds([&] { level = search_outputs(seen, budget, with); });
      const double its = processor_seconds([&] { other = search_outputs(seen, budget, without); });
      std::printf("| %s, %s | %.1e | %s | %llu | %.2f s | %s | %.2f s | %.4f |\n", count.c_str(), attribute.c_str(),
                  outputs, ends(level).c_str(), static_cast<unsigned long long>(level.nodes.value_or(0)), time,
                  ends(other).c_str(), its, time / its);
      const bool agree = level.at_least <= other.at_most() && other.at_least <= level.at_most();
      if (!agree) return 1;
    }
    if (bench::is_tiny()) break;
  }
  return 0;
}

double gap_of(const NumberBounds& bounds) { return (bounds.upper - bounds.lower).approx(); }

int averages(const Model& whole, const char* attribute, Budget& budget) {
  if (whole.domain.find(attribute) != 0) return 2;  // the hidden one comes first
  std::printf(
      "| what | information, nats | gap | best guess | delta at epsilon 1 | gap | time |\n"
      "| --- | --- | --- | --- | --- | --- | --- |\n");
  const auto line = [](const char* what, std::size_t answers, const LabelSumBounds& about, double time) {
    std::printf("| %s, %zu votes | %.12f | %.0e | %.12f | %.12f | %.0e | %.0f ms |\n", what, answers,
                about.information.upper.approx(), gap_of(about.information), about.guess.upper.approx(),
                about.excesses[0].upper.approx(), gap_of(about.excesses[0]), 1e3 * time);
  };
  for (const std::size_t answers : {8U, 12U, 16U}) {
    if (bench::is_tiny() && answers > 8) break;
    const Model model = first_of(whole, answers + 1, answers, budget);
    std::vector<LabelSums> asked;
    for (std::size_t i = 0; i < model.domain.size(); ++i) {
      asked.push_back({Partition::by_value(model.domain, i), true, true, {{0, 1, Number::exp_of(Number(1))}}});
    }
    OutputSums sums;
    const double one = seconds([&] { sums = sum_outputs(model, std::span(asked).first(1), false, budget); });
    line(attribute, answers, sums.labels[0], one);
    const double all = seconds([&] { sums = sum_outputs(model, asked, true, budget); });
    line("every attribute and the record", answers, sums.labels[0], all);
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2 || argc > 5) return 2;
  Limits limits;
  limits.max_seconds = 1e6;
  Budget budget(limits);
  const Spec spec = read_spec(argv[1], budget);
  if (argc == 3) return averages(spec.model, argv[2], budget);
  if (argc == 5) return bounds_of_sums(spec.model, argv[2], argv[3], std::stod(argv[4]), budget);
  if (argc == 4) return ends_over_time(spec.model, argv[2], std::stod(argv[3]), budget);
  std::printf(
      "| what | level | nodes | time | against | its time | ratio |\n| --- | --- | --- | --- | --- | --- | --- |\n");
  for (const std::size_t answers : {8U, 12U, 16U}) {
    if (bench::is_tiny() && answers > 8) break;
    const Model model = first_of(spec.model, answers + 1, answers, budget);
    GroupLevel level;
    double time = 1e9;
    for (int round = 0; round < 5; ++round) {
      time = std::min(time, seconds([&] { level = search_outputs(rows_by_value(model, 0, budget), budget); }));
    }
    const ProjectedRows seen = rows_by_value(model, 0, budget);
    std::vector<std::size_t> order(answers);
    std::iota(order.begin(), order.end(), std::size_t{0});
    double most = 0;
    const double enumerated = seconds([&] { most = SuffixEnumeration(seen, Suffixes(seen, order, budget)).most(); });
    row(answers, "suffix enumeration in doubles", std::pow(3, static_cast<double>(answers)), level, time, enumerated);
    if (std::abs(std::log(most) - level.at_least.approx()) > 1e-9) return 1;
    if (answers > 8) continue;
    const double all = seconds([&] {
      MeasuredModel subject(model, budget);
      subject.answer(between_values(model.domain, {0}));
    });
    row(answers, "inputs x outputs, exact", std::pow(3, static_cast<double>(answers)), level, time, all);
  }
}
