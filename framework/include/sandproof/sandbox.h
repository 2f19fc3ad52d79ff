// SPDX-License-Identifier: Apache-2.0
// The component: configured once, long-lived, mints sessions. A pure interface; thread-safe.
#pragma once

#include <exception>
#include <memory>
#include <string>
#include <string_view>

#include "sandproof/capabilities.h"
#include "sandproof/session.h"
#include "sandproof/settings.h"
#include "sandproof/snapshot.h"

namespace sandproof {

/// What scope exit does to a session.
enum class OnExit { kClose, kDestroy };

class Sandbox {
 public:
  virtual ~Sandbox() = default;

  /// The flavor's name and the component's stable id.
  virtual std::string flavor() const = 0;
  virtual std::string component_id() const = 0;
  /// Constant over the sandbox's life; equals the flavor's declaration.
  virtual const Capabilities& capabilities() const = 0;

  /// A new isolated environment with a fresh id. Throws InvalidArgumentError (settings),
  /// BackendError, TimeoutError; a create that fails leaves nothing behind.
  virtual std::unique_ptr<Session> create_session(const Settings& overrides = {},
                                                  OnExit on_exit = OnExit::kClose,
                                                  Where where = Where::current()) = 0;
  /// A handle to a running environment of this component. Throws NotFoundError that names the id,
  /// UnsupportedError.
  virtual std::unique_ptr<Session> attach(std::string_view id, Where where = Where::current()) = 0;
  /// A new session from a snapshot of this component. Throws InvalidArgumentError for another
  /// component's, NotFoundError for one that is gone, UnsupportedError.
  virtual std::unique_ptr<Session> restore(const Snapshot& snapshot, const Settings& overrides = {},
                                           OnExit on_exit = OnExit::kClose,
                                           Where where = Where::current()) = 0;
  /// Idempotent. Throws UnsupportedError, InvalidArgumentError for another component's.
  virtual void delete_snapshot(const Snapshot& snapshot, Where where = Where::current()) = 0;

  /// The error of the last destructor that could not close or destroy its session; null if none.
  virtual std::exception_ptr last_teardown_error() const = 0;
};

}  // namespace sandproof
