// Specs, read or built.
#include <algorithm>
#include <set>

#include "api/errors_as_values.h"
#include "base/errors.h"
#include "oddsbound/oddsbound.h"
#include "verifier/model/dense_channel.h"
#include "verifier/notions/table.h"

namespace oddsbound {

namespace {

// Throws ModelError for what is no channel.
void require_rows(const Domain& domain, const std::vector<std::string>& outputs,
                  const std::vector<std::vector<Number>>& rows) {
  if (outputs.empty()) throw ModelError("a mechanism needs at least one output");
  if (std::set<std::string>(outputs.begin(), outputs.end()).size() != outputs.size()) {
    throw ModelError("two outputs have one label");
  }
  if (rows.size() != domain.inputs()) {
    throw ModelError("found " + std::to_string(rows.size()) + " rows, expected one for each of the " +
                     std::to_string(domain.inputs()) + " inputs");
  }
  for (std::size_t x = 0; x < rows.size(); ++x) {
    const std::string where = "the row of input " + std::to_string(x);
    if (rows[x].size() != outputs.size()) {
      throw ModelError(where + " has " + std::to_string(rows[x].size()) + " entries, expected " +
                       std::to_string(outputs.size()));
    }
    std::vector<WeightedTerm> terms;
    for (const Number& entry : rows[x]) {
      if (entry.sign() < 0) throw ModelError(where + " has the negative entry " + entry.to_string());
      terms.push_back({Number(1), entry});
    }
    const Number sum = weighted_sum(terms);
    if (!sum.is_one()) throw ModelError(where + " sums to " + sum.to_string() + ", expected 1");
  }
}

}  // namespace

Expected<Spec> read(const File& file, const Context& context) {
  return as_expected(file.path, [&] {
    Budget budget(context.limits);
    return read_spec(file.path, budget);
  });
}

Expected<Spec> read(const Text& text, const Context& context) {
  return as_expected(text.name, [&] {
    Budget budget(context.limits);
    return read_spec_text(text.name, text.folder, text.text, budget, text.files);
  });
}

Expected<Spec> build(const std::string& name, const Domain& domain, const std::vector<std::string>& outputs,
                     const std::vector<std::vector<Number>>& rows, const std::optional<Prior>& prior,
                     const Context& context) {
  return as_expected(name, [&] {
    Budget budget(context.limits);
    require_rows(domain, outputs, rows);
    PoolBuilder builder;
    for (const auto& row : rows) {
      for (const Number& entry : row) builder.add(entry);
    }
    Spec spec;
    spec.file = spec.name = name;
    spec.model = {domain, DenseChannel::from_rows(domain.inputs(), outputs, std::move(builder), budget), prior};
    spec.mechanism.channel = spec.model.channel;
    return spec;
  });
}

std::optional<FileError> add_claim(Spec& spec, const std::string& notion, const Arguments& fields, bool expect_holds) {
  const Notion* found = find_notion(notion);
  if (found == nullptr) return file_error(spec.file, "there is no notion '" + notion + "'");
  if (found->needs_prior && !spec.model.prior) {
    return file_error(spec.file, "a claim about " + notion + " needs a prior, and the spec has none");
  }
  for (const Field& field : found->fields) {
    if (field.required && !fields.has(field.name)) {
      return file_error(spec.file, "a claim about " + notion + " needs the field '" + field.name + "'");
    }
  }
  if (found->complaint) {
    if (const auto complaint = found->complaint(spec.model.domain, fields))
      return file_error(spec.file, complaint->second);
  }
  Claim& claim = spec.claims.emplace_back();
  claim.notion = found;
  claim.arguments = fields;
  claim.expect_holds = expect_holds;
  claim.place.file = spec.file;
  return std::nullopt;
}

}  // namespace oddsbound
