package io.github.liquidscheduler.cli;

import io.github.liquidscheduler.cli.interference.PredictInterference;
import io.github.liquidscheduler.cli.resources.PredictResources;
import picocli.CommandLine.Command;

/** Appends predictions of a model to a CSV. */
@Command(
    name = "predict",
    description = "Appends predictions of a model to a CSV.",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {PredictInterference.class, PredictResources.class})
final class PredictCommand {}
