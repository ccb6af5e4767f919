// A spec in which one number varies: a symbol, a parameter, or any number that a JSON pointer names. The spec is read
// again for every value, as if the file contained it.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "specs/spec.h"

namespace oddsbound::specs {

class VariedSpec {
 public:
  /// parameter: the name of a symbol or parameter, or a JSON pointer ("/mechanism/epsilon") into the parameters,
  /// domain, prior, mechanism or claims. directory: the base of file names in the spec. Throws SpecError if there is
  /// no such number.
  VariedSpec(std::shared_ptr<const JsonDocument> document, std::string directory, const std::string& parameter);

  const std::string& file() const { return document_->file(); }
  const std::string& parameter() const { return parameter_; }
  /// Returns the number as the spec writes it, or the range of a symbol.
  std::string as_written() const;
  /// Returns nullptr unless the parameter is a symbol.
  const Symbol* symbol() const { return symbol_ ? &*symbol_ : nullptr; }

  /// Returns the spec with this value, an expression of the grammar. Throws SpecError if the result is not a valid
  /// spec.
  Spec at(const std::string& value, Budget& budget) const;
  /// Returns the spec with a symbol named varied_name() over this range, or the logarithm of that symbol. Claims are
  /// then about all values in the range. Throws SpecError where a symbol is not allowed, for example in exp(eps).
  Spec over(Symbol range, bool logarithm, Budget& budget) const;
  const std::string& varied_name() const { return symbol_ ? symbol_->name : free_name_; }

 private:
  std::shared_ptr<const JsonDocument> document_;
  std::string directory_;
  std::string parameter_;
  std::optional<Symbol> symbol_;
  std::optional<JsonView> place_;  // set if there is no symbol
  std::string free_name_;          // not used anywhere in the spec
};

}  // namespace oddsbound::specs
