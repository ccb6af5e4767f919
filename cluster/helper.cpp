#include "cluster/helper.h"

#include <utility>

#include "verifier/exact/threads.h"

namespace oddsbound::cluster {

Helper::Helper(Post& post, const Bytes& run) : post_(post) {
  post_.send(0, Packer().put(static_cast<std::uint64_t>(MessageKind::kHello)).put(run).put(post_.host()).take());
}

void Helper::receive(const Bytes& bytes) {
  Unpacker message(bytes);
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

std::uint64_t Helper::ask(Ask& question) {
  {
    const std::lock_guard lock(guard_);
    question.request = ++requests_;
    answers_[question.request];
  }
  post_.send(0, question.as_message());
  return question.request;
}

Reply Helper::answer_to(std::uint64_t request) {
  post_.look();
  std::unique_lock lock(guard_);
  std::optional<Reply>& answer = answers_[request];
  if (!answer) {
    const Waiting waiting(&post_);
    changed_.wait(lock, [&] { return answer.has_value() || sent_home_; });
  }
  if (!answer) throw Abandoned();
  Reply result = *std::move(answer);
  answers_.erase(request);
  return result;
}

Bytes Helper::help(const std::string& part, const Bytes& content, const std::string& task, const Unit& unit,
                   Budget& budget) {
  Limits limits = budget.limits();
  limits.scope = nullptr;
  limits.stop = {};
  limits.max_seconds = 1e9;  // it is the leader's time that counts
  Ask question{0, part, content, task, wanted_threads(limits), {}};
  // The next units are on their way while these are worked on.
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
                 post_.look();
               });
    now = std::exchange(next, ask(question));
  }
}

void Helper::wait_until_sent_home() {
  std::unique_lock lock(guard_);
  changed_.wait(lock, [this] { return sent_home_.load(); });
}

}  // namespace oddsbound::cluster
