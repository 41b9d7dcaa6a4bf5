package io.github.liquidscheduler.lab.calibration;

import picocli.CommandLine.Command;

/** The group of commands that fit the network model to measurements. */
@Command(
    name = "topology",
    description = "Calibrates the network model.",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND",
    subcommands = CalibrateNetwork.class)
public final class LabTopology {}
