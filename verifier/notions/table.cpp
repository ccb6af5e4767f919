#include "verifier/notions/table.h"

#include "verifier/notions/approximate.h"
#include "verifier/notions/averages.h"
#include "verifier/notions/bcdp.h"
#include "verifier/notions/bounded_range.h"
#include "verifier/notions/cdp.h"
#include "verifier/notions/context.h"
#include "verifier/notions/f_dp.h"
#include "verifier/notions/gaussian.h"
#include "verifier/notions/kl.h"
#include "verifier/notions/ldp.h"
#include "verifier/notions/lift.h"
#include "verifier/notions/probabilistic.h"
#include "verifier/notions/renyi.h"
#include "verifier/notions/utility_optimized.h"
#include "verifier/notions/zcdp.h"

namespace oddsbound::notions {

std::span<const Notion> notion_table() {
  static const std::vector<Notion> table = {
      ldp_notion(),
      bdp_notion(),
      cdp_notion(),
      bcdp_notion(),
      secret_notion(),
      context_ldp_notion(),
      block_ldp_notion(),
      high_low_ldp_notion(),
      utility_optimized_ldp_notion(),
      partial_dp_notion(),
      approximate_dp_notion(),
      approximate_bcdp_notion(),
      probabilistic_dp_notion(),
      zcdp_notion(),
      approximate_zcdp_notion(),
      renyi_dp_notion(),
      renyi_bcdp_notion(),
      f_dp_notion(),
      gaussian_dp_notion(),
      bounded_range_notion(),
      kl_dp_notion(),
      bayes_leakage_notion(),
      maximal_leakage_notion(),
      pointwise_maximal_leakage_notion(),
      lower_lift_notion(),
      local_information_privacy_notion(),
      posterior_notion(),
      information_notion(),
      post_processing_notion(),
  };
  return table;
}

}  // namespace oddsbound::notions
