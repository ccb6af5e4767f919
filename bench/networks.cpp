// Networks: levels of all attributes along their cliques, against enumeration of inputs and outputs, in seconds of
// processor time.
#include <cstdio>
#include <ctime>
#include <functional>
#include <random>
#include <string>

#include "bench/size.h"
#include "mechanisms/k_randomized_response.h"
#include "verifier/engine/group_search.h"
#include "verifier/engine/measured_model.h"
#include "verifier/engine/network_search.h"
#include "verifier/model/product_channel.h"

using namespace oddsbound;

namespace {

// Returns the processor time of all threads of this process; other programs do not count.
double seconds(const std::function<void()>& work) {
  const std::clock_t start = std::clock();
  work();
  return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

// Tables of random multiples of 1/100; every attribute is answered by randomized response at level 1.
Model network(std::size_t size, std::uint64_t values, const std::function<std::size_t(std::size_t)>& parent) {
  std::mt19937_64 random(1);
  Coordinate coordinate;
  for (std::uint64_t v = 0; v < values; ++v) coordinate.values.push_back(std::to_string(v));
  std::vector<Coordinate> coordinates;
  std::vector<NetworkNode> nodes;
  std::vector<Factor> factors;
  const Domain one({Coordinate{"x", coordinate.values}});
  const ChannelPtr answer =
      k_randomized_response::mechanism(one, Level::of_exponential(Number::exp_of(Number(1)))).channel;
  for (std::size_t i = 0; i < size; ++i) {
    coordinate.name = "x" + std::to_string(i);
    coordinates.push_back(coordinate);
    factors.push_back({answer, {i}});
    NetworkNode& node = nodes.emplace_back(NetworkNode{i, {}, {}});
    if (i > 0) node.parents = {parent(i)};
    while (node.table.size() < (i > 0 ? values : 1)) {
      std::vector<Number>& row = node.table.emplace_back();
      Number sum;
      for (std::uint64_t v = 0; v < values; ++v) {
        row.emplace_back(static_cast<std::int64_t>(1 + random() % 20));
        sum += row.back();
      }
      for (Number& share : row) share /= sum;
    }
  }
  const Domain domain(coordinates);
  return {domain, std::make_shared<const ProductChannel>(domain, std::move(factors)),
          Prior::network(domain, std::move(nodes))};
}

void measure(const char* name, const Model& model) {
  Budget budget;
  std::vector<GroupLevel> levels;
  const double time = seconds([&] { levels = search_network(model, *network_of(model, budget), budget, 300); });
  double gap = 0;
  for (const GroupLevel& level : levels) {
    if (level.unfinished) gap = std::max(gap, level.unfinished->at_most.approx() - level.at_least.approx());
  }
  std::printf("| %s | %.6f | %g | %.2f s | ", name, levels[levels.size() / 2].at_least.approx(), gap, time);
  if (!model.domain.is_countable() || model.domain.input_numbers() > 4096) {
    std::printf("| |\n");
    return;
  }
  const BetweenLabels question = between_values(model.domain, every_coordinate(model.domain));
  const double enumerated = seconds([&] {
    MeasuredModel subject(model, budget);
    subject.answer(question);
  });
  std::printf("%.2f s | %.4f |\n", enumerated, time / enumerated);
}

}  // namespace

int main() {
  const auto chain = [](std::size_t i) { return i - 1; };
  const auto tree = [](std::size_t i) { return (i - 1) / 2; };
  const auto star = [](std::size_t) { return std::size_t{0}; };
  std::printf("| network | level of the middle attribute | widest gap | all levels | inputs x outputs | ratio |\n");
  std::printf("| --- | --- | --- | --- | --- | --- |\n");
  measure("chain of 10, binary", network(10, 2, chain));
  if (bench::is_tiny()) return 0;
  measure("chain of 12, binary", network(12, 2, chain));
  measure("chain of 100, binary", network(100, 2, chain));
  measure("tree of 100, binary", network(100, 2, tree));
  measure("star of 100, binary", network(100, 2, star));
  measure("chain of 30, four values", network(30, 4, chain));
  measure("tree of 30, four values", network(30, 4, tree));
  measure("star of 12, four values", network(12, 4, star));
  measure("star of 30, four values", network(30, 4, star));
}
