package io.github.liquidscheduler.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.simulator.conditions.Overheads;
import io.github.liquidscheduler.simulator.failure.RandomFailures;
import io.github.liquidscheduler.simulator.output.MoreFigures;
import io.github.liquidscheduler.simulator.output.ResultJson;
import io.github.liquidscheduler.simulator.trace.Trace;
import io.github.liquidscheduler.simulator.trace.TraceJob;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.LongRange;

/**
 * What holds for every trace, cluster, policy and failure. Each run is checked after each event.
 */
class SimulationLaws {

  /** A run to be made, any number of times. */
  record Scenario(ClusterTopology cluster, Trace trace, String policy, long seed, boolean fails) {

    SimulationResult run() {
      return simulation().build().run();
    }

    Simulation.Builder simulation() {
      Simulation.Builder simulation =
          Simulation.builder(trace, Runs.scheduler(policy, cluster))
              .overheads(new Overheads(Duration.ofSeconds(1), Duration.ofSeconds(2)))
              .checkpointEvery(Duration.ofSeconds(7))
              .strict();
      if (fails) {
        simulation.randomFailures(
            new RandomFailures(Duration.ofSeconds(300), Duration.ofSeconds(20), seed));
      }
      return simulation;
    }

    boolean fits(TraceJob job) {
      return job.gpus() <= cluster.gpuCount();
    }
  }

  /** Also if the end of the simulation leaves some over. */
  @Property(tries = 200)
  void whatIsToldJobByJobIsWhatIsHeld(
      @ForAll("scenarios") Scenario scenario, @ForAll @LongRange(min = 1, max = 200) long until) {
    Duration end = Duration.ofSeconds(until);
    List<JobFate> told = new ArrayList<>();
    SimulationListener listener =
        new SimulationListener() {
          @Override
          public void ended(JobFate fate) {
            told.add(fate);
          }
        };

    SimulationResult held = scenario.simulation().until(end).build().run();
    RunSummary summary = scenario.simulation().until(end).listener(listener).build().summarize();

    assertThat(told).containsExactlyInAnyOrderElementsOf(held.fates());
    assertThat(ResultJson.of(Map.of(), summary, MoreFigures.NONE))
        .isEqualTo(ResultJson.of(Map.of(), held));
  }

  @Provide
  Arbitrary<Scenario> scenarios() {
    Arbitrary<ClusterTopology> clusters =
        Arbitraries.integers()
            .between(1, 5)
            .array(int[].class)
            .ofMinSize(1)
            .ofMaxSize(4)
            .map(Runs::cluster);
    Arbitrary<TraceJob> jobs =
        Combinators.combine(
                Arbitraries.longs().between(0, 60),
                Arbitraries.integers().between(1, 9),
                Arbitraries.longs().between(0, 50))
            .as((submit, gpus, duration) -> Runs.job("unnamed", submit, gpus, duration));
    return Combinators.combine(
            clusters,
            jobs.list().ofMinSize(1).ofMaxSize(15).map(SimulationLaws::named),
            Arbitraries.of(Policies.names()),
            Arbitraries.longs(),
            Arbitraries.of(true, false))
        .as(Scenario::new);
  }

  private static Trace named(List<TraceJob> jobs) {
    List<TraceJob> named = new ArrayList<>();
    for (TraceJob job : jobs) {
      named.add(
          TraceJob.builder("j" + named.size())
              .submit(job.submit())
              .gpus(job.gpus())
              .duration(job.duration().orElseThrow())
              .build());
    }
    return Trace.of("generated", named);
  }

  @Property
  void aJobThatFitsFinishesAndNoOtherDoes(@ForAll("scenarios") Scenario scenario) {
    SimulationResult result = scenario.run();

    assertThat(result.unfinished()).isEmpty();
    assertThat(result.rejected()).allMatch(job -> !scenario.fits(job.job()));
    assertThat(result.finished()).allMatch(job -> scenario.fits(job.job()) && hasRunLong(job));
    assertAreShares(result.usage());
  }

  @Property
  void theSameRunGivesTheSameResult(@ForAll("scenarios") Scenario scenario) {
    assertThat(scenario.run()).isEqualTo(scenario.run());
  }

  private static boolean hasRunLong(JobFate.Finished job) {
    return job.outcome().running().compareTo(job.job().duration().orElseThrow()) >= 0;
  }

  private static void assertAreShares(SimulationResult.Usage usage) {
    assertThat(usage.utilization()).isBetween(0.0, 1 + 1e-9);
    assertThat(usage.usefulUtilization()).isBetween(0.0, usage.utilization() + 1e-9);
    assertThat(usage.fragmentation().orElseThrow()).isBetween(0.0, 1.0);
  }
}
