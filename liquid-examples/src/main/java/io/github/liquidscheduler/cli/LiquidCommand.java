package io.github.liquidscheduler.cli;

import java.util.Objects;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;

/** The {@code liquid} command line. */
@Command(
    name = "liquid",
    description = "Decides where and how deep-learning jobs run on GPU clusters.",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      ConvertCommand.class,
      EvaluateCommand.class,
      PredictCommand.class,
      TrainCommand.class
    },
    versionProvider = LiquidCommand.Version.class)
public final class LiquidCommand {
  private LiquidCommand() {}

  /** Runs one command and exits with its status: 0 when it succeeded, 2 for bad usage. */
  public static void main(String[] arguments) {
    System.exit(
        new CommandLine(new LiquidCommand())
            .setCaseInsensitiveEnumValuesAllowed(true)
            .execute(arguments));
  }

  static final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
      String version = LiquidCommand.class.getPackage().getImplementationVersion();
      return new String[] {"liquid " + Objects.requireNonNullElse(version, "(not packaged)")};
    }
  }
}
