package io.github.liquidscheduler.simulator.fairness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.job.QueueName;
import io.github.liquidscheduler.queue.QueueSpec;
import io.github.liquidscheduler.queue.QueueTree;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import io.github.liquidscheduler.scheduler.LiquidScheduler;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.simulator.Simulation;
import io.github.liquidscheduler.simulator.SimulationResult;
import io.github.liquidscheduler.simulator.trace.Trace;
import io.github.liquidscheduler.simulator.trace.TraceJob;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class FairnessReportTest {

  private static final int GPUS = 4;

  /** But for the instant at which a job starts, and gives nothing to others. */
  private static final Offset<Double> EXACTLY = within(1e-7);

  private static final QueueTree TWO =
      QueueTree.of(QueueSpec.named("a").withGpus(2), QueueSpec.named("b").withGpus(2));

  /** Job 'x' borrows all four GPUs, gives them up for 'y' a nanosecond later, and runs after it. */
  private static final List<TraceJob> LENT_AND_TAKEN_BACK =
      List.of(job("x", "a", 4, 0, 100), job("y", "b", 2, 0, 100));

  @Test
  void whatAQueueHeldIsComparedWithWhatWasDueToIt() {
    FairnessReport report = report(LENT_AND_TAKEN_BACK);

    QueueUse a = report.queues().get(0);
    assertThat(a.queue()).isEqualTo(QueueName.of("a"));
    assertThat(a.heldGpuSeconds()).isCloseTo(400, EXACTLY);
    assertThat(a.dueGpuSeconds()).as("2 GPUs, then 4").isCloseTo(600, EXACTLY);
    assertThat(report.queues().get(1).heldOfDue()).isCloseTo(1, EXACTLY);
  }

  @Test
  void eachQueueHasTheTimesOfItsOwnJobs() {
    FairnessReport report = report(LENT_AND_TAKEN_BACK);

    assertThat(report.queues())
        .extracting(queue -> queue.times().orElseThrow().queueing().average())
        .containsExactly(Duration.ofSeconds(100), Duration.ofNanos(1));
  }

  @Test
  void jainsIndexAndTheShareErrorAreThoseOfTheirDefinitions() {
    FairnessReport report = report(LENT_AND_TAKEN_BACK);

    double a = 400.0 / 600;
    assertThat(report.jain()).isCloseTo((a + 1) * (a + 1) / (2 * (a * a + 1)), EXACTLY);
    assertThat(report.shareError()).isCloseTo(200.0 / 800, EXACTLY);
  }

  @Test
  void finishTimesAreComparedWithAnEqualPartOfTheCluster() {
    FinishTimeFairness times = report(LENT_AND_TAKEN_BACK).finishTimes().orElseThrow();

    // Six GPUs are wanted for 100 s and four for another 100 s, of four.
    double x = 200 / (100 * 1.25);
    double y = 100 / (100 * 1.5);
    assertThat(times.worst()).isCloseTo(x, EXACTLY);
    assertThat(times.average()).isCloseTo((x + y) / 2, EXACTLY);
    assertThat(times.aboveOne()).isEqualTo(.5);
  }

  @Test
  void aQueueThatWantsNothingCountsNowhere() {
    FairnessReport report = report(List.of(job("x", "a", 4, 0, 100)));

    assertThat(report.queues().get(1).dueGpuSeconds()).isZero();
    assertThat(report.queues().get(1).times()).isEmpty();
    assertThat(report.jain()).isEqualTo(1);
  }

  @Property(tries = 100)
  void figuresStayWithinTheirBoundsAndNobodyHoldsMoreThanThereIs(
      @ForAll @Size(min = 1, max = 12) List<@IntRange(min = 0, max = 639) Integer> drawn) {
    List<TraceJob> jobs =
        IntStream.range(0, drawn.size()).mapToObj(each -> job(each, drawn.get(each))).toList();

    FairnessReport report = report(jobs);

    double work = jobs.stream().mapToDouble(job -> job.gpus() * seconds(job)).sum();
    assertThat(report.queues().stream().mapToDouble(QueueUse::heldGpuSeconds).sum())
        .isCloseTo(work, within(1e-6));
    assertThat(report.jain()).isBetween(.5 - 1e-9, 1 + 1e-9);
    assertThat(report.shareError()).isBetween(0.0, 1.0);
    FinishTimeFairness times = report.finishTimes().orElseThrow();
    assertThat(times.worst()).isGreaterThanOrEqualTo(times.average() - 1e-9);
  }

  private static double seconds(TraceJob job) {
    return job.duration().orElseThrow().toSeconds();
  }

  private static TraceJob job(int position, int drawn) {
    return job(
        "j" + position,
        drawn % 2 == 0 ? "a" : "b",
        1 + drawn / 2 % 4,
        drawn / 8 % 8 * 10,
        10 + drawn / 64 * 10);
  }

  private static TraceJob job(String id, String queue, int gpus, int submit, int seconds) {
    return TraceJob.builder(id)
        .virtualCluster(queue)
        .gpus(gpus)
        .submit(Duration.ofSeconds(submit))
        .duration(Duration.ofSeconds(seconds))
        .build();
  }

  private static FairnessReport report(List<TraceJob> jobs) {
    ClusterTopology cluster =
        ClusterTopology.builder()
            .node(Node.builder("n").gpus(GPUS, GpuModel.of("P100"), Memory.ofGib(16)).build())
            .build();
    LiquidScheduler scheduler =
        LiquidScheduler.builder(cluster).policy(Policies.bestEffortFifo()).build();
    QueueMeter meter = new QueueMeter(TWO);
    SimulationResult result =
        Simulation.builder(Trace.of("jobs", jobs), scheduler)
            .queues(TWO)
            .listener(meter)
            .strict()
            .build()
            .run();
    return FairnessReport.of(meter, result, GPUS);
  }
}
