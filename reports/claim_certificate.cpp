#include "reports/claim_certificate.h"

#include <map>

#include "reports/level_fields.h"
#include "specs/spec_error.h"

namespace oddsbound::reports {

namespace {

using Json = nlohmann::ordered_json;

constexpr int kFormat = 1;  // checkers reject other versions

// The checker computes the quotients of the parts itself.
Json part_levels_json(const ByParts& proof) {
  Json levels = Json::array();
  for (const std::string& coordinate : proof.coordinates) {
    Json level{{"proof", "recompute"}};
    if (!coordinate.empty()) level = {{"coordinate", coordinate}, {"proof", "recompute"}};
    levels.push_back(std::move(level));
  }
  return levels;
}

// Without probabilities of an event: the checker computes them.
Json sides_json(const Witness& witness) {
  Json sides = Json::object();
  if (!witness.coordinate.empty()) sides["coordinate"] = witness.coordinate;
  sides["from"] = written(witness.from);
  sides["to"] = written(witness.to);
  if (witness.order) sides["order"] = written(*witness.order);
  return sides;
}

// The name and content of a proof.
struct ProofText {
  std::string& object;

  void named(const char* name) const { add_text(object, "proof", one_line(name)); }
  void operator()(const ByWitness& proof) const {
    named("witness");
    add_text(object, "witness", one_line(written(proof.witness)));
  }
  void operator()(const ByRefinement& proof) const {
    const Refinement& own = proof.refinement;
    named(own.holds ? "kernel" : "gain");
    add_text(object, own.holds ? "kernel" : "gain", one_line(written(own.holds ? own.kernel : own.gain)));
  }
  void operator()(const ByParts& proof) const {
    named("parts");
    add_text(object, "levels", one_line(part_levels_json(proof)));
  }
  void operator()(const ByCases&) const { named("cases"); }
  void operator()(const ByLosses& proof) const {
    named(proof.by_classes ? "classes" : "losses");
    if (proof.witness) add_text(object, "witness", one_line(sides_json(*proof.witness)));
  }
  void operator()(const ByBounds&) const { named("bounds"); }
  void operator()(const ByArithmetic&) const { named("arithmetic"); }
  void operator()(const ByQueries&) const { named("queries"); }
  void operator()(const SetCertificate::Claim& proof) const {
    add_text(object, "for_all", one_line(proof.for_all));
    add_text(object, "levels", levels_text(proof));
  }
};

Json query_json(const QueryRecord& query) {
  Json json{{"name", query.name}, {"text", query.text}, {"z3", query.status}};
  if (!query.cross_check.empty()) json["cvc5"] = query.cross_check;
  return json;
}

std::string claim_text(const CertifiedClaim& claim) {
  std::string text =
      one_line({{"claim", claim.index}, {"name", claim.name}, {"notion", claim.notion}, {"verdict", claim.verdict}});
  if (!claim.values.empty()) add_text(text, "values", one_line(written(claim.values)));
  std::visit(ProofText{text}, claim.proof);
  if (!claim.attained.empty()) add_text(text, "attained", one_line(written(claim.attained)));
  if (!claim.queries.empty()) {
    add_text(text, "queries",
             list_text(
                 claim.queries, [](const auto& own) { return one_line(query_json(own)); }, "  "));
  }
  return text;
}

Json missing_json(const std::vector<MissingProof>& missing) {
  Json list = Json::array();
  for (const auto& [index, name, reason] : missing) {
    list.push_back({{"claim", index}, {"name", name}, {"reason", reason}});
  }
  return list;
}

}  // namespace

std::string to_json(const SpecCertificate& certificate) {
  Json head = json_head();
  head["certificate"] = "claims";
  head["format"] = kFormat;
  head["file"] = certificate.file;
  head["files"] = written(certificate.files);
  head["spec"] = certificate.name;
  if (certificate.confidential) head["confidential"] = true;
  head["without"] = missing_json(certificate.without);
  head["undecided"] = missing_json(certificate.undecided);
  std::string text = one_line(head);
  add_text(text, "claims", list_text(certificate.claims, claim_text, " "), "\n");
  if (certificate.bounds) add_text(text, "bounds", to_json(*certificate.bounds), "\n");
  return text + "\n";
}

std::vector<std::string> missing_proofs(const SpecCertificate& certificate) {
  std::vector<std::string> reasons;
  std::map<std::string, std::vector<std::size_t>> claims;  // by reason
  for (const auto& [index, name, reason] : certificate.without) {
    if (claims[reason].empty()) reasons.push_back(reason);
    claims[reason].push_back(index);
  }
  std::vector<std::string> lines;
  for (const std::string& reason : reasons) {
    std::string line = printable(certificate.file, 200) + (claims[reason].size() == 1 ? ": claim" : ": claims");
    for (std::size_t k = 0; k < claims[reason].size(); ++k) {
      line += (k == 0 ? " " : ", ") + std::to_string(claims[reason][k]);
    }
    lines.push_back(line + ": " + printable(reason, 400));
  }
  return lines;
}

}  // namespace oddsbound::reports
