package io.github.liquidscheduler.simulator;

import static io.github.liquidscheduler.simulator.ElasticRuns.curves;
import static io.github.liquidscheduler.simulator.ElasticRuns.job;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.scheduler.policy.Elasticity;
import io.github.liquidscheduler.scheduler.policy.SizingPolicy;
import io.github.liquidscheduler.simulator.SimulationResult.StragglerCounts;
import io.github.liquidscheduler.simulator.elastic.ElasticJob;
import io.github.liquidscheduler.simulator.elastic.ResizeTimes;
import io.github.liquidscheduler.simulator.elastic.Stragglers;
import io.github.liquidscheduler.simulator.failure.RandomSlowdowns;
import io.github.liquidscheduler.simulator.failure.Slowdown;
import java.time.Duration;
import java.util.Iterator;
import org.junit.jupiter.api.Test;

/** A job of 4800 iterations, 4 in a second on 4 GPUs, one of whose workers is slow once. */
class StragglerSimulationTest {

  private static final ClusterTopology FOUR = Runs.cluster(4);
  private static final Duration DAY = Duration.ofDays(1);

  /** Seeds next to each other begin alike. */
  private static final long SPREAD = 1_000_000_007;

  private final ElasticRuns runs =
      new ElasticRuns(curves("linear", 1, 1, 2, 2, 4, 4, 8, 8))
          .elasticity(Elasticity.by(SizingPolicy.marginalGain()).coolDown(Duration.ofMinutes(1)));

  /**
   * Returns slowdowns of which the first is while the job runs, and the second when it has ended.
   */
  private static RandomSlowdowns once(Duration lasting) {
    for (long seed = 0; seed < 1000 * SPREAD; seed += SPREAD) {
      RandomSlowdowns slowdowns = new RandomSlowdowns(Duration.ofHours(10), lasting, seed);
      Iterator<Slowdown> drawn = slowdowns.slowdowns(FOUR);
      double first = from(drawn.next());
      if (first > 100 && first < 1000 && from(drawn.next()) > 2500) {
        return slowdowns;
      }
    }
    throw new AssertionError("no seed has one slowdown alone");
  }

  private static double from(Slowdown slowdown) {
    return slowdown.from().toMillis() / 1e3;
  }

  private static double first(RandomSlowdowns slowdowns) {
    return from(slowdowns.slowdowns(FOUR).next());
  }

  private SimulationResult run(Stragglers stragglers, ResizeTimes times, ElasticJob... jobs) {
    return runs.run(FOUR, times, simulation -> simulation.stragglers(stragglers), jobs);
  }

  private SimulationResult run(RandomSlowdowns slowdowns, double speed, boolean areReplaced) {
    return run(
        new Stragglers(slowdowns, speed, areReplaced),
        ResizeTimes.STOP_FREE,
        job(runs, 0, 0, 4, 4800, 4));
  }

  private static double end(SimulationResult result) {
    return result.finished().getFirst().outcome().end().toNanos() / 1e9;
  }

  private static StragglerCounts counts(SimulationResult result) {
    return result.counts().sizes().orElseThrow().stragglers().orElseThrow();
  }

  @Test
  void aJobWorksAtTheSpeedOfItsSlowestWorkerUntilThatIsOver() {
    RandomSlowdowns slowdowns = once(Duration.ofSeconds(100));

    SimulationResult result = run(slowdowns, 0.25, false);

    assertThat(end(result)).isCloseTo(1200 + 75, within(1e-6));
    assertThat(counts(result)).isEqualTo(new StragglerCounts(1, 0));
  }

  @Test
  void aStragglerThatNobodyReplacesStaysSlow() {
    RandomSlowdowns slowdowns = once(DAY);

    SimulationResult result = run(slowdowns, 0.5, false);

    double left = 1200 - first(slowdowns);
    assertThat(end(result)).isCloseTo(first(slowdowns) + 2 * left, within(1e-6));
  }

  @Test
  void aStragglerIsFoundInEightMiniBatchesAndReplacedWhenAnotherIsPrepared() {
    SimulationResult result = run(once(DAY), 0.5, true);

    // 4 s until it is found and 30 s of preparation at half the speed, then the switch.
    assertThat(end(result)).isCloseTo(1200 + 34 / 2.0 + 2.5, within(1e-6));
    assertThat(counts(result)).isEqualTo(new StragglerCounts(1, 1));
  }

  @Test
  void aWorkerThatIsHardlySlowIsNoStraggler() {
    SimulationResult result = run(once(DAY), 0.85, true);

    assertThat(counts(result)).isEqualTo(new StragglerCounts(1, 0));
  }

  @Test
  void aWorkerThatIsFastAgainBeforeItIsFoundStays() {
    SimulationResult result = run(once(Duration.ofSeconds(3)), 0.5, true);

    assertThat(end(result)).isCloseTo(1200 + 1.5, within(1e-6));
    assertThat(counts(result)).isEqualTo(new StragglerCounts(1, 0));
  }

  @Test
  void theOnlyWorkerOfAJobHasNobodyToBeSlowBeside() {
    RandomSlowdowns many = new RandomSlowdowns(Duration.ofMinutes(20), Duration.ofMinutes(5), 1);

    SimulationResult result =
        run(new Stragglers(many, 0.5, true), ResizeTimes.STOP_FREE, job(runs, 0, 0, 1, 4800, 1));

    assertThat(counts(result).slowed()).isPositive();
    assertThat(counts(result).replaced()).isZero();
  }

  @Test
  void manyStragglersWhileSizesChangeAreTheSameForTheSameSeed() {
    Stragglers often =
        new Stragglers(
            new RandomSlowdowns(Duration.ofMinutes(30), Duration.ofMinutes(10), 3), 0.3, true);
    ElasticJob[] jobs = {
      job(runs, 0, 0, 2, 4800, 4), job(runs, 1, 200, 2, 2400, 4), job(runs, 2, 500, 1, 2400, 4)
    };

    SimulationResult one = run(often, ResizeTimes.STOP_FREE, jobs);
    SimulationResult other = run(often, ResizeTimes.STOP_FREE, jobs);

    assertThat(one.finished()).hasSize(3);
    assertThat(one.decisionsDigest()).isEqualTo(other.decisionsDigest());
    assertThat(counts(one)).isEqualTo(counts(other));
    assertThat(counts(one).replaced()).isPositive();
  }

  @Test
  void stragglersNeedElasticJobs() {
    Stragglers stragglers = new Stragglers(once(DAY), 0.5, true);
    Simulation.Builder simulation =
        Simulation.builder(Runs.trace(Runs.job("a", 0, 1, 1)), Runs.scheduler("fifo", FOUR))
            .stragglers(stragglers);

    assertThatThrownBy(simulation::build)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("stragglers need elastic jobs");
  }

  @Test
  void whatIsOutOfRangeIsRefused() {
    RandomSlowdowns slowdowns = once(DAY);

    assertThatThrownBy(() -> new Stragglers(slowdowns, 1, true)).hasMessageContaining("was 1.0");
    assertThatThrownBy(() -> new RandomSlowdowns(Duration.ZERO, DAY, 0))
        .hasMessageContaining("mean time between slowdowns");
    assertThatThrownBy(() -> new RandomSlowdowns(DAY, Duration.ZERO, 0))
        .hasMessageContaining("slow for more than 0 s");
  }
}
