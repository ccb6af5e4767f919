#include "mechanisms/releases/queries.h"

#include "base/errors.h"

namespace oddsbound::mechanisms {

void require_few_records(const Domain& schema, const std::vector<NamedPattern>& queries) {
  if (!schema.is_countable() || schema.input_numbers() > kMostRecords) {
    throw LimitError("distributions are fitted for schemas of at most " + std::to_string(kMostRecords) + " records");
  }
  constexpr std::uint64_t kMost = std::uint64_t{1} << 26;
  std::uint64_t listed = 0;
  for (const NamedPattern& query : queries) {
    std::uint64_t records = schema.input_numbers();
    for (const std::size_t i : query.pattern.attributes) records /= schema.values(i);
    listed += records;
  }
  if (listed > kMost) {
    throw LimitError("queries have more than " + std::to_string(kMost) + " records together; ask fewer of them");
  }
}

std::vector<std::vector<std::uint32_t>> members_of(const Domain& schema, const std::vector<NamedPattern>& queries) {
  std::vector<std::vector<std::uint32_t>> members(queries.size());
  for (std::uint64_t record = 0; record < schema.input_numbers(); ++record) {
    const InputRow row = schema.row(record);
    for (std::size_t q = 0; q < queries.size(); ++q) {
      if (queries[q].pattern.is_had([&](std::size_t i) { return row[i]; })) {
        members[q].push_back(static_cast<std::uint32_t>(record));
      }
    }
  }
  return members;
}

}  // namespace oddsbound::mechanisms
