// The factors, sums and chords that the two stages of the averaged bound share (averaged_bound.h, tilted_groups.h).
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "verifier/engine/pair_losses.h"

namespace oddsbound::engine {

/// A coefficient of a class, in a sum over classes.
struct ClassTerm {
  std::uint32_t of;
  double value;
};

/// The factor at a depth. F: an entry divided by the smallest one of its output.
struct AveragedFactor {
  std::size_t classes = 0, outputs = 0;
  std::vector<double> entries;                     // [output * classes + class]
  bool is_positive = false;                        // all entries are positive and in range; otherwise the rest is empty
  double most = 1;                                 // the largest F
  double spread = 0;                               // its logarithm
  std::optional<Number> unit;                      // every F is 1 or this number
  std::vector<std::vector<ClassTerm>> above;       // [output]: F - 1 where it is not 0
  std::vector<std::vector<ClassTerm>> logarithms;  // [output]: log F where it is not 0

  AveragedFactor(const SeenFactor& factor, const std::vector<std::vector<double>>& columns);
  /// Returns the number of cells that it needs in a table that goes from classes to outputs.
  std::size_t cells() const { return std::max(classes, outputs); }
};

/// Returns the number G such that every F of all these factors is 1 or G; nullopt if there is none.
std::optional<Number> unit_of(std::span<const AveragedFactor> factors);

/// Sums of weights by cell and lane. A cell is a joint class of some factors, and becomes a joint output of them.
class CellSums {
 public:
  /// Sets all sums to 0.
  void begin(std::size_t cells, std::size_t lanes);
  /// Returns the lanes of a cell.
  double* of(std::size_t cell) { return &sums_[cell * lanes_]; }
  const double* of(std::size_t cell) const { return &sums_[cell * lanes_]; }
  std::size_t cells() const { return lanes_ == 0 ? 0 : sums_.size() / lanes_; }

  struct Matrix {
    const double* entries;  // [output * classes + class], not negative
    std::size_t classes, outputs;
  };
  /// Multiplies by the entries of all factors. The last one is the one in which neighboring cells differ. spare: memory
  /// that is overwritten.
  void transform(std::span<const Matrix> factors, std::vector<double>& spare, const std::function<void()>& look);

 private:
  std::size_t lanes_ = 0;
  std::vector<double> sums_;
};

/// Lower bounds of exp(E), where E is the sum of log F of some factors (Lemma 2):
/// exp(E) >= power (1 + gain (E / unit - place)).
struct Chords {
  struct Chord {
    double power;  // exp(unit * place)
    double place;
  };
  /// With a unit G, E / log G counts the factors with F = G, and the chord from j to j + 1 is a bound at all integers
  /// (Bernoulli's inequality for (1 + gain)^n with n of either sign). Otherwise the chords are tangents. So they are if
  /// G is so near 1 that doubles cannot tell.
  double unit = 1, gain = 1;
  bool are_tangents = true;
  std::vector<Chord> all;
  double spread = 0;  // the largest E
  std::size_t factors = 0;

  explicit Chords(std::span<const AveragedFactor> factors);

  /// The factor of the sum of weights times E.
  double slope(const Chord& chord) const { return chord.power * gain / unit; }
  /// Sums over rows whose chords are shifted by t: of the weights m e^t, and of t m e^t where t > 0 (up), -t m e^t
  /// where t < 0 (down).
  struct Weights {
    double all, up = 0, down = 0;
  };
  /// Returns the part of the bound that does not depend on E.
  double constant(const Chord& chord, const Weights& weights) const {
    return chord.power * ((1 - gain * chord.place) * weights.all - gain * (weights.up - weights.down));
  }
  /// Bounds the sum of the absolute values of all terms.
  double size(const Chord& chord, const Weights& weights) const {
    return chord.power * ((1 + gain * chord.place) * weights.all + gain * (weights.up + weights.down)) +
           slope(chord) * (spread + static_cast<double>(factors)) * weights.all;
  }
};

/// Sums of a factor's terms, by output. lanes: the sums of the second class, the third, ..., each `stride` after the
/// one before; all: the sum of all classes. values: overwritten.
void sum_terms(const AveragedFactor& factor, const std::vector<std::vector<ClassTerm>>& terms, const double* lanes,
               std::size_t stride, double all, std::vector<double>& values, double* result);

}  // namespace oddsbound::engine
