// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/beam_options.h"

#include <CLI/App.hpp>

namespace tfm::cli {

CLI::Option* addBeamOptions(CLI::App& app, std::optional<std::int64_t>& beams,
                            double& length_penalty) {
  CLI::Option* beam =
      app.add_option("--beam", beams, "Beam search with this many answers at a time; 1: greedy")
          ->type_name("N")
          ->check(CLI::Range(1, 1000));
  app.add_option("--length-penalty", length_penalty,
                 "Exponent by which beam search favours long answers (Wu et al. 2016); 0: none")
      ->capture_default_str()
      ->type_name("X")
      ->check(CLI::Range(0.0, 10.0))
      ->needs(beam);
  return beam;
}

}  // namespace tfm::cli
