// `location_experiment`: the location experiment of the context-aware LDP paper, Section 7, on a table of places that
// bench/checkins.py writes. Hadamard response on all 43,750 places at eps = 1, against its block-structured variant
// with the paper's grids of equal blocks, and with as many unequal blocks of about equally many check-ins each.
//
//   location_experiment places.csv [RUNS [SAMPLES]] > locations.csv
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <numeric>
#include <queue>

#include "bench/distributions.h"
#include "bench/size.h"
#include "mechanisms/family.h"
#include "specs/spec.h"

namespace {

using namespace oddsbound;
using namespace oddsbound::bench;

const std::uint64_t kRows = sized(125, 25), kColumns = sized(350, 70), kPlaces = kRows * kColumns;
constexpr double kE = 2.718281828459045;

using Counts = std::vector<std::uint64_t>;               // check-ins by place
using Blocks = std::vector<std::vector<std::uint64_t>>;  // places of each block

[[noreturn]] void give_up(const std::string& why) {
  std::fprintf(stderr, "error: %s\n", why.c_str());
  std::exit(2);
}

Counts read_places(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  if (!std::getline(file, line) || line != "row,column,checkins") give_up(path + ": not a table of checkins.py");
  Counts counts(kPlaces);
  for (int number = 2; std::getline(file, line); ++number) {
    unsigned long long row = 0, column = 0, checkins = 0;
    int end = 0;
    const int found = std::sscanf(line.c_str(), "%llu,%llu,%llu%n", &row, &column, &checkins, &end);
    if (found != 3 || static_cast<std::size_t>(end) != line.size() || row >= kRows || column >= kColumns) {
      give_up(path + ":" + std::to_string(number) + ": found '" + line +
              "', expected a row below 125, a column below 350, and how many check-ins");
    }
    counts[row * kColumns + column] += checkins;
  }
  if (std::accumulate(counts.begin(), counts.end(), std::uint64_t{0}) == 0) give_up(path + ": no check-ins");
  return counts;
}

// A grid of south_north x west_east parts, as equal as possible.
Blocks grid(std::uint64_t south_north, std::uint64_t west_east) {
  Blocks blocks(south_north * west_east);
  for (std::uint64_t row = 0; row < kRows; ++row) {
    for (std::uint64_t column = 0; column < kColumns; ++column) {
      blocks[row * south_north / kRows * west_east + column * west_east / kColumns].push_back(row * kColumns + column);
    }
  }
  return blocks;
}

// A rectangle of places.
struct Area {
  std::uint64_t top, bottom, left, right, checkins;  // bottom and right exclusive
  std::uint64_t places() const { return (bottom - top) * (right - left); }
  // Areas with most check-ins are cut first; among areas without any, the largest.
  friend bool operator<(const Area& a, const Area& b) {
    const auto key = [](const Area& area) {
      return std::tuple(area.places() > 1, area.checkins, area.places(), area.top, area.left);
    };
    return key(a) < key(b);
  }
};

Area area_of(const Counts& counts, std::uint64_t top, std::uint64_t bottom, std::uint64_t left, std::uint64_t right) {
  Area area{top, bottom, left, right, 0};
  for (std::uint64_t row = top; row < bottom; ++row) {
    for (std::uint64_t column = left; column < right; ++column) area.checkins += counts[row * kColumns + column];
  }
  return area;
}

// Cuts across the longer side, where both halves have about equally many check-ins.
std::pair<Area, Area> halves(const Counts& counts, const Area& whole) {
  const bool across_rows = whole.bottom - whole.top >= whole.right - whole.left;
  const std::uint64_t from = across_rows ? whole.top : whole.left, to = across_rows ? whole.bottom : whole.right;
  const auto cut_at = [&](std::uint64_t cut) {
    return across_rows ? std::pair{area_of(counts, whole.top, cut, whole.left, whole.right),
                                   area_of(counts, cut, whole.bottom, whole.left, whole.right)}
                       : std::pair{area_of(counts, whole.top, whole.bottom, whole.left, cut),
                                   area_of(counts, whole.top, whole.bottom, cut, whole.right)};
  };
  std::uint64_t cut = from + 1;
  while (cut + 1 < to && cut_at(cut).first.checkins * 2 < whole.checkins) ++cut;
  return cut_at(cut);
}

Blocks by_checkins(const Counts& counts, std::size_t blocks) {
  std::priority_queue<Area> areas;
  areas.push(area_of(counts, 0, kRows, 0, kColumns));
  while (areas.size() < blocks) {
    const auto [first, second] = halves(counts, areas.top());
    areas.pop();
    areas.push(first);
    areas.push(second);
  }
  Blocks result;
  for (; !areas.empty(); areas.pop()) {
    const Area& area = areas.top();
    std::vector<std::uint64_t>& block = result.emplace_back();
    for (std::uint64_t row = area.top; row < area.bottom; ++row) {
      for (std::uint64_t column = area.left; column < area.right; ++column) block.push_back(row * kColumns + column);
    }
  }
  return result;
}

Spec scheme(const Blocks& blocks, Budget& budget) {
  std::string text = R"j({"oddsbound": 1, "name": "locations", "domain": [{"name": "place", "size": )j" +
                     std::to_string(kPlaces) +
                     R"j(}], "mechanism": {"type": "block_hadamard_response", "epsilon": "1", "blocks": [)j";
  for (const auto& block : blocks) {
    text += &block == &blocks.front() ? "[" : ", [";
    for (const std::uint64_t& place : block)
      text += (&place == &block.front() ? "[\"" : ", [\"") + std::to_string(place) + "\"]";
    text += "]";
  }
  return read_spec_text("locations", ".", text + "]}}", budget);
}

// Multiplies by Sylvester's matrix, in place (fast Walsh-Hadamard transform).
void transform(std::vector<double>& values) {
  for (std::size_t half = 1; half < values.size(); half *= 2) {
    for (std::size_t begin = 0; begin < values.size(); begin += 2 * half) {
      for (std::size_t i = begin; i < begin + half; ++i) {
        const double a = values[i], b = values[i + half];
        values[i] = a + b;
        values[i + half] = a - b;
      }
    }
  }
}

// Equation (19): (e + 1) / (e - 1) times the sum of the frequencies of a block's outputs, with the signs of the
// place's row; all rows of a block at once.
Distribution estimate(const Channel& channel, const Counts& outputs, std::uint64_t samples) {
  Distribution result(kPlaces);
  for (const DisjointPart& part : channel.disjoint_parts()) {
    std::vector<double> sums(part.channel->outputs());
    for (std::size_t y = 0; y < sums.size(); ++y) sums[y] = static_cast<double>(outputs[part.first_output + y]);
    transform(sums);
    for (std::size_t k = 0; k < part.inputs.size(); ++k) {
      result[part.inputs[k]] = (kE + 1) / (kE - 1) * sums[k + 1] / static_cast<double>(samples);
    }
  }
  return result;
}

Counts draw_outputs(const Spec& spec, const Distribution& steps, std::uint64_t samples, RandomSource& source) {
  Counts outputs(spec.model.channel->outputs());
  for (std::uint64_t i = 0; i < samples; ++i) {
    const double u = static_cast<double>(source.word() >> 11) * 0x1p-53;
    std::uint64_t output = 0;
    spec.mechanism.sampler->draw(place_in(steps, u), source, {&output, 1});
    ++outputs[output];
  }
  return outputs;
}

void report(const char* kind, const Blocks& blocks, const Counts& counts, int runs, std::uint64_t samples) {
  Budget budget;
  const Spec spec = scheme(blocks, budget);
  const Distribution truth = normalised(Distribution(counts.begin(), counts.end()));
  Distribution steps(kPlaces);
  std::partial_sum(truth.begin(), truth.end(), steps.begin());
  double error = 0, projected_error = 0;
  for (int run = 0; run < runs; ++run) {
    SeededSource source(1, 7, static_cast<std::uint64_t>(run));
    const Distribution found = estimate(*spec.model.channel, draw_outputs(spec, steps, samples, source), samples);
    error += distance(found, truth) / runs;
    projected_error += distance(projected(found), truth) / runs;
  }
  const auto smaller = [](const auto& a, const auto& b) { return a.size() < b.size(); };
  const auto [least, most] = std::minmax_element(blocks.begin(), blocks.end(), smaller);
  std::printf("%s,%zu,%zu,%zu,%llu,%.6f,%.6f\n", kind, blocks.size(), least->size(), most->size(),
              static_cast<unsigned long long>(samples), error, projected_error);
  std::fflush(stdout);
}

std::uint64_t number_of(const char* text) {
  char* end = nullptr;
  const unsigned long long number = std::strtoull(text, &end, 10);
  if (*text < '0' || *text > '9' || *end != '\0' || number == 0 || number > 1'000'000'000) {
    give_up(std::string("found '") + text + "', expected a number from 1 to a billion");
  }
  return number;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2 || argc > 4) give_up("location_experiment PLACES [RUNS [SAMPLES]]");
  const Counts counts = read_places(argv[1]);
  const auto runs = static_cast<int>(argc > 2 ? number_of(argv[2]) : 10);
  const std::uint64_t samples =
      argc > 3 ? number_of(argv[3]) : std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
  std::printf("partition,blocks,smallest,largest,samples,tv_error,tv_error_projected\n");
  report("all places", grid(1, 1), counts, runs, samples);
  for (const auto& [south_north, west_east] : {std::pair{5, 7}, {25, 35}, {25, 70}}) {
    const Blocks equal = grid(static_cast<std::uint64_t>(south_north), static_cast<std::uint64_t>(west_east));
    report("grid", equal, counts, runs, samples);
    report("by check-ins", by_checkins(counts, equal.size()), counts, runs, samples);
  }
}
