// Sharded audits through the public interface.
#include <doctest/doctest.h>

#include "api/api.h"
#include "base/files.h"
#include "tests/support/temporary_folder.h"

using namespace oddsbound;
using oddsbound::testing::TemporaryFolder;

namespace {

AuditRequest coin(std::uint64_t shard, std::uint64_t shards) {
  AuditRequest request;
  request.spec = ODDSBOUND_SOURCE_DIR "/tests/cli/specs/coin.json";
  request.options.samples = 20'000;
  request.options.seed = 7;
  request.options.shard = shard;
  request.options.shards = shards;
  return request;
}

}  // namespace

TEST_CASE("shards of an audit are run and merged, and show what the audit shows") {
  const TemporaryFolder folder;
  std::vector<std::string> parts;
  int told = 0;
  const Context context{{}, [&](std::uint64_t, std::uint64_t, const std::string&) { ++told; }};
  for (const std::uint64_t shard : {std::uint64_t{1}, std::uint64_t{0}}) {
    const auto part = audit_shard(coin(shard, 2), context);
    REQUIRE(part);
    parts.push_back(folder.file(std::to_string(shard) + ".json"));
    write_whole(parts.back(), *part);
  }
  CHECK(told > 0);
  const std::vector<AuditRequest> requests{coin(0, 1)};
  const Report whole = audit(requests);
  const Report merged = merge_shards(parts);
  REQUIRE(merged.audits.size() == 1);
  REQUIRE(whole.audits.size() == 1);
  CHECK(merged.exit_status() == 0);
  CHECK(merged.audits[0].verdict() == whole.audits[0].verdict());
  CHECK(merged.audits[0].file == whole.audits[0].file);
  parts.pop_back();
  const Report missing = merge_shards(parts);
  CHECK(missing.audits.empty());
  REQUIRE(missing.errors.size() == 1);
  CHECK(missing.errors[0].text().find("found 1 of 2 parts") != std::string::npos);
  CHECK(merge_shards({}).errors.size() == 1);
}

TEST_CASE("shards of a caller's function are those of one audit of it") {
  const TemporaryFolder folder;
  const BatchSamplerFunction tossed = [](std::span<const std::uint64_t>, RandomSource& random,
                                         std::span<std::uint64_t> outputs) {
    for (std::uint64_t& output : outputs) output = random.word() & 1;
  };
  std::vector<std::string> parts;
  for (std::uint64_t shard = 0; shard < 2; ++shard) {
    const auto part = audit_shard(coin(shard, 2), tossed);
    REQUIRE(part);
    parts.push_back(folder.file(std::to_string(shard) + ".json"));
    write_whole(parts.back(), *part);
  }
  const auto spec = read(File{coin(0, 1).spec});
  REQUIRE(spec);
  const Report whole = audit_batches(*spec, tossed, coin(0, 1));
  const Report merged = merge_shards(parts);
  REQUIRE(whole.audits.size() == 1);
  REQUIRE(merged.audits.size() == 1);
  CHECK(merged.audits[0].verdict() == whole.audits[0].verdict());
  CHECK(merged.audits[0].statistical()->sampler.function == "given");
  const auto built_in = audit_shard(coin(1, 2));
  REQUIRE(built_in);
  write_whole(parts[1], *built_in);
  const Report mixed = merge_shards(parts);
  REQUIRE(mixed.errors.size() == 1);
  CHECK(mixed.errors[0].text().find("a part of another audit") != std::string::npos);
}

TEST_CASE("what cannot be run in shards, and no plan, are errors with the file's name") {
  AuditRequest until = coin(0, 2), recorded = coin(0, 2);
  until.until = true;
  recorded.transcript = "runs.csv";
  for (const AuditRequest& request : {until, recorded, coin(2, 2)}) {
    const auto part = audit_shard(request);
    REQUIRE(!part);
    CHECK(part.error().text().find("coin.json: a shard is one of") != std::string::npos);
  }
  const std::string plans = ODDSBOUND_SOURCE_DIR "/audits/plans/";
  const auto plan = read_plan(File{plans + "wrong-epsilon.json"});
  REQUIRE(plan);
  CHECK(plan->expect != Expectation::kPasses);
  CHECK(read_plan(File{plans + "none.json"}).error().place.file == plans + "none.json");
}
