package io.github.liquidscheduler.cli;

import io.github.liquidscheduler.cli.interference.ConvertGavel;
import io.github.liquidscheduler.cli.resources.ConvertResources;
import picocli.CommandLine.Command;

/** Converts published data to the formats read here. */
@Command(
    name = "convert",
    description = "Converts published data to the formats read here.",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {ConvertGavel.class, ConvertResources.class})
final class ConvertCommand {}
