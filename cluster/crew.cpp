#include "cluster/crew.h"

namespace oddsbound::cluster {

class Crew::Part final : public TaskScope {
 public:
  Part(Crew& crew, std::string name, Bytes content)
      : crew_(crew), name_(std::move(name)), content_(std::move(content)) {
    if (crew_.leader_) crew_.leader_->begin(name_, content_);
  }
  Part(const Part&) = delete;
  Part& operator=(const Part&) = delete;
  ~Part() override {
    if (crew_.leader_) crew_.leader_->end(name_);
  }

  Bytes run(const std::string& name, const Unit& unit, const Lead& lead, Budget& budget) override {
    if (crew_.leader_) return crew_.leader_->lead(name_, name, unit, lead, budget);
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
  Crew& crew_;
  std::string name_;
  Bytes content_;
  std::atomic<bool> is_abandoned_{false};
};

Crew::Crew(Post* post, Checkpoint* checkpoint, const Bytes& run) : post_(post) {
  if (post == nullptr || post->rank() == 0) {
    leader_.emplace(post, checkpoint, run);
    if (post == nullptr) return;
    post->receive([this](std::size_t from, const Bytes& message) { leader_->receive(from, message); });
    try {
      leader_->meet();
    } catch (...) {
      leader_->send_home();
      throw;
    }
  } else {
    helper_.emplace(*post, run);
    post->receive([this](std::size_t, const Bytes& message) { helper_->receive(message); });
  }
}

Crew::~Crew() {
  if (leader_) leader_->send_home();
  if (post_ != nullptr) post_->receive({});
}

std::unique_ptr<TaskScope> Crew::begin(const std::string& name, const Bytes& content) {
  return std::make_unique<Part>(*this, name, content);
}

void Crew::wait_for_the_end() {
  if (!helper_) return;
  helper_->wait_until_sent_home();
  // It has found a part of the result at most, and would write that where the one that leads writes all of it.
  post_->go_home();
}

}  // namespace oddsbound::cluster
