// A spec in which one number may be another: one of its symbols, one of its parameters, or whatever number a JSON
// pointer leads to. It is read anew for every value, as if it stood in the file.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "specs/spec.h"

namespace oddsbound::specs {

class VariedSpec {
 public:
  /// parameter: the name of a symbol or of a parameter, or a JSON pointer into what the spec is made of
  /// ("/mechanism/epsilon"). directory: file names in the spec are relative to it. Throws SpecError if there is no such
  /// number.
  VariedSpec(std::shared_ptr<const JsonDocument> document, std::string directory, const std::string& parameter);

  const std::string& file() const { return document_->file(); }
  const std::string& parameter() const { return parameter_; }
  /// What stands there, or the range of a symbol.
  std::string as_written() const;
  /// Null unless it is a symbol.
  const Symbol* symbol() const { return symbol_ ? &*symbol_ : nullptr; }

  /// The spec with this number there, in the grammar. Throws SpecError if that is no spec.
  Spec at(const std::string& value, Budget& budget) const;
  /// The spec with a symbol there, or the logarithm of one, that is called varied_name() and has this range: what is
  /// claimed is claimed of all its values. Throws SpecError where that cannot stand there: in exp(eps) no symbol can.
  Spec over(Symbol range, bool logarithm, Budget& budget) const;
  const std::string& varied_name() const { return symbol_ ? symbol_->name : free_name_; }

 private:
  std::shared_ptr<const JsonDocument> document_;
  std::string directory_;
  std::string parameter_;
  std::optional<Symbol> symbol_;
  std::optional<JsonView> place_;  // where there is no symbol
  std::string free_name_;          // that nothing in the spec has
};

}  // namespace oddsbound::specs
