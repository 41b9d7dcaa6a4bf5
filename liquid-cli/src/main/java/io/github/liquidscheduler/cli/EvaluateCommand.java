package io.github.liquidscheduler.cli;

import io.github.liquidscheduler.cli.interference.EvaluateInterference;
import io.github.liquidscheduler.cli.interference.EvaluateSimilarity;
import io.github.liquidscheduler.cli.resources.EvaluateResources;
import picocli.CommandLine.Command;

/** Judges a model on measurements hidden from it. */
@Command(
    name = "evaluate",
    description = "Judges a model on measurements hidden from it.",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {EvaluateInterference.class, EvaluateSimilarity.class, EvaluateResources.class})
final class EvaluateCommand {}
