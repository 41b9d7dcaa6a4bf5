package io.github.liquidscheduler.cli;

import io.github.liquidscheduler.cli.interference.PredictInterference;
import io.github.liquidscheduler.cli.resources.PredictResources;
import picocli.CommandLine.Command;

/** Asks a model. */
@Command(
    name = "predict",
    description = "Asks a model.",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {PredictInterference.class, PredictResources.class})
final class PredictCommand {}
