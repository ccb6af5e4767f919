// Each folder has a namespace, and every namespace sees the others' names unqualified. If two folders use one
// name, a folder's own name wins; other folders qualify it. scripts/check-layers.py enforces the include order.
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
namespace api {}
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
using namespace api;
using namespace designs;
using namespace releases;
using namespace cluster;

}  // namespace oddsbound
