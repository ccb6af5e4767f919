// From a spec's text to verdicts with witnesses.
#include <oddsbound/oddsbound.h>

#include <iostream>

int main() {
  const auto spec = oddsbound::read(oddsbound::Text{R"json({
    "oddsbound": 1, "name": "two questions",
    "domain": [{"name": "smokes", "values": ["yes", "no"]}, {"name": "drinks", "values": ["yes", "no"]}],
    "prior": {"type": "counts", "counts": [3, 1, 1, 5], "published": true},
    "mechanism": {"type": "per_coordinate", "mechanisms": {
      "smokes": {"type": "k_randomized_response", "epsilon": "log(3)"},
      "drinks": {"type": "k_randomized_response", "epsilon": "log(3)"}}},
    "claims": [{"notion": "cdp", "epsilon": "log(3)"},
               {"notion": "bcdp", "epsilon": {"smokes": "log(3)"}}]})json"});
  if (!spec) {
    std::cerr << spec.error().text() << "\n";
    return 2;
  }
  const oddsbound::Report report = oddsbound::verify(*spec);
  std::cout << *oddsbound::render(report, "text");
  for (const oddsbound::ClaimResult& claim : report.specs.at(0).claims) {
    if (!claim.decision.witness) continue;
    const oddsbound::Witness& witness = *claim.decision.witness;
    std::cout << claim.notion << " is refuted by output " << witness.outputs.at(0) << ": " << witness.p_from.to_string()
              << " against " << witness.p_to.to_string() << "\n";
  }
  return report.exit_status() == 1 ? 0 : 1;
}
