// SPDX-License-Identifier: Apache-2.0
// Process handles whose lines go through a faulty reader. Thread-safe.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "conformance/mutants/support.h"

namespace sandproof::conformance {

/// What a faulty reader of lines works on.
struct LineSource {
  LineStream& healthy;
  const Process& process;
  Trigger& trigger;
};

/// Each of the two streams has a `Reader`: bool next(const LineSource&, std::string& line, Where);
/// called by one thread at a time; for each_process<FaultyLines<…>>.
template <typename Reader>
class FaultyLines : public Faulty<ProcessWrapper> {
 public:
  FaultyLines(std::unique_ptr<Process> inner, std::shared_ptr<Trigger> trigger)
      : Faulty<ProcessWrapper>(std::move(inner), std::move(trigger)),
        out_({this->inner().out(), this->inner(), *this->trigger()}),
        err_({this->inner().err(), this->inner(), *this->trigger()}) {}
  LineStream& out() override { return out_; }
  LineStream& err() override { return err_; }

 private:
  class Lines : public LineStream {
   public:
    explicit Lines(LineSource source) : source_(source) {}
    bool next(std::string& line, Where where) override {
      const std::lock_guard lock(mutex_);
      return reader_.next(source_, line, where);
    }
    std::optional<StreamEnd> end_state() const override { return source_.healthy.end_state(); }

   private:
    const LineSource source_;
    std::mutex mutex_;
    Reader reader_;
  };

  Lines out_;
  Lines err_;
};

}  // namespace sandproof::conformance
