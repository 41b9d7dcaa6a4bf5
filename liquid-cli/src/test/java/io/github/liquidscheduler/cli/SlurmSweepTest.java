package io.github.liquidscheduler.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A sweep as a job array of a real Slurm, whose daemons the test starts. */
@Tag("slurm")
class SlurmSweepTest {
  private static final String GOOD = "submit_time,num_gpu,duration\n0,4,100\n10,8,50\n20,2,30\n";
  private static final String BAD = "submit_time,num_gpu,duration\n0,4,no time\n";
  private static final int BAD_TRACE = 3;

  @TempDir private Path folder;

  private Path sweep;
  private Path shared;

  @Test
  void anArrayRunsEveryCellAndResumesTheOneThatFailed() throws Exception {
    try (SlurmCluster slurm = SlurmCluster.start(Files.createDirectory(folder.resolve("slurm")))) {
      ask(slurm, "scontrol", "update", "node=" + slurm.host(), "state=drain", "reason=test");
      Command submitted = liquid(slurm, "sweep", sweep.toString(), "--slurm", shared.toString());
      assertThat(submitted.errors()).isEmpty();
      assertThat(submitted.output()).contains("6 of 6 cells in 6 tasks");

      Command again = liquid(slurm, "sweep", "--slurm", shared.toString());
      assertThat(again.output()).startsWith("No cell is due");

      ask(slurm, "scontrol", "update", "node=" + slurm.host(), "state=resume");
      ask(slurm, SlurmCluster.waitFor(job(submitted)));
      Command partial = Command.run("sweep", "gather", shared.toString());
      assertThat(partial.status()).isOne();
      assertThat(partial.errors())
          .startsWith("liquid sweep gather: 1 of 6 cells have no result. cell 3 (fifo with")
          .contains("no time");
      assertThat(partial.output().lines()).filteredOn(line -> line.contains("fifo")).hasSize(5);

      Files.writeString(trace(BAD_TRACE), GOOD);
      Command resumed = liquid(slurm, limited("--at-most", "1"));
      assertThat(resumed.output()).contains("1 of 6 cells in 1 task.");
      assertThat(shared.resolve("sweep.sbatch"))
          .content()
          .contains("#SBATCH --array=3%1\n", "#SBATCH --mem=1G\n", "-Xmx768m");
      ask(slurm, SlurmCluster.waitFor(job(resumed)));
    }
    assertThat(Command.run("sweep", "--slurm", shared.toString()).output())
        .startsWith("No cell is due");
    assertThat(gathered()).isEqualTo(ranHere()).contains("t3.csv,").doesNotContain("NaN");
  }

  private String[] limited(String... more) {
    List<String> arguments =
        new ArrayList<>(List.of("sweep", "--slurm", shared.toString(), "--memory", "1G"));
    arguments.addAll(List.of("--partition", "cpu", "--time", "5", "--cpus", "1"));
    arguments.addAll(List.of(more));
    return arguments.toArray(String[]::new);
  }

  private String gathered() {
    return Command.run("sweep", "gather", shared.toString(), "--csv", "-").output();
  }

  private String ranHere() {
    Path kept = folder.resolve("here");
    return Command.run(
            "compare", "--sweep", sweep.toString(), "--output", kept.toString(), "--csv", "-")
        .output();
  }

  @BeforeEach
  void writeSweep() throws IOException {
    shared = folder.resolve("a shared folder");
    List<String> names = new ArrayList<>();
    for (int trace = 0; trace < 6; trace++) {
      Files.writeString(trace(trace), trace == BAD_TRACE ? BAD : GOOD);
      names.add("\"t" + trace + ".csv\"");
    }
    sweep = folder.resolve("sweep.json");
    Files.writeString(
        sweep,
        "{\"traces\": %s, \"clusters\": [\"1x8xA100\"], \"policies\": [\"fifo\"], \"seeds\": 1}"
            .formatted(names));
  }

  private Path trace(int number) {
    return folder.resolve("t" + number + ".csv");
  }

  private static String job(Command submitted) {
    Matcher job = Pattern.compile("Submitted job (\\d+):").matcher(submitted.output());
    assertThat(job.find()).as(submitted.output() + submitted.errors()).isTrue();
    return job.group(1);
  }

  /** Runs liquid in a process of its own, as its tasks then do. */
  private Command liquid(SlurmCluster slurm, String... arguments) throws Exception {
    Path launcher = folder.resolve("liquid");
    Files.writeString(
        launcher,
        "#!/bin/sh\nexec '%s' -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Dliquid.launcher=\"$0\" -cp '%s' %s \"$@\"\n"
            .formatted(
                Path.of(System.getProperty("java.home"), "bin", "java"),
                System.getProperty("java.class.path"),
                LiquidCommand.class.getName()));
    Files.setPosixFilePermissions(launcher, PosixFilePermissions.fromString("rwxr-xr-x"));
    List<String> command = new ArrayList<>(List.of(launcher.toString()));
    command.addAll(List.of(arguments));
    return run(slurm, command);
  }

  private void ask(SlurmCluster slurm, String... command) throws Exception {
    Command asked = run(slurm, List.of(command));
    assertThat(asked.status()).as("%s: %s", List.of(command), asked).isZero();
  }

  private Command run(SlurmCluster slurm, List<String> command) throws Exception {
    Path output = folder.resolve("output");
    Path errors = folder.resolve("errors");
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectOutput(output.toFile()).redirectError(errors.toFile());
    builder.environment().putAll(slurm.environment());
    int status = builder.start().waitFor();
    return new Command(
        status,
        Files.readString(output, StandardCharsets.UTF_8),
        Files.readString(errors, StandardCharsets.UTF_8));
  }
}
