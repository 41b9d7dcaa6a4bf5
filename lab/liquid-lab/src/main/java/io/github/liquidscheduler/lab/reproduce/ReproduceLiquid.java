package io.github.liquidscheduler.lab.reproduce;

import picocli.CommandLine.Command;

/** The experiments of Liquid's paper. */
@Command(
    name = "liquid",
    mixinStandardHelpOptions = true,
    description = {
      "Reproduces experiments of Liquid (Gu et al., IEEE TPDS 33(11), 2022) in the simulator, with"
          + " the published run times by placement as ground truth.",
      "lab/liquid-lab/docs/reproduction.md names all sources and what the paper leaves open."
    },
    synopsisSubcommandLabel = "EXPERIMENT",
    subcommands = {
      ReproduceSensitivity.class,
      ReproduceImmediate.class,
      ReproduceBatch.class,
      ReproduceEvents.class,
      ReproduceSharing.class,
      ReproducePrefetch.class
    })
final class ReproduceLiquid {}
