package io.github.liquidscheduler.cli.topology;

import picocli.CommandLine.Command;

/** The group of commands about cluster topologies. */
@Command(
    name = "topology",
    description = "Shows and converts the topology of a cluster.",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {ShowTopology.class, ConvertTopology.class})
public final class TopologyCommand {}
