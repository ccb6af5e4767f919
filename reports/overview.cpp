#include "reports/overview.h"

#include <algorithm>
#include <map>

#include "reports/claim_words.h"
#include "reports/levels.h"
#include "reports/words.h"
#include "specs/spec_error.h"
#include "verifier/notions/table.h"

namespace oddsbound::reports {

namespace {

constexpr std::size_t kLongestName = 40;

std::string upper_case(std::string text) {
  for (char& c : text) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  return text;
}

std::string column_of(const Quantity& quantity) {
  return upper_case(quantity.notion->name) + (quantity.beside.empty() ? "" : " " + quantity.beside);
}

void add_unfinished(const Quantity& quantity, Overview& overview) {
  if (!quantity.level.unfinished) return;
  const std::string& reason = quantity.level.unfinished->reason;
  const std::string name = quantity.coordinate.empty()
                               ? quantity.notion->name
                               : quantity.notion->name + " " + printable(quantity.coordinate, kLongestName);
  auto& all = overview.unfinished;
  auto found = std::find_if(all.begin(), all.end(), [&](const auto& one) { return one.first == reason; });
  if (found == all.end()) found = all.insert(found, {reason, {}});
  if (found->second.empty() || found->second.back() != name) found->second.push_back(name);
}

// The value of an attribute on a side: the side itself, or its value of the attribute.
std::string value_on_side(const Label& side, std::size_t attribute, std::size_t attributes) {
  const auto* values = std::get_if<std::vector<std::string>>(&side);
  if (values != nullptr && values->size() == attributes) return printable((*values)[attribute], kLongestName);
  return printable(party_label(side), kLongestName);
}

void add_witness(const Quantity& quantity, std::size_t attribute, const SpecResult& spec, OverviewRow& row) {
  if (!quantity.level.shows_something()) return;
  const Witness witness = quantity.level.witness.get();
  if (witness.outputs.empty()) return;
  const bool never = witness.withheld ? witness.never : witness.p_to.is_zero();
  const bool equal = witness.withheld ? witness.equal : witness.p_from == witness.p_to;
  if (equal) return;
  row.output = "`" + printable(witness.outputs[0]) + "`";
  const std::string from = value_on_side(witness.from, attribute, spec.coordinates.size()),
                    to = value_on_side(witness.to, attribute, spec.coordinates.size());
  row.sides = never ? "rules out " + to : from + " rather than " + to;
}

// The quantities of attributes, apart from bounds.
std::map<std::string, std::vector<Quantity>> by_attribute(const std::vector<Quantity>& all) {
  std::map<std::string, std::vector<Quantity>> found;
  for (const Quantity& quantity : all) {
    if (!quantity.is_bound && !quantity.coordinate.empty()) found[quantity.coordinate].push_back(quantity);
  }
  return found;
}

// The column of levels given the prior, for an adversary who knows the public attributes; without a prior that of CDP.
std::string decisive_column(const std::vector<Quantity>& all, const SpecResult& spec) {
  std::string decisive;
  bool of_prior = false;
  for (const Quantity& quantity : all) {
    if (quantity.is_bound || quantity.coordinate.empty() || spec.is_public(quantity.coordinate)) continue;
    const bool drawn = quantity.notion == notion_drawn(DrawnBeside::kValues);
    const bool known = quantity.beside.empty() || quantity.beside == knowing_words(spec);
    if (!known || (of_prior && !drawn)) continue;
    if (!drawn && (!decisive.empty() || !quantity.beside.empty())) continue;
    decisive = column_of(quantity);
    of_prior = drawn;
  }
  return decisive;
}

}  // namespace

std::optional<Overview> overview_of(const SpecResult& spec) {
  const std::vector<Quantity> all = quantities(spec);
  std::map<std::string, std::vector<Quantity>> attributes = by_attribute(all);
  if (attributes.empty()) return std::nullopt;
  Overview overview;
  overview.decisive = decisive_column(all, spec);
  std::vector<Level> exact;                                 // levels of cells that are one number
  std::vector<std::pair<std::size_t, std::size_t>> places;  // of these: row and column
  std::vector<Level> decisive;                              // by row
  std::vector<const Quantity*> shown;                       // by row: of that level, if there is one
  std::vector<std::size_t> attribute_of;                    // by row
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < spec.coordinates.size(); ++i) {
    const auto found = attributes.find(spec.coordinates[i]);
    if (found == attributes.end()) continue;
    OverviewRow& row = overview.rows.emplace_back();
    row.attribute = printable(spec.coordinates[i], kLongestName);
    const bool is_public = spec.is_public(spec.coordinates[i]);
    Level worst;
    shown.push_back(nullptr);
    attribute_of.push_back(i);
    for (const Quantity& quantity : found->second) {
      const std::string name = column_of(quantity);
      auto column = std::find(overview.columns.begin(), overview.columns.end(), name);
      if (column == overview.columns.end()) column = overview.columns.insert(column, name);
      const auto place = static_cast<std::size_t>(column - overview.columns.begin());
      if (row.levels.size() <= place) row.levels.resize(place + 1);
      row.levels[place] = nats(quantity.level);
      if (!quantity.level.unfinished && !quantity.level.rounded) {
        exact.push_back(quantity.level.at_least);
        places.emplace_back(overview.rows.size() - 1, place);
      }
      add_unfinished(quantity, overview);
      if (name != overview.decisive || is_public) continue;
      overview.of_prior = quantity.of_prior;
      worst = quantity.level.at_most();
      shown.back() = &quantity;
    }
    if (is_public) row.sides = "public";
    order.push_back(order.size());
    decisive.push_back(std::move(worst));
  }
  const std::vector<std::string> texts = distinct_nats(exact);
  for (std::size_t k = 0; k < texts.size(); ++k) overview.rows[places[k].first].levels[places[k].second] = texts[k];
  const std::vector<std::string> factors = distinct_odds_factors(decisive), becomes = distinct_half_becomes(decisive);
  for (std::size_t k = 0; k < overview.rows.size(); ++k) {
    overview.rows[k].levels.resize(overview.columns.size());
    if (shown[k] == nullptr) continue;
    overview.rows[k].odds_factor = factors[k];
    overview.rows[k].half_becomes = becomes[k];
  }
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return decisive[a] > decisive[b]; });
  overview.further = order.size() - std::min(order.size(), kMostOverviewRows);
  order.resize(order.size() - overview.further);
  std::vector<OverviewRow> sorted;
  for (const std::size_t k : order) {
    OverviewRow& row = sorted.emplace_back(std::move(overview.rows[k]));
    if (shown[k] != nullptr) add_witness(*shown[k], attribute_of[k], spec, row);
  }
  overview.rows = std::move(sorted);
  for (const Quantity& quantity : all) {
    if (quantity.is_bound || !quantity.coordinate.empty()) continue;
    const Level& most = quantity.level.at_most();
    overview.record.push_back(quantity.notion->name + (quantity.beside.empty() ? "" : " " + quantity.beside) + " " +
                              nats(quantity.level) +
                              (most.is_infinite() ? "" : " (odds factor " + distinct_odds_factors({most})[0] + ")"));
    add_unfinished(quantity, overview);
  }
  return overview;
}

std::string further_words(const Overview& overview) {
  if (overview.further == 0) return "";
  return counted(overview.further, "more attribute") + " in this order";
}

std::string overview_words(const Overview& overview) {
  const std::string adversary =
      overview.of_prior ? "an adversary with this prior" : "an adversary who knows all other attributes";
  return "odds factor = e^level (" + overview.decisive +
         "): no output changes the odds between two values of the attribute " + "by more, for " + adversary +
         ". A probability of 50 % becomes at most the one shown.";
}

}  // namespace oddsbound::reports
