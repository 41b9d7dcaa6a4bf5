package io.github.liquidscheduler.simulator;

import static io.github.liquidscheduler.simulator.ElasticRuns.curves;
import static io.github.liquidscheduler.simulator.ElasticRuns.job;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.GpuId;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.planning.BatchPlan;
import io.github.liquidscheduler.planning.Migration;
import io.github.liquidscheduler.planning.PlanCertificate;
import io.github.liquidscheduler.scheduler.policy.Elasticity;
import io.github.liquidscheduler.scheduler.policy.ResizeCost;
import io.github.liquidscheduler.scheduler.policy.SizingPolicy;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.Scheduler;
import io.github.liquidscheduler.simulator.SimulationResult.SizeCounts;
import io.github.liquidscheduler.simulator.elastic.ElasticJob;
import io.github.liquidscheduler.simulator.elastic.ResizeTimes;
import io.github.liquidscheduler.simulator.metrics.JobOutcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ElasticSimulationTest {

  private static final ClusterTopology FOUR = Runs.cluster(4);

  private final ElasticRuns runs =
      new ElasticRuns(curves("linear", 1, 1, 2, 2, 4, 4))
          .elasticity(
              Elasticity.by(SizingPolicy.marginalGain())
                  .coolDown(Duration.ofMinutes(5))
                  .cost(ResizeCost.NONE));

  /** 1200 iterations, of which a job does 2 in a second at its submitted size. */
  private static ElasticJob doubling(ElasticRuns runs) {
    return job(runs, 0, 0, 2, 1200, 4);
  }

  private static List<Double> ends(SimulationResult result) {
    return result.finished().stream().map(job -> seconds(job.outcome())).toList();
  }

  private static double seconds(JobOutcome outcome) {
    return outcome.end().toNanos() / 1e9;
  }

  private static SizeCounts sizes(SimulationResult result) {
    return result.counts().sizes().orElseThrow();
  }

  @Test
  void aJobThatDoublesItsGpusAtHalfTimeEndsAfterThreeQuartersOfIt() {
    SimulationResult result = runs.run(FOUR, ResizeTimes.ZERO, doubling(runs));

    assertThat(ends(result)).containsExactly(450.0);
    assertThat(sizes(result).resizes()).isEqualTo(1);
    assertThat(sizes(result).lostSeconds()).hasValue(0);
    assertThat(sizes(result).meanGpus()).hasValue((2 * 300 + 4 * 150) / 450.0);
  }

  @Test
  void stopFreeTrainsWhileItIsPreparedAndCostsTheSwitch() {
    SimulationResult result = runs.run(FOUR, ResizeTimes.STOP_FREE, doubling(runs));

    assertThat(ends(result)).containsExactly(330 + 2.5 + (1200 - 660) / 4.0);
    assertThat(sizes(result).lostSeconds()).hasValue(2.5);
  }

  @Test
  void stopResumeStandsStill() {
    SimulationResult result = runs.run(FOUR, ResizeTimes.STOP_RESUME, doubling(runs));

    assertThat(ends(result)).containsExactly(300 + 60 + 600 / 4.0);
    assertThat(sizes(result).lostSeconds()).hasValue(60);
  }

  @Test
  void aJobThatGivesUpGpusGoesOnAndTheOtherStartsAtOnce() {
    SimulationResult result =
        runs.run(FOUR, ResizeTimes.ZERO, job(runs, 0, 0, 2, 4800, 4), job(runs, 1, 700, 2, 200, 2));

    // 2/s until 300, 4/s until 700, 2/s until 1000, when it may change again, then 4/s.
    assertThat(ends(result)).containsExactly(1000 + (4800 - 2800) / 4.0, 800.0);
    assertThat(sizes(result).resizes()).isEqualTo(3);
    assertThat(result.counts().preemptions()).isZero();
  }

  @Test
  void aJobStartsOnceTheOthersHaveLeft() {
    SimulationResult result =
        runs.run(
            FOUR,
            ResizeTimes.STOP_RESUME,
            job(runs, 0, 0, 2, 4800, 4),
            job(runs, 1, 700, 2, 200, 2));

    // It leaves after 40 s and 5 s for each of its 2 GPUs, and may change again after 300 s.
    assertThat(ends(result)).containsExactly(1050 + 60 + (4800 - 1960 - 600) / 4.0, 750 + 100.0);
    assertThat(sizes(result).lostSeconds()).hasValue(60 + 50 + 60 + 50);
  }

  /** The first job goes from 4 GPUs to 2, of which another needs only one. */
  @Test
  void aJobMovesOnceTheOthersHaveLeftAndTrainsUntilThen() {
    runs.measuredSizes();
    runs.tampering(
        honest ->
            new TamperedScheduler(
                honest,
                decisions ->
                    decisions.stream().anyMatch(Decision.Resize.class::isInstance)
                            && decisions.size() == 2
                        ? movingSecondJob(honest, decisions)
                        : decisions));

    SimulationResult result =
        runs.run(
            Runs.cluster(4, 1),
            ResizeTimes.STOP_RESUME,
            job(runs, 0, 0, 2, 4800, 4),
            job(runs, 1, 10, 1, 1000, 1),
            job(runs, 2, 700, 1, 100, 1),
            job(runs, 3, 705, 1, 100, 1));

    // The first has left after 40 s and 5 s for each of its 2 GPUs; resuming takes 45 s.
    assertThat(ends(result).subList(1, 4))
        .containsExactly(795.0 + (1000 - 740), 750 + 100.0, 750 + 100.0);
  }

  /** Proposes to move the second job to the GPU of the first node that nobody is promised. */
  private static List<Decision> movingSecondJob(Scheduler honest, List<Decision> decisions) {
    JobId moving = JobId.of("1");
    Placement from = honest.view().placement(moving).orElseThrow();
    int free = 0;
    while (!honest.view().isFree(GpuId.of("n0", free))) {
      free++;
    }
    TaskPlacement task = from.tasks().getFirst();
    Placement to =
        new Placement(
            moving,
            List.of(
                new TaskPlacement(task.task(), NodeId.of("n0"), List.of(free), task.request())));
    List<Decision> all = new ArrayList<>(decisions);
    all.addAll(
        honest.on(
            new ClusterEvent.PlanProposed(
                Runs.at(700),
                new BatchPlan(
                    0,
                    List.of(),
                    List.of(new Migration(moving, to, 1, 100)),
                    List.of(),
                    new PlanCertificate(0, 0, 0, 0, List.of())))));
    return all;
  }

  @Test
  void aJobOnALostNodeInTheMiddleOfAChangeStartsAgain() {
    ClusterTopology cluster = Runs.cluster(2, 2);
    SimulationResult result =
        runs.run(
            cluster,
            ResizeTimes.STOP_FREE,
            simulation ->
                simulation.failures(
                    Runs.script(cluster, new ClusterEvent.NodeLost(Runs.at(310), NodeId.of("n0")))),
            doubling(runs));

    assertThat(ends(result)).containsExactly(310 + 50 + (1200 - 620) / 2.0);
    assertThat(result.counts().failures()).isEqualTo(1);
    assertThat(sizes(result).starts()).isEqualTo(2);
    assertThat(sizes(result).resizes()).isZero();
  }

  @Test
  void aProfileTellsTheCurve() {
    ElasticRuns learning =
        new ElasticRuns(curves("flat", 1, 2, 2, 2.5, 4, 1))
            .elasticity(
                Elasticity.by(SizingPolicy.marginalGain())
                    .coolDown(Duration.ofMinutes(1))
                    .cost(ResizeCost.NONE)
                    .profileJobs());
    SimulationResult result = learning.run(FOUR, ResizeTimes.ZERO, job(learning, 0, 0, 2, 1000, 2));

    // 25 mini-batches at 2.5/s and 25 at 2/s.
    assertThat(ends(result)).containsExactly(400 + 10 + 12.5);
    assertThat(sizes(result).resizes()).isZero();
  }
}
