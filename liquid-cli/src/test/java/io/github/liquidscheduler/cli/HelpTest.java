package io.github.liquidscheduler.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.architecture.FormerWords;
import io.github.liquidscheduler.cli.algorithm.Algorithms;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class HelpTest {

  /** Warnings of the command line's library go to the error stream of the process. */
  @ParameterizedTest
  @MethodSource("commands")
  void everyCommandExplainsItselfWithoutWarnings(List<String> command) {
    ByteArrayOutputStream warnings = new ByteArrayOutputStream();
    PrintStream errors = System.err;
    System.setErr(new PrintStream(warnings, true, StandardCharsets.UTF_8));
    try {
      List<String> arguments = new ArrayList<>(command);
      arguments.add("--help");
      Command help = Command.run(arguments.toArray(String[]::new));

      assertThat(help.status()).isZero();
      assertThat(help.errors()).isEmpty();
      assertThat(help.output())
          .contains("Usage: liquid " + String.join(" ", command))
          .doesNotContain("%n", "%%", "${");
    } finally {
      System.setErr(errors);
    }
    assertThat(warnings.toString(StandardCharsets.UTF_8)).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("commandLines")
  void theUsageOfEveryCommandSpeaksTheFieldsWords(CommandLine command) {
    String usage = command.getUsageMessage().replaceAll("\\s+", " ");

    assertThat(usage).contains(command.getCommandSpec().qualifiedName());
    assertThat(FormerWords.areIn(usage)).as(usage).isFalse();
  }

  @ParameterizedTest
  @MethodSource("commandLines")
  void everyOptionAndParameterIsDescribed(CommandLine command) {
    assertThat(command.getCommandSpec().args())
        .allSatisfy(
            arg -> assertThat(String.join("", arg.description())).as("%s", arg).isNotBlank());
  }

  @Test
  void everyNumberNamesItsUnitAndDefault() {
    OptionUnits.requireIn(LiquidCommand.program().commandLine());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "simulate",
        "place",
        "plan",
        "replay",
        "estimate",
        "train",
        "predict",
        "convert",
        "topology show"
      })
  void whoeverNeedsFilesShowsAnExampleOfItself(String command) {
    Stream<String> words = Stream.concat(Stream.of(command.split(" ")), Stream.of("--help"));

    assertThat(Command.run(words.toArray(String[]::new)).output())
        .containsPattern("Examples?:\n  liquid ")
        .contains("  liquid " + command);
  }

  /** A command broken over two lines ends the first with a backslash, so that it can be pasted. */
  @ParameterizedTest
  @MethodSource("commandLines")
  void everyExampleCanBePasted(CommandLine command) {
    assertThat(command.getUsageMessage().lines().dropWhile(line -> !line.startsWith("Example")))
        .filteredOn(line -> line.startsWith("  liquid ") && line.length() > 85)
        .isEmpty();
  }

  @Test
  void everyPlacerIsNamed() {
    for (String command : List.of("simulate", "place")) {
      String help = Command.run(command, "--help").output().replaceAll("\\s+", " ");
      assertThat(help).contains(Algorithms.placers());
    }
  }

  static Stream<CommandLine> commandLines() {
    return withSubcommands(LiquidCommand.program().commandLine());
  }

  private static Stream<CommandLine> withSubcommands(CommandLine command) {
    return Stream.concat(
        Stream.of(command),
        command.getSubcommands().values().stream().flatMap(HelpTest::withSubcommands));
  }

  static Stream<List<String>> commands() {
    return below(List.of(), LiquidCommand.program().commandLine());
  }

  private static Stream<List<String>> below(List<String> path, CommandLine command) {
    return Stream.concat(
        Stream.of(path).filter(each -> !each.isEmpty()),
        command.getSubcommands().entrySet().stream()
            .flatMap(
                entry ->
                    below(
                        Stream.concat(path.stream(), Stream.of(entry.getKey())).toList(),
                        entry.getValue())));
  }
}
