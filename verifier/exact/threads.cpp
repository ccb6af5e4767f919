#include "verifier/exact/threads.h"

#include <flint/flint.h>

namespace oddsbound {

NumberThread::~NumberThread() { flint_cleanup(); }

}  // namespace oddsbound
