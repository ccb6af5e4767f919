// A folder is a namespace; whatever a file includes it may name without saying where it lives. Where two folders call
// something alike, a folder's own is meant; others say which. What includes what is checked by scripts/check-layers.py.
#pragma once

namespace oddsbound {

namespace base {}
namespace exact {}
namespace model {}
namespace ratios {}
namespace sets {}
namespace networks {}
namespace structure {}
namespace measures {}
namespace smt {}
namespace notions {}
namespace optimal {}
namespace mechanisms {}
namespace specs {}
namespace audits {}
namespace results {}
namespace runs {}
namespace reports {}
namespace cluster {}

using namespace base;
using namespace exact;
using namespace model;
using namespace ratios;
using namespace sets;
using namespace networks;
using namespace structure;
using namespace measures;
using namespace smt;
using namespace notions;
using namespace optimal;
using namespace mechanisms;
using namespace specs;
using namespace audits;
using namespace results;
using namespace runs;
using namespace reports;
using namespace cluster;

}  // namespace oddsbound
