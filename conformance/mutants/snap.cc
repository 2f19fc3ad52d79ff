// SPDX-License-Identifier: Apache-2.0
// Flavors that break SNAP: what is captured and what is made of it. References, their end and their
// owner are in snap_references.cc. Each mutation is used from any thread.
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "conformance/mutants/areas.h"
#include "conformance/mutants/support.h"
#include "sandproof/errors.h"

namespace sandproof::conformance {
namespace {

using std::chrono::milliseconds;

class ASnapshotEndsTheCommands : public BondedProcess {
 public:
  using BondedProcess::BondedProcess;
  ExitStatus wait(milliseconds timeout, Where where) override {
    if (snapshotted() && fires()) inner().kill(where);
    return inner().wait(timeout, where);
  }
};

class ASnapshotCutsTheStreams : public BondedProcess {
 public:
  using BondedProcess::BondedProcess;
  LineStream& out() override { return out_; }

 private:
  HookedStream out_{inner().out(), [this](LineStream& healthy, std::string& line, Where where) {
                      return snapshotted() && fires() ? false : healthy.next(line, where);
                    }};
};

class ASnapshotClosesTheSession : public Faulty<SessionWrapper> {
 public:
  using Faulty::Faulty;
  Snapshot create_snapshot(Where where) override {
    Snapshot snapshot = inner().create_snapshot(where);
    if (fires()) inner().close(where);
    return snapshot;
  }
};

/// What the sandbox and its sessions know of the snapshots that were made.
struct Shelf {
  struct Item {
    Snapshot snapshot;
    std::string session_id;
  };
  std::mutex mutex;
  std::vector<Item> items;

  void put(Snapshot snapshot, std::string session_id) {
    const std::lock_guard lock(mutex);
    items.push_back({std::move(snapshot), std::move(session_id)});
  }
  Snapshot first() {
    const std::lock_guard lock(mutex);
    return items.front().snapshot;
  }
  std::string session_of(const Snapshot& snapshot) {
    const std::lock_guard lock(mutex);
    for (const Item& item : items) {
      if (item.snapshot == snapshot) return item.session_id;
    }
    return {};
  }
};

/// Sessions put their snapshots on the shelf; restore() is the mutation's.
class KnowsItsSnapshots : public Faulty<SandboxWrapper> {
 public:
  using Faulty::Faulty;
  std::unique_ptr<Session> create_session(const Settings& overrides, OnExit on_exit,
                                          Where where) override {
    return watched(inner().create_session(overrides, on_exit, where));
  }

 protected:
  Shelf& shelf() { return *shelf_; }
  std::unique_ptr<Session> watched(std::unique_ptr<Session> session) {
    return std::make_unique<Watched>(std::move(session), shelf_);
  }

 private:
  class Watched : public SessionWrapper {
   public:
    Watched(std::unique_ptr<Session> inner, std::shared_ptr<Shelf> shelf)
        : SessionWrapper(std::move(inner)), shelf_(std::move(shelf)) {}
    Snapshot create_snapshot(Where where) override {
      Snapshot snapshot = inner().create_snapshot(where);
      shelf_->put(snapshot, id());
      return snapshot;
    }

   private:
    const std::shared_ptr<Shelf> shelf_;
  };

  const std::shared_ptr<Shelf> shelf_ = std::make_shared<Shelf>();
};

class RestoreIsTheLiveState : public KnowsItsSnapshots {
 public:
  using KnowsItsSnapshots::KnowsItsSnapshots;
  std::unique_ptr<Session> restore(const Snapshot& snapshot, const Settings& overrides,
                                   OnExit on_exit, Where where) override {
    if (!fires()) return inner().restore(snapshot, overrides, on_exit, where);
    const Snapshot now =
        inner().attach(shelf().session_of(snapshot), where)->create_snapshot(where);
    auto session = inner().restore(now, overrides, on_exit, where);
    inner().delete_snapshot(now, where);
    return session;
  }
};

class RestoreKeepsTheId : public KnowsItsSnapshots {
 public:
  using KnowsItsSnapshots::KnowsItsSnapshots;
  std::unique_ptr<Session> restore(const Snapshot& snapshot, const Settings& overrides,
                                   OnExit on_exit, Where where) override {
    if (!fires()) return inner().restore(snapshot, overrides, on_exit, where);
    return with_id(inner().restore(snapshot, overrides, OnExit::kDestroy, where),
                   shelf().session_of(snapshot));
  }
};

class RestoreIsEmpty : public Faulty<SandboxWrapper> {
 public:
  using Faulty::Faulty;
  std::unique_ptr<Session> restore(const Snapshot& snapshot, const Settings& overrides,
                                   OnExit on_exit, Where where) override {
    return fires() ? inner().create_session(overrides, on_exit, where)
                   : inner().restore(snapshot, overrides, on_exit, where);
  }
};

class RestoreTakesTheFirstSnapshot : public KnowsItsSnapshots {
 public:
  using KnowsItsSnapshots::KnowsItsSnapshots;
  std::unique_ptr<Session> restore(const Snapshot& snapshot, const Settings& overrides,
                                   OnExit on_exit, Where where) override {
    const Snapshot first = shelf().first();
    const bool wrong = first != snapshot && fires();
    return watched(inner().restore(wrong ? first : snapshot, overrides, on_exit, where));
  }
};

class RestoreForgetsModes : public Faulty<SandboxWrapper> {
 public:
  using Faulty::Faulty;
  std::unique_ptr<Session> restore(const Snapshot& snapshot, const Settings& overrides,
                                   OnExit on_exit, Where where) override {
    auto session = inner().restore(snapshot, overrides, on_exit, where);
    if (fires()) output_of(*session, "chmod 644 *");
    return session;
  }
};

class RestoreSharesTheOriginal : public KnowsItsSnapshots {
 public:
  using KnowsItsSnapshots::KnowsItsSnapshots;
  std::unique_ptr<Session> restore(const Snapshot& snapshot, const Settings& overrides,
                                   OnExit on_exit, Where where) override {
    if (!fires()) return inner().restore(snapshot, overrides, on_exit, where);
    return inner().attach(shelf().session_of(snapshot), where);
  }
};

class RestoresShareOne : public Faulty<SandboxWrapper> {
 public:
  using Faulty::Faulty;
  std::unique_ptr<Session> restore(const Snapshot& snapshot, const Settings& overrides,
                                   OnExit on_exit, Where where) override {
    const std::lock_guard lock(mutex_);
    std::shared_ptr<Session>& session = restored_[snapshot.ref];
    if (session == nullptr || !fires()) {
      session = inner().restore(snapshot, overrides, on_exit, where);
    }
    return handle_to(session);
  }

 private:
  std::mutex mutex_;
  std::map<std::string, std::shared_ptr<Session>> restored_;
};

/// The end of a restored session is the end of the one that the snapshot is of.
class ARestoredEndTakesTheOriginal : public KnowsItsSnapshots {
 public:
  using KnowsItsSnapshots::KnowsItsSnapshots;
  std::unique_ptr<Session> restore(const Snapshot& snapshot, const Settings& overrides,
                                   OnExit on_exit, Where where) override {
    auto session = inner().restore(snapshot, overrides, on_exit, where);
    return std::make_unique<TakesAlong>(std::move(session), trigger(),
                                        inner().attach(shelf().session_of(snapshot), where));
  }

 private:
  class TakesAlong : public Faulty<SessionWrapper> {
   public:
    TakesAlong(std::unique_ptr<Session> inner, std::shared_ptr<Trigger> trigger,
               std::unique_ptr<Session> original)
        : Faulty(std::move(inner), std::move(trigger)), original_(std::move(original)) {}
    void destroy(Where where) override {
      if (fires()) original_->destroy(where);
      inner().destroy(where);
    }

   private:
    const std::unique_ptr<Session> original_;
  };
};

/// What a restored session executes goes through `Change`.
template <typename Change>
class ChangesRestoredExec : public Faulty<SandboxWrapper> {
 public:
  using Faulty<SandboxWrapper>::Faulty;
  std::unique_ptr<Session> restore(const Snapshot& snapshot, const Settings& overrides,
                                   OnExit on_exit, Where where) override {
    return std::make_unique<Restored>(inner().restore(snapshot, overrides, on_exit, where),
                                      trigger());
  }

 private:
  class Restored : public Faulty<SessionWrapper> {
   public:
    using Faulty<SessionWrapper>::Faulty;
    std::unique_ptr<Process> exec(Command command, ExecOptions options, Where where) override {
      if (this->fires()) Change::change(command, options);
      return this->inner().exec(std::move(command), std::move(options), where);
    }
  };
};

struct RestoredWithoutEmpty {
  static void change(Command& command, ExecOptions&) {
    std::vector<std::string> argv = command.words();
    argv.insert(argv.begin(), {"env", "-u", "EMPTY"});
    command = argv;
  }
};
struct ValuesCutAtEquals {
  static void change(Command&, ExecOptions& options) { options.env["PAIR"] = "b"; }
};
struct RestoredAtTheRoot {
  static void change(Command&, ExecOptions& options) { options.cwd = "/"; }
};

class RestoreIgnoresSettings : public Faulty<SandboxWrapper> {
 public:
  using Faulty::Faulty;
  std::unique_ptr<Session> restore(const Snapshot& snapshot, const Settings& overrides,
                                   OnExit on_exit, Where where) override {
    return inner().restore(snapshot, fires() ? Settings() : overrides, on_exit, where);
  }
};

class RestoreIgnoresDestroyOnExit : public Faulty<SandboxWrapper> {
 public:
  using Faulty::Faulty;
  std::unique_ptr<Session> restore(const Snapshot& snapshot, const Settings& overrides,
                                   OnExit on_exit, Where where) override {
    return inner().restore(snapshot, overrides, fires() ? OnExit::kClose : on_exit, where);
  }
};

}  // namespace

// Every rule of the area needs the capabilities: rows name what they need beyond them.
std::vector<Mutant> snap_mutants() {
  using enum Capability;
  std::vector<Mutant> mutants{
      {.name = "ASnapshotEndsTheCommands",
       .rule = "SNAP-001",
       .what = "create_snapshot() ends the commands that run.",
       .wrap = each_session<Bonded<ASnapshotEndsTheCommands>>()},
      {.name = "ASnapshotCutsTheStreams",
       .rule = "SNAP-001",
       .what = "create_snapshot() cuts off the output of the commands that run.",
       .wrap = each_session<Bonded<ASnapshotCutsTheStreams>>()},
      {.name = "ASnapshotClosesTheSession",
       .rule = "SNAP-001",
       .what = "create_snapshot() closes the session.",
       .wrap = each_session<ASnapshotClosesTheSession>()},
      {.name = "RestoreIsTheLiveState",
       .rule = "SNAP-002",
       .what = "restore() gives the session's files as they are now.",
       .wrap = the_sandbox<RestoreIsTheLiveState>(),
       .with = {kAttach}},
      {.name = "RestoreKeepsTheId",
       .rule = "SNAP-002",
       .what = "The restored session has the id of the original.",
       .wrap = the_sandbox<RestoreKeepsTheId>()},
      {.name = "RestoreIsEmpty",
       .rule = "SNAP-002",
       .what = "restore() gives a new, empty session.",
       .wrap = the_sandbox<RestoreIsEmpty>()},
      {.name = "RestoreTakesTheFirstSnapshot",
       .rule = "SNAP-002",
       .what = "restore() gives the first snapshot of the component, whichever is asked for.",
       .wrap = the_sandbox<RestoreTakesTheFirstSnapshot>()},
      {.name = "RestoreForgetsModes",
       .rule = "SNAP-002",
       .what = "Restored files have lost their permission bits.",
       .wrap = the_sandbox<RestoreForgetsModes>()},
      {.name = "RestoreSharesTheOriginal",
       .rule = "SNAP-003",
       .what = "restore() gives a handle to the original.",
       .wrap = the_sandbox<RestoreSharesTheOriginal>(),
       .with = {kAttach}},
      {.name = "RestoresShareOne",
       .rule = "SNAP-003",
       .what = "The second restore of a snapshot gives a handle to the first.",
       .wrap = the_sandbox<RestoresShareOne>()},
      {.name = "ARestoredEndTakesTheOriginal",
       .rule = "SNAP-003",
       .what = "Destroying a restored session destroys the original.",
       .wrap = the_sandbox<ARestoredEndTakesTheOriginal>(),
       .with = {kAttach, kOutlives}},
      {.name = "RestoreDropsEmptyVariables",
       .rule = "SNAP-009",
       .what = "A restored session lacks the variables whose value is empty.",
       .wrap = the_sandbox<ChangesRestoredExec<RestoredWithoutEmpty>>()},
      {.name = "RestoreCutsValuesAtEquals",
       .rule = "SNAP-009",
       .what = "A restored session has the values of its variables up to the first '='.",
       .wrap = the_sandbox<ChangesRestoredExec<ValuesCutAtEquals>>()},
      {.name = "RestoreStartsElsewhere",
       .rule = "SNAP-009",
       .what = "Commands of a restored session start in the root directory.",
       .wrap = the_sandbox<ChangesRestoredExec<RestoredAtTheRoot>>()},
      {.name = "RestoreIgnoresSettings",
       .rule = "SNAP-009",
       .what = "restore() ignores the settings that it is given.",
       .wrap = the_sandbox<RestoreIgnoresSettings>()},
      {.name = "RestoreIgnoresDestroyOnExit",
       .rule = "SNAP-009",
       .what = "A restored session is only closed at scope exit, although it is to be destroyed.",
       .wrap = the_sandbox<RestoreIgnoresDestroyOnExit>(),
       .with = {kOutlives}},
  };
  for (Mutant& row : snap_reference_mutants()) mutants.push_back(std::move(row));
  return mutants;
}

}  // namespace sandproof::conformance
