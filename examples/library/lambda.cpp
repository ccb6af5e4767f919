// Builds a mechanism in C++, without JSON, and audits the code that will run it.
#include <oddsbound/oddsbound.h>

#include <iostream>

using oddsbound::Number;

int main() {
  const oddsbound::Domain domain({{"vote", {"yes", "no"}}});
  // Answers truthfully with probability 3/4.
  auto spec =
      oddsbound::build("vote", domain, {"yes", "no"},
                       {{Number::ratio(3, 4), Number::ratio(1, 4)}, {Number::ratio(1, 4), Number::ratio(3, 4)}});
  if (!spec) {
    std::cerr << spec.error().text() << "\n";
    return 2;
  }
  oddsbound::Arguments fields;
  fields.set("epsilon", oddsbound::parse_level("log(3)"));
  if (const auto error = oddsbound::add_claim(*spec, "ldp", fields)) std::cerr << error->text() << "\n";
  if (oddsbound::verify(*spec).exit_status() != 0) return 1;

  oddsbound::AuditRequest request;
  request.options.samples = 200'000;
  request.options.seed = 7;
  const auto right = [](std::uint64_t vote, oddsbound::RandomSource& random) {
    return random.word() % 4 != 0 ? vote : 1 - vote;
  };
  const auto wrong = [](std::uint64_t vote, oddsbound::RandomSource& random) {
    return random.word() % 8 != 0 ? vote : 1 - vote;
  };
  const oddsbound::Report good = oddsbound::audit(*spec, right, request);
  const oddsbound::Report bad = oddsbound::audit(*spec, wrong, request);
  std::cout << *oddsbound::render(good, "text") << *oddsbound::render(bad, "text");
  std::cout << good.audits.at(0).verdict() << ", " << bad.audits.at(0).verdict() << "\n";
  return good.exit_status() == 0 && bad.exit_status() == 1 ? 0 : 1;
}
