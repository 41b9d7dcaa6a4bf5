package io.github.liquidscheduler.cli.output;

import static java.util.stream.Collectors.joining;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import picocli.CommandLine.Model.CommandSpec;

/** Commands as a shell takes them, to be copied and run. */
public final class ShellCommand {
  private static final Pattern PLAIN = Pattern.compile("[\\w@%+=:,./-]+");

  private ShellCommand() {}

  /** Returns the command that is running, with all that it was given. */
  public static String running(CommandSpec spec) {
    CommandSpec program = spec.root();
    return of(program, program.commandLine().getParseResult().originalArgs());
  }

  /** Returns another command of the program that is running. */
  public static String of(CommandSpec spec, String... arguments) {
    return of(spec.root(), List.of(arguments));
  }

  private static String of(CommandSpec program, List<String> arguments) {
    return Stream.concat(
            Stream.of("bin/" + program.name()), arguments.stream().map(ShellCommand::quoted))
        .collect(joining(" "));
  }

  private static String quoted(String argument) {
    return PLAIN.matcher(argument).matches()
        ? argument
        : "'" + argument.replace("'", "'\\''") + "'";
  }
}
