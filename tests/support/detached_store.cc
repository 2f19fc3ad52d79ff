// SPDX-License-Identifier: Apache-2.0
// See detached_store.h.
#include "tests/support/detached_store.h"

#include <fcntl.h>
#include <unistd.h>

#include <exception>
#include <fstream>
#include <nlohmann/json.hpp>
#include <system_error>

#include "flavors/local/descriptor.h"
#include "flavors/local/remove_tree.h"
#include "sandproof/errors.h"
#include "tests/support/copy_tree.h"

namespace sandproof::detached {
namespace {

namespace fs = std::filesystem;

void write_meta(const fs::path& directory, const Meta& meta) {
  const nlohmann::json json = {{"component_id", meta.component_id},
                               {"state", meta.state},
                               {"forwarded", meta.forwarded},
                               {"env", meta.env}};
  const fs::path aside = directory / ("meta.json." + std::to_string(::getpid()));
  {
    std::ofstream file(aside);  // no-cloexec: the launcher closes every descriptor but three.
    file << json.dump(2) << '\n';
    if (!file.flush()) throw BackendError("cannot write " + aside.string());
  }
  fs::rename(aside, directory / "meta.json");
}

std::optional<Meta> read_meta(const fs::path& directory) {
  std::ifstream file(directory / "meta.json");  // no-cloexec: as above.
  if (!file) return std::nullopt;
  const auto json = nlohmann::json::parse(file, nullptr, false);
  if (json.is_discarded()) throw BackendError((directory / "meta.json").string() + " is no JSON");
  Meta meta;
  meta.component_id = json.at("component_id").get<std::string>();
  meta.state = json.at("state").get<std::string>();
  meta.forwarded = json.at("forwarded").get<Environment>();
  meta.env = json.at("env").get<Environment>();
  return meta;
}

}  // namespace

void Store::remove_entry(const fs::path& path) const {
  const local::Descriptor parent(::open(base_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!parent.valid()) return;  // Without the base there is nothing in it.
  local::remove_tree(parent.get(), path.filename().string());
}

void Store::create(const std::string& id, const Meta& meta, const std::string& from) {
  const fs::path aside = base_ / (".new-" + id);
  try {
    fs::create_directories(aside);
    write_meta(aside, meta);
    if (from.empty()) {
      fs::create_directory(aside / "root");
    } else {
      if (!fs::exists(snapshot_path(from)))
        throw NotFoundError("the snapshot " + from + " is gone");
      copy_tree(snapshot_path(from) / "root", aside / "root");
    }
    fs::rename(aside, directory(id));
  } catch (...) {
    remove_entry(aside);
    throw;
  }
}

std::optional<Meta> Store::find(const std::string& id) const { return read_meta(directory(id)); }

void Store::set_state(const std::string& id, const std::string& state) {
  std::optional<Meta> meta = find(id);
  if (!meta) throw NotFoundError("there is no environment " + id);
  meta->state = state;
  write_meta(directory(id), *meta);
}

void Store::retire(const std::string& id) {
  std::error_code error;
  fs::rename(directory(id), gone_path(id), error);
  if (error && error != std::errc::no_such_file_or_directory) {
    throw BackendError("cannot retire the environment " + id + ": " + error.message());
  }
}

void Store::remove(const std::string& id) { remove_entry(gone_path(id)); }

void Store::save(const std::string& id, const std::string& ref) {
  const fs::path aside = base_ / (".new-" + ref);
  try {
    fs::create_directory(aside);
    copy_tree(root(id), aside / "root");
    fs::copy_file(directory(id) / "meta.json", aside / "meta.json");
    fs::rename(aside, snapshot_path(ref));
  } catch (const std::exception& error) {
    remove_entry(aside);
    throw BackendError("cannot make a snapshot of " + id + ": " + error.what());
  }
}

std::optional<Meta> Store::find_snapshot(const std::string& ref) const {
  return read_meta(snapshot_path(ref));
}

void Store::remove_snapshot(const std::string& ref) { remove_entry(snapshot_path(ref)); }

bool Store::take_failing_start() const { return fs::remove(base_ / ".fail-next-start"); }

void Store::fail_next_start() const {
  fs::create_directories(base_);
  std::ofstream(base_ / ".fail-next-start") << "once\n";  // no-cloexec: as above.
}

}  // namespace sandproof::detached
