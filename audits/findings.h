// What an audit found, from what it counted. With probability at least 1 - alpha everything here is true: 8/10 of alpha
// are for the lower bounds of all levels together, 1/10 for the agreement with the stated channel, 1/20 for the upper
// bounds, 1/20 for runs that depend on one another.
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
  std::string witness;    // of such: the output that the bound rests on
  Score score;
  std::uint64_t planned = 0;  // rounds
  double alpha = 0;
  double bound = 0;             // the level is at least this
  double ceiling = 0;           // no bound from as many rounds could be larger
  std::optional<double> upper;  // and at most this, if the spec names all outputs
  bool any_time = false;        // the bound holds at every time; else for a number of rounds set before
  std::vector<ClaimFinding> claims;
};

struct AuditFindings {
  std::vector<LevelFinding> levels;
  Agreement agreement;
  std::string no_upper;                             // why there are no upper bounds
  std::vector<std::string> dependence;              // how runs were seen to depend on one another
  std::string dependence_untested;                  // why that could not be seen; empty if it could
  std::optional<DependencePower> dependence_power;  // of programs, if it could
  std::optional<RequestsCompared> requests;         // of programs whose outputs are counted
  std::vector<ClaimLeftOut> left_out;               // claims that nobody played against
  Interruption interrupted;
  std::optional<TriedInputs> tried;  // none where all inputs were
  std::uint64_t runs = 0;

  /// A claim that should hold is contradicted.
  bool contradicted() const;
  /// The sampler is not what the spec says.
  bool deviates() const { return !agreement.deviations.empty() || !dependence.empty(); }
};

/// From runs that were recorded, whoever chose their inputs: intervals around every probability at once.
AuditFindings assess_recorded(const Spec& spec, const Tally& runs, const AuditOptions& options, Budget& budget);

AuditFindings assess(const Spec& spec, Measurement measurement, const AuditOptions& options, Budget& budget);

/// The parts of alpha.
double alpha_of_levels(double alpha, std::size_t questions);
double alpha_of_agreement(double alpha);
double alpha_of_upper_bounds(double alpha);
double alpha_of_dependence(double alpha);

// Outputs that are numbers, each about something (mechanisms/mechanism.h), in audits: what of them a score is learned
// from, besides a logistic regression.

/// What numbers are about, of those that were told most often, in order of their keys.
std::vector<ToldKey> keys_told(const KeptOutputs& outputs);

/// How likely each number alone is under either of two sides: its shares of ranges of equal mass, or of not being told.
/// Logarithms of their quotients add up where noises are independent. Numbers that do not differ by more than chance
/// count nothing.
class ToldFrequencies {
 public:
  /// Learns from the first `count` outputs; first: the side whose log-ratio is positive. ranges: how many at most; two
  /// are all that Laplace noise needs, and the fewer there are the better each is known.
  ToldFrequencies(const std::vector<ToldKey>& keys, std::uint32_t first, const KeptOutputs& outputs, std::size_t count,
                  std::size_t ranges);
  double log_ratio(const Output& output) const;

 private:
  struct About {
    std::vector<double> ends;    // of ranges: the last number in each, but for the last range
    std::vector<double> ratios;  // of ranges
    double absent = 0;
  };
  void learn(ToldKey key, const std::vector<double>& first, const std::vector<double>& second, std::size_t firsts,
             std::size_t seconds);

  std::size_t ranges_;
  std::unordered_map<ToldKey, About> about_;
  double none_told_ = 0;  // the log-ratio where nothing is told
};

}  // namespace oddsbound::audits
