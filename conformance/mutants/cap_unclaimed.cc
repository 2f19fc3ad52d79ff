// SPDX-License-Identifier: Apache-2.0
// Flavors that do what they do not claim, or half of it. Each mutation is used from any thread.
#include <filesystem>
#include <fstream>
#include <future>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "conformance/mutants/areas.h"
#include "conformance/mutants/support.h"
#include "sandproof/errors.h"

namespace sandproof::conformance {
namespace {

/// Writes a file of the session without what is refused: with a command.
void write_below(Session& session, const std::filesystem::path& local, const std::string& remote) {
  std::ifstream file(local, std::ios::binary);
  std::string content;
  std::getline(file, content, '\0');
  session.exec({"sh", "-c", "printf %s \"$1\" > \"$0\"", remote, content})->wait();
}

/// Ids begin with the flavor's name (SESSION-002).
std::string flavor_of(const Session& session) {
  return session.id().substr(0, session.id().rfind('-'));
}

enum class Unclaimed {
  kDone,     ///< It works.
  kRefused,  ///< It happens all the same, and is refused.
  kUnnamed,  ///< Nothing happens, and the refusal does not say what was refused.
};

template <Unclaimed kHow>
void refuse(const char* operation, const std::string& flavor) {
  if (kHow == Unclaimed::kRefused) throw UnsupportedError(operation, flavor);
  if (kHow == Unclaimed::kUnnamed) throw UnsupportedError("it", "this");
}

template <Unclaimed kHow>
class UploadsUnclaimed : public Faulty<SessionWrapper> {
 public:
  using Faulty<SessionWrapper>::Faulty;
  void upload_file(const std::filesystem::path& local, const std::string& remote,
                   Where where) override {
    if (!fires()) return inner().upload_file(local, remote, where);
    if (kHow != Unclaimed::kUnnamed) write_below(inner(), local, remote);
    refuse<kHow>("upload_file", flavor_of(inner()));
  }
};

template <Unclaimed kHow>
class DownloadsUnclaimed : public Faulty<SessionWrapper> {
 public:
  using Faulty<SessionWrapper>::Faulty;
  void download_file(const std::string& remote, const std::filesystem::path& local,
                     Where where) override {
    if (!fires()) return inner().download_file(remote, local, where);
    if (kHow != Unclaimed::kUnnamed) {
      std::ofstream(local) << inner().exec({"cat", remote})->collect().out;
    }
    refuse<kHow>("download_file", flavor_of(inner()));
  }
};

/// Both directions: a case that tries them in turn sees neither refused.
class TransfersUnclaimed : public UploadsUnclaimed<Unclaimed::kDone> {
 public:
  using UploadsUnclaimed::UploadsUnclaimed;
  void download_file(const std::string& remote, const std::filesystem::path& local,
                     Where) override {
    std::ofstream(local) << inner().exec({"cat", remote})->collect().out;
  }
};

template <Unclaimed kHow>
class InputUnclaimed : public Faulty<SessionWrapper> {
 public:
  using Faulty<SessionWrapper>::Faulty;
  std::unique_ptr<Process> exec(Command command, ExecOptions options, Where where) override {
    if (options.input.data() == nullptr || !fires()) {
      return inner().exec(std::move(command), std::move(options), where);
    }
    std::vector<std::string> argv = {"sh", "-c", R"(printf %s "$0" | "$@")", *options.input.data()};
    for (const std::string& word : command.words()) argv.push_back(word);
    options.input = Stdin::empty();
    std::unique_ptr<Process> process;
    if (kHow != Unclaimed::kUnnamed) process = inner().exec(argv, std::move(options), where);
    if (kHow == Unclaimed::kRefused) process->wait();
    refuse<kHow>("exec with stdin", flavor_of(inner()));
    return process;
  }
};

class APipeIsLeftOut : public Faulty<SessionWrapper> {
 public:
  using Faulty::Faulty;
  std::unique_ptr<Process> exec(Command command, ExecOptions options, Where where) override {
    if (options.input.is_pipe() && fires()) options.input = Stdin::empty();
    return inner().exec(std::move(command), std::move(options), where);
  }
};

template <Unclaimed kHow>
class AsyncUnclaimed : public Faulty<SessionWrapper> {
 public:
  using Faulty<SessionWrapper>::Faulty;
  std::future<std::unique_ptr<Process>> exec_async(Command command, ExecOptions options,
                                                   Where where) override {
    if (!fires()) return inner().exec_async(std::move(command), std::move(options), where);
    std::promise<std::unique_ptr<Process>> promise;
    if (kHow != Unclaimed::kUnnamed) {
      promise.set_value(inner().exec(std::move(command), std::move(options), where));
    }
    std::future<std::unique_ptr<Process>> future = promise.get_future();
    if (kHow == Unclaimed::kRefused) future.get()->wait();
    refuse<kHow>("exec_async", flavor_of(inner()));
    return future;
  }
};

class SnapshotsUnclaimed : public Faulty<SessionWrapper> {
 public:
  using Faulty::Faulty;
  Snapshot create_snapshot(Where where) override {
    if (!fires()) return inner().create_snapshot(where);
    return {.component_id = "any", .ref = "unclaimed", .metadata = {}};
  }
};

template <typename Mutation>
Mutant unclaimed(Capability capability, const char* name, const char* rule, const char* what) {
  Mutant mutant = session_mutant<Mutation>(name, rule, what);
  mutant.without = {capability};
  return mutant;
}

}  // namespace

std::vector<Mutant> cap_unclaimed_mutants() {
  using enum Capability;
  using enum Unclaimed;
  return {
      unclaimed<UploadsUnclaimed<kRefused>>(kUpload, "ARefusedUploadLeavesAFile", "CAP-002",
                                            "upload_file() is refused after the file was sent."),
      unclaimed<UploadsUnclaimed<kUnnamed>>(kUpload, "ARefusedUploadIsUnnamed", "CAP-002",
                                            "The refusal of an upload names no operation."),
      unclaimed<DownloadsUnclaimed<kRefused>>(kDownload, "ARefusedDownloadLeavesAFile", "CAP-002",
                                              "download_file() is refused after the file came."),
      unclaimed<DownloadsUnclaimed<kUnnamed>>(kDownload, "ARefusedDownloadIsUnnamed", "CAP-002",
                                              "The refusal of a download names no operation."),
      unclaimed<InputUnclaimed<kRefused>>(kStdin, "ARefusedInputRunsTheCommand", "CAP-002",
                                          "An exec with input is refused after the command ran."),
      unclaimed<InputUnclaimed<kUnnamed>>(kStdin, "ARefusedInputIsUnnamed", "CAP-002",
                                          "The refusal of an input names no operation."),
      unclaimed<APipeIsLeftOut>(kStdin, "AnUnclaimedPipeIsLeftOut", "CAP-002",
                                "A command that is to get a pipe as input runs without one."),
      unclaimed<AsyncUnclaimed<kRefused>>(kAsyncExec, "ARefusedExecAsyncRunsTheCommand", "CAP-002",
                                          "exec_async() is refused after the command ran."),
      unclaimed<AsyncUnclaimed<kUnnamed>>(kAsyncExec, "ARefusedExecAsyncIsUnnamed", "CAP-002",
                                          "The refusal of exec_async() names no operation."),
      unclaimed<SnapshotsUnclaimed>(kSnapshot, "SnapshotWorksUnclaimed", "CAP-004",
                                    "create_snapshot() works although it is not claimed."),
      unclaimed<TransfersUnclaimed>(kUpload, "TransfersWorkUnclaimed", "CAP-004",
                                    "Transfers work although they are not claimed."),
      unclaimed<InputUnclaimed<kDone>>(kStdin, "InputWorksUnclaimed", "CAP-004",
                                       "An input arrives although `stdin` is not claimed."),
      unclaimed<AsyncUnclaimed<kDone>>(kAsyncExec, "ExecAsyncWorksUnclaimed", "CAP-004",
                                       "exec_async() works although it is not claimed."),
  };
}

}  // namespace sandproof::conformance
