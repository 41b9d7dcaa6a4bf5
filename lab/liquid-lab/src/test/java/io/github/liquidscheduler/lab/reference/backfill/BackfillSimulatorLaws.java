package io.github.liquidscheduler.lab.reference.backfill;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.simulator.trace.Trace;
import io.github.liquidscheduler.simulator.trace.TraceJob;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.OptionalInt;
import java.util.Random;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/** What holds for every policy, cluster and number of reservations. */
class BackfillSimulatorLaws {

  @Property(tries = 400)
  void theOrderOfTheInputChangesNothing(
      @ForAll long seed, @ForAll @IntRange(min = 1, max = 3) int nodesPerRack) {
    NodeRacks cluster = new NodeRacks(5, 3, nodesPerRack);
    List<TraceJob> jobs = jobs(seed, cluster.gpus());
    List<TraceJob> shuffled = new ArrayList<>(jobs);
    Collections.shuffle(shuffled, new Random(seed));

    for (BackfillPolicy policy : BackfillPolicy.values()) {
      BackfillSimulator simulator =
          BackfillSimulator.of(cluster, policy, OptionalInt.empty()).withPrediction(job -> 7);
      assertThat(simulator.run(Trace.of("shuffled", shuffled)).run().decisionsDigest())
          .isEqualTo(simulator.run(Trace.of("given", jobs)).run().decisionsDigest());
    }
  }

  @Property(tries = 300)
  void upperLimitsKeepAllPromises(
      @ForAll long seed,
      @ForAll @IntRange(min = 1, max = 5) int nodesPerRack,
      @ForAll @IntRange(min = 1, max = 5) int reservations) {
    NodeRacks cluster = new NodeRacks(5, 3, nodesPerRack);
    Trace trace = Trace.of("random", jobs(seed, cluster.gpus()));
    List<BackfillSimulator> simulators =
        List.of(
            BackfillSimulator.of(cluster, BackfillPolicy.EASY, OptionalInt.of(reservations)),
            BackfillSimulator.of(cluster, BackfillPolicy.CONSERVATIVE, OptionalInt.empty()));

    for (BackfillSimulator simulator : simulators) {
      BackfillRun run = simulator.withPrediction(BackfillSimulatorLaws::upperLimit).run(trace);
      assertThat(run.promisesKept()).isEqualTo(run.promises());
    }
  }

  private static long upperLimit(TraceJob job) {
    long duration = job.duration().orElseThrow().toSeconds();
    return duration + (duration * job.gpus()) % 11;
  }

  private static List<TraceJob> jobs(long seed, int mostGpus) {
    Random random = new Random(seed);
    return IntStream.range(0, 14)
        .mapToObj(
            number ->
                TraceJob.builder(Integer.toString(number))
                    .gpus(1 + random.nextInt(mostGpus))
                    .submit(Duration.ofSeconds(random.nextInt(25)))
                    .duration(Duration.ofSeconds(1 + random.nextInt(15)))
                    .build())
        .toList();
  }
}
