package io.github.liquidscheduler.simulator;

import static io.github.liquidscheduler.simulator.Runs.at;
import static io.github.liquidscheduler.simulator.Runs.cluster;
import static io.github.liquidscheduler.simulator.Runs.ends;
import static io.github.liquidscheduler.simulator.Runs.job;
import static io.github.liquidscheduler.simulator.Runs.scheduler;
import static io.github.liquidscheduler.simulator.Runs.script;
import static io.github.liquidscheduler.simulator.Runs.trace;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.GpuShare;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.Failure;
import io.github.liquidscheduler.scheduling.Progress;
import io.github.liquidscheduler.scheduling.Retry;
import io.github.liquidscheduler.scheduling.Scheduler;
import io.github.liquidscheduler.simulator.trace.Trace;
import io.github.liquidscheduler.simulator.trace.TraceJob;
import io.github.liquidscheduler.simulator.truth.GroundTruth;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Jobs that each ask for half a GPU, on a GPU where two of them disturb each other. */
class ColocationEffectsTest {

  private final ClusterTopology oneGpu = cluster(1);

  private static JobSpec halfOfOne(TraceJob job) {
    ResourceRequest half = ResourceRequest.builder().share(GpuShare.ofPercent(50)).build();
    return JobSpec.builder(job.id()).role("worker", 1, half).build();
  }

  private static GroundTruth disturbed(double retained) {
    return new Disturbed(retained, true);
  }

  private Simulation.Builder sharing(Trace trace, GroundTruth speed) {
    return Simulation.builder(trace, scheduler("fifo", oneGpu))
        .submittedAs(ColocationEffectsTest::halfOfOne)
        .speed(speed)
        .strict();
  }

  @Test
  void jobsThatDisturbEachOtherSlowDownForAsLongAsTheyAreTogether() {
    Trace trace = trace(job("a", 0, 1, 100), job("b", 50, 1, 100));

    SimulationResult result = sharing(trace, disturbed(0.5)).build().run();

    assertThat(ends(result)).isEqualTo("a=150, b=200");
  }

  @Test
  void bothAreAsFastAsAloneIfNothingIsSaidOfDisturbance() {
    Trace trace = trace(job("a", 0, 1, 100), job("b", 50, 1, 100));

    SimulationResult result = sharing(trace, GroundTruth.asRecorded()).build().run();

    assertThat(ends(result)).isEqualTo("a=100, b=150");
  }

  @Test
  void usefulIsTheTimeThatTheWorkWouldTakeAlone() {
    Trace trace = trace(job("a", 0, 1, 90), job("b", 0, 1, 90));

    SimulationResult result = sharing(trace, disturbed(0.9)).build().run();

    assertThat(ends(result)).isEqualTo("a=100, b=100");
    assertThat(result.usage().utilization()).isEqualTo(1);
    assertThat(result.usage().usefulUtilization()).isEqualTo(1.8);
  }

  @Test
  void aCheckpointKeepsWhatWasDoneAtTheSpeedsSince() {
    Trace trace = trace(job("a", 0, 1, 100), job("b", 50, 1, 1000));
    NodeId node = NodeId.of("n0");

    SimulationResult result =
        sharing(trace, disturbed(0.5))
            .checkpointEvery(Duration.ofSeconds(40))
            .failures(
                script(
                    oneGpu,
                    new ClusterEvent.NodeLost(at(90), node),
                    new ClusterEvent.NodeReturned(at(90), node)))
            .until(Duration.ofSeconds(200))
            .build()
            .run();

    // The checkpoint at 80 s holds 50 s of work alone and 30 s at half the speed.
    assertThat(ends(result)).isEqualTo("a=160");
  }

  @Test
  void jobsReportTheirSpeedAgainAndAgainAndAnewWhenCompanyComesOrLeaves() {
    List<String> reports = new ArrayList<>();
    Trace trace =
        trace(
            TraceJob.builder("a").duration(Duration.ofSeconds(100)).iterations(1000).build(),
            job("b", 50, 1, 30));

    sharing(trace, disturbed(0.5))
        .reportEvery(Duration.ofSeconds(20))
        .listener(
            new SimulationListener() {
              @Override
              public void decided(ClusterEvent event, List<Decision> decisions, Scheduler by) {
                if (event instanceof ClusterEvent.JobProgressed report) {
                  Progress progress = report.progress();
                  reports.add(
                      "%ds %s %d at %.1f/s"
                          .formatted(
                              report.at().getEpochSecond(),
                              report.job(),
                              progress.iterations(),
                              progress.iterationsPerSecond()));
                }
              }
            })
        .build()
        .run();

    assertThat(reports)
        .containsExactly(
            "20s a 200 at 10.0/s",
            "40s a 400 at 10.0/s",
            "70s a 600 at 5.0/s",
            "90s a 700 at 5.0/s");
  }

  @Test
  void theLastToComeRunsOutOfMemoryWhereJobsDoNotFitTogether() {
    List<ClusterEvent> failed = new ArrayList<>();
    Trace trace = trace(job("a", 0, 1, 40), job("b", 20, 1, 100));

    SimulationResult result =
        sharing(trace, new Disturbed(0.5, false))
            .listener(
                new SimulationListener() {
                  @Override
                  public void decided(ClusterEvent event, List<Decision> decisions, Scheduler by) {
                    if (event instanceof ClusterEvent.JobFailed) {
                      failed.add(event);
                    }
                  }
                })
            .build()
            .run();

    assertThat(failed)
        .containsExactly(
            new ClusterEvent.JobFailed(at(50), id("b"), Failure.OUT_OF_MEMORY, Retry.now()));
    assertThat(result.counts().failures()).isEqualTo(1);
    assertThat(result.finished()).hasSize(2);
  }

  @Test
  void aTruthThatMakesJobsStandStillIsRefused() {
    Trace trace = trace(job("a", 0, 1, 100), job("b", 0, 1, 100));

    assertThatThrownBy(() -> sharing(trace, disturbed(0)).build().run())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("a retained speed must be in (0, 1.05], but was 0.0, for job 'b'");
  }

  private static JobId id(String id) {
    return JobId.of(id);
  }

  /** As recorded, save that whoever shares a GPU retains a part of the speed. */
  private record Disturbed(double retained, boolean fits) implements GroundTruth {
    @Override
    public Duration work(TraceJob job) {
      return job.duration().orElseThrow();
    }

    @Override
    public double rate(TraceJob job, Placement placement, ClusterTopology topology) {
      return 1;
    }

    @Override
    public double retained(TraceJob job, List<TraceJob> others, GpuModel gpu) {
      return retained;
    }

    @Override
    public boolean fit(List<TraceJob> jobs, GpuModel gpu) {
      return fits;
    }
  }
}
