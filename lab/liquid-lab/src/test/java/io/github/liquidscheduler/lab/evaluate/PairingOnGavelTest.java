package io.github.liquidscheduler.lab.evaluate;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.cluster.Gpu;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.Sharing;
import io.github.liquidscheduler.job.Workload;
import io.github.liquidscheduler.lab.evaluate.SimilarityEvaluation.Guess;
import io.github.liquidscheduler.planner.colocation.CoRunnerMatcher;
import io.github.liquidscheduler.prediction.ColocationQuery;
import io.github.liquidscheduler.prediction.InterferencePredictor;
import io.github.liquidscheduler.prediction.Observations;
import io.github.liquidscheduler.prediction.Prediction;
import io.github.liquidscheduler.prediction.Provenance;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import io.github.liquidscheduler.shareddata.SharedData;
import io.github.liquidscheduler.training.measurement.GavelMeasurements;
import io.github.liquidscheduler.training.measurement.Measurement;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Pairs queues of Gavel's jobs by what was predicted of pairs that were hidden while learning, and
 * counts what the pairs really do.
 */
@Tag("public-data")
class PairingOnGavelTest {
  private static final int FOLDS = 5;
  private static final int NETWORKS = Integer.getInteger("liquid.pairing.networks", 1);
  private static final int QUEUES = Integer.getInteger("liquid.pairing.queues", 25);
  private static final int JOBS = 40;

  @Test
  void matchingGainsAtLeastHalfOfWhatAnOracleGainsOverRandomPairs() throws IOException {
    List<Measurement> measurements =
        GavelMeasurements.read(SharedData.file("gavel/simulation_throughputs.json"));
    Map<String, Double> truth = new HashMap<>();
    measurements.forEach(each -> truth.put(key(each.colocation()), each.retainedSpeed()));
    Map<String, Double> hidden = heldOutPredictions(measurements, NETWORKS);
    List<Workload> classes =
        measurements.stream().map(each -> each.victim().workload()).distinct().toList();

    double[] sums = new double[4];
    for (GpuModel model : models(measurements)) {
      double[] gains = new double[4];
      for (int i = 0; i < QUEUES; i++) {
        List<JobSpec> queue = queue(classes, i);
        Map<JobId, JobSpec> jobs = new HashMap<>();
        queue.forEach(job -> jobs.put(job.id(), job));
        gains[0] += trueGain(inTurn(queue, model, truth, new Random(i)), jobs, model, truth);
        gains[1] += trueGain(inTurn(queue, model, hidden, null), jobs, model, truth);
        gains[2] += trueGain(matching(queue, model, hidden), jobs, model, truth);
        gains[3] += trueGain(matching(queue, model, truth), jobs, model, truth);
      }
      Arrays.setAll(gains, each -> gains[each] / QUEUES);
      report(model.name(), gains);
      for (int p = 0; p < gains.length; p++) {
        sums[p] += gains[p];
      }
    }
    report("all", sums);
    assertThat(sums[2] - sums[0]).isGreaterThanOrEqualTo(0.5 * (sums[3] - sums[0]));
  }

  private static void report(String gpus, double[] gains) {
    System.out.printf(
        Locale.ROOT,
        "%s: %d jobs gain, in GPUs: random %.2f, greedy %.2f, matching %.2f, oracle %.2f; of the"
            + " oracle's gain over random: greedy %.0f %%, matching %.0f %%%n",
        gpus,
        JOBS,
        gains[0],
        gains[1],
        gains[2],
        gains[3],
        100 * (gains[1] - gains[0]) / (gains[3] - gains[0]),
        100 * (gains[2] - gains[0]) / (gains[3] - gains[0]));
  }

  private static double trueGain(
      List<List<JobId>> pairs, Map<JobId, JobSpec> jobs, GpuModel gpu, Map<String, Double> truth) {
    return pairs.stream()
        .mapToDouble(
            pair ->
                gain(
                    requireNonNull(jobs.get(pair.get(0))),
                    requireNonNull(jobs.get(pair.get(1))),
                    gpu,
                    truth))
        .sum();
  }

  /** Returns what two jobs gain by a table; those that it does not know keep no speed. */
  private static double gain(JobSpec one, JobSpec other, GpuModel gpu, Map<String, Double> speeds) {
    return speeds.getOrDefault(key(gpu, one.workload(), other.workload()), 0.0)
        + speeds.getOrDefault(key(gpu, other.workload(), one.workload()), 0.0)
        - 1;
  }

  private static List<List<JobId>> matching(
      List<JobSpec> queue, GpuModel model, Map<String, Double> speeds) {
    return CoRunnerMatcher.matching(new Table(speeds))
        .withOpportunisticFloor(0)
        .plan(queue, Gpu.of(model, Memory.ZERO), Observations.NONE)
        .pairs()
        .stream()
        .map(pair -> List.of(pair.one(), pair.other()))
        .toList();
  }

  /** Takes the pair with the largest gain by a table again and again, or any pair that runs. */
  private static List<List<JobId>> inTurn(
      List<JobSpec> queue, GpuModel model, Map<String, Double> speeds, @Nullable Random random) {
    Map<List<JobId>, Double> gains = new LinkedHashMap<>();
    for (JobSpec one : queue) {
      for (JobSpec other : queue.subList(queue.indexOf(one) + 1, queue.size())) {
        boolean runs =
            speeds.containsKey(key(model, one.workload(), other.workload()))
                && speeds.containsKey(key(model, other.workload(), one.workload()));
        double gain = random != null && runs ? 1 : gain(one, other, model, speeds);
        if (gain > 0) {
          gains.put(List.of(one.id(), other.id()), gain);
        }
      }
    }
    List<List<JobId>> pairs = new ArrayList<>(gains.keySet());
    if (random != null) {
      Collections.shuffle(pairs, random);
    } else {
      pairs.sort(Comparator.comparing(gains::get, Comparator.reverseOrder()));
    }
    Set<JobId> taken = new HashSet<>();
    pairs.removeIf(pair -> pair.stream().anyMatch(taken::contains) || !taken.addAll(pair));
    return pairs;
  }

  private static List<JobSpec> queue(List<Workload> classes, long seed) {
    Random random = new Random(seed);
    List<JobSpec> queue = new ArrayList<>();
    for (int i = 0; i < JOBS; i++) {
      queue.add(
          JobSpec.builder("j" + i)
              .gpus(1)
              .workload(classes.get(random.nextInt(classes.size())))
              .sharing(new Sharing.Opportunistic())
              .build());
    }
    return queue;
  }

  /** Returns what networks that never saw a pair, on any GPU, say of it. */
  private static Map<String, Double> heldOutPredictions(
      List<Measurement> measurements, int networks) {
    Map<List<Object>, Double> guesses = new HashMap<>();
    for (Guess guess : new SimilarityEvaluation(measurements, 1).heldOutPairs(FOLDS, networks)) {
      guesses.put(List.of(guess.gpu(), guess.victim(), guess.aggressor()), guess.retainedSpeed());
    }
    Map<String, Double> predictions = new HashMap<>();
    for (Measurement each : measurements) {
      Double guess = guesses.get(List.of(each.gpu(), each.victimClass(), each.coRunnerClass()));
      predictions.put(key(each.colocation()), requireNonNull(guess));
    }
    return predictions;
  }

  private static List<GpuModel> models(List<Measurement> measurements) {
    return measurements.stream().map(Measurement::gpu).distinct().sorted().toList();
  }

  private static String key(ColocationQuery colocation) {
    return key(
        colocation.gpu(), colocation.victim().workload(), colocation.coRunners().get(0).workload());
  }

  private static String key(GpuModel gpu, Workload victim, Workload other) {
    return gpu + ": " + victim + " beside " + other;
  }

  /**
   * Says what a table says.
   *
   * @param speeds the table; pairs that are not in it do not run
   */
  private record Table(Map<String, Double> speeds) implements InterferencePredictor {
    @Override
    public Prediction retainedSpeed(ColocationQuery colocation) {
      return Prediction.certain(speeds.getOrDefault(key(colocation), 0.01), Provenance.LEARNED);
    }
  }
}
