// Outputs as numbers, for scores that are learned.
//
// Features of a tuple: a word of an output with up to 16 values is one-hot, others are numbers. Of a single output
// label: the words in it, as they occur or not. Of a vector: its coordinates, their squares, signs and products, and
// the trailing zero bits of each (which tell rounding errors of the sampler's arithmetic). Of an unlisted one: what
// numbers there are, and which.
#pragma once

#include <string>
#include <vector>

#include "audits/game.h"
#include "mechanisms/mechanism.h"

namespace oddsbound::audits {

/// Outputs that were kept, with their sides.
struct KeptOutputs {
  std::vector<std::uint32_t> side;
  std::vector<std::vector<std::uint64_t>> words;
  std::vector<std::vector<double>> values;
  std::size_t size() const { return side.size(); }
  Output output(std::size_t i) const { return {words[i], values[i]}; }
  void add(std::uint32_t of, const Output& output);
};

/// Turns outputs into numbers.
class Features {
 public:
  /// Learns which words occur, and the scale of numbers.
  Features(const Mechanism& mechanism, const KeptOutputs& outputs);
  std::size_t size() const { return mean_.size(); }
  std::vector<double> of(const Output& output) const;
  /// What unlisted outputs tell of.
  const std::vector<ToldKey>& keys() const { return keys_; }

 private:
  std::vector<double> raw(const Output& output) const;
  std::vector<double> told(const Output& output) const;

  const Mechanism& mechanism_;
  std::vector<std::string> tokens_;
  std::vector<ToldKey> keys_;
  std::vector<double> mean_, scale_;
};

}  // namespace oddsbound::audits
