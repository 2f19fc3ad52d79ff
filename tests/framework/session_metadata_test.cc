// SPDX-License-Identifier: Apache-2.0
// What a session publishes to its step (META-001, META-002).
#include "session_metadata.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <stdexcept>

#include "sandproof/log_stores.h"

namespace sandproof {
namespace {

using namespace std::string_literals;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class SessionMetadata : public testing::Test {
 protected:
  class Sink : public MemoryMetadataSink {
   public:
    void publish(const std::string& key, const std::string& value) override {
      if (key == fails_on) throw std::runtime_error("refused");
      MemoryMetadataSink::publish(key, value);
    }
    std::string fails_on;
  };

  void publish(const std::optional<std::string>& url) {
    publish_session_metadata(step_, "local-1", "local", url, diagnostics_);
  }

  SessionMetadata() { step_.metadata = sink_; }

  std::shared_ptr<Sink> sink_ = std::make_shared<Sink>();
  StepContext step_;
  MemoryDiagnostics diagnostics_;
};

TEST_F(SessionMetadata, PublishesTheFlavorAndTheAddressWhereThereIsOne) {
  const std::pair flavor("sandbox.local-1.flavor"s, "local"s);
  publish(std::nullopt);
  EXPECT_THAT(sink_->entries(), ElementsAre(flavor));
  publish("");
  EXPECT_THAT(sink_->entries(), ElementsAre(flavor, flavor));
  publish("http://x/");
  EXPECT_THAT(sink_->entries(),
              ElementsAre(flavor, flavor, flavor,
                          std::pair("sandbox.local-1.dashboard_url"s, "http://x/"s)));
}

TEST_F(SessionMetadata, WithoutASinkNothingHappens) {
  step_.metadata = nullptr;
  publish("http://x/");
  EXPECT_THAT(diagnostics_.records(), IsEmpty());
}

TEST_F(SessionMetadata, AFailureIsReportedAndTheOtherKeyIsPublished) {
  sink_->fails_on = "sandbox.local-1.flavor";
  publish("http://x/");
  EXPECT_THAT(sink_->entries(),
              ElementsAre(std::pair("sandbox.local-1.dashboard_url"s, "http://x/"s)));
  ASSERT_EQ(diagnostics_.records().size(), 1u);
  EXPECT_EQ(diagnostics_.records()[0].level, LogLevel::kWarning);
  EXPECT_THAT(diagnostics_.records()[0].text,
              HasSubstr("cannot publish `sandbox.local-1.flavor`: refused"));
}

TEST_F(SessionMetadata, FailingDiagnosticsBreakNothing) {
  class Failing : public Diagnostics {
   public:
    void report(LogLevel, std::string_view) override { throw std::runtime_error("too"); }
  };
  Failing diagnostics;
  sink_->fails_on = "sandbox.local-1.flavor";
  publish_session_metadata(step_, "local-1", "local", "http://x/", diagnostics);
  EXPECT_EQ(sink_->entries().size(), 1u);
}

}  // namespace
}  // namespace sandproof
