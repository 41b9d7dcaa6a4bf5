package io.github.liquidscheduler.lab.reference.pollux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class GoodputSimulatorTest {

  private static final GoodputCluster TWO_NODES = new GoodputCluster(2, 4);

  @Test
  void aJobStartsAtTheNextMinuteAndPausesForItsStart() {
    GoodputRun run = tiresias(TestJobs.job("one", 10, 1));

    assertThat(run.jobs().get(0).end()).isEqualTo(60 + 30 + 220);
    assertThat(run.averageCompletion()).isEqualTo(300);
  }

  @Test
  void aJobHoldsItsGpusUntilItEnds() {
    GoodputRun run = tiresias(TestJobs.job("two", 0, 2));

    assertThat(run.jobs().get(0).gpuSeconds()).isEqualTo(2.0 * (run.makespan() - 60));
    assertThat(run.restartsPerJob()).isZero();
  }

  @Test
  void aJobThatDoesNotFitWaits() {
    GoodputRun run = tiresias(TestJobs.job("first", 0, 1), TestJobs.job("large", 0, 8));

    assertThat(run.jobs().get(0).end()).isEqualTo(310);
    assertThat(run.jobs().get(1).end()).isGreaterThan(360);
  }

  @Test
  void interferenceSlowsDistributedJobsOnly() {
    GoodputJob packed = TestJobs.job("packed", 0, 4);
    GoodputSimulator disturbed =
        GoodputSimulator.of(TWO_NODES, GoodputPolicies.TIRESIAS).withInterference(0.5);

    assertThat(disturbed.run(List.of(packed)).makespan()).isEqualTo(tiresias(packed).makespan());
  }

  @Test
  void optimusGivesALoneJobWhatMakesItFaster() {
    GoodputJob job = TestJobs.job("one", 0, 1);
    GoodputCluster node = new GoodputCluster(1, 4);
    GoodputSimulator optimus = GoodputSimulator.of(node, GoodputPolicies.OPTIMUS);

    assertThat(optimus.run(List.of(job)).makespan()).isLessThan(tiresias(job).makespan());
  }

  @Test
  void aWorkloadHasJobs() {
    assertThatThrownBy(
            () -> GoodputSimulator.of(TWO_NODES, GoodputPolicies.TIRESIAS).run(List.of()))
        .hasMessageContaining("must have at least one job");
  }

  private static GoodputRun tiresias(GoodputJob... jobs) {
    return GoodputSimulator.of(TWO_NODES, GoodputPolicies.TIRESIAS).run(List.of(jobs));
  }
}
