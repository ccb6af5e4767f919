#include "verifier/engine/measured_model.h"

#include <algorithm>
#include <map>
#include <mutex>

#include "base/errors.h"
#include "verifier/exact/threads.h"

namespace oddsbound::engine {

namespace {

constexpr double kUnitsWorthSharing = 4;
// Units handed out at once, per worker. Workers wait for each other only at the end of such a round.
constexpr std::size_t kUnitsPerWorker = 64;

// For one accumulator, the sufficient outputs of the ranges so far, in order.
struct SufficientOutputs {
  std::vector<std::uint64_t> outputs;
  bool is_saturated = false;

  // Adds a later range; ignored if this one is saturated.
  void take(BinaryReader& later, std::uint64_t all_outputs) {
    const bool saturates = later.flag();
    const std::vector<std::uint64_t> more = later.words<std::uint64_t>();
    // Accumulators need outputs in increasing order, each once.
    std::uint64_t least = outputs.empty() ? 0 : outputs.back() + 1;
    for (const std::uint64_t output : more) {
      if (output < least || output >= all_outputs) {
        throw BytesError("there is no output " + std::to_string(output) + ", or not here");
      }
      least = output + 1;
    }
    if (is_saturated) return;
    is_saturated = saturates;
    outputs.insert(outputs.end(), more.begin(), more.end());
  }
  void put(BinaryWriter& writer) const { writer.put(is_saturated).put(outputs); }
};

Bytes packed(const std::vector<SufficientOutputs>& sufficient) {
  BinaryWriter writer;
  for (const SufficientOutputs& one : sufficient) one.put(writer);
  return writer.take();
}

class SharedPass {
 public:
  SharedPass(const Columns& columns, std::span<const PassClient> riders) : columns_(columns) {
    for (const PassClient& rider : riders) first_.push_back(rider.accumulator->for_later());
  }

  Bytes go_through(const Bytes& unit, std::size_t thread, Budget& budget) {
    BinaryReader range(unit);
    const std::uint64_t begin = range.below(columns_.outputs() + 1);
    const std::uint64_t end = range.below(columns_.outputs() + 1);
    if (begin > end) throw BytesError("a range of outputs ends before it begins");
    Accumulators& last = last_of(thread);
    std::vector<PassClient> riders;
    for (std::unique_ptr<Accumulator>& accumulator : last) {
      // It may know what the accumulators of earlier outputs found.
      accumulator = accumulator->for_later();
      riders.push_back({accumulator.get()});
    }
    Limits limits = budget.limits();
    limits.threads = 1;
    limits.max_seconds = budget.seconds_left();
    Budget own(limits);
    pass(columns_, {begin, end}, riders, own);
    BinaryWriter sufficient;
    for (const PassClient& rider : riders) {
      if (rider.error) std::rethrow_exception(rider.error);
      SufficientOutputs{*rider.accumulator->sufficient_outputs(), rider.accumulator->is_saturated()}.put(sufficient);
    }
    return sufficient.take();
  }

  Bytes lead(WorkerPool& workers, Budget& budget) const {
    const double cells = static_cast<double>(columns_.inputs()) * static_cast<double>(columns_.outputs());
    const double wanted = cells / static_cast<double>(budget.limits().unit_cells) + 1;
    const auto units = static_cast<std::uint64_t>(std::min(wanted, static_cast<double>(columns_.outputs())));
    std::uint64_t next = 0;
    std::vector<SufficientOutputs> sufficient(first_.size());
    if (const Bytes kept = workers.kept(); !kept.empty()) {
      BinaryReader known(kept);
      next = known.below(units + 1);
      for (SufficientOutputs& one : sufficient) one.take(known, columns_.outputs());
      known.require_end();
    }
    const auto is_saturated = [](const SufficientOutputs& one) { return one.is_saturated; };
    while (next < units && !std::all_of(sufficient.begin(), sufficient.end(), is_saturated)) {
      budget.check();
      const std::uint64_t end = std::min<std::uint64_t>(units, next + kUnitsPerWorker * workers.count());
      std::vector<Bytes> ranges;
      for (; next < end; ++next) {
        ranges.push_back(BinaryWriter().put(begin_of(next, units)).put(begin_of(next + 1, units)).take());
      }
      try {
        for (const Bytes& result : workers.map(ranges)) {
          BinaryReader of_range(result);
          for (SufficientOutputs& one : sufficient) one.take(of_range, columns_.outputs());
          of_range.require_end();
        }
      } catch (const LimitError&) {
        workers.is_unfinished(state(next - ranges.size(), sufficient));
        throw;
      }
      workers.keep([&] { return state(next, sufficient); });
    }
    return packed(sufficient);
  }

 private:
  static Bytes state(std::uint64_t next, const std::vector<SufficientOutputs>& sufficient) {
    return BinaryWriter().put(next).take() + packed(sufficient);
  }

  std::uint64_t begin_of(std::uint64_t unit, std::uint64_t units) const {
    const std::uint64_t outputs = columns_.outputs();
    return outputs / units * unit + std::min(unit, outputs % units);
  }

  using Accumulators = std::vector<std::unique_ptr<Accumulator>>;

  Accumulators& last_of(std::size_t thread) {
    const std::lock_guard lock(guard_);
    Accumulators& last = last_[thread];
    for (std::size_t k = last.size(); k < first_.size(); ++k) last.push_back(first_[k]->for_later());
    return last;
  }

  const Columns& columns_;
  Accumulators first_;
  std::mutex guard_;
  std::map<std::size_t, Accumulators> last_;  // by thread
};

}  // namespace

bool is_worth_sharing(const Columns& columns, const Budget& budget) {
  const double cells = static_cast<double>(columns.inputs()) * static_cast<double>(columns.outputs());
  return budget.limits().scope != nullptr &&
         cells >= kUnitsWorthSharing * static_cast<double>(budget.limits().unit_cells);
}

void shared_pass(const Columns& columns, const std::string& name, std::span<PassClient> riders, Budget& budget) {
  try {
    SharedPass shared(columns, riders);
    const Unit unit = [&](const Bytes& range, std::size_t thread, Budget& own) {
      return shared.go_through(range, thread, own);
    };
    const TaskBody lead = [&](WorkerPool& workers, Budget& own) { return shared.lead(workers, own); };
    const Bytes outcome = run_task(name, unit, lead, budget);
    BinaryReader known(outcome);
    ColumnView column(columns);
    for (const PassClient& rider : riders) {
      SufficientOutputs sufficient;
      sufficient.take(known, columns.outputs());
      for (const std::uint64_t output : sufficient.outputs) {
        budget.check_every();
        column.move_to(output);
        rider.accumulator->offer(column);
      }
    }
  } catch (const std::exception&) {
    for (PassClient& rider : riders) rider.error = std::current_exception();
  }
}

const Prior& MeasuredModel::prior() const {
  if (!model_.prior) throw ModelError("this notion needs a prior, and the spec has none");
  for (std::size_t i = 0; !values_are_listable_ && i < domain().size(); ++i) require_listable(domain().values(i));
  values_are_listable_ = true;
  return *model_.prior;
}

std::shared_ptr<const Model> MeasuredModel::kept_model() {
  if (!kept_) kept_ = std::make_shared<const Model>(model_);
  return kept_;
}

const Columns& MeasuredModel::columns() {
  if (!columns_) columns_ = channel().columns(budget_);
  return *columns_;
}

bool MeasuredModel::can_enumerate() const {
  const std::uint64_t inputs = channel().input_numbers();
  return inputs <= budget_.limits().max_inputs && channel().outputs() <= budget_.limits().max_cells / inputs;
}

void MeasuredModel::forget(const Entry* entry) {
  std::erase_if(entries_, [&](const auto& known) { return known.get() == entry; });
}

void MeasuredModel::ask_again(const std::function<void()>& work) {
  std::map<std::string, Remembered> unfinished;
  for (auto known = results_.begin(); known != results_.end();) {
    const auto next = std::next(known);
    if (known->second.unfinished) unfinished.insert(results_.extract(known));
    known = next;
  }
  std::erase_if(entries_, [](const auto& entry) { return entry->error != nullptr; });
  work();
  results_.merge(unfinished);
}

void MeasuredModel::run_pass() {
  columns();
  std::vector<Entry*> waiting;
  for (const auto& entry : entries_) {
    if (entry->accumulator || entry->error || entry->result.has_value()) continue;
    try {
      entry->accumulator = entry->begin(*this);
      waiting.push_back(entry.get());
    } catch (...) {
      entry->error = std::current_exception();
    }
  }
  if (!is_worth_sharing(*columns_, budget_) || name_.empty()) return go_through(waiting);
  std::vector<Entry*> shared;
  std::erase_if(waiting, [&](Entry* entry) {
    const bool is_known = !entry->as_bytes.empty() && entry->accumulator->sufficient_outputs().has_value();
    if (is_known) shared.push_back(entry);
    return is_known;
  });
  if (!waiting.empty()) go_through(waiting);
  if (shared.empty()) return;
  BinaryWriter question;
  question.put(name_).put(columns_->inputs()).put(columns_->outputs());
  std::vector<PassClient> riders;
  for (Entry* entry : shared) {
    question.put(entry->as_bytes);
    riders.push_back({entry->accumulator.get()});
  }
  shared_pass(*columns_, task_name("pass over outputs", question.take()), riders, budget_);
  for (std::size_t r = 0; r < riders.size(); ++r) shared[r]->error = riders[r].error;
}

void MeasuredModel::go_through(std::vector<Entry*>& waiting) {
  std::vector<PassClient> riders;
  for (Entry* entry : waiting) riders.push_back({entry->accumulator.get()});
  try {
    pass(*columns_, {0, columns_->outputs()}, riders, budget_);
  } catch (...) {
    // No thread or memory could be obtained, so no accumulator saw all outputs.
    for (PassClient& rider : riders) rider.error = std::current_exception();
  }
  for (std::size_t r = 0; r < riders.size(); ++r) waiting[r]->error = riders[r].error;
}

}  // namespace oddsbound::engine
