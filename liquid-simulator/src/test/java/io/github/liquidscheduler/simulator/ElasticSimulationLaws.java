package io.github.liquidscheduler.simulator;

import static io.github.liquidscheduler.simulator.ElasticRuns.curves;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.scheduler.policy.Elasticity;
import io.github.liquidscheduler.scheduler.policy.ResizeCost;
import io.github.liquidscheduler.scheduler.policy.SizingPolicy;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.simulator.elastic.ElasticJob;
import io.github.liquidscheduler.simulator.elastic.ResizeTimes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/**
 * What holds for all elastic jobs. That no GPU is ever held by two, old and new sizes counted
 * together, is checked by every run itself, as are the scheduler's books after every event.
 */
class ElasticSimulationLaws {

  private static final int ITERATIONS = 3000;

  /** A job without its id. */
  record Draft(int arrival, int size, int iterations, int more) {}

  /** One run, so that it can be repeated. */
  record Setting(
      List<Draft> jobs, String sizing, String policy, ResizeTimes times, int lostAt, boolean asks) {

    SimulationResult run() {
      ElasticRuns runs =
          new ElasticRuns(curves("m", 1, 1, 2, 1.8, 4, 3, 8, 4)).policy(policy).elasticity(rules());
      ElasticJob[] all =
          IntStream.range(0, jobs.size()).mapToObj(id -> job(runs, id)).toArray(ElasticJob[]::new);
      ClusterTopology cluster = Runs.cluster(4, 2, 4);
      return runs.run(cluster, times, simulation -> conditions(simulation, cluster), all);
    }

    Setting notAsking() {
      return new Setting(jobs, sizing, policy, times, lostAt, false);
    }

    private ElasticJob job(ElasticRuns runs, int id) {
      Draft draft = jobs.get(id);
      return ElasticRuns.job(
          runs, id, draft.arrival(), draft.size(), draft.iterations(), draft.size() + draft.more());
    }

    private Elasticity.Builder rules() {
      Elasticity.Builder rules =
          Elasticity.by(
                  switch (sizing) {
                    case "marginal" -> SizingPolicy.marginalGain();
                    case "optimus" -> SizingPolicy.optimus();
                    case "goodput" -> SizingPolicy.goodput();
                    default -> SizingPolicy.elasticTiresias();
                  })
              .coolDown(Duration.ofSeconds(20))
              .pendingLimit(1)
              .worthwhile(1)
              .cost(ResizeCost.NONE);
      return asks ? rules.profileJobs() : rules;
    }

    private Simulation.Builder conditions(Simulation.Builder simulation, ClusterTopology cluster) {
      return simulation
          .reportEvery(Duration.ofSeconds(30))
          .failures(
              Runs.script(
                  cluster,
                  new ClusterEvent.NodeLost(Runs.at(lostAt), NodeId.of("n0")),
                  new ClusterEvent.NodeReturned(Runs.at(lostAt + 100), NodeId.of("n0"))));
    }
  }

  @Provide
  Arbitrary<Setting> settings() {
    Arbitrary<Draft> jobs =
        Combinators.combine(
                Arbitraries.integers().between(0, 600),
                Arbitraries.integers().between(1, 4),
                Arbitraries.integers().between(1, ITERATIONS),
                Arbitraries.integers().between(0, 4))
            .as(Draft::new);
    return Combinators.combine(
            jobs.list().ofMinSize(1).ofMaxSize(12),
            Arbitraries.of("marginal", "optimus", "goodput", "elastic-tiresias"),
            Arbitraries.of("best-effort-fifo", "las", "fifo", "srtf"),
            Arbitraries.of(ResizeTimes.ZERO, ResizeTimes.STOP_FREE, ResizeTimes.STOP_RESUME),
            Arbitraries.integers().between(1, 1500),
            Arbitraries.of(true, false))
        .as(Setting::new);
  }

  @Property(tries = 300)
  void allJobsEndAndNoGpuIsHeldByTwo(@ForAll("settings") Setting setting) {
    SimulationResult result = setting.run();

    assertThat(result.finished()).hasSize(setting.jobs().size());
    assertThat(result.counts().sizes().orElseThrow().lostSeconds().orElseThrow())
        .isGreaterThanOrEqualTo(0);
  }

  @Property(tries = 100)
  void sameInputSameOutput(@ForAll("settings") Setting setting) {
    assertThat(setting.run()).isEqualTo(setting.run());
  }

  /** A job alone, larger at half time, does as many iterations as it was asked for. */
  @Property(tries = 200)
  void iterationsDoneAreIterationsAskedFor(@ForAll("settings") Setting setting) {
    List<Double> done = new ArrayList<>();
    for (Draft draft : setting.jobs()) {
      ElasticRuns runs =
          new ElasticRuns(curves("m", 1, 1, 2, 1.8, 4, 3, 8, 4))
              .elasticity(setting.notAsking().rules());
      IterationCount count = new IterationCount();
      SimulationResult result =
          runs.run(
              Runs.cluster(4, 4),
              setting.times(),
              simulation -> simulation.listener(count),
              ElasticRuns.job(
                  runs, 0, 0, draft.size(), draft.iterations(), draft.size() + draft.more()));
      done.add(count.until(result.finished().getFirst().outcome().end()) - draft.iterations());
    }
    assertThat(done).allSatisfy(difference -> assertThat(difference).isCloseTo(0, within(1e-4)));
  }
}
