// SPDX-License-Identifier: Apache-2.0
// Snapshots as JSON (SNAP-004).
#include "sandproof/snapshot.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sandproof/errors.h"
#include "thrown_message.h"

namespace sandproof {
namespace {

using namespace std::string_literals;
using testing::HasSubstr;

TEST(Snapshot, ReadsBackEqual) {
  const Snapshot snapshots[] = {
      {},
      {"dev-1", "sha256:0123", {}},
      {"dev-1", "a \"b\" \\ \n \x01 é \U0001F600", {{"workdir", "/a b"}, {"", ""}, {"é", "\n"}}},
      {"with NUL \0."s, "", {{"env", "A=\0"s}}},
  };
  for (const Snapshot& snapshot : snapshots) {
    EXPECT_EQ(snapshot_from_json(to_json(snapshot)), snapshot) << to_json(snapshot);
  }
}

TEST(Snapshot, JsonHasTheThreeKeys) {
  EXPECT_EQ(to_json({"c", "r", {{"k", "v"}}}),
            R"({"component_id":"c","metadata":{"k":"v"},"ref":"r"})");
}

TEST(Snapshot, BytesThatAreNoTextAreRefusedAndNotReplaced) {
  EXPECT_THAT(thrown_message<InvalidArgumentError>([] {
                (void)to_json({"c", "\xFF", {}});
              }),
              HasSubstr("cannot write the snapshot as JSON"));
}

struct BadReference {
  const char* json;
  const char* message;
};

class SnapshotRefuses : public testing::TestWithParam<BadReference> {};

TEST_P(SnapshotRefuses, ByName) {
  EXPECT_THAT(
      thrown_message<InvalidArgumentError>([] { (void)snapshot_from_json(GetParam().json); }),
      testing::AllOf(HasSubstr("cannot read the snapshot"), HasSubstr(GetParam().message)));
}

INSTANTIATE_TEST_SUITE_P(
    Json, SnapshotRefuses,
    testing::Values(
        BadReference{"", "line 1, column 1"}, BadReference{"{", "is not JSON"},
        BadReference{"[]", "not an array"}, BadReference{"null", "not null"},
        BadReference{"{}", "the key `component_id` is missing"},
        BadReference{R"({"component_id":"c","metadata":{}})", "the key `ref` is missing"},
        BadReference{R"({"component_id":"c","ref":"r"})", "the key `metadata` is missing"},
        BadReference{R"({"component_id":1,"ref":"r","metadata":{}})",
                     "`component_id` must be a string"},
        BadReference{R"({"component_id":"c","ref":null,"metadata":{}})",
                     "`ref` must be a string, not null"},
        BadReference{R"({"component_id":"c","ref":"r","metadata":[]})",
                     "`metadata` must be an object"},
        BadReference{R"({"component_id":"c","ref":"r","metadata":{"a":true}})",
                     "`metadata.a` must be a string, not a boolean"},
        BadReference{R"({"component_id":"c","ref":"r","metadata":{},"more":1})",
                     "`more` is unknown"},
        BadReference{R"({"component_id":"c","ref":"r","ref":"s","metadata":{}})",
                     "`ref` is there twice"},
        BadReference{R"({"component_id":"c","ref":"r","metadata":{}} x)", "is not JSON"}));

}  // namespace
}  // namespace sandproof
