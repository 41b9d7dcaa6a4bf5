package io.github.liquidscheduler.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SweepTest {
  private static final String GRID =
      """
      {
        "traces": ["a.csv", {"file": "b.csv", "columns": "num_gpu=gpus"}],
        "clusters": ["2x8xA100"],
        "policies": ["fifo", "srtf"],
        "placers": ["best-fit", "pack"],
        "loads": [1, 2.5],
        "seeds": 3,
        "options": [{}, {"start-overhead": "30s", "strict": true}]
      }
      """;

  private static final int CELLS = 2 * 2 * 2 * 2 * 2 * 3;

  @TempDir private Path folder;

  @BeforeEach
  void writeTraces() throws IOException {
    Files.writeString(folder.resolve("a.csv"), trace("num_gpu"));
    Files.writeString(folder.resolve("b.csv"), trace("gpus"));
    Files.writeString(sweep(), GRID);
  }

  private static String trace(String gpus) {
    StringBuilder csv = new StringBuilder("submit_time,duration," + gpus + "\n");
    for (int job = 0; job < 12; job++) {
      csv.append("%d,%d,%d%n".formatted(job * 20, 100 + job * 37 % 300, 1 << job % 4));
    }
    return csv.toString();
  }

  @Test
  void whatIsLeftOutOfATraceIsToldOnce() throws IOException {
    Files.writeString(
        folder.resolve("a.csv"), "submit_time,duration,num_gpu\n0,10,1\n5,9,0\n7,20,2\n");

    Command command = compare("--html", folder.resolve("report.html").toString());

    assertThat(command.status()).isZero();
    assertThat(command.errors().lines()).hasSize(1).first().asString().contains("left out 1 job");
  }

  @Test
  void eachPolicyIsComparedWithTheFirstOfItsSetting() {
    Command command = compare();

    assertThat(command.errors()).isEmpty();
    assertThat(command.status()).isZero();
    List<String> lines = command.output().lines().toList();
    assertThat(lines.getFirst()).startsWith("trace  load ").contains("options  policy");
    assertThat(lines.subList(2, 2 + 8 * 4))
        .allMatch(line -> line.matches("[ab]\\.csv +(1|2\\.5) .* (best-fit|pack) .*"))
        .filteredOn(line -> line.contains("fifo  best-fit"))
        .hasSize(8)
        .allMatch(line -> line.indexOf('±') == line.lastIndexOf('±'));
    assertThat(lines.getLast()).startsWith("Means over 3 draws of the trace");
  }

  @Test
  void aCellIsWhatCompareRuns() throws IOException {
    Path csv = folder.resolve("runs.csv");
    compare("--csv", csv.toString());
    Command compared =
        Command.run(
            "compare",
            "--trace",
            folder.resolve("b.csv").toString(),
            "--columns",
            "num_gpu=gpus",
            "--load",
            "2.5",
            "--cluster",
            "2x8xA100",
            "--policies",
            "fifo,srtf",
            "--placers",
            "best-fit,pack",
            "--seeds",
            "3",
            "--start-overhead",
            "30s",
            "--csv",
            "-");

    List<String> own =
        Files.readAllLines(csv).stream()
            .filter(row -> row.startsWith("b.csv,2x8xA100,2.5,start"))
            .map(row -> row.split(",", 5)[4])
            .toList();
    assertThat(own).hasSize(12).isEqualTo(compared.output().lines().skip(1).toList());
  }

  @Test
  void whatRanIsNotRunAgain() throws IOException {
    Command first = compare("--threads", "3");
    List<Path> cells = cells();
    FileTime longAgo = FileTime.fromMillis(0);
    for (Path cell : cells) {
      Files.setLastModifiedTime(cell, longAgo);
    }
    Files.delete(cells.get(7));
    Command second = compare("--threads", "1");

    assertThat(cells).hasSize(CELLS);
    assertThat(second).isEqualTo(first);
    assertThat(cells()).isEqualTo(cells);
    for (Path cell : cells) {
      assertThat(Files.getLastModifiedTime(cell).equals(longAgo))
          .isNotEqualTo(cell == cells.get(7));
    }
  }

  @Test
  void aCellThatFailsStopsNoOther() throws IOException {
    Files.writeString(folder.resolve("b.csv"), "submit_time,duration,gpus\n0,none,1\n");
    Command failed = compare();

    assertThat(failed.status()).isOne();
    assertThat(failed.errors().lines()).hasSize(1);
    assertThat(failed.errors())
        .startsWith("liquid compare: 48 of 96 cells have no result. cell 48 (fifo with best-fit,")
        .contains("b.csv", "none");
    assertThat(failed.output()).contains("a.csv").doesNotContain("b.csv");

    Files.writeString(folder.resolve("b.csv"), trace("gpus"));
    assertThat(compare().status()).isZero();
    assertThat(folder.resolve("grid.cells/failures")).isEmptyDirectory();
  }

  @Test
  void aFolderIsOfOneSweep() throws IOException {
    compare();
    Files.writeString(sweep(), GRID.replace("2.5", "3"));
    Command other = compare();
    Command elsewhere = compare("--output", folder.toString());

    assertThat(other.status()).isEqualTo(2);
    assertThat(other.errors()).contains("has the cells of another sweep");
    assertThat(elsewhere.status()).isEqualTo(2);
    assertThat(elsewhere.errors()).contains("must be new, or have its sweep.json");
  }

  @Test
  void aFileThatIsNoResultIsNamed() throws IOException {
    compare();
    Path cell = cells().get(3);
    Files.writeString(cell, Files.readString(cells().get(4)));
    Command mixed = compare();
    Files.writeString(cell, "{\"trace\": ");
    Command cut = compare();

    assertThat(mixed.status()).isEqualTo(2);
    assertThat(mixed.errors()).contains(cell.toString(), "must be what cell 3", "Delete it");
    assertThat(cut.status()).isEqualTo(2);
    assertThat(cut.errors()).contains(cell.toString(), "Delete it").hasLineCount(1);
  }

  @Test
  void eachSettingHasAReport() throws IOException {
    Files.writeString(
        sweep(),
        GRID.replace("\"2x8xA100\"", "\"2x8xA100\", \"1x8xA100\"").replace(", {\"st", ",{\"st"));
    Path report = folder.resolve("report.html");
    Command command = compare("--html", report.toString());

    assertThat(command.output()).contains("report-16.html: b.csv on 1x8xA100, load 2.5, start");
    assertThat(report).content().contains("12 jobs of a.csv on 2x8xA100, load 1", "pack");
    assertThat(folder.resolve("report-16.html")).content().contains("Over 3 draws of the trace");
  }

  @Test
  void jsonAndCsvNameTheSettings() {
    assertThat(compare("--json", "-").output())
        .contains("\"settings\" : [", "\"load\" : \"2.5\"", "\"against_first\" : {")
        .doesNotContain("NaN");
    assertThat(compare("--csv", "-").output().lines())
        .hasSize(1 + CELLS)
        .first()
        .asString()
        .startsWith("trace,cluster,load,options,policy,placer,draw,jobs,finished,avg_jct");
  }

  @Test
  void onlyTheScriptIsWrittenIfAskedFor() throws IOException {
    Path shared = folder.resolve("shared");
    Command written =
        Command.run(
            "sweep",
            sweep().toString(),
            "--slurm",
            shared.toString(),
            "--no-submit",
            "--cells-per-task",
            "10",
            "--liquid",
            "/opt/it's/liquid",
            "--at-most",
            "4");

    assertThat(written.status()).isZero();
    assertThat(written.output()).contains("96 cells in 10 tasks");
    assertThat(Files.readString(shared.resolve("sweep.sbatch")))
        .contains("#SBATCH --array=0-9%4\n")
        .contains("exec '/opt/it'\\''s/liquid' sweep run . --task \"$SLURM_ARRAY_TASK_ID\"")
        .doesNotContain("--mem", "JAVA_TOOL_OPTIONS");
    assertThat(
            Command.run("sweep", "run", shared.toString(), "--task", "9", "--cells-per-task", "10"))
        .isEqualTo(new Command(0, "", ""));
    try (Stream<Path> cells = Files.list(shared.resolve("cells"))) {
      assertThat(cells).hasSize(6);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          "a.csv"           | "c.csv"         | line 2: a trace must be a file to read, but was
          {"file": "b.csv"  | {"path": "b"    | line 2: 'path' is not one of the fields of a trace
          "2x8xA100"        | "2x8x"          | line 3: cluster '2x8x'
          "2x8xA100"        | "c.json"        | line 3:
          "srtf"            | "fastest"       | line 4: a policy must be one of fifo,
          "srtf"            | "las+quick"     | line 4: a policy may be followed by +easy
          "pack"            | "tetris"        | line 5: a placer must be one of best-fit,
          [1, 2.5]          | [1, 0]          | line 6: a load must be from 0.001 to 1000, but was 0.0
          [1, 2.5]          | []              | line 6: loads must not be empty
          "seeds": 3        | "seeds": 3.5    | line 7: seeds must be a whole number
          "seeds": 3        | "seeds": 0      | line 1: seeds must be from 1 to 1000, but was 0
          "seeds": 3        | "seeds": 9999   | line 1: seeds must be from 1 to 1000, but was 9999
          "seeds"           | "seed"          | line 7: 'seed' is not one of the fields of a sweep
          "start-overhead"  | "start-delay"   | line 8: 'start-delay' is not one of the options of a sweep
          "30s"             | "soon"          | line 8: Invalid value for option '--start-overhead'
          "policies"        | "traces"        | line 4: must be JSON, but: Duplicate field 'traces'
          "srtf"            | "fifo"          | line 1: policies must differ, but element 2 comes twice
          ]                 | }               | line 2: must be JSON
          """)
  void aBadSweepIsRefusedInOneLine(String good, String bad, String message) throws IOException {
    Files.writeString(sweep(), GRID.replaceFirst(Pattern.quote(good), bad));
    Command command = compare();

    assertThat(command.errors()).contains(message, "grid.json").hasLineCount(1);
    assertThat(command.status()).isEqualTo(2);
    assertThat(command.output()).isEmpty();
    assertThat(folder.resolve("grid.cells")).doesNotExist();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          compare --sweep grid.json --seeds 2               | --sweep does not go with --seeds
          compare --output here                             | Missing required options
          sweep grid.json                                   | Missing required option: '--slurm=DIR'
          sweep --slurm nowhere                             | must be the folder of a sweep
          sweep gather nowhere                              | must be the folder of a sweep
          sweep grid.json --slurm here --memory much        | --memory must be a size such as 4G
          sweep grid.json --slurm here --time now           | --time must be minutes
          sweep grid.json --slurm here --at-most 0          | --at-most must be at least 1
          """)
  void aBadCommandIsRefusedInOneLine(String line, String message) {
    List<String> arguments = new ArrayList<>();
    for (String word : line.split(" ", -1)) {
      boolean isFile = word.endsWith("here") || word.endsWith(".json");
      arguments.add(isFile ? folder.resolve(word).toString() : word);
    }
    Command command = Command.run(arguments.toArray(String[]::new));

    assertThat(command.errors()).contains(message).hasLineCount(1);
    assertThat(command.status()).isEqualTo(2);
  }

  private Command compare(String... more) {
    List<String> arguments = new ArrayList<>(List.of("compare", "--sweep", sweep().toString()));
    arguments.addAll(List.of(more));
    return Command.run(arguments.toArray(String[]::new));
  }

  private List<Path> cells() throws IOException {
    try (Stream<Path> cells = Files.list(folder.resolve("grid.cells/cells"))) {
      return cells.sorted().toList();
    }
  }

  private Path sweep() {
    return folder.resolve("grid.json");
  }
}
