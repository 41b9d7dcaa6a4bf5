package io.github.liquidscheduler.cli.topology;

import picocli.CommandLine.Command;

/** The group of commands about the build of clusters. */
@Command(
    name = "topology",
    description = "Shows what a cluster is made of, and fits what its network gives.",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {ShowTopology.class, CalibrateNetwork.class})
public final class TopologyCommand {}
