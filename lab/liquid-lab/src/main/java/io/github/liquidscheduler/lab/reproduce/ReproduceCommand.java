package io.github.liquidscheduler.lab.reproduce;

import picocli.CommandLine.Command;

/** The group of commands that reproduce published experiments. */
@Command(
    name = "reproduce",
    mixinStandardHelpOptions = true,
    description =
        "Reproduces published experiments and prints the results beside the published numbers.",
    synopsisSubcommandLabel = "PAPER",
    subcommands = {
      ReproduceLiquid.class,
      ReproduceInterference.class,
      ReproduceElastic.class,
      ReproducePollux.class,
      ReproduceHare.class
    })
public final class ReproduceCommand {}
