package io.github.liquidscheduler.simulator;

import static io.github.liquidscheduler.simulator.Runs.cluster;
import static io.github.liquidscheduler.simulator.Runs.ends;
import static io.github.liquidscheduler.simulator.Runs.job;
import static io.github.liquidscheduler.simulator.Runs.scheduler;
import static io.github.liquidscheduler.simulator.Runs.trace;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.Scheduler;
import io.github.liquidscheduler.simulator.conditions.DurationKnowledge;
import io.github.liquidscheduler.simulator.conditions.Overheads;
import io.github.liquidscheduler.simulator.metrics.JctStatistics;
import io.github.liquidscheduler.simulator.trace.Trace;
import io.github.liquidscheduler.simulator.trace.TraceJob;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SimulationTest {

  private final ClusterTopology twoGpus = cluster(2);

  private SimulationResult run(String policy, TraceJob... jobs) {
    return Simulation.builder(trace(jobs), scheduler(policy, twoGpus)).strict().build().run();
  }

  @Test
  void jobsThatDoNotFitTogetherRunOneAfterTheOther() {
    SimulationResult result = run("fifo", job("a", 0, 2, 10), job("b", 3, 1, 10));

    assertThat(ends(result)).isEqualTo("a=10, b=20");
    JctStatistics statistics = result.statistics().orElseThrow();
    assertThat(statistics.completion().sum()).isEqualTo(Duration.ofSeconds(27));
    assertThat(statistics.queueing().sum()).isEqualTo(Duration.ofSeconds(7));
    assertThat(statistics.makespan()).isEqualTo(Duration.ofSeconds(20));
  }

  @Test
  void atOneInstantJobsEndBeforeOthersAreSubmitted() {
    List<String> seen = new ArrayList<>();
    Trace trace = trace(job("a", 0, 2, 10), job("b", 10, 2, 10));

    Simulation.builder(trace, scheduler("fifo", twoGpus))
        .listener(
            new SimulationListener() {
              @Override
              public void decided(ClusterEvent event, List<Decision> decisions, Scheduler decider) {
                seen.add(event.at().getEpochSecond() + " " + event.getClass().getSimpleName());
              }
            })
        .build()
        .run();

    assertThat(seen)
        .containsExactly("0 JobSubmitted", "10 JobFinished", "10 JobSubmitted", "20 JobFinished");
  }

  @Test
  void aJobOfNoDurationEndsWhenItStarts() {
    assertThat(ends(run("fifo", job("a", 5, 1, 0)))).isEqualTo("a=5");
  }

  @Test
  void aStoppedJobGoesOnWhereItWasStopped() {
    SimulationResult result = run("srtf", job("long", 0, 2, 100), job("short", 40, 2, 10));

    assertThat(ends(result)).isEqualTo("long=110, short=50");
    assertThat(result.counts().preemptions()).isEqualTo(1);
    assertThat(result.finished().get(0).outcome().preemptions()).isEqualTo(1);
    assertThat(result.finished().get(0).outcome().running()).isEqualTo(Duration.ofSeconds(100));
  }

  @Test
  void theSchedulerIsWokenWhenItWants() {
    SimulationResult result = run("las", job("old", 0, 2, 5000), job("new", 100, 2, 10));

    assertThat(ends(result)).isEqualTo("old=5010, new=1635");
  }

  @Test
  void aJobLargerThanTheClusterIsRejectedWithTheReason() {
    SimulationResult result = run("fifo", job("huge", 0, 3, 10), job("small", 1, 1, 10));

    assertThat(ends(result)).isEqualTo("small=11");
    assertThat(result.rejected())
        .singleElement()
        .satisfies(job -> assertThat(job.why()).contains("requested 3 GPUs, available 2 GPUs"));
  }

  @Test
  void aRunOfNothingButRejectedJobsHasNoStatistics() {
    SimulationResult result = run("fifo", job("huge", 0, 3, 10));

    assertThat(result.statistics()).isEmpty();
    assertThat(result.usage().utilization()).isZero();
  }

  @Test
  void whatIsLeftAtAnEarlyEndSaysWhy() {
    Trace trace =
        trace(job("a", 0, 2, 10), job("b", 1, 2, 100), job("c", 2, 2, 10), job("d", 60, 1, 1));

    SimulationResult result =
        Simulation.builder(trace, scheduler("fifo", twoGpus))
            .until(Duration.ofSeconds(50))
            .build()
            .run();

    assertThat(ends(result)).isEqualTo("a=10");
    assertThat(result.unfinished())
        .extracting(JobFate.Unfinished::why)
        .satisfiesExactly(
            why -> assertThat(why).isEqualTo("was still running"),
            why -> assertThat(why).startsWith("was still waiting: GPUS"),
            why -> assertThat(why).isEqualTo("was not yet submitted"));
  }

  @Test
  void utilizationCountsHeldGpuTimeFromTheFirstSubmissionToTheLastEnd() {
    SimulationResult result = run("fifo", job("a", 10, 2, 10), job("b", 10, 1, 10));

    assertThat(result.usage().utilization()).isCloseTo(30.0 / 40, within(1e-12));
    assertThat(result.usage().usefulUtilization()).isCloseTo(30.0 / 40, within(1e-12));
  }

  @Test
  void freeGpusOnNodesTooFullForTheLargestWaitingGangAreFragments() {
    Trace trace = trace(job("a", 0, 2, 10), job("b", 0, 3, 10), job("c", 0, 4, 10));

    SimulationResult result =
        Simulation.builder(trace, scheduler("fifo", cluster(4, 4))).build().run();

    assertThat(ends(result)).isEqualTo("a=10, b=10, c=20");
    assertThat(result.usage().fragmentation()).hasValue(1.0);
  }

  @Test
  void freeGpusThatWouldDoAreNoFragments() {
    Trace trace = trace(job("a", 0, 3, 10), job("b", 0, 4, 10), job("c", 0, 1, 10));

    SimulationResult result =
        Simulation.builder(trace, scheduler("fifo", cluster(3, 3))).build().run();

    assertThat(result.usage().fragmentation()).hasValue(0.0);
  }

  @Test
  void overheadsHoldGpusWithoutGettingOn() {
    Trace trace = trace(job("long", 0, 2, 100), job("short", 40, 2, 10));

    SimulationResult result =
        Simulation.builder(trace, scheduler("srtf", twoGpus))
            .overheads(new Overheads(Duration.ofSeconds(5), Duration.ofSeconds(20)))
            .strict()
            .build()
            .run();

    assertThat(ends(result)).isEqualTo("long=145, short=55");
    assertThat(result.usage().utilization()).isEqualTo(1.0);
    assertThat(result.usage().usefulUtilization()).isCloseTo(110.0 / 145, within(1e-12));
  }

  @Test
  void whatIsNotDisclosedCannotBeUsed() {
    Trace trace = trace(job("running", 0, 2, 5), job("long", 1, 2, 100), job("short", 2, 2, 10));

    SimulationResult told = Simulation.builder(trace, scheduler("sjf", twoGpus)).build().run();
    SimulationResult untold =
        Simulation.builder(trace, scheduler("sjf", twoGpus))
            .durationKnowledge(DurationKnowledge.nothing())
            .build()
            .run();

    assertThat(ends(told)).isEqualTo("running=5, long=115, short=15");
    assertThat(ends(untold)).isEqualTo("running=5, long=105, short=115");
  }

  @Test
  void jobsCanBeDescribedInOtherWays() {
    Trace trace = trace(job("low", 0, 2, 10), job("high", 1, 2, 10));

    SimulationResult result =
        Simulation.builder(trace, scheduler("priority", twoGpus))
            .submittedAs(
                job ->
                    JobSpec.builder(job.id())
                        .gpus(job.gpus())
                        .priority(job.id().equals("high") ? 1 : 0)
                        .build())
            .build()
            .run();

    assertThat(ends(result)).isEqualTo("low=20, high=11");
  }

  /** So that memory grows with the jobs in the system, not with the trace. */
  @Test
  void aJobIsDescribedWhenItIsSubmittedAndNotBefore() {
    List<String> described = new ArrayList<>();

    Simulation.builder(trace(job("a", 0, 2, 10), job("b", 60, 2, 10)), scheduler("fifo", twoGpus))
        .submittedAs(
            job -> {
              described.add(job.id());
              return JobSpec.builder(job.id()).gpus(job.gpus()).build();
            })
        .until(Duration.ofSeconds(30))
        .build()
        .run();

    assertThat(described).containsExactly("a");
  }

  @Test
  void aSchedulerThatHasSeenEventsIsRefused() {
    Scheduler used = scheduler("fifo", twoGpus);
    Simulation.builder(trace(job("a", 0, 1, 1)), used).build().run();

    assertThatThrownBy(() -> Simulation.builder(trace(job("b", 0, 1, 1)), used).build().run())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("seen no event");
  }

  @Test
  void aTraceThatTakesCenturiesIsRefused() {
    long century = TraceJob.LONGEST.toSeconds();

    assertThatThrownBy(
            () ->
                run(
                    "fifo",
                    job("a", 0, 2, century),
                    job("b", 0, 2, century),
                    job("c", 0, 2, century)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("292 years");
  }

  @Test
  void aJobWithoutDurationIsRefusedByName() {
    Trace trace = trace(TraceJob.builder("steps-only").iterations(10).build());

    assertThatThrownBy(() -> Simulation.builder(trace, scheduler("fifo", twoGpus)).build().run())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("job 'steps-only'");
  }

  @Test
  void progressIsToldAsJobsEnd() {
    List<Integer> ended = new ArrayList<>();
    Trace trace = trace(job("a", 0, 1, 1), job("b", 0, 1, 2));

    Simulation.builder(trace, scheduler("fifo", twoGpus))
        .listener(
            new SimulationListener() {
              @Override
              public void advanced(int done, int jobs) {
                ended.add(done);
              }
            })
        .build()
        .run();

    assertThat(ended).containsExactly(0, 0, 1, 2);
  }
}
