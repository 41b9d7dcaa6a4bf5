package io.github.liquidscheduler.simulator.slowdown;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.job.Sharing;
import io.github.liquidscheduler.job.Workload;
import io.github.liquidscheduler.placement.Placers;
import io.github.liquidscheduler.placement.colocation.Colocation;
import io.github.liquidscheduler.placement.colocation.ColocationPolicy;
import io.github.liquidscheduler.placement.colocation.ColocationPolicy.CandidateScores;
import io.github.liquidscheduler.placement.colocation.SharedGpu;
import io.github.liquidscheduler.prediction.ColocationProfile;
import io.github.liquidscheduler.prediction.Observations;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import io.github.liquidscheduler.scheduler.LiquidScheduler;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.simulator.JobFate;
import io.github.liquidscheduler.simulator.Simulation;
import io.github.liquidscheduler.simulator.SimulationResult;
import io.github.liquidscheduler.simulator.trace.Trace;
import io.github.liquidscheduler.simulator.trace.TraceJob;
import io.github.liquidscheduler.simulator.truth.GroundTruth;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/** Sharing changes when work is done, and not how much of it. */
class SharedWorkLaws {

  private static final GpuModel V100 = GpuModel.of("V100");
  private static final List<String> MODELS = List.of("a", "b", "c");

  @Property(tries = 200)
  void whatJobsDidAtTheirRetainedSpeedsIsWhatTheyHadToDo(
      @ForAll("jobs") List<TraceJob> jobs,
      @ForAll @Size(9) List<@DoubleRange(min = 0.05, max = 1.05) Double> retained,
      @ForAll @IntRange(min = 2, max = 3) int gpus,
      @ForAll("policies") String policy) {
    MeasuredJobs measured =
        MeasuredJobs.of(trace(jobs), table(retained), cluster(gpus), GroundTruth.asRecorded());
    SharingMeter meter = new SharingMeter(measured);

    SimulationResult result = run(measured, cluster(gpus), policy, meter);

    SharingReport report = meter.report();
    double lost = 2 * report.sharedGpuSeconds() * (1 - report.retainedSpeed());
    assertThat(result.finished()).hasSameSizeAs(jobs);
    assertThat(report.sharedGpuSeconds()).isLessThanOrEqualTo(report.heldGpuSeconds() + 1e-6);
    assertThat(gpuSeconds(result.finished()) - lost)
        .isCloseTo(work(measured.trace()), within(1e-4));
    assertThat(gpuSeconds(result.finished()) - report.sharedGpuSeconds())
        .isCloseTo(report.heldGpuSeconds(), within(1e-4));
  }

  private static SimulationResult run(
      MeasuredJobs measured, ClusterTopology cluster, String policy, SharingMeter meter) {
    Colocation everybody = Colocation.builder(new AnyCoRunners()).build();
    LiquidScheduler scheduler =
        LiquidScheduler.builder(cluster)
            .policy(Policies.named(policy))
            .placer(Placers.colocating(everybody))
            .build();
    return Simulation.builder(measured.trace(), scheduler)
        .speed(measured.truth())
        .sharing(
            job -> measured.mayShare(job) ? new Sharing.Opportunistic() : new Sharing.Exclusive())
        .listener(meter)
        .strict()
        .build()
        .run();
  }

  private static double gpuSeconds(List<JobFate.Finished> jobs) {
    return jobs.stream()
        .mapToDouble(job -> job.job().gpus() * (job.outcome().running().toNanos() / 1e9))
        .sum();
  }

  private static double work(Trace trace) {
    return trace.jobs().stream()
        .mapToDouble(job -> job.gpus() * (job.duration().orElseThrow().toNanos() / 1e9))
        .sum();
  }

  private static ClusterTopology cluster(int gpus) {
    return ClusterTopology.builder()
        .node(Node.builder("n").gpus(gpus, V100, Memory.ofGib(16)).build())
        .build();
  }

  private static SlowdownTable table(List<Double> retained) {
    List<SlowdownRow> rows = new ArrayList<>();
    for (String victim : MODELS) {
      for (String other : MODELS) {
        rows.add(new SlowdownRow(V100, profile(victim), profile(other), retained.get(rows.size())));
      }
    }
    return new SlowdownTable("random", rows);
  }

  private static ColocationProfile profile(String family) {
    return ColocationProfile.of(Workload.builder(family).build());
  }

  /** The first job makes sure that somebody may share. */
  private static Trace trace(List<TraceJob> jobs) {
    List<TraceJob> named = new ArrayList<>();
    for (TraceJob job : jobs) {
      TraceJob.Builder each = job.toBuilder("j" + named.size());
      named.add(named.isEmpty() ? each.gpus(1).build() : each.build());
    }
    return Trace.of("random", named);
  }

  @Provide
  Arbitrary<String> policies() {
    return Arbitraries.of("fifo", "best-effort-fifo", "srtf", "las");
  }

  @Provide
  Arbitrary<List<TraceJob>> jobs() {
    return Combinators.combine(
            Arbitraries.longs().between(0, 300),
            Arbitraries.longs().between(0, 500),
            Arbitraries.integers().between(1, 2),
            Arbitraries.of(MODELS))
        .as(
            (submit, duration, gpus, model) ->
                TraceJob.builder("unnamed")
                    .submit(Duration.ofSeconds(submit))
                    .duration(Duration.ofSeconds(duration))
                    .gpus(gpus)
                    .model(model)
                    .build())
        .list()
        .ofMinSize(1)
        .ofMaxSize(12);
  }

  /** Admits every GPU, and prefers any of them to an empty one. */
  private static final class AnyCoRunners implements ColocationPolicy {
    @Override
    public String name() {
      return "any";
    }

    @Override
    public void score(
        List<SharedGpu> candidates, Observations observations, CandidateScores scores) {
      for (int i = 0; i < candidates.size(); i++) {
        scores.admit(i, 0, 1);
      }
    }

    @Override
    public double costOfEmpty() {
      return 1e6;
    }
  }
}
