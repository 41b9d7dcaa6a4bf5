package io.github.liquidscheduler.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A trace of real dates is told in them; nothing else depends on when it begins. */
class TraceDatesTest {
  private static final Pattern REPORT_DATA = Pattern.compile("(?s)<script[^>]*json[^>]*>(.*?)<");

  @TempDir private Path folder = Path.of("");

  @BeforeEach
  void writeTraces() throws IOException {
    Files.writeString(
        folder.resolve("dates.csv"),
        """
        job_id,submit_time,num_gpu,duration
        a,2026-03-01T10:00:00Z,4,7200
        b,2026-03-01T10:01:00Z,4,3600
        c,2026-03-01T10:02:00Z,2,3600
        """);
    Files.writeString(
        folder.resolve("seconds.csv"),
        """
        job_id,submit_time,num_gpu,duration
        a,0,4,7200
        b,60,4,3600
        c,120,2,3600
        """);
    Files.writeString(
        folder.resolve("failures.csv"),
        "time,event,target\n300,node-lost,node-1\n600,node-returned,node-1\n");
  }

  @Test
  void aJournalOfDatesIsExplainedReplayedAndAskedWhatIfInThem() {
    String journal = at("dates.jsonl");
    simulate(
        "dates", "--until", "10m", "--policy", "fifo", "--backfill", "easy", "--journal", journal);

    assertThat(run("explain", "--journal", journal).output()).contains("2026-03-01T12:00:00Z");
    assertThat(run("whatif", "--journal", journal).output()).contains("2026-03-01T12:00:00Z");
    assertThat(run("replay", "--journal", journal).output())
        .contains("every decision is as recorded");
  }

  @Test
  void aTraceWithoutDatesCountsFrom1970() {
    String journal = at("seconds.jsonl");
    simulate(
        "seconds",
        "--until",
        "10m",
        "--policy",
        "fifo",
        "--backfill",
        "easy",
        "--journal",
        journal);

    assertThat(run("explain", "--journal", journal).output()).contains("1970-01-01T02:00:00Z");
  }

  @Test
  void resultsRowsAndReportsAreThoseOfTheSameTraceInSeconds() throws IOException {
    List<List<String>> results = new ArrayList<>();
    for (String trace : List.of("dates", "seconds")) {
      String figures =
          simulate(
                  trace,
                  "--failures",
                  at("failures.csv"),
                  "--json=-",
                  "--csv",
                  at(trace + ".rows"),
                  "--html",
                  at(trace + ".html"))
              .output()
              .replace(trace, "trace")
              .replaceAll("\"decisions_digest\" : .*", "");
      String page = Files.readString(folder.resolve(trace + ".html"));
      String data = REPORT_DATA.matcher(page).results().findFirst().orElseThrow().group(1);
      // Ten hours later on another day.
      data = data.replace("2026-03-01T1", "1970-01-01T0");
      results.add(List.of(figures, Files.readString(folder.resolve(trace + ".rows")), data));
    }

    assertThat(results.getFirst()).isEqualTo(results.getLast());
  }

  private Command simulate(String trace, String... options) {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "simulate", "--trace", at(trace + ".csv"), "--cluster", "2x2xA100", "--strict"));
    arguments.addAll(List.of(options));
    return run(arguments.toArray(String[]::new));
  }

  private String at(String name) {
    return folder.resolve(name).toString();
  }

  private static Command run(String... arguments) {
    Command command = Command.run(arguments);
    assertThat(command.status()).as("%s", command.errors()).isZero();
    return command;
  }
}
