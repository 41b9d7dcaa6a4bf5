package io.github.liquidscheduler.cli;

import io.github.liquidscheduler.cli.interference.TrainInterference;
import io.github.liquidscheduler.cli.interference.TrainSimilarity;
import io.github.liquidscheduler.cli.resources.TrainResources;
import picocli.CommandLine.Command;

/** Trains a model from measurements. */
@Command(
    name = "train",
    description = "Trains a model from measurements.",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {TrainInterference.class, TrainSimilarity.class, TrainResources.class})
final class TrainCommand {}
