#include "design/run_columns.h"

#include <fmt/ranges.h>
#include <algorithm>
#include <map>
#include <optional>

#include "app/spec_text.h"
#include "base/characters.h"
#include "design/estimation.h"
#include "design/readable.h"
#include "design/run.h"
#include "verifier/notions/tolerance.h"

namespace oddsbound::designs {

namespace {

using Json = nlohmann::ordered_json;

struct Question {
  const DesignFile& request;
  ReadRows rows;
  std::vector<Limit> limits;
  std::vector<Number> prior;  // by row
};

// The optimal mechanism made of the extreme columns for some bounds.
struct DesignAnswer {
  std::vector<Column> columns;
  std::vector<Number> weights;
  Number value;           // of the mechanism, or a lower bound on it
  Number bound;           // no mechanism is better
  linear::Matrix center;  // of the bound on an error
  std::vector<Number> duals;
};

[[noreturn]] void fail_at_constraint(const DesignFile& request, std::size_t k, const std::string& message) {
  for (const specs::JsonView::Member& member : request.document->root().members()) {
    if (member.key.text() == "constraints") member.value.items()[k].fail(message);
  }
  request.goal->at.fail(message);
}

Question question_of(const DesignFile& request) {
  Question question{request, rows_of(request), {}, {}};
  ClaimLimits claims;
  for (std::size_t k = 0; k < request.constraints.size(); ++k) {
    add_limits(request.model, request.constraints[k], k, claims);
  }
  for (const OverSetLimit& limit : claims.over_sets) {
    fail_at_constraint(request, limit.demand, "with this objective limits are under one prior");
  }
  question.limits = std::move(claims.limits);
  for (Limit& limit : question.limits) {
    if (!limit.delta.is_zero()) {
      fail_at_constraint(request, limit.demand,
                         "what adds up over outputs is no limit on each of them, which this objective needs");
    }
    gather(limit, question.rows.of_input);
  }
  question.prior.resize(question.rows.names.size());
  for (std::uint64_t x = 0; request.model.prior && x < question.rows.of_input.size(); ++x) {
    question.prior[question.rows.of_input[x]] += request.model.prior->probability(x);
  }
  return question;
}

Json limits_written(const std::vector<Limit>& limits, const std::vector<Number>& bounds) {
  Json written = Json::array();
  for (std::size_t k = 0; k < limits.size(); ++k) {
    written.push_back({{"constraint", limits[k].demand}, {"about", limits[k].about}, {"bound", bounds[k].to_string()}});
  }
  return written;
}

linear::Matrix forms_of(const Question& question) {
  linear::Matrix forms;
  for (const std::vector<Number>& by_input : question.request.goal->forms) {
    std::vector<Number>& form = forms.emplace_back(question.rows.names.size());
    for (std::size_t x = 0; x < by_input.size(); ++x) form[question.rows.of_input[x]] += by_input[x];
  }
  return forms;
}

// Subtracted from the trace to get the variance: the square of the estimated vector.
Number square(const std::vector<Number>& vector) { return dot(vector, vector); }

DesignAnswer answer(const Question& question, const std::vector<Number>& bounds, Budget& budget) {
  DesignAnswer answer;
  answer.columns =
      extreme_columns(cone_of(question.limits, bounds, question.rows.names.size()), question.rows.names.size(), budget);
  const ColumnGoal& goal = *question.request.goal;
  if (goal.kind != ColumnGoal::Kind::kFrequencies) {
    MostUseful found = most_useful(answer.columns, {forms_of(question), question.prior}, budget);
    answer.weights = std::move(found.weights);
    answer.duals = std::move(found.duals);
    answer.value = std::move(found.attained);
    answer.bound = std::move(found.at_most);
    return answer;
  }
  std::optional<LeastError> found = least_error(answer.columns, question.prior, budget);
  if (!found)
    goal.at.fail("no mechanism within these constraints tells all that is read apart: no estimate is unbiased");
  answer.weights = std::move(found->weights);
  answer.duals = std::move(found->duals);
  answer.center = std::move(found->center);
  answer.value = found->error - square(question.prior);
  answer.bound = found->at_least - square(question.prior);
  return answer;
}

void keep_what_is_used(DesignAnswer& answer) {
  std::size_t kept = 0;
  for (std::size_t j = 0; j < answer.columns.size(); ++j) {
    if (answer.weights[j].is_zero()) continue;
    std::swap(answer.columns[kept], answer.columns[j]);
    std::swap(answer.weights[kept++], answer.weights[j]);
  }
  answer.columns.resize(kept);
  answer.weights.resize(kept);
}

Json number_texts(const std::vector<Number>& numbers) {
  Json texts = Json::array();
  for (const Number& number : numbers) texts.push_back(number.to_string());
  return texts;
}

Json certificate_of_columns(const Question& question, const std::vector<Number>& bounds, const DesignAnswer& proven) {
  const bool is_error = question.request.goal->kind == ColumnGoal::Kind::kFrequencies;
  Json certificate;
  certificate["oddsbound_design_certificate"] = 1;
  certificate[is_error ? "at_least" : "at_most"] = proven.bound.to_string();
  certificate["limits"] = limits_written(question.limits, bounds);
  certificate["prices"] = Json::array();
  for (std::size_t x = 0; x < proven.duals.size(); ++x) {
    certificate["prices"].push_back(
        {{"row", question.rows.names[x]}, {"index", x}, {"price", proven.duals[x].to_string()}});
  }
  if (is_error) {
    certificate["center"] = Json::array();
    for (const std::vector<Number>& row : proven.center) certificate["center"].push_back(number_texts(row));
  }
  certificate["columns"] = Json::array();
  for (const Column& column : proven.columns) certificate["columns"].push_back(number_texts(column));
  return certificate;
}

std::string goal_words_of(ColumnGoal::Kind kind) {
  switch (kind) {
    case ColumnGoal::Kind::kInformation: return "mutual information in nats";
    case ColumnGoal::Kind::kLargestOf: return "utility";
    case ColumnGoal::Kind::kFrequencies: break;
  }
  return "mean squared error of the estimated frequencies, from one person";
}

}  // namespace

DesignResult design_of_columns(const DesignFile& request, const std::string& folder, Budget& budget) {
  const Question question = question_of(request);
  const Bounds bounds = bounds_of(levels_of(question.limits), request.denominator);
  DesignAnswer best = answer(question, bounds.below, budget);
  std::optional<DesignAnswer> beyond;
  if (!bounds.are_exact()) beyond = answer(question, bounds.above, budget);
  DesignResult result;
  result.name = request.name;
  result.confidential = request.confidential;
  result.loss_words = goal_words_of(request.goal->kind);
  result.loss = best.value;
  result.is_most = request.goal->kind != ColumnGoal::Kind::kFrequencies;
  const DesignAnswer& proven = beyond ? *beyond : best;
  result.at_least = proven.bound;
  result.certificate = json_escaped(certificate_of_columns(question, bounds.above, proven).dump(1)) + "\n";
  keep_what_is_used(best);
  result.family = family_of_columns(best.columns, best.weights);
  result.matrix = {question.rows.names, names_of(best.columns, question.rows.names),
                   mechanism_of(best.columns, best.weights)};
  std::tie(result.outputs, result.entries) = size_of(result.matrix.entries);
  const std::string told =
      result.loss_words + " " + (request.confidential ? described_loss(result) : told_loss(result));
  result.spec = spec_text(spec_of(request, told, matrix_by_input(question.rows, result.matrix), folder));
  return result;
}

namespace {

// Returns the rows with the larger of two values; empty if there are not exactly two.
std::vector<std::size_t> larger_of_two(const Column& column) {
  const auto [least, most] = std::minmax_element(column.begin(), column.end());
  std::vector<std::size_t> rows;
  if (*least == *most) return rows;
  for (std::size_t x = 0; x < column.size(); ++x) {
    if (column[x] == *most) rows.push_back(x);
    if (column[x] != *most && column[x] != *least) return {};
  }
  return rows;
}

std::uint64_t choose(std::uint64_t n, std::uint64_t k) {
  std::uint64_t count = 1;
  for (std::uint64_t i = 1; i <= k; ++i) count = count * (n - k + i) / i;
  return count;
}

Number largest(const Column& column) { return *std::max_element(column.begin(), column.end()); }

}  // namespace

std::vector<std::string> names_of(const std::vector<Column>& columns, const std::vector<std::string>& rows) {
  std::vector<std::string> names;
  std::map<std::string, std::size_t> columns_of;
  for (const Column& column : columns) {
    std::vector<std::string> larger;
    for (const std::size_t x : larger_of_two(column)) {
      larger.push_back(rows[x].find(',') == std::string::npos ? rows[x] : "(" + rows[x] + ")");
    }
    names.push_back(larger.empty() ? "" : fmt::format("{{{}}}", fmt::join(larger, ", ")));
    ++columns_of[names.back()];
  }
  // Ambiguous names are replaced.
  for (std::size_t k = 0; k < names.size(); ++k) {
    if (names[k].empty() || columns_of[names[k]] > 1) names[k] = "y" + std::to_string(k + 1);
  }
  return names;
}

std::string family_of_columns(const std::vector<Column>& columns, const std::vector<Number>& weights) {
  const std::size_t rows = columns[0].size(), size = larger_of_two(columns[0]).size();
  const auto is_like_first = [&](const Column& column) {
    return larger_of_two(column).size() == size && largest(column) == largest(columns[0]);
  };
  const bool alike = size > 0 && std::all_of(columns.begin(), columns.end(), is_like_first) &&
                     std::all_of(weights.begin(), weights.end(), [&](const Number& w) { return w == weights[0]; });
  // The columns are distinct, so this many of one size are all subsets.
  if (alike && columns.size() == choose(rows, size)) {
    return size == 1 ? "k-randomized response" : fmt::format("subset selection ({} of {})", size, rows);
  }
  const bool two = columns.size() == 2 && size > 0 && larger_of_two(columns[1]).size() == rows - size;
  return two ? "a binary mechanism" : "";
}

void add_limits(const Model& model, const specs::Claim& claim, std::size_t number, ClaimLimits& all) {
  if (const auto* for_all = claim.arguments.find_if<ForAll>(kForAll)) {
    std::vector<smt::OverSet> compared = notions::compared_over_set(model.domain, claim.arguments);
    for (smt::OverSet& one : compared) {
      if (!one.level.is_infinite()) all.over_sets.push_back({number, for_all->set, std::move(one), compared.size()});
    }
    return;
  }
  if (claim.notion->limit_guesses) {
    const notions::LimitedGuesses limited = claim.notion->limit_guesses(claim.arguments);
    if (limited.level.is_infinite()) return;
    all.limits.push_back(limit_of_guesses(model, limited.coordinate, limited.level, number));
    return;
  }
  const InputSubset inputs(model.domain);
  std::vector<Limit> limits = limits_of(model, claim.notion->define(model, claim.arguments, inputs), number);
  leave_out_implied(limits);
  for (Limit& limit : limits) all.limits.push_back(std::move(limit));
}

}  // namespace oddsbound::designs
