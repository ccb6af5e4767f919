// All processes that work on one run, and the checkpoint that it goes on from: what tasks (base/task.h) are shared with
// and kept in.
//
// Every process runs the same program on the same files, and so comes to the same tasks. The one of rank 0 leads: it
// alone reads clocks, writes files and speaks to people.
#pragma once

#include <memory>
#include <optional>

#include "cluster/checkpoint.h"
#include "cluster/helper.h"
#include "cluster/leader.h"

namespace oddsbound::cluster {

class Crew final : public TaskScopes {
 public:
  /// Either may be null: without a post this process is alone. `run` says in lines what the run is; all processes have
  /// to have the same. Throws std::runtime_error if one has another, or does not come.
  Crew(Post* post, Checkpoint* checkpoint, const Bytes& run);
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;
  /// The others are sent home.
  ~Crew() override;

  std::unique_ptr<TaskScope> begin(const std::string& name, const Bytes& content) override;
  bool leads() const noexcept override { return leader_.has_value(); }
  /// For one who helps: there is nothing more to come to. Does not return before the run is over.
  void wait_for_the_end();

 private:
  class Part;

  Post* post_;
  std::optional<Leader> leader_;
  std::optional<Helper> helper_;
};

}  // namespace oddsbound::cluster
