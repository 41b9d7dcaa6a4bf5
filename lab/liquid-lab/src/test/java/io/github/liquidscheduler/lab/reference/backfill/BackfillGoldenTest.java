package io.github.liquidscheduler.lab.reference.backfill;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.github.liquidscheduler.shareddata.SharedData;
import io.github.liquidscheduler.simulator.metrics.JctStatistics;
import io.github.liquidscheduler.simulator.trace.Trace;
import io.github.liquidscheduler.simulator.trace.TraceFormat;
import java.time.Duration;
import java.util.OptionalInt;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Numbers that independent programs found for the same rules. */
class BackfillGoldenTest {

  @ParameterizedTest
  @CsvSource({
    "fifo,             0, 1255.220833, 7477.63,  4053.352083, 93142, 0",
    "best-effort-fifo, 0, 322.366667,  9541.81,  3120.497917, 88951, 0",
    "easy,             1, 440.225,     5092.8,   3238.35625,  91377, 42",
    "easy,             4, 520.029167,  4566.83,  3318.160417, 91529, 105",
    "conservative,     0, 542.677083,  4405.34,  3340.808333, 91155, 155"
  })
  void aNumberOfGpus(
      String policy, int k, double wait, double p99, double completion, long makespan, int kept) {
    BackfillRun run = run(NodeRacks.ofGpus(64), policy, k);

    assertFigures(run, wait, p99, completion, makespan, kept);
    assertThat(run.run().statistics().queueing().median()).isZero();
  }

  @ParameterizedTest
  @CsvSource({
    "fifo,             0, 6020.7125,   21480.63, 8818.84375,  106878, 0",
    "best-effort-fifo, 0, 712.591667,  20493.24, 3510.722917, 87974,  0",
    "easy,             1, 575.972917,  10292.43, 3374.104167, 90918,  25",
    "easy,             4, 646.46875,   8677.17,  3444.6,      92729,  51",
    "conservative,     0, 649.327083,  8677.17,  3447.458333, 92729,  86"
  })
  void nodes(
      String policy, int k, double wait, double p99, double completion, long makespan, int kept) {
    BackfillRun run = run(new NodeRacks(8, 8, 8), policy, k);

    assertFigures(run, wait, p99, completion, makespan, kept);
    assertThat(run.run().statistics().queueing().median()).isZero();
  }

  @ParameterizedTest
  @CsvSource({
    "fifo,             0, 9644.49375,  35152.66, 12442.625,    121076, 0",
    "best-effort-fifo, 0, 1254.075,    35221.1,  4052.20625,   92205,  0",
    "easy,             1, 1034.458333, 14812.46, 3832.589583,  95373,  24",
    "easy,             4, 1015.864583, 14812.46, 3813.995833,  96904,  35",
    "conservative,     0, 1074.98125,  14812.46, 3873.1125,    93943,  88"
  })
  void nodesInRacksOfTwo(
      String policy, int k, double wait, double p99, double completion, long makespan, int kept) {
    BackfillRun run = run(new NodeRacks(8, 8, 2), policy, k);

    assertFigures(run, wait, p99, completion, makespan, kept);
    assertThat(run.run().statistics().queueing().median())
        .isEqualTo(Duration.ofSeconds(policy.equals("fifo") ? 1287 : 0));
  }

  private static BackfillRun run(NodeRacks cluster, String policy, int k) {
    Trace trace = TraceFormat.TIRESIAS.reader().read(SharedData.file("synthetic/synth480.csv"));
    OptionalInt reservations = k == 0 ? OptionalInt.empty() : OptionalInt.of(k);
    return BackfillSimulator.of(cluster, BackfillPolicy.named(policy), reservations).run(trace);
  }

  private static void assertFigures(
      BackfillRun run, double wait, double p99, double completion, long makespan, int promises) {
    JctStatistics found = run.run().statistics();
    assertThat(seconds(found.queueing().average())).isCloseTo(wait, within(1e-6));
    assertThat(seconds(found.queueing().percentile(99))).isCloseTo(p99, within(1e-6));
    assertThat(seconds(found.completion().average())).isCloseTo(completion, within(1e-6));
    assertThat(found.makespan()).isEqualTo(Duration.ofSeconds(makespan));
    assertThat(run.promises()).isEqualTo(promises);
    assertThat(run.promisesKept()).isEqualTo(promises);
  }

  private static double seconds(Duration time) {
    return time.toSeconds() + time.toNanosPart() / 1e9;
  }
}
