// SPDX-License-Identifier: Apache-2.0
// The flavor `shelled`: every command goes through a shell of this machine.
#pragma once

#include "sandproof/flavor.h"

sandproof::Flavor shelled_flavor();
