package io.github.liquidscheduler.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.job.Dataset;
import io.github.liquidscheduler.resource.Bandwidth;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import io.github.liquidscheduler.scheduler.LiquidScheduler;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.scheduler.prefetch.Prefetching;
import io.github.liquidscheduler.simulator.conditions.DurationKnowledge;
import io.github.liquidscheduler.simulator.conditions.Overheads;
import io.github.liquidscheduler.simulator.failure.RandomFailures;
import io.github.liquidscheduler.simulator.storage.LaunchReport;
import io.github.liquidscheduler.simulator.trace.Trace;
import io.github.liquidscheduler.simulator.trace.TraceJob;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** What holds wherever jobs read from a storage, whatever is prefetched, pre-empted or fails. */
class StorageLaws {
  private static final Bandwidth PATH = new Bandwidth(100);
  private static final Duration PROCESSES = Duration.ofSeconds(2);

  /** A run to be made, any number of times. */
  record Scenario(
      ClusterTopology cluster,
      Trace trace,
      String policy,
      Optional<Prefetching> rules,
      long seed,
      boolean fails) {

    SimulationResult run() {
      LiquidScheduler.Builder scheduler =
          LiquidScheduler.builder(cluster).policy(Policies.named(policy));
      rules.ifPresent(scheduler::prefetch);
      Simulation.Builder simulation =
          Simulation.builder(trace, scheduler.build())
              .durationKnowledge(DurationKnowledge.logNormal(.5, seed))
              .overheads(new Overheads(PROCESSES, Duration.ofSeconds(1)))
              .storage(PATH)
              .strict();
      if (fails) {
        simulation.randomFailures(
            new RandomFailures(Duration.ofSeconds(300), Duration.ofSeconds(20), seed));
      }
      return simulation.build().run();
    }
  }

  @Provide
  Arbitrary<Scenario> scenarios() {
    return Combinators.combine(
            Arbitraries.integers()
                .between(0, 40)
                .list()
                .ofMinSize(1)
                .ofMaxSize(3)
                .map(StorageLaws::nodes),
            jobs().list().ofMinSize(1).ofMaxSize(12).map(StorageLaws::named),
            Arbitraries.of(Policies.names()),
            Arbitraries.of(rules()),
            Arbitraries.longs(),
            Arbitraries.of(true, false))
        .as(Scenario::new);
  }

  /** Nodes of two GPUs, with disks of so many hundreds of bytes. */
  private static ClusterTopology nodes(List<Integer> disks) {
    ClusterTopology.Builder cluster = ClusterTopology.builder();
    for (int node = 0; node < disks.size(); node++) {
      cluster.node(
          Node.builder("n" + node)
              .gpus(2, GpuModel.of("V100"), Memory.ofGib(16))
              .disk(Memory.ofBytes(100L * disks.get(node)))
              .build());
    }
    return cluster.build();
  }

  private static Arbitrary<TraceJob> jobs() {
    return Combinators.combine(
            Arbitraries.longs().between(0, 60),
            Arbitraries.integers().between(1, 2),
            Arbitraries.longs().between(0, 50),
            Arbitraries.integers().between(0, 5).set().ofMaxSize(2))
        .as(
            (submit, gpus, duration, read) ->
                Runs.job("unnamed", submit, gpus, duration).toBuilder()
                    .datasets(read.stream().sorted().map(StorageLaws::dataset).toList())
                    .build());
  }

  private static Dataset dataset(int number) {
    return new Dataset("d" + number, Memory.ofBytes(300L * number));
  }

  private static List<Optional<Prefetching>> rules() {
    return List.of(
        Optional.empty(),
        Optional.of(Prefetching.over(PATH).launch(PROCESSES).build()),
        Optional.of(Prefetching.over(PATH).launch(PROCESSES).mostWasted(.1).build()),
        Optional.of(Prefetching.liquid(PATH, .5).launch(PROCESSES).build()));
  }

  private static Trace named(List<TraceJob> jobs) {
    List<TraceJob> named = new ArrayList<>();
    jobs.forEach(job -> named.add(job.toBuilder("j" + named.size()).build()));
    return Trace.of("generated", named);
  }

  @Property(tries = 300)
  void everyJobThatReadsFinishes(@ForAll("scenarios") Scenario scenario) {
    SimulationResult result = scenario.run();

    assertThat(result.finished()).hasSameSizeAs(scenario.trace().jobs());
    LaunchReport launches = result.counts().launches().orElseThrow();
    assertThat(launches.wastedBytes()).isBetween(0.0, launches.prefetchedBytes() + 1e-6);
    assertThat(launches.readingGpuSeconds()).isBetween(0.0, launches.gpuSeconds());
  }

  /** Nobody is stopped: jobs hold their GPUs while they launch and while they work, and no more. */
  @Property(tries = 300)
  void whatJobsHoldIsWhatTheyLaunchAndWork(@ForAll("scenarios") Scenario scenario) {
    SimulationResult result =
        new Scenario(scenario.cluster(), scenario.trace(), "fifo", scenario.rules(), 0, false)
            .run();

    double held = 0;
    double worked = 0;
    for (JobFate.Finished job : result.finished()) {
      held += job.job().gpus() * job.outcome().running().toNanos() / 1e9;
      worked += job.job().gpus() * (double) job.job().duration().orElseThrow().toSeconds();
    }
    assertThat(result.counts().launches().orElseThrow().gpuSeconds())
        .isCloseTo(held - worked, within(1e-6));
  }

  @Property(tries = 100)
  void theSameRunGivesTheSameResult(@ForAll("scenarios") Scenario scenario) {
    assertThat(scenario.run()).isEqualTo(scenario.run());
  }
}
