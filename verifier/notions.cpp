#include "verifier/notions.h"

#include "verifier/privacy/approximate.h"
#include "verifier/privacy/bcdp.h"
#include "verifier/privacy/cdp.h"
#include "verifier/privacy/context.h"
#include "verifier/privacy/ldp.h"
#include "verifier/privacy/partial.h"
#include "verifier/smt/refinement.h"

namespace oddsbound {

std::span<const Notion> notions() {
  static const std::vector<Notion> table = {
      ldp_notion(),
      bdp_notion(),
      cdp_notion(),
      bcdp_notion(),
      secret_notion(),
      context_ldp_notion(),
      block_ldp_notion(),
      high_low_ldp_notion(),
      partial_dp_notion(),
      approximate_dp_notion(),
      post_processing_notion(),
  };
  return table;
}

const Notion* find_notion(std::string_view name) {
  for (const Notion& notion : notions()) {
    if (notion.name == name) return &notion;
  }
  return nullptr;
}

}  // namespace oddsbound
