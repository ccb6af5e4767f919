// Work that is larger than one process or longer than one night.
//
// A task is a question that one process leads: it cuts the question into units, has them worked on, and puts the
// outcome together from their results. All of these are bytes. Who takes part has come to the same task by running the
// same program on the same files: so a unit says which part of the question it is, and nothing of the question travels.
//
// An outcome must depend on the question alone: not on who worked on which unit, nor when. Then it is the same for any
// number of threads and processes, and when it is read from a checkpoint instead of found.
#pragma once

#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "base/budget.h"
#include "base/bytes.h"

namespace oddsbound::base {

/// Works on one unit. Threads are numbered from 0; each works on one unit at a time. The budget's limits of time are
/// those of who leads.
using Unit = std::function<Bytes(const Bytes& unit, std::size_t thread, Budget& budget)>;

/// Units that were handed out. Whoever has time works on them, those of the task that were begun earlier first; and who
/// leads it does when it asks for the results.
class PendingUnits {
 public:
  virtual ~PendingUnits() = default;
  /// In the order of the units. Throws the error of a unit that has one. Called once.
  virtual std::vector<Bytes> results() = 0;
};

/// Those who work on the units of a task, as its leader sees them.
class WorkerPool {
 public:
  virtual ~WorkerPool() = default;
  /// How many units are worked on at once.
  virtual std::size_t count() const = 0;
  /// Hands units out. It outlives what it gives.
  virtual std::unique_ptr<PendingUnits> begin(std::vector<Bytes> units) = 0;
  std::vector<Bytes> map(std::vector<Bytes> units) { return begin(std::move(units))->results(); }
  /// What the task goes on from: what `keep` was told before an earlier run ended; empty if it begins.
  virtual Bytes kept() const { return {}; }
  /// Where it is time to, asks for what the task could go on from, and keeps it.
  virtual void keep(const std::function<Bytes()>& /*state*/) {}
  /// The outcome, or what the leader is about to throw, is what a limit or a stop left: a later run goes on from here.
  virtual void is_unfinished(const Bytes& /*state*/) {}
};

/// Finds the outcome of a task. What it throws is no outcome.
using TaskBody = std::function<Bytes(WorkerPool& hands, Budget& budget)>;

/// A part of a run, as one file of several, whose tasks others take part in, or that are kept.
class TaskScope {
 public:
  virtual ~TaskScope() = default;
  /// The outcome of a task. Its name says all of the question that does not follow from the scope: tasks of one name
  /// have one outcome.
  virtual Bytes run(const std::string& name, const Unit& unit, const TaskBody& lead, Budget& budget) = 0;
  /// Whether what is found here is of no use any more: who leads has gone on.
  virtual bool is_abandoned() const noexcept = 0;
};

/// What makes scopes.
class TaskScopes {
 public:
  virtual ~TaskScopes() = default;
  /// A part of the run, by a name that no other part has. `content` is all that its questions are about.
  virtual std::unique_ptr<TaskScope> begin(const std::string& name, const Bytes& content) = 0;
  /// Whether this process is the one that leads: what cannot be shared is for it alone.
  virtual bool leads() const noexcept = 0;
};

/// Ends the work of one who only helped. It is no error, and nobody is to be told: so it is no std::exception.
struct Abandoned {};

}  // namespace oddsbound::base
