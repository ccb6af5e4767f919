#include "verifier/smt/over_sets.h"

#include <fmt/format.h>

#include "base/errors.h"
#include "verifier/smt/decide.h"

namespace oddsbound::smt {

namespace {

std::string exact_term(const Number& number) { return rational_term(number, "levels over sets are"); }

std::string unknown_name(std::size_t place) { return "u" + std::to_string(place); }

std::string form_term(const SetDefinition::Form& form) {
  std::vector<std::string> terms;
  for (const auto& [place, factor] : form) {
    if (!factor.is_zero()) terms.push_back("(* " + exact_term(factor) + " " + unknown_name(place) + ")");
  }
  return sum_term(terms);
}

Number value_of(const SetDefinition::Form& form, const std::vector<Number>& values) {
  std::vector<WeightedTerm> terms;
  for (const auto& [place, factor] : form) terms.push_back({factor, values[place]});
  return weighted_sum(terms);
}

class OverSetDecider {
 public:
  OverSetDecider(const Model& model, const ClaimTitle& title, Budget& budget, const SmtOptions& options)
      : model_(model), budget_(budget), asking_(title, budget, options) {}

  // Returns whether a prior of the set violates the claim; nullopt if unknown.
  std::optional<bool> violates(const SetDefinition& definition, const OverSet& claimed) {
    const SolverAnswer answer = ask(definition, claimed, ">", "satisfiable if and only if a prior of the set violates");
    if (answer.satisfiable == Answer::kNo) return false;
    if (answer.satisfiable == Answer::kOpen) return left_open(answer.reason);
    if (!show(definition, claimed, answer)) return left_open("what Z3 found was not confirmed in rational numbers");
    verdict_.holds = Answer::kNo;
    return true;
  }

  // Returns whether a prior of the set attains the level, which none exceeds; nullopt if unknown.
  std::optional<bool> attains(const SetDefinition& definition, const OverSet& claimed) {
    const SolverAnswer answer = ask(definition, claimed, "=", "satisfiable if and only if a prior of the set attains");
    if (answer.satisfiable == Answer::kOpen) return left_open(answer.reason);
    return answer.satisfiable == Answer::kYes;
  }

  std::optional<bool> left_open(const std::string& reason) {
    verdict_.reason = reason;
    return std::nullopt;
  }

  SmtVerdict take() {
    verdict_.queries = asking_.take();
    return std::move(verdict_);
  }

 private:
  SolverAnswer ask(const SetDefinition& definition, const OverSet& claimed, const std::string& relation,
                   const std::string& meaning) {
    Script script(nullptr, 0);
    script.make_nonlinear();
    script.note("u: what the masses of inputs are made of; m: the mass of a label; p: its probability with an output");
    for (std::size_t place = 0; place < definition.unknowns; ++place) {
      script.declare(unknown_name(place), "Real");
      script.assert_term("(>= " + unknown_name(place) + " 0)");
    }
    for (const SetDefinition::Row& row : definition.rows) {
      script.assert_term((row.equal ? "(= " : "(<= ") + form_term(row.form) + " " + exact_term(row.right) + ")");
    }
    const std::size_t labels = claimed.inputs.inputs.size();
    const auto name = [](const char* what, std::size_t label, std::uint64_t y) {
      return what + std::to_string(label) + "_" + std::to_string(y);
    };
    for (std::size_t label = 0; label < labels; ++label) {
      define(script, "m" + std::to_string(label), mass(definition, claimed, label));
      for (std::uint64_t y = 0; y < model_.channel->outputs(); ++y) {
        budget_.check();
        define(script, name("p", label, y), joint(definition, claimed, label, y));
      }
    }
    const std::string factor = exact_term(claimed.level.exponential());
    std::vector<std::string> any;
    for (std::size_t from = 0; from < labels; ++from) {
      for (std::size_t to = 0; to < labels; ++to) {
        if (!claimed.direction.allows(from, to)) continue;
        const std::string m_from = "m" + std::to_string(from), m_to = "m" + std::to_string(to);
        std::vector<std::string> outputs;
        for (std::uint64_t y = 0; y < model_.channel->outputs(); ++y) {
          const std::string p_from = name("p", from, y), p_to = name("p", to, y);
          outputs.push_back(fmt::format("({} (* {} {}) (* {} {} {}))", relation, p_from, m_to, factor, m_from, p_to));
          if (relation == "=") outputs.back() = all_of({outputs.back(), fmt::format("(> {} 0)", p_from)});
        }
        any.push_back(all_of({fmt::format("(> {} 0)", m_from), fmt::format("(> {} 0)", m_to), any_of(outputs)}));
      }
    }
    script.assert_term(any_of(any));
    const std::string about = claimed.about.empty() ? "" : "coordinate " + claimed.about + ": ";
    return asking_.ask(script, "q" + std::to_string(asked_++), {about + meaning + " the level"});
  }

  static void define(Script& script, const std::string& name, const SetDefinition::Form& form) {
    script.declare(name, "Real");
    script.assert_term("(= " + name + " " + form_term(form) + ")");
  }

  static SetDefinition::Form mass(const SetDefinition& definition, const OverSet& claimed, std::size_t label) {
    SetDefinition::Form form;
    for (const std::uint64_t x : claimed.inputs.inputs[label]) {
      form.insert(form.end(), definition.cells[x].begin(), definition.cells[x].end());
    }
    return form;
  }

  SetDefinition::Form joint(const SetDefinition& definition, const OverSet& claimed, std::size_t label,
                            std::uint64_t y) const {
    SetDefinition::Form form;
    for (const std::uint64_t x : claimed.inputs.inputs[label]) {
      const Number entry = model_.channel->entry(x, y);
      for (const auto& [place, factor] : definition.cells[x]) form.emplace_back(place, factor * entry);
    }
    return form;
  }

  // Sets the witness from the solver's prior, if that belongs to the set and violates the claim.
  bool show(const SetDefinition& definition, const OverSet& claimed, const SolverAnswer& answer) {
    std::vector<Number> values(definition.unknowns);
    for (std::size_t place = 0; place < values.size(); ++place) {
      const auto found = answer.model.find(unknown_name(place));
      if (found == answer.model.end()) continue;
      if (found->second.low != found->second.high || found->second.low.sign() < 0) return false;
      values[place] = found->second.low;
    }
    for (const SetDefinition::Row& row : definition.rows) {
      const Number left = value_of(row.form, values);
      if (row.equal ? left != row.right : left > row.right) return false;
    }
    const std::size_t labels = claimed.inputs.inputs.size();
    for (std::size_t from = 0; from < labels; ++from) {
      for (std::size_t to = 0; to < labels; ++to) {
        if (!claimed.direction.allows(from, to)) continue;
        const Number m_from = value_of(mass(definition, claimed, from), values);
        const Number m_to = value_of(mass(definition, claimed, to), values);
        if (m_from.is_zero() || m_to.is_zero()) continue;
        for (std::uint64_t y = 0; y < model_.channel->outputs(); ++y) {
          const Number p_from = value_of(joint(definition, claimed, from, y), values) / m_from;
          const Number p_to = value_of(joint(definition, claimed, to, y), values) / m_to;
          if (p_from <= claimed.level.exponential() * p_to) continue;
          verdict_.witness = witness(definition, claimed, values, from, to, y);
          verdict_.witness->p_from = p_from;
          verdict_.witness->p_to = p_to;
          return true;
        }
      }
    }
    return false;
  }

  Witness witness(const SetDefinition& definition, const OverSet& claimed, const std::vector<Number>& values,
                  std::size_t from, std::size_t to, std::uint64_t y) const {
    auto prior = std::make_shared<MemberPrior>();
    for (std::uint64_t x = 0; x < definition.cells.size(); ++x) {
      const Number cell = value_of(definition.cells[x], values);
      if (!cell.is_zero()) prior->rows.emplace_back(model_.domain.tuple(x), cell);
    }
    Witness result{{model_.channel->output_label(y)}, claimed.labels[from], claimed.labels[to], {}, {}, claimed.about};
    result.prior = std::move(prior);
    return result;
  }

  const Model& model_;
  Budget& budget_;
  QuerySession asking_;
  SmtVerdict verdict_;
  int asked_ = 0;
};

}  // namespace

SmtVerdict decide_over_set(const Model& model, const PriorSet& set, const std::vector<OverSet>& claimed, bool tight,
                           const ClaimTitle& title, Budget& budget, const SmtOptions& options) {
  OverSetDecider decider(model, title, budget, options);
  const auto decide = [&]() -> Answer {
    bool open = false;
    require_askable(model, options);
    for (const OverSet& one : claimed) {
      const std::vector<SetDefinition> definitions =
          set.definitions({model.domain, one.inputs, model.channel->outputs()}, budget);
      if (definitions.empty()) decider.left_open("no inequalities between masses say which priors belong to the set");
      if (definitions.empty()) return Answer::kOpen;
      bool attained = one.level.is_zero();
      for (const SetDefinition& definition : definitions) {
        if (one.level.is_infinite()) continue;
        const std::optional<bool> violated = decider.violates(definition, one);
        if (violated == true) return Answer::kNo;
        open = open || !violated;
        if (tight && !attained) attained = decider.attains(definition, one) == true;
      }
      if (!tight || attained) continue;
      decider.left_open("whether a smaller level holds is only asked for levels that a prior of the set attains");
      open = true;
    }
    return open ? Answer::kOpen : Answer::kYes;
  };
  Answer kind = Answer::kOpen;
  std::string limit;
  try {
    kind = decide();
  } catch (const LimitError& error) {
    limit = error.what();
  }
  SmtVerdict verdict = decider.take();
  verdict.holds = kind;
  if (!limit.empty()) verdict.reason = limit;
  emit(verdict, title, options);
  return verdict;
}

}  // namespace oddsbound::smt
