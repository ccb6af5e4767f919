// The post of a program that mpirun began. One thread does all that has to do with MPI, from its beginning to its end:
// MPI_THREAD_FUNNELED is enough for it.
#define OMPI_SKIP_MPICXX 1  // what C++ once had of its own
#include <mpi.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <cstdio>
#include <deque>
#include <future>
#include <list>
#include <mutex>
#include <stdexcept>
#include <thread>

#include "cli/post_of_program.h"

namespace oddsbound::cli {

namespace {

constexpr auto kBetweenLooks = std::chrono::microseconds(100);
constexpr int kTag = 0;

class MpiPost final : public cluster::Post {
 public:
  MpiPost() {
    std::promise<void> begun;
    std::future<void> has_begun = begun.get_future();
    worker_ = std::jthread([this, &begun] { work(begun); });
    has_begun.get();
  }
  MpiPost(const MpiPost&) = delete;
  MpiPost& operator=(const MpiPost&) = delete;
  ~MpiPost() override {
    {
      const std::lock_guard lock(guard_);
      is_over_ = true;
    }
    changed_.notify_all();
  }

  std::size_t rank() const override { return rank_; }
  std::size_t ranks() const override { return ranks_; }
  std::string host() const override { return host_; }
  void receive(Receiver receiver) override {
    const std::lock_guard lock(guard_);
    receiver_ = std::move(receiver);
    changed_.notify_all();
  }
  void send(std::size_t to, Bytes message) override {
    if (message.size() > INT32_MAX) throw std::runtime_error("a message to another process is longer than MPI allows");
    {
      const std::lock_guard lock(guard_);
      waiting_.emplace_back(to, std::move(message));
    }
    changed_.notify_all();
  }
  void go_home() override {
    ends_process_ = true;
    const std::lock_guard lock(guard_);
    is_over_ = true;
  }

 private:
  struct Sending {
    Bytes message;
    MPI_Request request = MPI_REQUEST_NULL;
  };

  void work(std::promise<void>& begun) {
    int provided = 0;
    if (MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided) != MPI_SUCCESS ||
        provided < MPI_THREAD_FUNNELED) {
      begun.set_exception(std::make_exception_ptr(std::runtime_error("MPI cannot be used by a thread of its own")));
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
    while (true) {
      const bool over = begin_sending();
      std::erase_if(sending_, [](Sending& sending) {
        int done = 0;
        MPI_Test(&sending.request, &done, MPI_STATUS_IGNORE);
        return done != 0;
      });
      const bool got_any = take_messages();
      if (over && sending_.empty()) break;
      if (got_any) continue;
      std::unique_lock lock(guard_);
      if (waiting_.empty()) changed_.wait_for(lock, kBetweenLooks);
    }
    MPI_Finalize();
    if (ends_process_) _exit(0);
  }

  // True if nothing more is to be sent.
  bool begin_sending() {
    std::deque<std::pair<std::size_t, Bytes>> messages;
    bool over = false;
    {
      const std::lock_guard lock(guard_);
      messages.swap(waiting_);
      over = is_over_;
    }
    for (auto& [to, message] : messages) {
      Sending& sending = sending_.emplace_back();
      sending.message = std::move(message);
      MPI_Isend(sending.message.data(), static_cast<int>(sending.message.size()), MPI_BYTE, static_cast<int>(to), kTag,
                MPI_COMM_WORLD, &sending.request);
    }
    return over;
  }

  bool take_messages() {
    Receiver receiver;
    {
      const std::lock_guard lock(guard_);
      receiver = receiver_;
    }
    bool got_any = false;
    while (receiver) {
      int there = 0;
      MPI_Message handle;
      MPI_Status status;
      MPI_Improbe(MPI_ANY_SOURCE, kTag, MPI_COMM_WORLD, &there, &handle, &status);
      if (there == 0) break;
      int size = 0;
      MPI_Get_count(&status, MPI_BYTE, &size);
      Bytes message(static_cast<std::size_t>(size), '\0');
      MPI_Mrecv(message.data(), size, MPI_BYTE, &handle, MPI_STATUS_IGNORE);
      got_any = true;
      try {
        receiver(static_cast<std::size_t>(status.MPI_SOURCE), message);
      } catch (const std::exception& error) {
        std::fprintf(stderr, "error: a message from rank %d: %s\n", status.MPI_SOURCE, error.what());
        MPI_Abort(MPI_COMM_WORLD, 2);
      }
    }
    return got_any;
  }

  std::size_t rank_ = 0;
  std::size_t ranks_ = 1;
  std::string host_;
  std::mutex guard_;
  std::condition_variable changed_;
  std::deque<std::pair<std::size_t, Bytes>> waiting_;
  std::list<Sending> sending_;
  Receiver receiver_;
  bool is_over_ = false;
  std::atomic<bool> ends_process_{false};
  std::jthread worker_;
};

}  // namespace

std::unique_ptr<cluster::Post> post_of_program() {
  auto post = std::make_unique<MpiPost>();
  if (post->rank() != 0) {
    // It has nothing to tell, and the one that leads says when it is over.
    std::signal(SIGTERM, SIG_IGN);
    std::signal(SIGINT, SIG_IGN);
    if (std::freopen("/dev/null", "w", stdout) == nullptr || std::freopen("/dev/null", "w", stderr) == nullptr) {
      throw std::runtime_error("cannot open /dev/null");
    }
  }
  return post;
}

}  // namespace oddsbound::cli
