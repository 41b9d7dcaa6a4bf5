package io.github.liquidscheduler.lab.reference.elastic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.github.liquidscheduler.lab.published.elastic.ElasticTraces;
import io.github.liquidscheduler.lab.reference.elastic.ElasticTiresias.Refill;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Numbers that were computed in double precision, in exact rational arithmetic and by a second
 * program, with the same result.
 */
class ElasticGoldenTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "tiresias | zero | 3291.951358 | 12417.094729 | 0 / 28 / 8 | 7002.845293 | 48033.932137 | 0"
            + " / 73 / 33",
        "tiresias | free | 3331.201358 | 12657.094729 | 0 / 28 / 8 | 7102.946700 | 48203.932137 | 0"
            + " / 73 / 33",
        "tiresias, queues 3250/7200 | zero | 3593.512459 | 11754.019282 | 0 / 34 / 14 | 6433.371862"
            + " | 50388.024628 | 0 / 63 / 23",
        "elastic-tiresias, N=10 | zero | 2921.033562 | 10564.914682 | 16 / 33 / 13 | 5948.416307 |"
            + " 43980.839402 | 71 / 74 / 34",
        "elastic-tiresias, N=10 | free | 2973.803121 | 10791.357302 | 16 / 33 / 13 | 6044.997956 |"
            + " 44366.317276 | 70 / 75 / 35",
        "elastic-tiresias, N=2 | zero | 2871.027334 | 10694.793203 | 17 / 32 / 12 | 5190.044632 |"
            + " 42086.302122 | 93 / 66 / 26",
        "elastic-tiresias, N=2 | free | 2911.522909 | 10926.231621 | 17 / 32 / 12 | 5241.029367 |"
            + " 42376.511064 | 95 / 65 / 25",
        "elastic-tiresias, N=2 | stop | 3031.449650 | 11143.181622 | 24 / 33 / 13 | 5425.348282 |"
            + " 42669.192225 | 95 / 65 / 25",
        "elastic-tiresias, N=0 | free | 2914.019792 | 10592.115329 | 17 / 30 / 10 | 4925.487391 |"
            + " 42626.433042 | 108 / 55 / 15",
        "elastic-tiresias, N=2, r=0.25 | free | 2915.630843 | 10941.768970 | 21 / 31 / 11 |"
            + " 5415.806707 | 41209.322556 | 104 / 60 / 20",
        "elastic-tiresias, N=2, cool-down 60 s | free | 2918.865296 | 10942.441443 | 15 / 32 / 12 |"
            + " 5248.319498 | 42385.257478 | 89 / 65 / 25",
        "elastic-tiresias, N=2, measured sizes only | free | 2874.471826 | 10920.954497 | 20 / 34 /"
            + " 14 | 5224.237730 | 42342.617580 | 97 / 65 / 25",
        "elastic-tiresias, N=2, queues 3250/7200 | free | 2897.318974 | 10635.279992 | 22 / 36 / 16"
            + " | 5221.615493 | 40885.281683 | 99 / 59 / 19",
        "compaction only, N=2 | zero | 3534.278830 | 13376.041373 | 2 / 28 / 8 | 9269.156341 |"
            + " 54282.681010 | 7 / 78 / 38",
        "compaction only, N=2 | free | 3571.500873 | 13606.041373 | 2 / 28 / 8 | 9351.525567 |"
            + " 54527.786826 | 7 / 78 / 38",
        "compaction and admission, N=2 | free | 3079.863484 | 11345.137824 | 11 / 33 / 13 |"
            + " 5748.305638 | 44953.562705 | 33 / 64 / 24",
        "expansion only | free | 2973.803121 | 10791.357302 | 16 / 33 / 13 | 6044.997956 |"
            + " 44366.317276 | 70 / 75 / 35",
        "afs | free | 2537.897590 | 9910.673447 | 36 / 23 / 3 | 4676.260870 | 42445.192450 | 146 /"
            + " 40 / 0",
        "marginal | free | 2572.496883 | 10461.820224 | 31 / 20 / 0 | 4727.791438 | 41723.036929 |"
            + " 106 / 40 / 0",
        "marginal | zero | 2567.207787 | 10450.640530 | 31 / 20 / 0 | 4720.400481 | 41703.587113 |"
            + " 106 / 40 / 0",
        "optimus | free | 2722.459196 | 10000.503490 | 23 / 20 / 0 | 5680.352286 | 40457.717744 |"
            + " 85 / 40 / 0",
        "srtf | free | 2839.212045 | 11675.929042 | 0 / 29 / 9 | 5537.096341 | 49528.974194 | 0 /"
            + " 69 / 29"
      })
  void everyRowOnBothTraces(
      String policy,
      String cost,
      double averageA,
      double makespanA,
      String countsA,
      double averageB,
      double makespanB,
      String countsB) {
    assertRun(ElasticTraces.A, policy, cost, averageA, makespanA, countsA);
    assertRun(ElasticTraces.B, policy, cost, averageB, makespanB, countsB);
  }

  private static void assertRun(
      ElasticTraces trace,
      String policy,
      String cost,
      double average,
      double makespan,
      String counts) {
    ScalingCost scaling = ScalingCost.named(cost);
    ElasticRun run = ElasticSimulator.of(trace.gpus(), policy(policy), scaling).run(trace.trace());

    assertThat(run.averageCompletion()).isCloseTo(average, within(1e-6));
    assertThat(run.makespan()).isCloseTo(makespan, within(1e-6));
    ElasticRun.Counts found = run.counts();
    assertThat("%d / %d / %d".formatted(found.resizes(), found.starts(), found.preemptions()))
        .isEqualTo(counts);
  }

  private static ElasticPolicy policy(String row) {
    ServiceQueues three = new ServiceQueues(List.of(3250.0, 7200.0), true);
    ElasticTiresias.Builder elastic = ElasticTiresias.builder(row);
    ElasticTiresias.Builder two = ElasticTiresias.builder(row).pendingLimit(2);
    return switch (row) {
      case "tiresias" -> new FixedTiresias(ServiceQueues.TWO);
      case "tiresias, queues 3250/7200" -> new FixedTiresias(three);
      case "elastic-tiresias, N=10" -> elastic.build();
      case "elastic-tiresias, N=2" -> two.build();
      case "elastic-tiresias, N=0" -> elastic.pendingLimit(0).build();
      case "elastic-tiresias, N=2, r=0.25" -> two.minFraction(0.25).build();
      case "elastic-tiresias, N=2, cool-down 60 s" -> two.coolDownSeconds(60).build();
      case "elastic-tiresias, N=2, measured sizes only" -> two.measuredOnly(true).build();
      case "elastic-tiresias, N=2, queues 3250/7200" -> two.queues(three).build();
      case "compaction only, N=2" -> two.refill(Refill.NONE).build();
      case "compaction and admission, N=2" -> two.refill(Refill.ADMISSION).build();
      case "expansion only" -> elastic.compacts(false).build();
      case "afs" -> new AfsL();
      case "marginal" -> new MarginalGain(0.02, false);
      case "optimus" -> new OptimusLike();
      case "srtf" -> new FixedSrtf();
      default -> throw new IllegalArgumentException(row);
    };
  }
}
