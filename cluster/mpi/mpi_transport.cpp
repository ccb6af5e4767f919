// Transport over MPI, for a program started by mpirun. Only one thread at a time calls MPI (guarded by turn_), so
// MPI_THREAD_SERIALIZED suffices: the transport's own thread, or a worker thread that checks for messages between
// two units.

#define OMPI_SKIP_MPICXX 1  // no deprecated C++ bindings
#include <mpi.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <future>
#include <list>
#include <mutex>
#include <optional>
#include <set>
#include <stdexcept>
#include <thread>
#include <utility>

#include "cluster/mpi/mpi_transport.h"

namespace oddsbound::cluster {

namespace {

using Clock = std::chrono::steady_clock;

// MPI must be polled, and each poll takes time from a worker on the same core. So the pause grows with the
// silence: a message is seen late by a small fraction of the time since the last one. If someone waits for a
// message, polls are frequent: the core is idle anyway. If worker threads poll between units, the transport's own
// thread sleeps longer, because waking it costs more than a poll.
constexpr auto kLeastPause = std::chrono::microseconds(50);
constexpr auto kLeastPauseOfWork = std::chrono::microseconds(1000);
constexpr auto kMostPause = std::chrono::microseconds(2000);
constexpr auto kMostPauseOfLooked = std::chrono::microseconds(16000);
constexpr int kLooksOfPause = 4;  // polls by workers that replace one of this thread
constexpr int kPauseOfQuiet = 64;
// At the end of the run, a process that has not answered the coordinator within this time is lost: it has nothing
// else to do.
constexpr auto kPatienceAtTheEnd = std::chrono::seconds(10);
constexpr auto kPatienceWithLauncher = std::chrono::seconds(1);

enum Tag : int {
  kLetter,   // a message
  kClosing,  // coordinator: no more messages; the reply says the same of its sender
  kEveryoneIsThere,
  kSomebodyIsLost
};

class MpiTransport final : public Transport {
 public:
  MpiTransport() {
    std::promise<void> begun;
    std::future<void> has_begun = begun.get_future();
    const pid_t launcher = getppid();
    const bool is_launched = getenv("PMIX_RANK") != nullptr;
    worker_ = std::jthread([this, &begun] { work(begun); });
    // MPI_Init waits forever for a launcher that was killed meanwhile.
    while (has_begun.wait_for(kPatienceWithLauncher) == std::future_status::timeout) {
      if (is_launched && getppid() != launcher) _exit(2);
    }
    has_begun.get();
  }
  MpiTransport(const MpiTransport&) = delete;
  MpiTransport& operator=(const MpiTransport&) = delete;
  ~MpiTransport() override {
    tell([this] { is_over_ = true; });
  }

  std::size_t rank() const override { return rank_; }
  std::size_t ranks() const override { return ranks_; }
  std::string host() const override { return host_; }
  void receive(Receiver receiver) override {
    const std::lock_guard not_while_reading(reading_);
    tell([&] { receiver_ = std::move(receiver); });
  }
  void send(std::size_t to, Bytes message) override {
    if (message.size() > INT32_MAX) throw std::runtime_error("a message to another process is longer than MPI allows");
    tell([&] { waiting_.emplace_back(to, std::move(message)); });
  }
  void look() override {
    const std::unique_lock turn(turn_, std::try_to_lock);
    if (!turn || is_ending_) return;
    exchange_at_once();
    ++looks_;
  }
  void count_waiting(int change) override {
    tell([&] { waiting_for_letters_ += change; });
  }
  // The transport's own thread ends the process when the coordinator closes: messages until then must be received.
  void go_home() override {
    std::unique_lock lock(guard_);
    changed_.wait(lock, [] { return false; });
  }

 private:
  // Applies a change that the transport's own thread must see at once.
  template <typename Change>
  void tell(const Change& change) {
    {
      const std::lock_guard lock(guard_);
      change();
      ++news_;
    }
    changed_.notify_all();
  }

  struct Sending {
    Bytes message;
    MPI_Request request = MPI_REQUEST_NULL;
  };

  void work(std::promise<void>& begun) {
    // Open MPI's components for fast networks take a third of a second to start, and few messages are sent here.
    // To use them: mpirun --mca pml ucx.
    setenv("OMPI_MCA_pml", "ob1", 0);
    int provided = 0;
    if (MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &provided) != MPI_SUCCESS ||
        provided < MPI_THREAD_SERIALIZED) {
      begun.set_exception(
          std::make_exception_ptr(std::runtime_error("MPI cannot be used by one thread after another")));
      return;
    }
    int number = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &number);
    rank_ = static_cast<std::size_t>(number);
    MPI_Comm_size(MPI_COMM_WORLD, &number);
    ranks_ = static_cast<std::size_t>(number);
    char name[MPI_MAX_PROCESSOR_NAME];
    MPI_Get_processor_name(name, &number);
    host_.assign(name, static_cast<std::size_t>(number));
    begun.set_value();
    const bool leads = rank_ == 0;
    while (leads ? !is_over() : !is_closed()) exchange();
    {
      const std::lock_guard turn(turn_);
      is_ending_ = true;
    }
    // Receive every message in flight: MPI_Finalize would wait for it.
    for (std::size_t to = leads ? 1 : 0; to < (leads ? ranks_ : 1); ++to) begin_sending(to, kClosing, {});
    const bool all_are_there = leads ? wait_for_others() : wait_for_verdict();
    if (all_are_there) MPI_Finalize();
    if (!leads) _exit(0);
  }

  // Coordinator only. With mpirun --enable-recovery the others survive a dead process, and MPI_Finalize would wait
  // for it forever.
  bool wait_for_others() {
    const auto is_done = [this] { return sending_.empty() && closed_.size() + 1 == ranks_; };
    exchange_until(is_done, kPatienceAtTheEnd);
    const bool all_are_there = is_done();
    if (!all_are_there) tell_of_lost();
    for (std::size_t to = 1; to < ranks_; ++to)
      begin_sending(to, all_are_there ? kEveryoneIsThere : kSomebodyIsLost, {});
    exchange_until([this] { return sending_.empty(); }, kPatienceAtTheEnd / 10);
    return all_are_there;
  }

  bool wait_for_verdict() {
    while (!verdict_ || !sending_.empty()) exchange();
    return verdict_ == kEveryoneIsThere;
  }

  template <typename Condition>
  void exchange_until(const Condition& is_done, Clock::duration search_limits) {
    const auto patience_ends = Clock::now() + search_limits;
    while (!is_done() && Clock::now() < patience_ends) exchange();
  }

  bool is_over() {
    const std::lock_guard lock(guard_);
    return is_over_ && waiting_.empty();
  }

  void tell_of_lost() const {
    for (std::size_t rank = 1; rank < ranks_; ++rank) {
      if (!closed_.contains(rank)) {
        std::fprintf(stderr, "rank %zu was lost on the way: what it had in hand was done by others\n", rank);
      }
    }
  }

  bool is_closed() {
    const std::lock_guard turn(turn_);
    return !closed_.empty();
  }

  void exchange() {
    std::uint64_t seen = 0;
    Clock::duration pause{};
    {
      const std::lock_guard lock(guard_);
      seen = news_;
    }
    {
      const std::lock_guard turn(turn_);
      if (exchange_at_once()) return;
      const std::lock_guard lock(guard_);
      pause = next_pause();
    }
    std::unique_lock lock(guard_);
    changed_.wait_for(lock, pause, [&] { return news_ != seen; });
  }

  // Sends and receives what is ready. Returns true if a message arrived.
  bool exchange_at_once() {
    begin_sending_waiting();
    std::erase_if(sending_, [](Sending& sending) {
      int done = 0;
      MPI_Test(&sending.request, &done, MPI_STATUS_IGNORE);
      return done != 0;
    });
    if (!take_messages()) return false;
    last_letter_ = Clock::now();
    return true;
  }

  Clock::duration next_pause() {
    const bool was_looked = std::exchange(looks_, 0) >= kLooksOfPause;
    if (is_over_ || !sending_.empty()) return kLeastPause;
    if (ranks_ == 1) return std::chrono::seconds(1);  // no messages
    if (waiting_for_letters_ == 0 && was_looked) {
      return looked_pause_ = std::min<Clock::duration>(2 * looked_pause_, kMostPauseOfLooked);
    }
    looked_pause_ = kLeastPauseOfWork;
    const Clock::duration least = waiting_for_letters_ > 0 ? kLeastPause : kLeastPauseOfWork;
    return std::clamp<Clock::duration>((Clock::now() - last_letter_) / kPauseOfQuiet, least, kMostPause);
  }

  void begin_sending_waiting() {
    std::deque<std::pair<std::size_t, Bytes>> messages;
    {
      const std::lock_guard lock(guard_);
      messages.swap(waiting_);
    }
    if (rank_ != 0 && !closed_.empty()) return;  // nobody would read them
    if (!messages.empty()) last_letter_ = Clock::now();
    for (auto& [to, message] : messages) begin_sending(to, kLetter, std::move(message));
  }

  void begin_sending(std::size_t to, Tag tag, Bytes message) {
    Sending& sending = sending_.emplace_back();
    sending.message = std::move(message);
    MPI_Isend(sending.message.data(), static_cast<int>(sending.message.size()), MPI_BYTE, static_cast<int>(to), tag,
              MPI_COMM_WORLD, &sending.request);
  }

  bool take_messages() {
    const std::lock_guard reading(reading_);
    Receiver receiver;
    bool over = false;
    {
      const std::lock_guard lock(guard_);
      receiver = receiver_;
      over = is_over_;
    }
    bool got_any = false;
    while (true) {
      // Messages wait for a receiver as long as there may be one.
      const int tag = receiver || over || !closed_.empty() ? MPI_ANY_TAG : kClosing;
      int there = 0;
      MPI_Message handle = MPI_MESSAGE_NULL;
      MPI_Status status;
      MPI_Improbe(MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, &there, &handle, &status);
      if (there == 0) return got_any;
      int size = 0;
      MPI_Get_count(&status, MPI_BYTE, &size);
      Bytes message(static_cast<std::size_t>(size), '\0');
      MPI_Mrecv(message.data(), size, MPI_BYTE, &handle, MPI_STATUS_IGNORE);
      got_any = true;
      const auto from = static_cast<std::size_t>(status.MPI_SOURCE);
      if (status.MPI_TAG == kClosing) {
        closed_.insert(from);
      } else if (status.MPI_TAG != kLetter) {
        verdict_ = static_cast<Tag>(status.MPI_TAG);
      } else if (receiver && closed_.empty()) {
        read(receiver, from, message);
      }
    }
  }

  static void read(const Receiver& receiver, std::size_t from, const Bytes& message) {
    try {
      receiver(from, message);
    } catch (const std::exception& error) {
      std::fprintf(stderr, "error: a message from rank %zu: %s\n", from, error.what());
      MPI_Abort(MPI_COMM_WORLD, 2);
    }
  }

  std::size_t rank_ = 0;
  std::size_t ranks_ = 1;
  std::string host_;
  std::mutex turn_;     // held by the thread that calls MPI
  std::mutex reading_;  // held while a receiver is called
  std::mutex guard_;
  std::condition_variable changed_;
  std::deque<std::pair<std::size_t, Bytes>> waiting_;
  std::list<Sending> sending_;
  Receiver receiver_;
  int waiting_for_letters_ = 0;
  std::uint64_t news_ = 0;
  bool is_over_ = false;
  std::set<std::size_t> closed_;  // ranks that send no more messages
  std::optional<Tag> verdict_;
  Clock::time_point last_letter_ = Clock::now();  // time of the last message sent or received
  bool is_ending_ = false;                        // only the transport's own thread calls MPI now
  int looks_ = 0;                                 // polls by other threads since this one slept
  Clock::duration looked_pause_ = kLeastPauseOfWork;
  std::jthread worker_;
};

}  // namespace

std::unique_ptr<Transport> mpi_transport() {
  auto transport = std::make_unique<MpiTransport>();
  if (transport->rank() != 0) {
    // A worker process prints nothing and ends when the coordinator says so.
    std::signal(SIGTERM, SIG_IGN);
    std::signal(SIGINT, SIG_IGN);
    if (std::freopen("/dev/null", "w", stdout) == nullptr || std::freopen("/dev/null", "w", stderr) == nullptr) {
      throw std::runtime_error("cannot open /dev/null");
    }
  }
  return transport;
}

}  // namespace oddsbound::cluster
