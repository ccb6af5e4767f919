// Drafts of records for the Differential Privacy Deployments Registry, as YAML: one document per spec. Schema:
// schemas/deployments-schema.yaml of opendp/deployments-registry-data, commit 3e9c812 of 15 July 2026.
//
// A field is filled in only if the spec, its claims or the audits of the report state it. The others are comments that
// name the field and its values, so the registry's own check names each required one that is still missing.
#include <algorithm>
#include <array>

#include "reports/claim_words.h"
#include "reports/formats.h"
#include "reports/level_fields.h"
#include "reports/markdown.h"
#include "verifier/exact/decimal.h"

namespace oddsbound::reports {

namespace {

constexpr const char* kSchema = "opendp/deployments-registry-data 3e9c812 (15 July 2026)";

// A text as a YAML scalar in double quotes. The registry renders texts as Markdown with formulas, and reads two
// backslashes before a bracket as the start of one. It requests URLs as they are written, so these stay.
std::string yaml_text(const std::string& text) {
  constexpr std::string_view kActive = "`*_{}[]<>#~|$!";
  const std::string plain = sarif_text(text);
  std::string escaped;
  for (std::size_t i = 0; i < plain.size(); ++i) {
    const char c = plain[i];
    if (plain.compare(i, 8, "https://") == 0 || plain.compare(i, 7, "http://") == 0) {
      const std::size_t end = std::min(plain.find_first_of(" \t\n\"<>", i), plain.size());
      escaped += plain.substr(i, end - i);
      i = end - 1;
    } else if (c == '\\') {
      escaped += "&#92;";
    } else if (c == '&') {
      escaped += "&amp;";
    } else {
      if (kActive.find(c) != std::string_view::npos) escaped += '\\';
      escaped += c;
    }
  }
  return nlohmann::json(escaped).dump();
}

// The registry's own tool makes this name in the same way, from more fields.
std::string slug_of(const std::string& name) {
  std::string slug;
  for (const char c : name) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
    const bool capital = c >= 'A' && c <= 'Z';
    if (letter || capital) slug += capital ? static_cast<char>(c - 'A' + 'a') : c;
    if (!letter && !capital && !slug.empty() && slug.back() != '-') slug += '-';
  }
  while (!slug.empty() && slug.back() == '-') slug.pop_back();
  return slug.empty() ? "draft" : slug;
}

// A finite number of the claim, rounded up: the guarantee also holds for the rounded one. YAML 1.1 reads "1e-9" as a
// text and "1.0e-9" as a number.
std::string rounded_up(const ClaimedValue& value) {
  std::string upper;
  if (const Level* level = value.level()) {
    if (!level->is_infinite()) upper = exact::decimal_bounds(*level, 12).upper;
  } else if (const Number* number = value.number()) {
    upper = exact::decimal_bounds(*number, 12).upper;
  }
  const std::size_t power = upper.find('e');
  if (power != std::string::npos && upper.find('.') == std::string::npos) upper.insert(power, ".0");
  return upper;
}

struct Guarantee {
  const ClaimResult* claim = nullptr;
  std::string variant;
  std::vector<std::pair<std::string, std::string>> parameters;  // none: only in words
};

// The guarantee of a claim that holds, in one of the registry's variants; nullopt if it is none of these.
std::optional<Guarantee> standard_guarantee(const ClaimResult& claim) {
  struct Kind {
    const char *notion, *variant;
    std::vector<std::pair<std::string, std::string>> parameters;  // of the registry, of the claim
  };
  static const std::array<Kind, 4> kinds = {
      {{"ldp", "Pure DP", {{"epsilon", ""}}},
       {"approximate_dp", "Approximate DP", {{"epsilon", "epsilon"}, {"delta", "delta"}}},
       {"zcdp", "Zero-concentrated DP", {{"rho", ""}}},
       {"renyi_dp", "Renyi DP", {{"epsilon", ""}}}}};
  if (claim.verdict != Verdict::kHolds || !claim.claimed || !claim.values.empty()) return std::nullopt;
  for (const Kind& kind : kinds) {
    if (claim.notion != kind.notion) continue;
    Guarantee found{&claim, kind.variant, {}};
    for (const auto& [name, key] : kind.parameters) {
      for (const auto& [own, value] : claim.claimed->values) {
        if (own != key) continue;
        const std::string number = rounded_up(value);
        if (!number.empty()) found.parameters.emplace_back(name, number);
      }
    }
    if (found.parameters.size() == kind.parameters.size()) return found;
  }
  return std::nullopt;
}

std::optional<Guarantee> guarantee_of(const SpecResult& spec) {
  for (const ClaimResult& claim : spec.claims) {
    if (auto found = standard_guarantee(claim)) return found;
  }
  for (const ClaimResult& claim : spec.claims) {
    if (claim.verdict == Verdict::kHolds) return Guarantee{&claim, "Custom", {}};
  }
  return std::nullopt;
}

std::string claim_text(const ClaimResult& claim) {
  const ClaimWords words = claim_words(claim);
  const std::string name = claim.name.empty() ? "" : " [" + claim.name + "]";
  return words.claim + name + ": " + words.outcome();
}

std::string all_claims(const SpecResult& spec) {
  std::vector<std::string> texts;
  for (const ClaimResult& claim : spec.claims) texts.push_back(claim_text(claim));
  return texts.empty() ? "The spec has no claims." : "Claims of the spec: " + sentence(texts) + ".";
}

// The files that define the mechanism, and what audits of the report found about samplers.
std::string mechanism_text(const SpecResult& spec, const Checks& checks) {
  std::string text = spec.row_tolerance ? "Defined in" : "Defined exactly in";
  for (const SourceFile& file : spec.files) {
    text += (&file == spec.files.data() ? " " : ", ") + file.file;
    if (!file.sha256.empty()) text += " (SHA-256 " + file.sha256 + ")";
  }
  text += ". Levels are computed from exact numbers, without floating point.";
  if (spec.row_tolerance) {
    text +=
        " The matrix is known up to rounding: the claims are about " + printed_matrix_words(*spec.row_tolerance) + ".";
  }
  for (const Check& check : checks.list) {
    const bool audited = check.rule == "audit" || check.rule == "exhaustive-audit";
    if (audited && check.suite == spec.file) text += " Sampler: " + check.title + ": " + check.message + ".";
  }
  return text;
}

// Writes lines with indentation.
class Yaml {
 public:
  void open(int depth, const std::string& key) { line(depth, key + ":"); }
  void text(int depth, const std::string& key, const std::string& value) { line(depth, key + ": " + yaml_text(value)); }
  void plain(int depth, const std::string& key, const std::string& value) { line(depth, key + ": " + value); }
  /// A field that is left to the reader.
  void left(int depth, const std::string& key, const std::string& what) { line(depth, "# " + key + ": " + what); }
  const std::string& result() const { return text_; }

 private:
  void line(int depth, const std::string& content) {
    text_ += std::string(2 * static_cast<std::size_t>(depth), ' ') + content + "\n";
  }
  std::string text_;
};

void add_basic(const SpecResult& spec, Yaml& yaml) {
  yaml.open(1, "basic");
  yaml.text(2, "name", spec.name);
  yaml.left(2, "data_curators", "a list of names (required)");
  yaml.left(2, "intended_use", "text (required)");
  yaml.left(2, "data_product_type",
            "one of Summary statistics, Machine learning model, Dataset, Synthetic data, Interactive API, SQL queries "
            "(required)");
  yaml.left(2, "data_product_region", "text (required)");
  spec.description.empty() ? yaml.left(2, "description", "text (required)")
                           : yaml.text(2, "description", spec.description);
  yaml.left(2, "publication_date", "'YYYY-MM-DD' (required)");
  yaml.left(2, "data_product_sector", "one of Technology, Healthcare, Education, Government, Energy, Finance");
}

void add_guarantee(const SpecResult& spec, const std::optional<Guarantee>& guarantee, Yaml& yaml) {
  if (!guarantee) {
    yaml.left(1, "dp_variant", "no claim of the spec holds");
    return;
  }
  yaml.open(1, "dp_variant");
  yaml.plain(2, "variant_name", guarantee->variant);
  yaml.text(2, "data_domain",
            "Inputs: all values of " + joined(spec.coordinates) + " (" + number_text(spec.inputs) + ").");
  if (spec.public_coordinates.empty()) {
    yaml.left(2, "unprotected_quantities", "what is published without noise");
  } else {
    yaml.text(2, "unprotected_quantities", "Attributes that everybody knows: " + joined(spec.public_coordinates) + ".");
  }
  yaml.open(1, "privacy_loss");
  yaml.left(2, "privacy_unit", "whose data an input of the spec is, such as user or user-day");
  const ClaimResult& claim = *guarantee->claim;
  const std::string place = claim.place.file + ", " + claim.place.pointer;
  yaml.text(2, "privacy_unit_details",
            claim.notion == "ldp" ? "Adjacent are any two inputs."
                                  : "Adjacent inputs are as the claim states: " + place + ".");
  if (!guarantee->parameters.empty()) {
    yaml.open(2, "privacy_parameters");
    for (const auto& [name, number] : guarantee->parameters) yaml.plain(3, name, number);
  }
  yaml.text(2, "privacy_parameters_details",
            claim_text(claim) +
                (guarantee->parameters.empty() ? "." : ". The parameters are those of the claim, rounded up."));
}

void add_rest(const SpecResult& spec, const Checks& checks, Yaml& yaml) {
  yaml.open(1, "# deployment_model");
  yaml.left(1, "  model_name", "one of Local, Central, Shuffle, Federated, Varies");
  yaml.left(1, "  model_name_details", "text");
  yaml.left(1, "  actors", "who sees what, and what is assumed about them");
  yaml.left(1, "  release_type", "One release or Many releases");
  yaml.left(1, "  release_type_details", "text");
  yaml.left(1, "  data_source_type", "Static or Dynamic");
  yaml.left(1, "  data_source_type_details", "text");
  yaml.left(1, "  access_type", "Interactive or Non-interactive");
  yaml.left(1, "  access_type_details", "text");
  yaml.left(1, "accounting", "with post_processing and composition");
  yaml.open(1, "implementation");
  yaml.left(2, "preprocessing_and_hyperparameter_tuning", "text");
  yaml.text(2, "mechanisms", mechanism_text(spec, checks));
  yaml.left(2, "justification", "text");
  yaml.open(1, "administrative");
  spec.source.empty() ? yaml.left(2, "sources", "text") : yaml.text(2, "sources", spec.source);
  yaml.text(2, "notes",
            std::string("Drafted by oddsbound ") + ODDSBOUND_VERSION + " for the schema of " + kSchema + ". " +
                all_claims(spec));
  yaml.left(2, "registry_authors", "a list of names (required)");
}

std::string record_of(const SpecResult& spec, const Checks& checks) {
  const std::optional<Guarantee> guarantee = guarantee_of(spec);
  Yaml yaml;
  yaml.text(0, "url_slug", slug_of(spec.name));  // in quotes: YAML reads null, on and 123 as other types
  yaml.plain(0, "status", "Draft");
  yaml.plain(0, "tier", guarantee ? "2" : "1");
  yaml.open(0, "deployment");
  add_basic(spec, yaml);
  add_guarantee(spec, guarantee, yaml);
  add_rest(spec, checks, yaml);
  return yaml.result();
}

}  // namespace

std::string registry_report(const Report& report, const Checks& checks, const RenderOptions&) {
  std::string text;
  for (const SpecResult& spec : report.specs) text += (text.empty() ? "" : "---\n") + record_of(spec, checks);
  return text.empty() ? "# The report has no result of a spec.\n" : text;
}

}  // namespace oddsbound::reports
