// SPDX-License-Identifier: Apache-2.0
// Flavors that break SNAP: references to snapshots, their end and their owner. Each mutation is
// used from any thread.
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "conformance/mutants/areas.h"
#include "conformance/mutants/support.h"
#include "sandproof/errors.h"

namespace sandproof::conformance {
namespace {

constexpr const char* kNoUtf8 = "\xff";

/// Sessions hand out `disguise(snapshot)`; the sandbox takes it off again.
class DisguisesSnapshots : public Faulty<SandboxWrapper> {
 public:
  using Faulty::Faulty;
  std::unique_ptr<Session> create_session(const Settings& overrides, OnExit on_exit,
                                          Where where) override {
    return std::make_unique<Disguises>(
        inner().create_session(overrides, on_exit, where), trigger(),
        [this](const Snapshot& snapshot) { return remember(snapshot); });
  }
  std::unique_ptr<Session> restore(const Snapshot& snapshot, const Settings& overrides,
                                   OnExit on_exit, Where where) override {
    return inner().restore(real(snapshot), overrides, on_exit, where);
  }
  void delete_snapshot(const Snapshot& snapshot, Where where) override {
    inner().delete_snapshot(real(snapshot), where);
  }

 protected:
  virtual Snapshot disguised(Snapshot snapshot) const = 0;

 private:
  class Disguises : public Faulty<SessionWrapper> {
   public:
    Disguises(std::unique_ptr<Session> inner, std::shared_ptr<Trigger> trigger,
              std::function<Snapshot(Snapshot)> disguise)
        : Faulty(std::move(inner), std::move(trigger)), disguise_(std::move(disguise)) {}
    Snapshot create_snapshot(Where where) override {
      Snapshot snapshot = inner().create_snapshot(where);
      return fires() ? disguise_(std::move(snapshot)) : snapshot;
    }

   private:
    const std::function<Snapshot(Snapshot)> disguise_;
  };

  Snapshot remember(const Snapshot& snapshot) {
    Snapshot given = disguised(snapshot);
    const std::lock_guard lock(mutex_);
    real_.emplace_back(given, snapshot);
    return given;
  }
  Snapshot real(const Snapshot& given) {
    const std::lock_guard lock(mutex_);
    for (const auto& [disguise, snapshot] : real_) {
      if (disguise == given) return snapshot;
    }
    return given;
  }

  std::mutex mutex_;
  std::vector<std::pair<Snapshot, Snapshot>> real_;
};

class ARefHoldsABadByte : public DisguisesSnapshots {
 public:
  using DisguisesSnapshots::DisguisesSnapshots;

 protected:
  Snapshot disguised(Snapshot snapshot) const override {
    snapshot.ref += kNoUtf8;
    return snapshot;
  }
};

class MetadataHoldsABadByte : public DisguisesSnapshots {
 public:
  using DisguisesSnapshots::DisguisesSnapshots;

 protected:
  Snapshot disguised(Snapshot snapshot) const override {
    snapshot.metadata["state"] = kNoUtf8;
    return snapshot;
  }
};

class TheSnapshotIsOnlyKnownHere : public DisguisesSnapshots {
 public:
  using DisguisesSnapshots::DisguisesSnapshots;

 protected:
  Snapshot disguised(Snapshot snapshot) const override {
    snapshot.ref = "alias-of-" + snapshot.ref;
    return snapshot;
  }
};

class AForeignSnapshotIsRestored : public Faulty<SandboxWrapper> {
 public:
  using Faulty::Faulty;
  std::unique_ptr<Session> restore(const Snapshot& snapshot, const Settings& overrides,
                                   OnExit on_exit, Where where) override {
    Snapshot taken = snapshot;
    if (taken.component_id != component_id() && fires()) taken.component_id = component_id();
    return inner().restore(taken, overrides, on_exit, where);
  }
};

class AForeignSnapshotIsNotFound : public Faulty<SandboxWrapper> {
 public:
  using Faulty::Faulty;
  std::unique_ptr<Session> restore(const Snapshot& snapshot, const Settings& overrides,
                                   OnExit on_exit, Where where) override {
    if (snapshot.component_id != component_id() && fires()) {
      throw NotFoundError("the sandbox '" + component_id() + "' has no snapshot of '" +
                          snapshot.component_id + "'");
    }
    return inner().restore(snapshot, overrides, on_exit, where);
  }
};

class AForeignSnapshotsOwnerIsNotNamed : public Faulty<SandboxWrapper> {
 public:
  using Faulty::Faulty;
  std::unique_ptr<Session> restore(const Snapshot& snapshot, const Settings& overrides,
                                   OnExit on_exit, Where where) override {
    if (snapshot.component_id != component_id() && fires()) {
      throw InvalidArgumentError("the snapshot is not of '" + component_id() + "'");
    }
    return inner().restore(snapshot, overrides, on_exit, where);
  }
};

class AForeignDeleteIsSilent : public Faulty<SandboxWrapper> {
 public:
  using Faulty::Faulty;
  void delete_snapshot(const Snapshot& snapshot, Where where) override {
    if (snapshot.component_id != component_id() && fires()) return;
    inner().delete_snapshot(snapshot, where);
  }
};

/// Restoring what is gone goes through `Change`.
template <typename Change>
class ChangesGone : public Faulty<SandboxWrapper> {
 public:
  using Faulty<SandboxWrapper>::Faulty;
  std::unique_ptr<Session> restore(const Snapshot& snapshot, const Settings& overrides,
                                   OnExit on_exit, Where where) override {
    try {
      return inner().restore(snapshot, overrides, on_exit, where);
    } catch (const NotFoundError&) {
      if (!Change::applies(snapshot) || !fires()) throw;
      return Change::instead(inner(), snapshot);
    }
  }
};

struct AnEmptySession {
  static bool applies(const Snapshot&) { return true; }
  static std::unique_ptr<Session> instead(Sandbox& sandbox, const Snapshot&) {
    return sandbox.create_session({}, OnExit::kDestroy);
  }
};
struct ABackendError {
  static bool applies(const Snapshot&) { return true; }
  static std::unique_ptr<Session> instead(Sandbox&, const Snapshot& snapshot) {
    throw BackendError("no such image: " + snapshot.ref, 404);
  }
};
/// Of what was there once.
struct NoName {
  static bool applies(const Snapshot& snapshot) { return !snapshot.metadata.empty(); }
  static std::unique_ptr<Session> instead(Sandbox&, const Snapshot&) {
    throw NotFoundError("the snapshot is gone");
  }
};

/// Takes a reference that it never gave for a bad argument.
class AMadeUpSnapshotIsAnInvalidArgument : public Faulty<SandboxWrapper> {
 public:
  using Faulty::Faulty;
  std::unique_ptr<Session> restore(const Snapshot& snapshot, const Settings& overrides,
                                   OnExit on_exit, Where where) override {
    if (snapshot.metadata.empty() && fires()) {
      throw InvalidArgumentError("the snapshot " + snapshot.ref + " has no metadata");
    }
    return inner().restore(snapshot, overrides, on_exit, where);
  }
};

/// Snapshots are of their session: with it they are gone.
class DestroyTakesTheSnapshots : public Faulty<SandboxWrapper> {
 public:
  using Faulty::Faulty;
  std::unique_ptr<Session> create_session(const Settings& overrides, OnExit on_exit,
                                          Where where) override {
    return std::make_unique<Owner>(inner().create_session(overrides, on_exit, where), gone_);
  }
  std::unique_ptr<Session> restore(const Snapshot& snapshot, const Settings& overrides,
                                   OnExit on_exit, Where where) override {
    {
      const std::lock_guard lock(gone_->mutex);
      if (gone_->refs.contains(snapshot.ref) && fires()) {
        throw NotFoundError("the snapshot " + snapshot.ref + " is gone");
      }
    }
    return inner().restore(snapshot, overrides, on_exit, where);
  }

 private:
  struct Gone {
    std::mutex mutex;
    std::set<std::string> refs;
  };

  class Owner : public SessionWrapper {
   public:
    Owner(std::unique_ptr<Session> inner, std::shared_ptr<Gone> gone)
        : SessionWrapper(std::move(inner)), gone_(std::move(gone)) {}
    Snapshot create_snapshot(Where where) override {
      Snapshot snapshot = inner().create_snapshot(where);
      const std::lock_guard lock(gone_->mutex);
      own_.insert(snapshot.ref);
      return snapshot;
    }
    void destroy(Where where) override {
      inner().destroy(where);
      const std::lock_guard lock(gone_->mutex);
      gone_->refs.insert(own_.begin(), own_.end());
    }

   private:
    const std::shared_ptr<Gone> gone_;
    std::set<std::string> own_;  // Under the mutex of gone_.
  };

  const std::shared_ptr<Gone> gone_ = std::make_shared<Gone>();
};

class ARefComesTwice : public Faulty<SessionWrapper> {
 public:
  using Faulty::Faulty;
  Snapshot create_snapshot(Where where) override {
    Snapshot snapshot = inner().create_snapshot(where);
    const std::lock_guard lock(mutex_);
    if (last_.empty() || !fires()) {
      last_ = snapshot.ref;
    } else {
      snapshot.ref = last_;
    }
    return snapshot;
  }

 private:
  std::mutex mutex_;
  std::string last_;
};

class SnapshotsAtOnceGetOneRef : public Faulty<SessionWrapper> {
 public:
  using Faulty::Faulty;
  Snapshot create_snapshot(Where where) override {
    return crossing_.cross([&] { return inner().create_snapshot(where); },
                           [&] {
                             Snapshot snapshot = inner().create_snapshot(where);
                             const std::lock_guard lock(mutex_);
                             // The first of those that come while another is inside.
                             if (shared_.empty()) shared_ = snapshot.ref;
                             if (snapshot.ref != shared_ && fires()) snapshot.ref = shared_;
                             return snapshot;
                           });
  }

 private:
  Crossing crossing_;
  std::mutex mutex_;
  std::string shared_;
};

class DeleteSnapshotDoesNothing : public Faulty<SandboxWrapper> {
 public:
  using Faulty::Faulty;
  void delete_snapshot(const Snapshot& snapshot, Where where) override {
    if (!fires()) inner().delete_snapshot(snapshot, where);
  }
};

class DeletingTwiceThrows : public Faulty<SandboxWrapper> {
 public:
  using Faulty::Faulty;
  void delete_snapshot(const Snapshot& snapshot, Where where) override {
    {
      const std::lock_guard lock(mutex_);
      if (!deleted_.insert(snapshot.ref).second && fires()) {
        throw NotFoundError("the snapshot " + snapshot.ref + " is gone");
      }
    }
    inner().delete_snapshot(snapshot, where);
  }

 private:
  std::mutex mutex_;
  std::set<std::string> deleted_;
};

}  // namespace

std::vector<Mutant> snap_reference_mutants() {
  return {
      {.name = "ARefHoldsABadByte",
       .rule = "SNAP-004",
       .what = "References hold a byte that is no UTF-8, which JSON cannot carry.",
       .wrap = the_sandbox<ARefHoldsABadByte>()},
      {.name = "MetadataHoldsABadByte",
       .rule = "SNAP-004",
       .what = "Metadata hold a byte that is no UTF-8, which JSON cannot carry.",
       .wrap = the_sandbox<MetadataHoldsABadByte>()},
      {.name = "AForeignSnapshotIsRestored",
       .rule = "SNAP-005",
       .what = "A snapshot of another component is restored.",
       .wrap = the_sandbox<AForeignSnapshotIsRestored>()},
      {.name = "AForeignSnapshotIsNotFound",
       .rule = "SNAP-005",
       .what = "A snapshot of another component is NotFoundError.",
       .wrap = the_sandbox<AForeignSnapshotIsNotFound>()},
      {.name = "AForeignSnapshotsOwnerIsNotNamed",
       .rule = "SNAP-005",
       .what = "The refusal of another component's snapshot does not say whose it is.",
       .wrap = the_sandbox<AForeignSnapshotsOwnerIsNotNamed>()},
      {.name = "AForeignDeleteIsSilent",
       .rule = "SNAP-005",
       .what = "Deleting another component's snapshot does nothing and says nothing.",
       .wrap = the_sandbox<AForeignDeleteIsSilent>()},
      {.name = "AGoneSnapshotIsAnEmptySession",
       .rule = "SNAP-006",
       .what = "Restoring a snapshot that is gone gives an empty session.",
       .wrap = the_sandbox<ChangesGone<AnEmptySession>>()},
      {.name = "AGoneSnapshotIsABackendError",
       .rule = "SNAP-006",
       .what = "Restoring a snapshot that is gone throws BackendError.",
       .wrap = the_sandbox<ChangesGone<ABackendError>>()},
      {.name = "AGoneSnapshotIsNotNamed",
       .rule = "SNAP-006",
       .what = "The error for a snapshot that is gone does not name it.",
       .wrap = the_sandbox<ChangesGone<NoName>>()},
      {.name = "AMadeUpSnapshotIsAnInvalidArgument",
       .rule = "SNAP-006",
       .what = "Restoring a reference that was never given throws InvalidArgumentError.",
       .wrap = the_sandbox<AMadeUpSnapshotIsAnInvalidArgument>()},
      {.name = "DestroyTakesTheSnapshots",
       .rule = "SNAP-007",
       .what = "destroy() of a session deletes its snapshots.",
       .wrap = the_sandbox<DestroyTakesTheSnapshots>()},
      {.name = "ARefComesTwice",
       .rule = "SNAP-008",
       .what = "The second snapshot of a session has the reference of the first.",
       .wrap = each_session<ARefComesTwice>(),
       .times = 1},
      {.name = "SnapshotsAtOnceGetOneRef",
       .rule = "SNAP-008",
       .what = "Snapshots that are made at the same time have one reference.",
       .wrap = each_session<SnapshotsAtOnceGetOneRef>()},
      {.name = "DeleteSnapshotDoesNothing",
       .rule = "SNAP-010",
       .what = "delete_snapshot() does nothing.",
       .wrap = the_sandbox<DeleteSnapshotDoesNothing>()},
      {.name = "DeletingTwiceThrows",
       .rule = "SNAP-010",
       .what = "The second delete_snapshot() throws NotFoundError.",
       .wrap = the_sandbox<DeletingTwiceThrows>()},
      {.name = "TheSnapshotIsOnlyKnownHere",
       .rule = "SNAP-011",
       .what = "References are translated by a table in memory that no other process has.",
       .wrap = the_sandbox<TheSnapshotIsOnlyKnownHere>()},
  };
}

}  // namespace sandproof::conformance
