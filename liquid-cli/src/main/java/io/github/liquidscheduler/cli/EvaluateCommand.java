package io.github.liquidscheduler.cli;

import io.github.liquidscheduler.cli.interference.EvaluateInterference;
import io.github.liquidscheduler.cli.interference.EvaluateSimilarity;
import io.github.liquidscheduler.cli.resources.EvaluateResources;
import picocli.CommandLine.Command;

/** Evaluates a model on held-out measurements. */
@Command(
    name = "evaluate",
    description = "Evaluates a model on held-out measurements.",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {EvaluateInterference.class, EvaluateSimilarity.class, EvaluateResources.class})
final class EvaluateCommand {}
