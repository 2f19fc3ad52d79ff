// SPDX-License-Identifier: Apache-2.0
// The volume of /proc: it makes its files up from the table of processes that the scheduler uses,
// when they are asked for. To be mounted read-only. One box, one thread per machine.
//
// What differs from Linux's: no threads (task/), no memory maps, and of the other files those that
// the table in proc_rows.cc names. A process may look into those of its user, as there is nothing
// like PR_SET_DUMPABLE.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "fakes/machine/process.h"
#include "fakes/machine/vfs/volume.h"

namespace sandproof::machine {

class Box;
struct ProcRow;

class ProcVolume final : public Volume {
 public:
  explicit ProcVolume(std::uint64_t id) : Volume(id) {}

  /// The machine does both: before show() and after hide() there are no processes, and every text
  /// is ENOENT.
  void show(Box& box, Kernel& kernel);
  void hide();

  Ino root() const override;
  Result<Attributes> stat(Ino ino) const override;
  Result<Ino> find(NameIn name, const Caller& caller) const override;
  Result<Ino> parent(Ino directory) const override;
  Result<std::string> target(Ino symlink, const Caller& caller) const override;
  Result<std::optional<Jump>> jump(Ino symlink, const Caller& caller) const override;
  Result<std::vector<DirEntry>> list(Ino directory, std::string_view after, std::size_t limit,
                                     const Caller& caller) const override;
  Result<std::size_t> read(Ino ino, std::uint64_t offset, std::span<std::byte> into,
                           const Caller& caller) const override;
  Result<std::optional<std::string>> text(Ino ino, const Caller& caller) const override;
  FilePtr open_file(Ino ino) const override;
  VolumeFigures figures() const override { return {.read_only = true}; }

 private:
  /// What a number stands for.
  struct File {
    const ProcRow* row = nullptr;
    unsigned slot = 0;
    int fd = 0;
    ProcessEntry* entry = nullptr;  // Null for what is no process's.
  };
  /// ENOENT where its process is gone.
  Result<File> file_of(Ino ino) const;
  Result<File> link_of(Ino ino, const Caller& caller) const;
  std::vector<DirEntry> entries_of(const File& directory, std::string_view after,
                                   std::size_t limit) const;
  static Ino ino_of(unsigned slot, const ProcessEntry* entry, int fd = 0);

  Box* box_ = nullptr;
  Kernel* kernel_ = nullptr;
};

}  // namespace sandproof::machine
