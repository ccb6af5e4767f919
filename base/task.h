// Tasks: work that is shared among processes or outlives one run.
//
// One process coordinates a task: it splits the question into units, hands them to workers, and combines their
// results. Units, results and outcomes are bytes. Every worker reaches the same task by running the same program
// on the same files. A unit therefore only states which part of the question it is; the question itself is never
// sent.
//
// Invariant: an outcome depends on the question alone, not on who worked on which unit, or when. So it is the same
// for any number of threads and processes, and whether it is computed or read from a checkpoint.
#pragma once

#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "base/budget.h"
#include "base/bytes.h"

namespace oddsbound::base {

/// Works on one unit and returns its result. Threads are numbered from 0, and each works on one unit at a time.
/// The budget has the coordinator's time limits.
using Unit = std::function<Bytes(const Bytes& unit, std::size_t thread, Budget& budget)>;

/// Units that were handed out. Idle workers process them, oldest batch of the task first; the coordinator helps
/// while it waits for results().
class PendingUnits {
 public:
  virtual ~PendingUnits() = default;
  /// Returns the results in the order of the units. Throws the error of a failed unit. Call it once.
  virtual std::vector<Bytes> results() = 0;
};

/// The workers of a task, as its coordinator sees them.
class WorkerPool {
 public:
  virtual ~WorkerPool() = default;
  /// Returns how many units run at the same time.
  virtual std::size_t count() const = 0;
  /// Hands units out. The pool outlives the returned object.
  virtual std::unique_ptr<PendingUnits> begin(std::vector<Bytes> units) = 0;
  std::vector<Bytes> map(std::vector<Bytes> units) { return begin(std::move(units))->results(); }
  /// Returns the state to resume from: the last one passed to `keep` in an earlier run. Empty if the task starts
  /// afresh.
  virtual Bytes kept() const { return {}; }
  /// Asks for the state to resume from and stores it, if a checkpoint is due.
  virtual void keep(const std::function<Bytes()>& /*state*/) {}
  /// Declares that the outcome, or the exception about to be thrown, is due to a limit or a stop. A later run
  /// resumes from this state.
  virtual void is_unfinished(const Bytes& /*state*/) {}
};

/// Computes the outcome of a task. An exception is not an outcome.
using TaskBody = std::function<Bytes(WorkerPool& workers, Budget& budget)>;

}  // namespace oddsbound::base

namespace oddsbound {

/// A part of a run (for example one of several files) whose tasks are shared with other processes or kept.
class TaskScope {
 public:
  virtual ~TaskScope() = default;
  /// Returns the outcome of a task. The name states everything about the question that the scope does not
  /// determine: equal names in one scope mean equal outcomes.
  virtual Bytes run(const std::string& name, const Unit& unit, const TaskBody& lead, Budget& budget) = 0;
  /// True once the coordinator has left this scope: results will be discarded.
  virtual bool is_abandoned() const noexcept = 0;
};

/// Creates scopes.
class TaskScopes {
 public:
  virtual ~TaskScopes() = default;
  /// Begins a part of the run under a name that no other part has. `content` is all the data that its questions
  /// depend on.
  virtual std::unique_ptr<TaskScope> begin(const std::string& name, const Bytes& content) = 0;
  /// True in the coordinating process: work that cannot be shared is done by it alone.
  virtual bool leads() const noexcept = 0;
};

}  // namespace oddsbound

namespace oddsbound::base {

/// Ends the work of a process whose results are no longer needed. It is not an error and is not reported, so it is
/// not a std::exception.
struct Abandoned {};

}  // namespace oddsbound::base
