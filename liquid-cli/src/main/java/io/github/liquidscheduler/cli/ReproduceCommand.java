package io.github.liquidscheduler.cli;

import picocli.CommandLine.Command;

/** The group of commands that run published experiments again. */
@Command(
    name = "reproduce",
    mixinStandardHelpOptions = true,
    description = "Runs published experiments again and prints them beside the published numbers.",
    synopsisSubcommandLabel = "PAPER",
    subcommands = {ReproduceLiquid.class, ReproduceInterference.class})
final class ReproduceCommand {}
