package io.github.liquidscheduler.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.GpuShare;
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

/** What holds however jobs that share GPUs disturb each other. */
class ColocationEffectsLaws {

  private static final int SHARE_PERCENT = 30;

  @Provide
  Arbitrary<Trace> traces() {
    return Combinators.combine(
            Arbitraries.longs().between(0, 60), Arbitraries.longs().between(1, 50))
        .as((submit, duration) -> Runs.job("unnamed", submit, 1, duration))
        .list()
        .ofMinSize(1)
        .ofMaxSize(12)
        .map(ColocationEffectsLaws::named);
  }

  private static Trace named(List<TraceJob> jobs) {
    List<TraceJob> named = new ArrayList<>();
    for (TraceJob job : jobs) {
      long submit = job.submit().toSeconds();
      named.add(Runs.job("j" + named.size(), submit, 1, job.duration().orElseThrow().toSeconds()));
    }
    return Trace.of("generated", named);
  }

  private static SimulationResult run(Trace trace, ClusterTopology cluster, double retained) {
    return Simulation.builder(trace, Runs.scheduler("fifo", cluster))
        .submittedAs(ColocationEffectsLaws::part)
        .speed(new Retaining(retained))
        .strict()
        .build()
        .run();
  }

  private static JobSpec part(TraceJob job) {
    ResourceRequest part =
        ResourceRequest.builder().share(GpuShare.ofPercent(SHARE_PERCENT)).build();
    return JobSpec.builder(job.id()).role("worker", 1, part).build();
  }

  @Property
  void workIsConservedWhateverJobsRetain(
      @ForAll("traces") Trace trace, @ForAll("retained") double retained) {
    SimulationResult result = run(trace, Runs.cluster(1, 1), retained);

    double work = trace.jobs().stream().mapToDouble(job -> seconds(job)).sum();
    double useful = result.usage().usefulUtilization() * 2 * length(trace, result);
    assertThat(result.finished()).hasSize(trace.jobs().size());
    assertThat(useful).isCloseTo(work, within(1e-6 * work));
  }

  @Property
  void aJobTakesAtMostAsLongAsBesideAllThatFitForItsWholeLife(
      @ForAll("traces") Trace trace, @ForAll("retained") double retained) {
    SimulationResult result = run(trace, Runs.cluster(1), retained);

    assertThat(result.finished())
        .allSatisfy(
            job ->
                assertThat(job.outcome().running().toNanos() / 1e9)
                    .isBetween(
                        seconds(job.job()) - 1e-6,
                        seconds(job.job()) / (retained * retained) + 1e-6));
  }

  @Provide
  Arbitrary<Double> retained() {
    return Arbitraries.doubles().between(0.2, 1);
  }

  private static double seconds(TraceJob job) {
    return job.duration().orElseThrow().toNanos() / 1e9;
  }

  private static double length(Trace trace, SimulationResult result) {
    Duration start = trace.jobs().get(0).submit();
    return result.finished().stream()
        .mapToDouble(job -> job.outcome().end().minus(start).toNanos() / 1e9)
        .max()
        .orElseThrow();
  }

  /** Beside each other job on its GPU, a job retains this part of its speed. */
  private record Retaining(double retained) implements GroundTruth {
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
      return Math.pow(retained, others.size());
    }
  }
}
