#include "cluster/coordinator.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <sstream>

#include "base/characters.h"
#include "base/errors.h"
#include "verifier/exact/threads.h"

namespace oddsbound::cluster {

namespace {

using Clock = std::chrono::steady_clock;

constexpr auto kPatienceToMeet = std::chrono::seconds(60);
constexpr auto kBetweenLooks = std::chrono::milliseconds(50);
// If nothing else is left to do, units that workers have not returned after this time are done here as well.
constexpr auto kPatienceWithOthers = std::chrono::seconds(2);

// Describes the first line in which two descriptions of a run differ.
std::string first_difference(const Bytes& ours, const Bytes& theirs) {
  std::istringstream our_lines(ours), their_lines(theirs);
  std::string our_line, their_line;
  while (std::getline(our_lines, our_line)) {
    if (!std::getline(their_lines, their_line)) return "it lacks '" + printable(our_line) + "'";
    if (our_line != their_line) {
      return "it has '" + printable(their_line) + "' in place of '" + printable(our_line) + "'";
    }
  }
  return "it has more to do";
}

}  // namespace

std::uint64_t units_for(std::uint64_t slots, const Stock& stock, std::uint64_t all_slots,
                        const std::function<bool()>& has_any) {
  // A quarter of an equal share: few messages at first, short waits at the end. If later rounds have units left,
  // nobody waits at the end, so the share is of all units.
  const std::uint64_t share = (stock.is_last ? stock.left : stock.all) / (4 * all_slots);
  // A worker that still has units is asking ahead: serve it only while there are enough for everyone.
  if (share == 0 && has_any()) return 0;
  return std::min(stock.left, std::max(slots, share));
}

// Units that were handed out, and their results.
class Coordinator::Round {
 public:
  Round(std::uint64_t number, std::vector<Bytes> units)
      : number_(number), units_(std::move(units)), results_(units_.size()), left_(units_.size()) {}

  std::uint64_t number() const { return number_; }
  std::size_t size() const { return units_.size(); }
  bool has_more() const { return next_ < units_.size(); }
  bool is_done() const { return left_ == 0; }
  std::size_t left_to_begin() const { return units_.size() - next_; }
  std::optional<std::uint64_t> take() { return has_more() ? std::optional(next_++) : std::nullopt; }
  const Bytes& unit(std::uint64_t k) const { return units_[k]; }
  void hand_out(std::uint64_t k, std::size_t rank) { out_[k] = rank; }
  bool has_any(std::size_t rank) const {
    return std::any_of(out_.begin(), out_.end(), [rank](const auto& one) { return one.second == rank; });
  }
  void put(std::uint64_t k, Bytes result) {
    if (k >= results_.size() || results_[k]) return;
    results_[k] = std::move(result);
    out_.erase(k);
    failed_.erase(k);
    --left_;
  }
  void fail(std::uint64_t k) {
    if (k >= results_.size() || results_[k]) return;
    failed_.insert(k);
    out_.erase(k);
  }
  /// Returns a unit to do here: one that failed elsewhere or, if impatient, one that has not been returned.
  std::optional<std::uint64_t> missing(bool is_impatient) const {
    if (!failed_.empty()) return *failed_.begin();
    return is_impatient && !out_.empty() ? std::optional(out_.begin()->first) : std::nullopt;
  }
  std::vector<Bytes> take_results() {
    std::vector<Bytes> results;
    for (std::optional<Bytes>& result : results_) results.push_back(*std::move(result));
    return results;
  }

 private:
  std::uint64_t number_;
  std::vector<Bytes> units_;
  std::vector<std::optional<Bytes>> results_;
  std::uint64_t next_ = 0;
  std::size_t left_;
  std::map<std::uint64_t, std::size_t> out_;  // unit -> rank that works on it
  std::set<std::uint64_t> failed_;
};

// A round, for as long as it is in progress.
class Coordinator::BegunRound final : public PendingUnits {
 public:
  BegunRound(ProcessPool& pool, std::vector<Bytes> units);
  BegunRound(const BegunRound&) = delete;
  BegunRound& operator=(const BegunRound&) = delete;
  ~BegunRound() override;
  std::vector<Bytes> results() override;

 private:
  void work_on_next(std::size_t thread, Budget& budget);
  void wait_for_others(std::unique_lock<std::mutex>& lock);
  bool work_on_later(std::unique_lock<std::mutex>& lock);

  ProcessPool& pool_;
  Coordinator& coordinator_;
  Round round_;
};

class Coordinator::ProcessPool final : public WorkerPool {
 public:
  ProcessPool(Coordinator& coordinator, Key key, const Unit& unit, Budget& budget, Bytes kept)
      : coordinator_(coordinator), key_(std::move(key)), unit_(unit), budget_(budget), kept_(std::move(kept)) {}

  std::size_t count() const override {
    const std::lock_guard lock(coordinator_.guard_);
    return own_threads() + coordinator_.slots_of_others(key_);
  }

  std::unique_ptr<PendingUnits> begin(std::vector<Bytes> units) override {
    return std::make_unique<BegunRound>(*this, std::move(units));
  }
  Bytes kept() const override { return kept_; }
  void keep(const std::function<Bytes()>& state) override {
    if (coordinator_.checkpoint_ != nullptr) coordinator_.checkpoint_->keep(name(), state);
  }
  void is_unfinished(const Bytes& state) override { unfinished_ = state; }
  const std::optional<Bytes>& unfinished() const { return unfinished_; }
  std::string name() const { return key_.first + "\n" + key_.second; }

 private:
  friend class BegunRound;

  // This process shares its threads among the tasks that it runs at the same time.
  std::size_t own_threads() const {
    return std::max<std::size_t>(1,
                                 wanted_threads(budget_.limits()) / std::max<std::size_t>(1, coordinator_.led_.size()));
  }

  Coordinator& coordinator_;
  Key key_;
  const Unit& unit_;
  Budget& budget_;
  Bytes kept_;
  std::optional<Bytes> unfinished_;
};

Coordinator::BegunRound::BegunRound(ProcessPool& pool, std::vector<Bytes> units)
    : pool_(pool), coordinator_(pool.coordinator_), round_(++coordinator_.rounds_begun_, std::move(units)) {
  const std::lock_guard lock(coordinator_.guard_);
  coordinator_.rounds_[pool_.key_].push_back(&round_);
  coordinator_.answer_all();
}

Coordinator::BegunRound::~BegunRound() {
  const std::lock_guard lock(coordinator_.guard_);
  const auto place = coordinator_.rounds_.find(pool_.key_);
  std::erase(place->second, &round_);
  if (place->second.empty()) coordinator_.rounds_.erase(place);
}

std::vector<Bytes> Coordinator::BegunRound::results() {
  by_threads(std::min(pool_.own_threads(), round_.size()), round_.size(), pool_.budget_,
             [&](std::uint64_t, std::size_t thread, Budget& budget) { work_on_next(thread, budget); });
  std::unique_lock lock(coordinator_.guard_);
  wait_for_others(lock);
  return round_.take_results();
}

void Coordinator::BegunRound::work_on_next(std::size_t thread, Budget& budget) {
  coordinator_.look();
  std::unique_lock lock(coordinator_.guard_);
  const std::optional<std::uint64_t> k = round_.take();
  if (!k) return;
  lock.unlock();
  Bytes result = pool_.unit_(round_.unit(*k), thread, budget);
  lock.lock();
  round_.put(*k, std::move(result));
}

void Coordinator::BegunRound::wait_for_others(std::unique_lock<std::mutex>& lock) {
  if (round_.is_done()) return;
  const auto patience_ends = Clock::now() + kPatienceWithOthers;
  while (!round_.is_done()) {
    coordinator_.find_conflicts();
    const std::optional<std::uint64_t> k = round_.missing(Clock::now() >= patience_ends);
    if (!k && work_on_later(lock)) continue;
    if (!k) coordinator_.wait_for_news(lock);
    lock.unlock();
    pool_.budget_.check();
    Bytes result;
    if (k) result = pool_.unit_(round_.unit(*k), 0, pool_.budget_);
    lock.lock();
    if (k) round_.put(*k, std::move(result));
  }
}

// Works on a unit of another round of the task: the earliest one with units left. Returns false if there is none.
bool Coordinator::BegunRound::work_on_later(std::unique_lock<std::mutex>& lock) {
  Round* const later = coordinator_.first_with_more(pool_.key_);
  if (later == nullptr) return false;
  const std::uint64_t k = *later->take();
  lock.unlock();
  coordinator_.look();
  pool_.budget_.check();
  std::optional<Bytes> result;
  try {
    result = pool_.unit_(later->unit(k), 0, pool_.budget_);
  } catch (const std::exception&) {
    // It fails again when the results of its round are collected.
  }
  lock.lock();
  result ? later->put(k, *std::move(result)) : later->fail(k);
  return true;
}

Coordinator::Coordinator(Transport* transport, Checkpoint* checkpoint, Bytes run)
    : transport_(transport), checkpoint_(checkpoint), run_(std::move(run)) {}

void Coordinator::receive(std::size_t from, const Bytes& bytes) {
  BinaryReader message(bytes);
  const auto kind = message.one_of(MessageKind::kAsk);
  const std::lock_guard lock(guard_);
  if (kind == MessageKind::kHello) {
    Bytes run = message.text();
    met_[from] = {std::move(run), message.text()};
  } else {
    Asking asking{from, Ask::from(message)};
    take_results(asking.question);
    asking.question.results.clear();
    workers_[{asking.question.part, asking.question.task}][from] = asking.question.slots;
    asking_.push_back(std::move(asking));
    answer_all();
  }
  changed_.notify_all();
}

void Coordinator::take_results(const Ask& question) {
  const auto rounds = rounds_.find({question.part, question.task});
  if (rounds == rounds_.end()) return;
  for (const UnitResult& result : question.results) {
    const auto round = std::find_if(rounds->second.begin(), rounds->second.end(),
                                    [&](const Round* one) { return one->number() == result.round; });
    if (round == rounds->second.end()) continue;
    // A unit that failed elsewhere is repeated here, where it throws its own error.
    result.is_there ? (*round)->put(result.unit, result.bytes) : (*round)->fail(result.unit);
  }
}

bool Coordinator::answer(const Asking& asking) {
  const Ask& question = asking.question;
  Reply answer{MessageKind::kGone, question.request, {}, 0, {}};
  const auto part = parts_.find(question.part);
  if (part == parts_.end()) {
    if (!over_.contains(question.part)) return false;
  } else if (part->second.content != question.content) {
    quarrel_ = "rank " + std::to_string(asking.rank) + " on " + printable(met_[asking.rank].second) +
               " has read something else for " + printable(question.part, 200) + " than rank 0 on " +
               transport_->host();
  } else if (const auto known = part->second.outcomes.find(question.task); known != part->second.outcomes.end()) {
    answer.kind = MessageKind::kOutcome;
    answer.outcome = known->second;
  } else {
    const Key key{question.part, question.task};
    Round* const round = first_with_more(key);
    if (round == nullptr) return false;
    const std::vector<Round*>& all = rounds_[key];
    const bool is_last = std::none_of(std::find(all.begin(), all.end(), round) + 1, all.end(),
                                      [](const Round* one) { return one->has_more(); });
    const std::uint64_t share = units_for(question.slots, {round->left_to_begin(), round->size(), is_last},
                                          slots_of_others(key) + 1, [&] { return round->has_any(asking.rank); });
    if (share == 0) return false;
    answer.kind = MessageKind::kUnits;
    answer.round = round->number();
    for (std::uint64_t left = share; left > 0; --left) {
      const std::uint64_t k = *round->take();
      round->hand_out(k, asking.rank);
      answer.units.emplace_back(k, round->unit(k));
    }
  }
  transport_->send(asking.rank, answer.as_message());
  return true;
}

void Coordinator::answer_all() {
  std::erase_if(asking_, [this](const Asking& asking) { return answer(asking); });
}

std::size_t Coordinator::slots_of_others(const Key& key) {
  std::size_t count = 0;
  const auto others = workers_.find(key);
  if (others == workers_.end()) return 0;
  for (const auto& [rank, slots] : others->second) count += slots;
  return count;
}

void Coordinator::look() {
  if (transport_ != nullptr) transport_->look();
}

void Coordinator::wait_for_news(std::unique_lock<std::mutex>& lock) {
  const Waiting waiting(transport_);
  changed_.wait_for(lock, kBetweenLooks);
}

Coordinator::Round* Coordinator::first_with_more(const Key& key) {
  const auto rounds = rounds_.find(key);
  if (rounds == rounds_.end()) return nullptr;
  const auto found =
      std::find_if(rounds->second.begin(), rounds->second.end(), [](const Round* one) { return one->has_more(); });
  return found == rounds->second.end() ? nullptr : *found;
}

void Coordinator::find_conflicts() {
  if (!quarrel_.empty()) throw std::runtime_error(quarrel_);
}

void Coordinator::meet() {
  if (transport_ == nullptr) return;
  const Waiting waiting(transport_);
  std::unique_lock lock(guard_);
  const std::size_t others = transport_->ranks() - 1;
  changed_.wait_for(lock, kPatienceToMeet, [&] { return met_.size() == others; });
  for (std::size_t rank = 1; rank <= others; ++rank) {
    const auto other = met_.find(rank);
    if (other == met_.end()) {
      throw std::runtime_error("rank " + std::to_string(rank) + " has not come to this run within a minute");
    }
    const auto& [run, host] = other->second;
    if (run == run_) continue;
    throw std::runtime_error("rank " + std::to_string(rank) + " on " + printable(host) +
                             " has come to another run: " + first_difference(run_, run));
  }
}

void Coordinator::begin(const std::string& part, const Bytes& content) {
  if (checkpoint_ != nullptr) checkpoint_->begin(part, content);
  const std::lock_guard lock(guard_);
  parts_[part].content = content;
  answer_all();
}

void Coordinator::end(const std::string& part) {
  const std::lock_guard lock(guard_);
  parts_.erase(part);
  over_.insert(part);
  std::erase_if(workers_, [&](const auto& entry) { return entry.first.first == part; });
  answer_all();
}

void Coordinator::publish(const Key& key, Bytes outcome) {
  const std::lock_guard lock(guard_);
  led_.erase(key);
  workers_.erase(key);
  if (transport_ == nullptr || transport_->ranks() == 1) return;
  const auto part = parts_.find(key.first);
  if (part == parts_.end()) return;
  part->second.outcomes[key.second] = std::move(outcome);
  answer_all();
}

Bytes Coordinator::lead(const std::string& part, const std::string& task, const Unit& unit, const TaskBody& lead,
                        Budget& budget) {
  const Key key{part, task};
  Bytes kept;
  if (checkpoint_ != nullptr) {
    const std::string name = part + "\n" + task;
    if (std::optional<Bytes> known = checkpoint_->outcome(name)) {
      publish(key, *known);
      return *std::move(known);
    }
    kept = checkpoint_->kept(name);
  }
  Budget alone(budget, Budget::kAlone);
  ProcessPool pool(*this, key, unit, alone, std::move(kept));
  {
    const std::lock_guard lock(guard_);
    find_conflicts();
    led_.insert(key);
  }
  try {
    Bytes outcome = lead(pool, alone);
    if (checkpoint_ != nullptr && !pool.unfinished()) checkpoint_->finish(pool.name(), outcome);
    if (checkpoint_ != nullptr && pool.unfinished()) checkpoint_->keep_now(pool.name(), *pool.unfinished());
    publish(key, outcome);
    return outcome;
  } catch (...) {
    {
      const std::lock_guard lock(guard_);
      led_.erase(key);
    }
    if (checkpoint_ != nullptr && pool.unfinished()) checkpoint_->keep_now(pool.name(), *pool.unfinished());
    throw;
  }
}

void Coordinator::send_home() {
  const Bytes end = BinaryWriter().put(static_cast<std::uint64_t>(MessageKind::kEnd)).take();
  for (std::size_t rank = 1; transport_ != nullptr && rank < transport_->ranks(); ++rank) transport_->send(rank, end);
}

}  // namespace oddsbound::cluster
