package io.github.liquidscheduler.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A gigabyte takes eight seconds. The second job waits while the first trains. */
class SimulateStorageTest {

  @TempDir Path folder;

  private Path trace;

  @BeforeEach
  void write() throws IOException {
    trace = folder.resolve("jobs.csv");
    Files.writeString(
        trace,
        """
        job_id,submit_time,num_gpu,duration,dataset,dataset_size
        a,0,1,600,clicks,10GB
        b,100,1,600,films,20GB
        """);
  }

  private Command simulate(String... more) {
    List<String> arguments = new ArrayList<>(List.of("simulate", "--trace", trace.toString()));
    arguments.addAll(List.of("--cluster", "1x1xP100"));
    arguments.addAll(List.of(more));
    return Command.run(arguments.toArray(String[]::new));
  }

  @Test
  void gpusIdleWhileJobsReadWhatNobodyHasBrought() {
    assertThat(simulate("--storage-bandwidth", "1Gbit/s", "--node-disk", "100GB").output())
        .containsPattern("storage-bandwidth +1 Gbit/s")
        .containsPattern("prefetch +none")
        .containsPattern("makespan +24m 00s")
        .containsPattern("launches +4m 00s of GPU time idle, 4m 00s of it reading")
        .containsPattern("prefetched +nothing");
  }

  @Test
  void gpusIdleLessIfDataIsBroughtWhileOthersTrain() {
    Command command =
        simulate(
            "--storage-bandwidth", "1Gbit/s", "--node-disk", "100GB", "--prefetch", "predicted");

    assertThat(command.errors()).isEmpty();
    assertThat(command.output())
        .containsPattern("makespan +21m 20s")
        .containsPattern("launches +1m 20s of GPU time idle")
        .containsPattern("prefetched +18.6 GiB, 0.0 GiB wasted \\(0.0 %\\)");
  }

  @Test
  void theJsonHasTheSameFigures() {
    String[] options = {
      "--storage-bandwidth=1Gbit/s", "--node-disk=100GB", "--prefetch=liquid", "--json=-"
    };

    assertThat(simulate(options).output())
        .contains("\"prefetch\" : \"liquid\",")
        .contains("\"launch_gpu_seconds\" : 80.0,")
        .contains("\"reading_gpu_seconds\" : 80.0,")
        .contains("\"prefetched_bytes\" : 20000000000,")
        .contains("\"wasted_bytes\" : 0,");
  }

  @Test
  void theStartOverheadIsPartOfALaunch() {
    assertThat(simulate("--storage-bandwidth", "1Gbit/s", "--start-overhead", "10s").output())
        .containsPattern("launches +4m 20s of GPU time idle, 4m 00s of it reading");
  }

  @Test
  void withoutAStorageNobodyReads() {
    assertThat(simulate().output()).containsPattern("makespan +20m 00s").doesNotContain("launches");
  }

  @Test
  void aRunThatPrefetchesIsReplayed() {
    String journal = folder.resolve("run.jsonl").toString();
    simulate(
        "--storage-bandwidth=1Gbit/s",
        "--node-disk=100GB",
        "--prefetch=predicted",
        "--most-wasted=.1",
        "--journal=" + journal);

    assertThat(Command.run("replay", "--journal", journal).output())
        .contains("every decision is as recorded");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "--storage-bandwidth=10; such as 10Gbit/s or 1GB/s, but was '10'",
        "--node-disk=1TB; --node-disk, --prefetch and --most-wasted need --storage-bandwidth",
        "--storage-bandwidth=1GB/s --node-disk=big; such as 500GiB or 1TB, but was 'big'",
        "--storage-bandwidth=1GB/s --prefetch=all;"
            + " one of none, locality, liquid, predicted, but was 'all'",
        "--storage-bandwidth=1GB/s --prefetch=liquid; needs disks to bring data sets to",
        "--storage-bandwidth=1GB/s --most-wasted=.1; --most-wasted needs --prefetch predicted",
        "--storage-bandwidth=1GB/s --prefetch=predicted --most-wasted=7;"
            + " must be from 0 to 1, but was 7.0",
        "--storage-bandwidth=1GB/s --columns=dataset=; none of",
      })
  void optionsThatDoNotGoTogetherAreRefusedInOneLine(String options, String message) {
    Command command = simulate(options.split(" ", -1));

    assertThat(command.status()).isEqualTo(2);
    assertThat(command.errors()).hasLineCount(1).contains(message);
  }
}
