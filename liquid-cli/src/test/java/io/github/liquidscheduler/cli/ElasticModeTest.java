package io.github.liquidscheduler.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Elastic jobs by the scheduler itself, through the command. */
class ElasticModeTest {

  private static final String ONE_JOB =
      "job,arrival,model,size,iterations,min,max\n0,0,m,2,1200,1,4\n";
  private static final String CURVES = "model,gpus,iterations_per_second\nm,1,1\nm,2,2\nm,4,4\n";

  @TempDir Path folder;

  private Command simulate(String... more) throws IOException {
    return simulateTrace(ONE_JOB, more);
  }

  private Command simulateTrace(String trace, String... more) throws IOException {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "simulate",
                "--trace=" + Files.writeString(folder.resolve("trace.csv"), trace),
                "--curves=" + Files.writeString(folder.resolve("curves.csv"), CURVES),
                "--format=elastic",
                "--cluster=4xA100"));
    arguments.addAll(List.of(more));
    return Command.run(arguments.toArray(String[]::new));
  }

  @Test
  void itTellsHowManyDeadlinesAreMet() throws IOException {
    assertThat(simulate("--elastic=deadline", "--deadline-factor=3").output())
        .containsPattern("policy +deadline")
        .containsPattern("Deadlines: 1 of 1 job met, 0 refused, 0 late\\.");
    assertThat(simulate("--elastic=deadline", "--deadline-factor=.1").output())
        .containsPattern("Deadlines: 0 of 1 job met, [1-9]\\d* refused, 0 late\\.")
        .contains("cannot end before its deadline");
    assertThat(simulate("--elastic=deadline", "--deadline-factor=.1", "--late-jobs=wait").output())
        .containsPattern("Deadlines: 0 of 1 job met, 0 refused, [1-9]\\d* late\\.");
  }

  @Test
  void deadlinesAreMetUnderEveryPolicy() throws IOException {
    for (String policy : List.of("fifo", "las", "srtf", "fair-share")) {
      assertThat(
              simulate("--elastic=deadline", "--deadline-factor=3", "--policy=" + policy).output())
          .containsPattern("policy +" + policy)
          .containsPattern("Deadlines: 1 of 1 job met, 0 refused, 0 late\\.");
    }
  }

  @Test
  void everyModeCanBeChosen() throws IOException {
    for (String mode : List.of("afs", "optimus", "goodput", "elastic-tiresias")) {
      assertThat(simulate("--elastic=" + mode).errors()).as(mode).isEmpty();
    }
  }

  @Test
  void aJobKeepsItsSizeWithoutElasticity() throws IOException {
    Command fixed = simulate("--elastic=none", "--json=-");

    assertThat(fixed.errors()).isEmpty();
    assertThat(fixed.figure("avg_jct")).isEqualTo(600);
    assertThat(fixed.figure("resizes")).isZero();
    assertThat(fixed.figure("mean_size")).isEqualTo(2);
  }

  @Test
  void aJobWaitsForItsSizeWithoutElasticity() throws IOException {
    Command fixed = simulateTrace(ONE_JOB + "1,1,m,3,900,1,4\n", "--elastic=none", "--json=-");

    assertThat(fixed.errors()).isEmpty();
    assertThat(fixed.figure("makespan")).isEqualTo(600 + 900 / 3.0);
  }

  @Test
  void aJobGetsLargerWhenItHasCooledDownAndIsPrepared() throws IOException {
    Command elastic = simulate("--elastic=marginal", "--cool-down=5m", "--json=-");

    assertThat(elastic.errors()).isEmpty();
    assertThat(elastic.figure("avg_jct")).isEqualTo(330 + 2.5 + (1200 - 660) / 4.0);
    assertThat(elastic.figure("resizes")).isEqualTo(1);
    assertThat(elastic.figure("lost_seconds")).isEqualTo(2.5);
  }

  @Test
  void aJobWaitsForItsSlowestWorker() throws IOException {
    String[] slow = {
      "--elastic=none", "--stragglers=5m", "--straggler-time=2m", "--straggler-speed=.2", "--json=-"
    };
    String[] kept = Arrays.copyOf(slow, slow.length + 1);
    kept[slow.length] = "--keep-stragglers";

    Command replacing = simulate(slow);
    Command keeping = simulate(kept);

    assertThat(keeping.errors()).isEmpty();
    assertThat(keeping.figure("stragglers")).isPositive();
    assertThat(keeping.figure("stragglers_replaced")).isZero();
    assertThat(replacing.figure("stragglers_replaced")).isPositive();
    assertThat(replacing.figure("avg_jct"))
        .isGreaterThan(600)
        .isLessThan(keeping.figure("avg_jct"));
    assertThat(simulate("--elastic=none", "--stragglers=5m").output())
        .containsPattern("stragglers +[1-9]\\d*, [1-9]\\d* replaced");
  }

  @Test
  void theSummaryShowsTheTimeLost() throws IOException {
    assertThat(simulate("--elastic=elastic-tiresias", "--speeds=learned").output())
        .contains(
            "elastic           elastic-tiresias", "policy            las", " lost, mean size ");
  }

  @Test
  void whatDoesNotGoTogetherIsRefused() throws IOException {
    assertThat(simulate("--elastic=deadline", "--late-jobs=run").errors())
        .contains("--late-jobs must be refuse or wait, but was 'run'");
    assertThat(simulate("--elastic=deadline", "--deadline-factor=0").errors())
        .contains("--deadline-factor must be above 0");
    assertThat(simulate("--elastic=most").errors()).contains("--elastic must be none");
    assertThat(simulate("--stragglers=1h").errors()).isNotEmpty();
    assertThat(simulate("--elastic=none", "--stragglers=1h", "--straggler-speed=2").errors())
        .contains("the speed of a straggler must be above 0 and below 1, but was 2.0");
    assertThat(simulate("--elastic=marginal", "--speeds=felt").errors())
        .contains("--speeds must be known or learned");
  }
}
