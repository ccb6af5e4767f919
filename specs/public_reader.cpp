// Reads a mechanism with public randomness: a seed is drawn uniformly and published with the output.
//
// P((s, y) given x) = M(y given s, x) / seeds. A seed has the same probability for every input, so quotients of an
// output are those of M at that seed, and sums over outputs are averages over seeds.
#include "mechanisms/mechanism.h"
#include "mechanisms/public_seed.h"
#include "specs/spec.h"
#include "specs/spec_error.h"
#include "verifier/model/channel.h"

namespace oddsbound::specs {

namespace {

constexpr const char* kSeed = "seed";
constexpr std::int64_t kMostSeeds = 1'000'000;

// The domain of the inner mechanism: the seed, then the coordinates of the spec.
Domain with_seed(const Domain& domain, std::uint64_t seeds, JsonView value) {
  if (domain.find(kSeed)) {
    value.fail("a coordinate of the domain has the name 'seed', which is that of the seed; rename it");
  }
  std::vector<Coordinate> coordinates{{kSeed, ValueNames::numbered(seeds)}};
  for (std::size_t i = 0; i < domain.size(); ++i) coordinates.push_back(domain.coordinate(i));
  return Domain(std::move(coordinates));
}

ChannelPtr published(const Channel& inner, std::uint64_t seeds, std::uint64_t inputs, Budget& budget) {
  if (inner.outputs() > (std::uint64_t{1} << 62) / seeds)
    throw LimitError("there are more than 2^62 seeds and outputs");
  budget.require_cells(inputs, seeds * inner.outputs());
  const std::unique_ptr<Columns> columns = inner.columns(budget);
  const Number share = Number(1) / Number(static_cast<std::int64_t>(seeds));
  std::vector<Number> scaled;
  for (std::uint32_t rank = 0; rank < columns->pool().size(); ++rank) {
    budget.check_every();
    scaled.push_back(columns->pool().value(rank) * share);
  }
  std::vector<std::uint32_t> cells(seeds * inputs * inner.outputs());  // [row of inner][output]
  std::vector<std::uint32_t> scratch;
  for (std::uint64_t y = 0; y < inner.outputs(); ++y) {
    budget.check();
    const auto ranks = columns->ranks(y, scratch);
    for (std::uint64_t row = 0; row < seeds * inputs; ++row) cells[row * inner.outputs() + y] = ranks[row];
  }
  PoolBuilder builder;
  for (std::uint64_t x = 0; x < inputs; ++x) {
    for (std::uint64_t s = 0; s < seeds; ++s) {
      budget.check();
      for (std::uint64_t y = 0; y < inner.outputs(); ++y) {
        builder.add(scaled[cells[(s * inputs + x) * inner.outputs() + y]]);
      }
    }
  }
  const std::vector<std::string> own = output_labels(inner, budget);
  std::vector<std::string> labels;
  for (std::uint64_t s = 0; s < seeds; ++s) {
    budget.check();
    for (const std::string& label : own) labels.push_back("(" + std::to_string(s) + "," + label + ")");
  }
  return DenseChannel::from_rows(inputs, std::move(labels), std::move(builder), budget);
}

}  // namespace

Mechanism read_public(JsonView value, const Domain& domain, ReadingContext& context) {
  const Fields fields(value, {"type", "seeds", "mechanism"}, "a mechanism with a public seed");
  const auto seeds =
      static_cast<std::uint64_t>(read_integer(fields.require("seeds"), "the number of seeds", 1, kMostSeeds));
  const std::uint64_t inputs = domain.inputs();
  const JsonView place = fields.require("mechanism");
  require_cells(value, inputs, seeds, context.budget);
  const Mechanism inner = read_mechanism(place, with_seed(domain, seeds, value), context);
  finite_channel(inner, place);
  Mechanism result;
  result.channel = at_place(value, [&] { return published(*inner.channel, seeds, inputs, context.budget); });
  result.sampler = mechanisms::public_seed_sampler({inner.channel, inner.sampler_or_rows()}, seeds, inputs);
  for (const std::size_t i : inner.unread) {
    if (i > 0) result.unread.push_back(i - 1);
  }
  return result;
}

}  // namespace oddsbound::specs
