package io.github.liquidscheduler.planner.colocation;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.github.liquidscheduler.arbitrary.Choices;
import io.github.liquidscheduler.cluster.Gpu;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.job.Sharing;
import io.github.liquidscheduler.job.Workload;
import io.github.liquidscheduler.prediction.ColocationQuery;
import io.github.liquidscheduler.prediction.InterferencePredictor;
import io.github.liquidscheduler.prediction.Observations;
import io.github.liquidscheduler.prediction.Prediction;
import io.github.liquidscheduler.prediction.Provenance;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class CoRunnerMatcherLaws {

  private static final Gpu GPU = Gpu.of(GpuModel.of("V100"), Memory.ofGib(16));

  @Property
  void theMatchingGainsAsMuchAsTheBestOfAllPairings(
      @ForAll(supplier = Choices.Any.class) Choices choices, @ForAll int speeds) {
    List<JobSpec> queue = queue(choices, 9);

    assertThat(plan(queue, speeds).gain())
        .isCloseTo(best(queue, speeds, new boolean[queue.size()]), within(1e-5));
  }

  @Property
  void everyJobIsInOnePairOrAlone(
      @ForAll(supplier = Choices.Any.class) Choices choices, @ForAll int speeds) {
    List<JobSpec> queue = queue(choices, 70);
    CoRunnerMatching plan = plan(queue, speeds);
    List<JobId> planned = new ArrayList<>(plan.alone());
    plan.pairs().forEach(pair -> planned.addAll(List.of(pair.one(), pair.other())));

    assertThat(planned).containsExactlyInAnyOrderElementsOf(ids(queue));
  }

  @Property
  void pairsFitAndKeepTheirFloors(
      @ForAll(supplier = Choices.Any.class) Choices choices, @ForAll int speeds) {
    List<JobSpec> queue = queue(choices, 20);
    Map<JobId, JobSpec> jobs = new HashMap<>();
    queue.forEach(job -> jobs.put(job.id(), job));
    for (CoRunnerMatching.Pair pair : plan(queue, speeds).pairs()) {
      JobSpec one = requireNonNull(jobs.get(pair.one()));
      JobSpec other = requireNonNull(jobs.get(pair.other()));

      assertThat(memory(one) + memory(other)).isLessThanOrEqualTo(16);
      assertThat(pair.speedOfOne()).isGreaterThanOrEqualTo(floor(one));
      assertThat(pair.speedOfOther()).isGreaterThanOrEqualTo(floor(other));
      assertThat(pair.gain()).isPositive();
    }
  }

  @Property
  void theMatchingGainsNoLessThanGreedyOrRandomPairs(
      @ForAll(supplier = Choices.Any.class) Choices choices, @ForAll int speeds) {
    List<JobSpec> queue = queue(choices, 40);
    List<double[]> pairs = new ArrayList<>();
    for (int one = 0; one < queue.size(); one++) {
      for (int other = one + 1; other < queue.size(); other++) {
        double gain = gain(queue.get(one), queue.get(other), speeds);
        if (gain > 0) {
          pairs.add(new double[] {one, other, gain});
        }
      }
    }
    Collections.shuffle(pairs, choices.random());
    double gained = plan(queue, speeds).gain();

    assertThat(gained).isGreaterThanOrEqualTo(takenInTurn(queue.size(), pairs) - 1e-5);
    pairs.sort(Comparator.comparingDouble((double[] pair) -> pair[2]).reversed());
    assertThat(gained).isGreaterThanOrEqualTo(takenInTurn(queue.size(), pairs) - 1e-5);
  }

  /** Returns what is gained by taking the first pair that is left, again and again. */
  private static double takenInTurn(int jobs, List<double[]> pairs) {
    boolean[] taken = new boolean[jobs];
    double gain = 0;
    for (double[] pair : pairs) {
      if (!taken[(int) pair[0]] && !taken[(int) pair[1]]) {
        taken[(int) pair[0]] = true;
        taken[(int) pair[1]] = true;
        gain += pair[2];
      }
    }
    return gain;
  }

  @Test
  void exclusiveJobsAndGangsStayAlone() {
    JobSpec may = job("a", 1, new Sharing.Opportunistic(), 0);
    JobSpec exclusive = job("b", 1, new Sharing.Exclusive(), 0);
    JobSpec gang = may.toBuilder().roles(List.of()).gpus(2).build();

    CoRunnerMatching plan =
        CoRunnerMatcher.matching(predictor(1))
            .withOpportunisticFloor(0)
            .plan(List.of(may, exclusive, gang), GPU, Observations.NONE);

    assertThat(plan.pairs()).isEmpty();
    assertThat(plan.alone()).hasSize(3);
  }

  private static CoRunnerMatching plan(List<JobSpec> queue, int speeds) {
    return CoRunnerMatcher.matching(predictor(speeds)).plan(queue, GPU, Observations.NONE);
  }

  private static List<JobSpec> queue(Choices choices, int most) {
    Random random = choices.random();
    List<JobSpec> queue = new ArrayList<>();
    int size = random.nextInt(most + 1);
    for (int i = 0; i < size; i++) {
      Sharing sharing =
          List.of(
                  new Sharing.Opportunistic(),
                  new Sharing.Guaranteed(0.3 + 0.6 * random.nextDouble()),
                  new Sharing.Exclusive())
              .get(random.nextInt(10) % 3);
      queue.add(job("j" + i, random.nextInt(8), sharing, random.nextInt(12)));
    }
    return queue;
  }

  private static JobSpec job(String id, int kind, Sharing sharing, int gib) {
    ResourceRequest request =
        ResourceRequest.builder().gpus(1).gpuMemory(Memory.ofGib(gib)).build();
    return JobSpec.builder(id)
        .workload(Workload.builder("w" + kind).build())
        .sharing(sharing)
        .role("worker", 1, request)
        .build();
  }

  private static List<JobId> ids(List<JobSpec> queue) {
    return queue.stream().map(JobSpec::id).toList();
  }

  private static long memory(JobSpec job) {
    return job.roles().get(0).request().gpuMemory().orElseThrow().bytes() >> 30;
  }

  private static double floor(JobSpec job) {
    return job.sharing() instanceof Sharing.Guaranteed guaranteed ? guaranteed.floor() : 0.55;
  }

  /** Returns the gain of the best pairing of the jobs that are not taken, by trying them all. */
  private static double best(List<JobSpec> queue, int seed, boolean[] taken) {
    int first = 0;
    while (first < taken.length && taken[first]) {
      first++;
    }
    if (first == taken.length) {
      return 0;
    }
    taken[first] = true;
    double best = best(queue, seed, taken);
    for (int other = first + 1; other < taken.length; other++) {
      double gain = taken[other] ? 0 : gain(queue.get(first), queue.get(other), seed);
      if (gain > 0) {
        taken[other] = true;
        best = Math.max(best, gain + best(queue, seed, taken));
        taken[other] = false;
      }
    }
    taken[first] = false;
    return best;
  }

  private static double gain(JobSpec one, JobSpec other, int seed) {
    double first = speed(one.workload(), other.workload(), seed);
    double second = speed(other.workload(), one.workload(), seed);
    boolean allowed =
        !(one.sharing() instanceof Sharing.Exclusive)
            && !(other.sharing() instanceof Sharing.Exclusive)
            && memory(one) + memory(other) <= 16
            && first >= floor(one)
            && second >= floor(other);
    return allowed ? first + second - 1 : 0;
  }

  private static double speed(Workload victim, Workload other, int seed) {
    long mixed = 31L * victim.hashCode() + 7919L * other.hashCode() + seed;
    return (float) (0.2 + 0.8 * new Random(mixed).nextDouble());
  }

  private static InterferencePredictor predictor(int seed) {
    return new InterferencePredictor() {
      @Override
      public Prediction retainedSpeed(ColocationQuery colocation) {
        return Prediction.certain(
            speed(colocation.victim().workload(), colocation.coRunners().get(0).workload(), seed),
            Provenance.MEASURED);
      }
    };
  }
}
