// A folder is a namespace; whatever a file includes it may name without saying where it lives. Where two folders call
// something alike, a folder's own is meant; others say which. What includes what is checked by scripts/check-layers.py.
#pragma once

namespace oddsbound {

namespace base {}
namespace exact {}
namespace linear {}
namespace model {}
namespace engine {}
namespace priors {}
namespace measures {}
namespace smt {}
namespace notions {}
namespace mechanisms {}
namespace specs {}
namespace audits {}
namespace reports {}
namespace app {}
namespace designs {}
namespace releases {}
namespace cluster {}

using namespace base;
using namespace exact;
using namespace linear;
using namespace model;
using namespace engine;
using namespace priors;
using namespace measures;
using namespace smt;
using namespace notions;
using namespace mechanisms;
using namespace specs;
using namespace audits;
using namespace reports;
using namespace app;
using namespace designs;
using namespace releases;
using namespace cluster;

}  // namespace oddsbound
