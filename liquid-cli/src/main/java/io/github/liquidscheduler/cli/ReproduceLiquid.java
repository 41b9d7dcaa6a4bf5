package io.github.liquidscheduler.cli;

import picocli.CommandLine.Command;

/** The experiments of Liquid's paper. */
@Command(
    name = "liquid",
    mixinStandardHelpOptions = true,
    description = {
      "Runs experiments of Liquid (Gu et al., IEEE TPDS 33(11), 2022) again in the simulator, from"
          + " the run times by placement that it published.",
      "docs/reproduction.md says what was taken from where, and what the paper leaves open."
    },
    synopsisSubcommandLabel = "EXPERIMENT",
    subcommands = {ReproduceSensitivity.class, ReproduceImmediate.class, ReproduceBatch.class})
final class ReproduceLiquid {}
