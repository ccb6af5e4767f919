// Turns the counts of an audit into findings. With probability at least 1 - alpha all of them are true. Shares of
// alpha: 8/10 for the lower bounds of all levels together, 1/10 for the agreement with the stated channel, 1/20 for the
// upper bounds, and 1/20 for dependence between runs.
#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "audits/agreement.h"
#include "audits/dependence.h"
#include "audits/features.h"
#include "audits/measure.h"

namespace oddsbound::audits {

struct ClaimFinding {
  ClaimedLevel claimed;
  bool contradicted = false;
};

/// About one level (or delta).
struct LevelFinding {
  Question question;
  Game game;
  std::string how;
  bool recorded = false;  // from recorded runs, not from a game
  std::string witness;    // recorded runs: the output that attains the bound
  Score score;
  std::uint64_t planned = 0;  // rounds
  double alpha = 0;
  double bound = 0;             // lower bound of the level
  double ceiling = 0;           // largest possible bound from this many rounds
  std::optional<double> upper;  // upper bound, if the spec lists all outputs
  bool any_time = false;        // valid at any time; else for a number of rounds fixed before
  std::vector<ClaimFinding> claims;
};

struct AuditFindings {
  std::vector<LevelFinding> levels;
  Agreement agreement;
  std::string no_upper;                             // why there are no upper bounds
  std::vector<std::string> dependence;              // how runs depend on one another
  std::string dependence_untested;                  // why that was not tested; empty if it was
  std::optional<DependencePower> dependence_power;  // for programs, if tested
  std::optional<RequestsCompared> requests;         // for programs with counted outputs
  std::vector<ClaimLeftOut> left_out;               // claims that the audit did not play against
  Interruption interrupted;
  std::optional<TriedInputs> tried;  // nullopt if all inputs were tried
  std::uint64_t runs = 0;

  /// True if a claim that should hold is contradicted.
  bool contradicted() const;
  /// True if the sampler is not what the spec states.
  bool deviates() const { return !agreement.deviations.empty() || !dependence.empty(); }
};

/// Findings from recorded runs, however their inputs were chosen: simultaneous intervals for every probability.
AuditFindings assess_recorded(const Spec& spec, const Tally& runs, const AuditOptions& options, Budget& budget);

AuditFindings assess(const Spec& spec, Measurement measurement, const AuditOptions& options, Budget& budget);

/// The parts of alpha.
double alpha_of_levels(double alpha, std::size_t questions);
double alpha_of_agreement(double alpha);
double alpha_of_upper_bounds(double alpha);
double alpha_of_dependence(double alpha);

// Scores for unlisted outputs, which are numbers with keys (mechanisms/mechanism.h): an alternative to logistic
// regression.

/// Returns the keys of the numbers that occur most often, in order.
std::vector<RevealedKey> revealed_keys(const KeptOutputs& outputs);

/// The log-ratio of two sides as a sum over keys. Each term is the log-ratio of the frequencies of the number's range
/// (ranges of equal mass), or of its absence. The terms add up if the noises are independent. Numbers that do not
/// differ by more than chance contribute 0.
class ToldFrequencies {
 public:
  /// Learns from the first `count` outputs. first: the side with positive log-ratio. ranges: the maximum number of
  /// ranges. Two suffice for Laplace noise, and fewer ranges have more accurate frequencies.
  ToldFrequencies(const std::vector<RevealedKey>& keys, std::uint32_t first, const KeptOutputs& outputs,
                  std::size_t count, std::size_t ranges);
  double log_ratio(const Output& output) const;

 private:
  struct About {
    std::vector<double> ends;    // the last number of each range except the last
    std::vector<double> ratios;  // log-ratio of each range
    double absent = 0;
  };
  void learn(RevealedKey key, const std::vector<double>& first, const std::vector<double>& second, std::size_t firsts,
             std::size_t seconds);

  std::size_t ranges_;
  std::unordered_map<RevealedKey, About> about_;
  double none_revealed_ = 0;  // the log-ratio of an output without numbers
};

}  // namespace oddsbound::audits
