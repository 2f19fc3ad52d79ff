// SPDX-License-Identifier: Apache-2.0
// The machine's file system: what a snapshot, a restore and a box cost, in time and in memory.
#include <benchmark/benchmark.h>
#include <malloc.h>

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "fakes/machine/vfs/devices.h"
#include "fakes/machine/vfs/program_file.h"
#include "fakes/machine/vfs/tree.h"
#include "fakes/machine/vfs/vfs.h"

namespace {

using namespace sandproof::machine;  // NOLINT: a program of its own.

std::shared_ptr<Tree> tree_of(int files, int per_directory) {
  auto tree = std::make_shared<Tree>(1, TreeLimits{}, 0755, 0);
  Vfs vfs(tree);
  NodePtr at = vfs.root();
  for (int i = 0; i < files; ++i) {
    const std::string directory = "/d" + std::to_string(i / per_directory);
    if (i % per_directory == 0 && !vfs.make_directory({at, directory}, 0755, {}).ok()) abort();
    const std::string path = directory + "/f" + std::to_string(i);
    const auto node = vfs.open({at, path}, {.write = true, .create = true}, 0644, {});
    if (!node) abort();
    const std::string bytes = "contents of " + path;
    if (!vfs.write(**node, 0, std::as_bytes(std::span(bytes)), {}).ok()) abort();
  }
  return tree;
}

// An image as a container's: a few hundred programs, a few configuration files, /dev, /tmp.
std::shared_ptr<Tree> image_tree() {
  auto tree = std::make_shared<Tree>(1, TreeLimits{}, 0755, 0);
  Vfs vfs(tree);
  for (const char* path : {"/bin", "/dev", "/etc", "/home", "/root", "/tmp", "/usr", "/var"}) {
    if (!vfs.make_directory({vfs.root(), path}, 0755, {}).ok()) abort();
  }
  if (!make_devices(vfs, "/dev", 0).ok()) abort();
  for (int i = 0; i < 300; ++i) {
    const std::string name = "program" + std::to_string(i);
    const auto node =
        vfs.open({vfs.root(), "/bin/" + name}, {.write = true, .create = true}, 0755, {});
    const std::string image = program_image(name);
    if (!node || !vfs.write(**node, 0, std::as_bytes(std::span(image)), {}).ok()) abort();
  }
  return tree;
}

// Snapshot, restore, and the first write into what was restored, which copies the path to it.
void snapshot_and_restore(benchmark::State& state) {
  const auto tree = tree_of(10'000, static_cast<int>(state.range(0)));
  for (auto _ : state) {
    const TreeSnapshot snapshot = tree->snapshot();
    auto restored = std::make_shared<Tree>(2, TreeLimits{}, snapshot);
    if (state.range(1) != 0) {
      Vfs vfs(restored);
      const auto made =
          vfs.open({vfs.root(), "/d0/new"}, {.write = true, .create = true}, 0644, {});
      benchmark::DoNotOptimize(made.ok());
    }
    benchmark::DoNotOptimize(restored);
  }
}
BENCHMARK(snapshot_and_restore)
    ->ArgNames({"files_per_directory", "with_a_write"})
    ->Args({100, 0})
    ->Args({100, 1})
    ->Args({10'000, 0})
    ->Args({10'000, 1})
    ->Unit(benchmark::kMicrosecond);

// What the heap holds for 10 000 boxes, each of which has written a file of its own into /tmp and
// changed one of the image.
void boxes_of_one_image(benchmark::State& state) {
  constexpr int kBoxes = 10'000;
  const TreeSnapshot image = image_tree()->snapshot();
  double megabytes = 0;
  for (auto _ : state) {
    const std::size_t before = mallinfo2().uordblks;
    std::vector<std::unique_ptr<Vfs>> boxes;
    for (int i = 0; i < kBoxes; ++i) {
      auto box = std::make_unique<Vfs>(std::make_shared<Tree>(i, TreeLimits{}, image));
      if (state.range(0) != 0) {
        for (const char* path : {"/tmp/out", "/bin/program7"}) {
          const auto node =
              box->open({box->root(), path}, {.write = true, .create = true}, 0644, {});
          if (!node || !box->write(**node, 0, std::as_bytes(std::span("x", 1)), {}).ok()) abort();
        }
      }
      boxes.push_back(std::move(box));
    }
    megabytes = static_cast<double>(mallinfo2().uordblks - before) / 1e6;
  }
  state.counters["MB"] = megabytes;
  state.counters["kB_per_box"] = megabytes * 1e3 / kBoxes;
}
BENCHMARK(boxes_of_one_image)
    ->ArgName("each_writes")
    ->Arg(0)
    ->Arg(1)
    ->Unit(benchmark::kMillisecond);

void look_up(benchmark::State& state) {
  Vfs vfs(tree_of(10'000, 100));
  const NodePtr root = vfs.root();
  for (auto _ : state) {
    benchmark::DoNotOptimize(vfs.lookup({root, "/d42/f4242"}, Follow::kYes, {}));
  }
}
BENCHMARK(look_up);

void write_and_read(benchmark::State& state) {
  const std::vector<std::byte> part(64 * 1024, std::byte{7});
  std::vector<std::byte> back(part.size());
  constexpr int kParts = 256;
  Vfs vfs(std::make_shared<Tree>(1, TreeLimits{}, 0755, 0));
  for (auto _ : state) {
    const auto node =
        vfs.open({vfs.root(), "/f"},
                 {.read = true, .write = true, .create = true, .truncate = true}, 0644, {});
    if (!node) abort();
    for (std::uint64_t i = 0; i < kParts; ++i) {
      benchmark::DoNotOptimize(vfs.write(**node, i * part.size(), part, {}));
    }
    for (std::uint64_t i = 0; i < kParts; ++i) {
      benchmark::DoNotOptimize(vfs.read(**node, i * part.size(), back, {}));
    }
  }
  state.SetBytesProcessed(state.iterations() * kParts * static_cast<std::int64_t>(part.size()));
}
BENCHMARK(write_and_read)->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
