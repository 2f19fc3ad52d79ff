// SPDX-License-Identifier: Apache-2.0
// The fields of a report by their types; see report_shape.h.
#include "conformance/report/report_shape.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <span>
#include <string_view>

namespace sandproof::conformance {
namespace {

using ShapeJson = nlohmann::json;

enum class FieldType { kText, kFlag, kNumber, kTexts, kObject, kObjects };

struct FieldShape {
  const char* name;
  FieldType type;
  /// Of an object, or of each in a list of them.
  std::span<const FieldShape> fields = {};
  /// It may be missing or null: reports of earlier versions do not have it.
  bool optional = false;
};

constexpr FieldShape kRuleFields[] = {
    {"id", FieldType::kText},
    {"state", FieldType::kText},
    {"selected", FieldType::kFlag, {}, true},
};

constexpr FieldShape kCaseFields[] = {
    {"case", FieldType::kText},
    {"rules", FieldType::kTexts},
    {"outcome", FieldType::kText},
    {"duration_ms", FieldType::kNumber, {}, true},
};

constexpr FieldShape kFlavorFields[] = {
    {"flavor", FieldType::kText},
    {"verdict", FieldType::kText},
    {"rules", FieldType::kObjects, kRuleFields},
    {"cases", FieldType::kObjects, kCaseFields},
};

constexpr FieldShape kRunFields[] = {
    {"filtered", FieldType::kFlag, {}, true},
    {"complete", FieldType::kFlag, {}, true},
};

constexpr FieldShape kEntryFields[] = {
    {"line", FieldType::kNumber},
    {"state", FieldType::kText},
};

constexpr FieldShape kListFields[] = {
    {"hold", FieldType::kFlag},
    {"entries", FieldType::kObjects, kEntryFields},
    {"unlisted", FieldType::kObjects},
};

constexpr FieldShape kReportFields[] = {
    {"run", FieldType::kObject, kRunFields},
    {"flavors", FieldType::kObjects, kFlavorFields},
    {"rules", FieldType::kObjects},
    {"known_failures", FieldType::kObject, kListFields, true},
};

std::string_view wanted_words(FieldType type) {
  switch (type) {
    case FieldType::kText:
      return "a text";
    case FieldType::kFlag:
      return "true or false";
    case FieldType::kNumber:
      return "a number";
    case FieldType::kTexts:
      return "a list of at least one text";
    case FieldType::kObject:
      return "an object";
    case FieldType::kObjects:
      break;
  }
  return "a list of objects";
}

std::string_view words_for(const ShapeJson& value) {
  if (value.is_null()) return "null";
  if (value.is_string()) return "a text";
  if (value.is_boolean()) return "true or false";
  if (value.is_number()) return "a number";
  return value.is_object() ? "an object" : "a list";
}

bool has_type(const ShapeJson& value, FieldType type) {
  switch (type) {
    case FieldType::kText:
      return value.is_string();
    case FieldType::kFlag:
      return value.is_boolean();
    case FieldType::kNumber:
      return value.is_number();
    case FieldType::kTexts:
      return value.is_array() && !value.empty();
    case FieldType::kObject:
      return value.is_object();
    case FieldType::kObjects:
      break;
  }
  return value.is_array();
}

std::string wrong_type(const std::string& place, const ShapeJson& value, FieldType type) {
  return fmt::format("`{}` is {}, and has to be {}", place, words_for(value), wanted_words(type));
}

std::string trouble_in(const ShapeJson& object, std::span<const FieldShape> fields,
                       const std::string& prefix);

/// The items of a list; of other types none.
std::string trouble_in_items(const ShapeJson& list, const FieldShape& field,
                             const std::string& place) {
  const bool texts = field.type == FieldType::kTexts;
  if (!texts && field.type != FieldType::kObjects) return {};
  const FieldType type = texts ? FieldType::kText : FieldType::kObject;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const std::string item = fmt::format("{}[{}]", place, i);
    if (!has_type(list[i], type)) return wrong_type(item, list[i], type);
    const std::string trouble = texts ? "" : trouble_in(list[i], field.fields, item + ".");
    if (!trouble.empty()) return trouble;
  }
  return {};
}

std::string trouble_in(const ShapeJson& object, std::span<const FieldShape> fields,
                       const std::string& prefix) {
  for (const FieldShape& field : fields) {
    const std::string place = prefix + field.name;
    const auto value = object.find(field.name);
    const bool missing = value == object.end();
    if (field.optional && (missing || value->is_null())) continue;
    if (missing) return fmt::format("`{}` is missing", place);
    if (!has_type(*value, field.type)) return wrong_type(place, *value, field.type);
    const std::string trouble = field.type == FieldType::kObject
                                    ? trouble_in(*value, field.fields, place + ".")
                                    : trouble_in_items(*value, field, place);
    if (!trouble.empty()) return trouble;
  }
  return {};
}

}  // namespace

std::string shape_trouble(const ShapeJson& report) {
  if (!report.is_object())
    return fmt::format("it is {}, and has to be an object", words_for(report));
  return trouble_in(report, kReportFields, "");
}

std::string json_trouble(const std::exception& error) {
  const std::string_view text = error.what();
  const std::size_t end = text.find("] ");
  return std::string(text.starts_with('[') && end != std::string_view::npos ? text.substr(end + 2)
                                                                            : text);
}

}  // namespace sandproof::conformance
