#include "cluster/process_group.h"

#include <utility>

#include "verifier/exact/threads.h"

namespace oddsbound::cluster {

class ProcessGroup::Part final : public TaskScope {
 public:
  Part(ProcessGroup& crew, std::string name, Bytes content)
      : crew_(crew), name_(std::move(name)), content_(std::move(content)) {
    if (crew_.coordinator_) crew_.coordinator_->begin(name_, content_);
  }
  Part(const Part&) = delete;
  Part& operator=(const Part&) = delete;
  ~Part() override {
    if (crew_.coordinator_) crew_.coordinator_->end(name_);
  }

  Bytes run(const std::string& name, const Unit& unit, const TaskBody& lead, Budget& budget) override {
    if (crew_.coordinator_) return crew_.coordinator_->lead(name_, name, unit, lead, budget);
    if (is_abandoned()) throw Abandoned();
    try {
      return crew_.helper_->help(name_, content_, name, unit, budget);
    } catch (const Abandoned&) {
      is_abandoned_ = true;
      throw;
    }
  }
  bool is_abandoned() const noexcept override {
    return is_abandoned_ || (crew_.helper_ && crew_.helper_->is_sent_home());
  }

 private:
  ProcessGroup& crew_;
  std::string name_;
  Bytes content_;
  std::atomic<bool> is_abandoned_{false};
};

ProcessGroup::ProcessGroup(Transport* transport, Checkpoint* checkpoint, const Bytes& run) : transport_(transport) {
  if (transport == nullptr || transport->rank() == 0) {
    coordinator_.emplace(transport, checkpoint, run);
    if (transport == nullptr) return;
    transport->receive([this](std::size_t from, const Bytes& message) { coordinator_->receive(from, message); });
    try {
      coordinator_->meet();
    } catch (...) {
      coordinator_->send_home();
      throw;
    }
  } else {
    helper_.emplace(*transport, run);
    transport->receive([this](std::size_t, const Bytes& message) { helper_->receive(message); });
  }
}

ProcessGroup::~ProcessGroup() {
  if (coordinator_) coordinator_->send_home();
  if (transport_ != nullptr) transport_->receive({});
}

std::unique_ptr<TaskScope> ProcessGroup::begin(const std::string& name, const Bytes& content) {
  return std::make_unique<Part>(*this, name, content);
}

void ProcessGroup::wait_for_the_end() {
  if (!helper_) return;
  helper_->wait_until_sent_home();
  // A worker has at most a part of the result: it must not return and write it over the coordinator's.
  transport_->go_home();
}

Worker::Worker(Transport& transport, const Bytes& run) : transport_(transport) {
  transport_.send(
      0, BinaryWriter().put(static_cast<std::uint64_t>(MessageKind::kHello)).put(run).put(transport_.host()).take());
}

void Worker::receive(const Bytes& bytes) {
  BinaryReader message(bytes);
  const auto kind = message.one_of(MessageKind::kEnd);
  if (kind < MessageKind::kUnits) throw BytesError("this is no message to who helps");
  const std::lock_guard lock(guard_);
  if (kind == MessageKind::kEnd) {
    sent_home_ = true;
  } else {
    Reply answer = Reply::from(kind, message);
    const auto waiting = answers_.find(answer.request);
    if (waiting != answers_.end()) waiting->second = std::move(answer);
  }
  changed_.notify_all();
}

std::uint64_t Worker::ask(Ask& question) {
  {
    const std::lock_guard lock(guard_);
    question.request = ++requests_;
    answers_[question.request];
  }
  transport_.send(0, question.as_message());
  return question.request;
}

Reply Worker::answer_to(std::uint64_t request) {
  transport_.look();
  std::unique_lock lock(guard_);
  std::optional<Reply>& answer = answers_[request];
  if (!answer) {
    const Waiting waiting(&transport_);
    changed_.wait(lock, [&] { return answer.has_value() || sent_home_; });
  }
  if (!answer) throw Abandoned();
  Reply result = *std::move(answer);
  answers_.erase(request);
  return result;
}

Bytes Worker::help(const std::string& part, const Bytes& content, const std::string& task, const Unit& unit,
                   Budget& budget) {
  Limits limits = budget.limits();
  limits.scope = nullptr;
  limits.stop = {};
  limits.max_seconds = 1e9;  // the coordinator's time counts
  Ask question{0, part, content, task, wanted_threads(limits), {}};
  // Pipelining: the next units are on their way while the current ones run.
  std::uint64_t now = ask(question), next = ask(question);
  while (true) {
    const Reply answer = answer_to(now);
    if (answer.kind != MessageKind::kUnits) {
      const std::lock_guard lock(guard_);
      answers_.erase(next);
    }
    if (answer.kind == MessageKind::kOutcome) return answer.outcome;
    if (answer.kind == MessageKind::kGone) throw Abandoned();
    question.results.assign(answer.units.size(), {answer.round, 0, false, {}});
    Budget own(limits);
    by_threads(wanted_threads(limits), answer.units.size(), own,
               [&](std::uint64_t k, std::size_t thread, Budget& budget_of_thread) {
                 UnitResult& result = question.results[k];
                 result.unit = answer.units[k].first;
                 try {
                   result.bytes = unit(answer.units[k].second, thread, budget_of_thread);
                   result.is_there = true;
                 } catch (const std::exception&) {
                   result.is_there = false;
                 }
                 transport_.look();
               });
    now = std::exchange(next, ask(question));
  }
}

void Worker::wait_until_sent_home() {
  std::unique_lock lock(guard_);
  changed_.wait(lock, [this] { return sent_home_.load(); });
}

}  // namespace oddsbound::cluster
