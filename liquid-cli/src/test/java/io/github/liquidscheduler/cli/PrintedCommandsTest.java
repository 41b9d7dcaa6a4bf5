package io.github.liquidscheduler.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/** Whatever command a report, a message, a help text or a page shows can be run. */
class PrintedCommandsTest {
  private static final Pattern REPEAT = Pattern.compile("Repeat: <code>([^<]*)</code>");
  private static final Pattern WORD = Pattern.compile("(?:'[^']*'|\\\\'|[^\\s'\\\\])+");
  private static final Pattern WORD_PART = Pattern.compile("'([^']*)'|\\\\(')|([^\\s'\\\\]+)");

  @TempDir private Path folder;
  private Path work = Path.of("");

  @BeforeEach
  void writeTrace() throws IOException {
    work = Files.createDirectory(folder.resolve("it's my folder"));
    Files.writeString(work.resolve("jobs.csv"), "submit_time,duration,num_gpu\n0,60,1\n5,90,2\n");
    Files.writeString(
        work.resolve("sweep.json"),
        """
        {"traces": ["jobs.csv"], "clusters": ["1x2xA100", "1x4xA100"], "policies": ["fifo"]}
        """);
  }

  @Test
  void theReportOfARunRepeatsIt() throws IOException {
    assertRepeats("simulate", "--trace", at("jobs.csv"), "--cluster", "1x2xA100", "--strict");
  }

  @Test
  void theReportOfAComparisonRepeatsIt() throws IOException {
    assertRepeats(
        "compare", "--trace", at("jobs.csv"), "--cluster", "1x2xA100", "--policies", "fifo,las");
  }

  @Test
  void theReportOfASweepRepeatsIt() throws IOException {
    assertRepeats("compare", "--sweep", at("sweep.json"));
    assertThat(repeated("report-2.html")).isEqualTo(repeated("report.html"));
  }

  @Test
  void theReportOfWhatASweepLeftRepeatsIt() throws IOException {
    run("compare", "--sweep", at("sweep.json"));

    assertRepeats("sweep", "gather", at("sweep.cells"));
  }

  @Test
  void aSweepSaysHowItIsGathered() {
    run("compare", "--sweep", at("sweep.json"));

    Command submitted = run("sweep", "--slurm", at("sweep.cells"));

    List<String> words = words(submitted.output().strip());
    assertThat(words).startsWith("No", "cell", "is", "due:");
    run(words.subList(words.indexOf("bin/liquid") + 1, words.size()).toArray(String[]::new));
  }

  @Test
  void theReportOfTheDemoRepeatsIt() throws IOException {
    String report = at("report.html");
    run("demo", "--html", report);

    assertThat(repeated("report.html")).containsExactly("demo", "--html", report);
  }

  @ParameterizedTest
  @MethodSource("shown")
  void helpAndPagesShowCommandsAndOptionsThatAreThere(String shown) {
    CommandSpec command = LiquidCommand.program().commandLine().getCommandSpec();
    for (String word : words(shown)) {
      CommandLine subcommand = command.subcommands().get(word);
      if (subcommand != null) {
        command = subcommand.getCommandSpec();
      } else if (word.startsWith("--")) {
        assertThat(command.optionsMap()).containsKey(word.split("=", 2)[0]);
      }
    }
    assertThat(command.parent()).as("a command").isNotNull();
  }

  static Stream<String> shown() throws IOException {
    List<String> texts = new ArrayList<>();
    HelpTest.commandLines()
        .map(CommandLine::getUsageMessage)
        .forEach(help -> texts.add(help.replaceFirst("(?s).*?\nExamples?:", "")));
    Path docs = Command.project().resolve("docs");
    try (Stream<Path> pages = Files.list(docs)) {
      for (Path page : pages.sorted().toList()) {
        if (page.toString().endsWith(".md")) {
          texts.add(Files.readString(page));
        }
      }
    }
    texts.add(Files.readString(Command.project().resolve("README.md")));
    return texts.stream().flatMap(PrintedCommandsTest::commandsIn).distinct();
  }

  private static Stream<String> commandsIn(String text) {
    return text.replace("\\\n", " ")
        .lines()
        .map(String::strip)
        .filter(line -> line.matches("(bin/)?liquid [a-z].*"))
        .map(line -> line.replaceFirst("^(bin/)?liquid ", ""))
        .map(line -> line.replaceFirst(" *[#|>&].*", ""));
  }

  private void assertRepeats(String... arguments) throws IOException {
    List<String> command = new ArrayList<>(List.of(arguments));
    command.addAll(List.of("--html", at("report.html")));
    run(command.toArray(String[]::new));

    assertThat(repeated("report.html")).isEqualTo(command);
    run(repeated("report.html").toArray(String[]::new));
  }

  private List<String> repeated(String report) throws IOException {
    String page = Files.readString(work.resolve(report));
    String shown = REPEAT.matcher(page).results().findFirst().orElseThrow().group(1);
    String text =
        shown
            .replace("&lt;", "<")
            .replace("&gt;", ">")
            .replace("&quot;", "\"")
            .replace("&#39;", "'")
            .replace("&amp;", "&");
    List<String> words = words(text);
    assertThat(words.getFirst()).isEqualTo("bin/liquid");
    return words.subList(1, words.size());
  }

  /** Splits as a shell does. */
  private static List<String> words(String text) {
    return WORD.matcher(text)
        .results()
        .map(MatchResult::group)
        .map(PrintedCommandsTest::word)
        .toList();
  }

  private static String word(String quoted) {
    return WORD_PART.matcher(quoted).replaceAll(part -> Matcher.quoteReplacement(text(part)));
  }

  private static String text(MatchResult part) {
    return Stream.of(1, 2, 3).map(part::group).filter(Objects::nonNull).findFirst().orElse("");
  }

  private String at(String name) {
    return work.resolve(name).toString();
  }

  private static Command run(String... arguments) {
    Command command = Command.run(arguments);
    assertThat(command.status()).as("%s: %s", List.of(arguments), command.errors()).isZero();
    return command;
  }
}
