// Duchi, Jordan and Wainwright (2013): see duchi.h.
#include "mechanisms/duchi.h"
#include "mechanisms/family.h"

namespace oddsbound::mechanisms::duchi_hypercube {

namespace {

Mechanism build(const Domain& domain, const Arguments& arguments, Budget&) {
  return duchi_mechanism(domain, arguments.get<Level>("epsilon"));
}

}  // namespace

Family family() {
  return {"duchi_hypercube",
          "a sign vector, likelier by e^eps if it agrees with the input in more than half of the coordinates",
          "Duchi, Jordan, Wainwright (2013); ties in even dimensions after Nguyen et al. (2016)",
          {{"epsilon", FieldKind::kLevel, true, "the LDP level"}},
          build};
}

}  // namespace oddsbound::mechanisms::duchi_hypercube
