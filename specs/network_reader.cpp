// Bayesian networks: priors whose rows are numbers, and sets of priors whose rows are intervals.
#include <algorithm>

#include "specs/spec_parts.h"
#include "verifier/sets/kinds.h"

namespace oddsbound::specs {

namespace {

struct NodeDraft {
  JsonView at;
  std::size_t coordinate = 0;
  std::vector<std::size_t> parents;
  std::vector<JsonView> rows;  // per assignment of the parents
};

NodeDraft read_node(JsonView value, const Domain& domain) {
  const Fields fields(value, {"coordinate", "parents", "table"}, "a node of a network");
  NodeDraft node{value, read_coordinate(fields.require("coordinate"), domain), {}, {}};
  constexpr std::uint64_t kMostAssignments = std::uint64_t{1} << 32;
  std::uint64_t assignments = 1;
  if (const auto parents = fields.find("parents")) {
    for (const JsonView parent : read_array(*parents, "coordinates")) {
      const std::size_t i = read_coordinate(parent, domain);
      if (i == node.coordinate) parent.fail("a coordinate cannot be its own parent");
      if (std::find(node.parents.begin(), node.parents.end(), i) != node.parents.end()) {
        parent.fail("the parent '" + printable(parent.text()) + "' is listed twice");
      }
      node.parents.push_back(i);
      if (assignments > kMostAssignments / domain.values(i)) {
        parent.fail("the parents have more than 2^32 assignments, and a table has a row for each");
      }
      assignments *= domain.values(i);
    }
  }
  const JsonView table = fields.require("table");
  node.rows = read_array(table, "rows");
  if (node.rows.size() != assignments) {
    table.fail("found " + std::to_string(node.rows.size()) + " rows, expected one for each of the " +
               std::to_string(assignments) + " assignments of the parents");
  }
  return node;
}

// Parents before children; the order of the file need not be one.
void require_acyclic(const std::vector<NodeDraft>& nodes, const Domain& domain) {
  std::vector<bool> placed(domain.size(), false);
  for (std::size_t round = 0; round < nodes.size(); ++round) {
    for (const NodeDraft& node : nodes) {
      placed[node.coordinate] = placed[node.coordinate] || std::all_of(node.parents.begin(), node.parents.end(),
                                                                       [&](std::size_t i) { return placed[i]; });
    }
  }
  for (const NodeDraft& node : nodes) {
    if (placed[node.coordinate]) continue;
    node.at.fail("coordinate '" + printable(domain.coordinate(node.coordinate).name) +
                 "' depends on itself through its parents");
  }
}

// A node for every coordinate, none of which depends on itself.
std::vector<NodeDraft> read_nodes(JsonView value, const Domain& domain) {
  std::vector<NodeDraft> nodes;
  std::vector<bool> named(domain.size(), false);
  for (const JsonView item : read_array(value, "nodes")) {
    nodes.push_back(read_node(item, domain));
    if (named[nodes.back().coordinate]) item.fail("two nodes for one coordinate");
    named[nodes.back().coordinate] = true;
  }
  for (std::size_t i = 0; i < domain.size(); ++i) {
    if (!named[i]) value.fail("there is no node for coordinate '" + printable(domain.coordinate(i).name) + "'");
  }
  require_acyclic(nodes, domain);
  return nodes;
}

// An entry of a table: a number, or the two ends between which it lies.
void read_entry(JsonView value, IntervalNode::Row& row, ReadingContext& context) {
  if (!value.is_array()) {
    row.lower.push_back(read_probability(value, context));
    row.upper.push_back(row.lower.back());
    return;
  }
  const std::vector<JsonView> ends = value.items();
  if (ends.size() != 2) {
    value.fail("found " + std::to_string(ends.size()) + " numbers, expected the two ends of an interval");
  }
  row.lower.push_back(read_probability(ends[0], context));
  row.upper.push_back(read_probability(ends[1], context));
  if (row.lower.back() > row.upper.back()) {
    value.fail("found an interval from " + printable(ends[0].text(), 40) + " to " + printable(ends[1].text(), 40) +
               ", expected the smaller end first");
  }
}

IntervalNode::Row read_row(JsonView value, std::uint64_t values, ReadingContext& context) {
  IntervalNode::Row row;
  const std::vector<JsonView> entries = read_array(value, "numbers and intervals");
  if (entries.size() != values) {
    value.fail("found " + std::to_string(entries.size()) + " entries, expected one for each of the " +
               std::to_string(values) + " values");
  }
  for (const JsonView entry : entries) read_entry(entry, row, context);
  const Number least = sum_of(row.lower), most = sum_of(row.upper);
  if (row.lower == row.upper && !least.is_one()) {
    value.fail("the row sums to " + printable(least.to_string(), 60) + ", not 1");
  }
  if (least > Number(1)) {
    value.fail("no distribution lies in the intervals of the row: the lower ends sum to " +
               printable(least.to_string(), 60) + ", which is above 1");
  }
  if (most < Number(1)) {
    value.fail("no distribution lies in the intervals of the row: the upper ends sum to " +
               printable(most.to_string(), 60) + ", which is below 1");
  }
  return row;
}

}  // namespace

Prior read_network_prior(JsonView value, const Domain& domain, ReadingContext& context) {
  const Fields fields(value, {"type", "nodes"}, "a network prior");
  std::vector<NetworkNode> nodes;
  for (const NodeDraft& draft : read_nodes(fields.require("nodes"), domain)) {
    NetworkNode& node = nodes.emplace_back(NetworkNode{draft.coordinate, draft.parents, {}});
    for (const JsonView row : draft.rows) {
      node.table.push_back(read_distribution(row, domain.values(node.coordinate), "values", context));
    }
  }
  return at_place(value, [&] { return Prior::network(domain, std::move(nodes)); });
}

PriorSetPtr read_network_set(JsonView value, const Domain& domain, ReadingContext& context) {
  const Fields fields(value, {"type", "nodes"}, "a set of priors by a network");
  std::vector<IntervalNode> nodes;
  for (const NodeDraft& draft : read_nodes(fields.require("nodes"), domain)) {
    IntervalNode& node = nodes.emplace_back(IntervalNode{draft.coordinate, draft.parents, {}});
    for (const JsonView row : draft.rows) node.rows.push_back(read_row(row, domain.values(node.coordinate), context));
  }
  return network_within(std::move(nodes));
}

}  // namespace oddsbound::specs
