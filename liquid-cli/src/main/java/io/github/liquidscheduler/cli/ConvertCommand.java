package io.github.liquidscheduler.cli;

import io.github.liquidscheduler.cli.interference.ConvertGavel;
import io.github.liquidscheduler.cli.resources.ConvertResources;
import picocli.CommandLine.Command;

/** Converts published data sets to the CSV formats of this program. */
@Command(
    name = "convert",
    description = "Converts published data sets to the CSV formats of this program.",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {ConvertGavel.class, ConvertResources.class})
final class ConvertCommand {}
