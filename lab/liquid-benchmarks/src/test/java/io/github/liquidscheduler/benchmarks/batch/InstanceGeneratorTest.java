package io.github.liquidscheduler.benchmarks.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.json.JsonCodecs;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.planning.BatchPlan;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class InstanceGeneratorTest {

  private static final InstanceSize SMALL = InstanceSize.of("S");

  @Test
  void theSameSeedGivesTheSameInstance() {
    assertThat(InstanceGenerator.generate(SMALL, 0.92, 7))
        .isEqualTo(InstanceGenerator.generate(SMALL, 0.92, 7))
        .isNotEqualTo(InstanceGenerator.generate(SMALL, 0.92, 8));
  }

  /** Others may have solved these: another number means other instances under the same names. */
  @ParameterizedTest
  @CsvSource({"T, 20, 41", "S, 200, 374", "M, 2000, 5752", "L, 5000, 28373"})
  void publishedInstancesStayAsTheyAre(String size, int jobs, int gpus) {
    Instance instance = InstanceGenerator.generate(InstanceSize.of(size), 0.92, 7);

    assertThat(instance.pending()).hasSize(jobs);
    assertThat(instance.request()).isEqualTo(gpus);
  }

  @ParameterizedTest
  @CsvSource({"60", "75", "92", "100"})
  void jobsAskForTheGivenPartOfTheFreeGpus(int percent) {
    Instance instance = InstanceGenerator.generate(SMALL, percent / 100.0, 3);
    ClusterState state = ClusterState.copyOf(instance.view());
    int free =
        instance.cluster().nodes().stream().mapToInt(node -> state.freeGpus(node.id())).sum();

    assertThat(instance.request()).isEqualTo(Math.round(free * percent / 100.0));
    assertThat(instance.pending()).extracting(JobSpec::gpus).allMatch(gpus -> gpus <= 64);
  }

  @Test
  void whatIsWrittenForOthersIsReadAsTheSameInstance(@TempDir Path folder) {
    Instance instance = InstanceGenerator.generate(SMALL, 0.92, 7);
    InstanceFiles.write(instance, folder);
    Path files = folder.resolve("S-92-7");
    BatchPlan places = JsonCodecs.PLAN.read(files.resolve("places.json"));

    assertThat(
            new Instance(
                "S-92-7",
                JsonCodecs.CLUSTER.read(files.resolve("cluster.json")),
                JsonCodecs.JOBS.read(files.resolve("running.json")),
                places.starts(),
                JsonCodecs.JOBS.read(files.resolve("jobs.json"))))
        .isEqualTo(instance);
  }

  @Test
  void aLoadThatLeavesLessThanAGpuForAJobIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> InstanceGenerator.generate(SMALL, 0.2, 7))
        .withMessageStartingWith(
            "the 200 jobs of size S must ask for a GPU each, but at a load of");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> InstanceGenerator.generate(SMALL, 1.5, 7))
        .withMessage("a load must be above 0 and at most 100 %, but was 150 %");
  }

  @Test
  void badInputEndsWithOneLine() {
    StringWriter err = new StringWriter();
    CommandLine command = BatchBench.commandLine().setErr(new PrintWriter(err));

    assertThat(command.execute("--cold", "--sizes", "X")).isEqualTo(CommandLine.ExitCode.USAGE);
    assertThat(err)
        .hasToString("liquid-bench batch: a size must be one of T, V, U, S, M, L, but was 'X'\n");
  }
}
