#include "verifier/search/subject.h"

#include "base/errors.h"

namespace oddsbound {

const Prior& Subject::prior() const {
  if (!model_.prior) throw ModelError("this notion needs a prior, and the spec has none");
  return *model_.prior;
}

const Columns& Subject::columns() {
  if (!columns_) columns_ = channel().columns(budget_);
  return *columns_;
}

bool Subject::can_enumerate() const { return channel().outputs() <= budget_.limits().max_cells / channel().inputs(); }

}  // namespace oddsbound
