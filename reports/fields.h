// One description of a result's fields serves both directions: `describe(fields, value)` names each field once.
// `fields` is a FieldWriter, which builds a JSON object, or a FieldReader, which fills the value from one. Include
// only in files of results (heavy library).
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "reports/spec_result.h"
#include "verifier/exact/scaled_level.h"
#include "verifier/model/model.h"

namespace oddsbound::reports {

/// How values of a type are written and read: by `describe`, unless specialized below.
template <typename T>
struct Codec;

template <typename T>
nlohmann::ordered_json written(const T& value) {
  return Codec<T>::write(value);
}

template <typename T>
inline constexpr bool kIsOptional = false;
template <typename T>
inline constexpr bool kIsOptional<std::optional<T>> = true;

/// Writes and reads values as the codec `As` does (void: as their type's own codec does); an empty optional is null.
template <typename As, typename T>
nlohmann::ordered_json written_as(const T& value) {
  if constexpr (std::is_void_v<As>) {
    return written(value);
  } else if constexpr (kIsOptional<T>) {
    return value ? nlohmann::ordered_json(As::write(*value)) : nlohmann::ordered_json(nullptr);
  } else {
    return As::write(value);
  }
}
template <typename As, typename T>
T read_as(JsonView json, ReadingContext& context) {
  if constexpr (std::is_void_v<As>) {
    return Codec<T>::read(json, context);
  } else {
    return As::read(json, context);
  }
}

class FieldWriter {
 public:
  static constexpr bool kReads = false;
  /// The name of the object in error messages.
  void object(const char*) {}
  template <typename T>
  void field(const char* key, const T& value) {
    json_[key] = written(value);
  }
  /// A field that documents of earlier versions lack.
  template <typename T>
  void newer(const char* key, const T& value) {
    field(key, value);
  }
  /// A field that is present only if `there`.
  template <typename T>
  void where(bool there, const char* key, const T& value) {
    if (there) field(key, value);
  }
  /// A field that follows from others: written for readers of the document, never read.
  template <typename T>
  void derived(const char* key, T value) {
    json_[key] = std::move(value);
  }
  /// An enumerator as a word of a list, by its index.
  template <typename Enum>
  void word(const char* key, const Enum& value, const std::vector<std::string>& words) {
    json_[key] = words.at(static_cast<std::size_t>(value));
  }
  /// By another codec than that of its type.
  template <typename As, typename T>
  void as(const char* key, const T& value) {
    json_[key] = written_as<As>(value);
  }
  /// A value for each of these names; null if there are none.
  template <typename As = void, typename T>
  void by_name(const char* key, const std::vector<std::string>& names, const std::vector<T>& values) {
    nlohmann::ordered_json& json = json_[key] = nlohmann::ordered_json::object();
    for (std::size_t i = 0; i < values.size(); ++i) json[names[i]] = written_as<As>(values[i]);
  }
  template <typename As = void, typename T>
  void by_name(const char* key, const std::vector<std::string>& names, const std::optional<std::vector<T>>& values) {
    values ? by_name<As>(key, names, *values) : void(json_[key] = nullptr);
  }
  /// An object whose fields `describe_inner` describes.
  template <typename Describe>
  void inner(const char* key, Describe describe_inner) {
    FieldWriter fields;
    describe_inner(fields);
    json_[key] = fields.take();
  }
  /// A list of objects, each described by `describe_item(fields, item)`.
  template <typename T, typename Describe>
  void list(const char* key, const std::vector<T>& items, Describe describe_item) {
    nlohmann::ordered_json& json = json_[key] = nlohmann::ordered_json::array();
    for (const T& item : items) {
      FieldWriter fields;
      describe_item(fields, const_cast<T&>(item));
      json.push_back(fields.take());
    }
  }
  /// Returns true if the document has the field, which is written only if `there`.
  bool present(const char*, bool there) const { return there; }
  nlohmann::ordered_json take() { return std::move(json_); }

 private:
  nlohmann::ordered_json json_ = nlohmann::ordered_json::object();
};

/// Throws SpecError at a key that is none of the names: it would be lost.
void require_known(const ResultObject& object, const std::vector<std::string>& names);

class FieldReader {
 public:
  static constexpr bool kReads = true;
  FieldReader(JsonView value, ReadingContext& context) : value_(value), context_(context) {}
  void object(const char* what) { object_.emplace(value_, what); }
  template <typename T>
  void field(const char* key, T& value) {
    value = Codec<T>::read(object_->require(key), context_);
  }
  template <typename T>
  void field(const char* key, std::optional<T>& value) {
    where(true, key, value);
  }
  template <typename T>
  void newer(const char* key, T& value) {
    where(true, key, value);
  }
  template <typename T>
  void where(bool, const char* key, T& value) {
    if (const auto found = object_->find(key)) value = Codec<T>::read(*found, context_);
  }
  template <typename T>
  void derived(const char*, const T&) {}
  template <typename Enum>
  void word(const char* key, Enum& value, const std::vector<std::string>& words) {
    value = static_cast<Enum>(result_word(object_->require(key), words));
  }
  template <typename As, typename T>
  void as(const char* key, T& value) {
    value = read_as<As, T>(object_->require(key), context_);
  }
  template <typename As, typename T>
  void as(const char* key, std::optional<T>& value) {
    if (const auto found = object_->find(key)) value = read_as<As, T>(*found, context_);
  }
  template <typename As = void, typename T>
  void by_name(const char* key, const std::vector<std::string>& names, std::vector<T>& values) {
    const ResultObject object(object_->require(key), "values by name");
    require_known(object, names);
    for (const std::string& name : names) {
      if constexpr (kIsOptional<T>) {
        const auto found = object.find(name);
        values.push_back(found ? T(read_as<As, typename T::value_type>(*found, context_)) : std::nullopt);
      } else {
        values.push_back(read_as<As, T>(object.require(name), context_));
      }
    }
  }
  template <typename As = void, typename T>
  void by_name(const char* key, const std::vector<std::string>& names, std::optional<std::vector<T>>& values) {
    if (has(key)) by_name<As>(key, names, values.emplace());
  }
  template <typename Describe>
  void inner(const char* key, Describe describe_inner) {
    FieldReader fields(object_->require(key), context_);
    fields.object(key);
    describe_inner(fields);
  }
  template <typename T, typename Describe>
  void list(const char* key, std::vector<T>& items, Describe describe_item) {
    for (const JsonView& json : read_array(object_->require(key), "a list")) {
      T item{};
      FieldReader fields(json, context_);
      describe_item(fields, item);
      items.push_back(std::move(item));
    }
  }
  bool has(const char* key) const { return object_->find(key).has_value(); }
  bool present(const char* key, bool) const { return has(key); }
  const ResultObject& members() const { return *object_; }
  ReadingContext& context() { return context_; }

 private:
  JsonView value_;
  std::optional<ResultObject> object_;
  ReadingContext& context_;
};

template <typename T>
struct Codec {
  static nlohmann::ordered_json write(const T& value) {
    if constexpr (std::is_integral_v<T>) {
      return value;
    } else {
      FieldWriter fields;
      // The writer does not change the value.
      describe(fields, const_cast<T&>(value));
      return fields.take();
    }
  }
  static T read(JsonView json, ReadingContext& context) {
    if constexpr (std::is_integral_v<T>) {
      constexpr std::int64_t kLeast = std::is_signed_v<T> ? INT64_MIN : 0;
      return static_cast<T>(read_integer(json, "a number", kLeast, INT64_MAX));
    } else {
      T value{};
      FieldReader fields(json, context);
      describe(fields, value);
      return value;
    }
  }
};

template <>
struct Codec<bool> {
  static nlohmann::ordered_json write(bool value) { return value; }
  static bool read(JsonView json, ReadingContext&) { return read_boolean(json, "true or false"); }
};
template <>
struct Codec<std::string> {
  static nlohmann::ordered_json write(const std::string& value) { return value; }
  static std::string read(JsonView json, ReadingContext&) { return read_string(json, "a string"); }
};
/// Rounded; infinity is "inf".
template <>
struct Codec<double> {
  static nlohmann::ordered_json write(double value);
  static double read(JsonView json, ReadingContext&) { return result_double(json, "a number", true); }
};
/// Exact, in the grammar.
template <>
struct Codec<Number> {
  static nlohmann::ordered_json write(const Number& value) { return value.to_string(); }
  static Number read(JsonView json, ReadingContext& context) { return read_number(json, context); }
};
template <>
struct Codec<Level> {
  static nlohmann::ordered_json write(const Level& value) { return value.to_string(); }
  static Level read(JsonView json, ReadingContext& context) { return read_level(json, context); }
};
template <>
struct Codec<ScaledLevel> {
  static nlohmann::ordered_json write(const ScaledLevel& value) { return value.to_string(); }
  static ScaledLevel read(JsonView json, ReadingContext&) {
    return at_place(json, [&] { return ScaledLevel::parse(read_string(json, "a level")); });
  }
};
template <>
struct Codec<Label> {
  static nlohmann::ordered_json write(const Label& value);
  static Label read(JsonView json, ReadingContext& context);
};

template <typename T>
struct Codec<std::optional<T>> {
  static nlohmann::ordered_json write(const std::optional<T>& value) {
    return value ? written(*value) : nlohmann::ordered_json(nullptr);
  }
  static std::optional<T> read(JsonView json, ReadingContext& context) { return Codec<T>::read(json, context); }
};

/// A container as a list.
template <typename Container>
struct ListCodec {
  using T = typename Container::value_type;
  static nlohmann::ordered_json write(const Container& values) {
    nlohmann::ordered_json json = nlohmann::ordered_json::array();
    for (const T& value : values) json.push_back(written(value));
    return json;
  }
  static Container read(JsonView json, ReadingContext& context) {
    Container values;
    for (const JsonView& item : read_array(json, "a list")) values.insert(values.end(), Codec<T>::read(item, context));
    return values;
  }
};
template <typename T>
struct Codec<std::vector<T>> : ListCodec<std::vector<T>> {};
template <typename T>
struct Codec<std::set<T>> : ListCodec<std::set<T>> {};

/// A container of names and values as an object, in its order. As: the codec of the values, if not their type's own.
template <typename Container, typename As = void>
struct NamedCodec {
  using T = typename Container::value_type::second_type;
  static nlohmann::ordered_json write(const Container& values) {
    nlohmann::ordered_json json = nlohmann::ordered_json::object();
    for (const auto& [name, value] : values) json[name] = written_as<As>(value);
    return json;
  }
  static Container read(JsonView json, ReadingContext& context) {
    Container values;
    for (const JsonView::Member& member : ResultObject(json, "values by name").members()) {
      values.insert(values.end(), {std::string(member.key.text()), read_as<As, T>(member.value, context)});
    }
    return values;
  }
};
template <typename T>
struct Codec<std::vector<std::pair<std::string, T>>> : NamedCodec<std::vector<std::pair<std::string, T>>> {};
template <typename T>
struct Codec<std::map<std::string, T>> : NamedCodec<std::map<std::string, T>> {};

template <typename T>
struct Codec<std::shared_ptr<const T>> {
  static nlohmann::ordered_json write(const std::shared_ptr<const T>& value) { return written(*value); }
  static std::shared_ptr<const T> read(JsonView json, ReadingContext& context) {
    return std::make_shared<const T>(Codec<T>::read(json, context));
  }
};
/// [values, number]
template <>
struct Codec<std::pair<std::vector<std::string>, Number>> {
  using Row = std::pair<std::vector<std::string>, Number>;
  static nlohmann::ordered_json write(const Row& row) { return {row.first, written(row.second)}; }
  static Row read(JsonView json, ReadingContext& context);
};
/// A probability, or a distance between distributions.
struct Share {
  static nlohmann::ordered_json write(const Number& value) { return written(value); }
  static Number read(JsonView json, ReadingContext& context);
};
/// How random numbers were made: from a seed, or by the system.
std::string random_words(const std::optional<std::uint64_t>& seed);
/// The member "seed": a string, because not every JSON reader keeps all digits of a number.
void describe_seed(FieldWriter& fields, std::uint64_t seed);
void describe_seed(FieldReader& fields, std::uint64_t& seed);
/// The same where numbers come from the system's randomness if there is no seed.
void describe_seed(FieldWriter& fields, const std::optional<std::uint64_t>& seed);
void describe_seed(FieldReader& fields, std::optional<std::uint64_t>& seed);
template <typename Fields>
void describe(Fields& fields, SourceFile& file) {
  fields.object("a file");
  fields.field("file", file.file);
  fields.field("sha256", file.sha256);
}

template <typename Fields>
void describe(Fields& fields, FileError& error) {
  fields.object("an error");
  fields.field("file", error.place.file);
  fields.field("line", error.place.line);
  fields.field("column", error.place.column);
  fields.field("pointer", error.place.pointer);
  fields.field("message", error.message);
  fields.newer("hint", error.hint);
  fields.where(error.stopped, "stopped", error.stopped);
}

}  // namespace oddsbound::reports
