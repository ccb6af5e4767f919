// Builds a model in C++ and prints its exact LDP level.
#include <mechanisms/k_randomized_response.h>
#include <verifier/exact/expression.h>
#include <verifier/privacy/ldp.h>
#include <iostream>

int main() {
  using namespace oddsbound;
  const Domain domain({{"answer", {"yes", "no", "unsure"}}});
  const Model model{domain, k_randomized_response(domain, parse_level("log(2)")).channel, std::nullopt};
  Budget budget;
  Subject subject(model, budget);
  std::cout << "the LDP level is " << ldp_level(subject).level.to_string() << "\n";
}
