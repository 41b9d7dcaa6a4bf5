package io.github.liquidscheduler.lab.evaluate;

import io.github.liquidscheduler.training.similarity.PairPredictor;
import io.github.liquidscheduler.training.similarity.PairTable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** The predictors that collaborative filtering must beat. */
final class Baselines {
  private static final int FACTORS = 10;
  private static final double SHRINKAGE = 2;

  private Baselines() {}

  /** Always the mean. */
  static PairPredictor mean(List<PairTable.Entry> entries) {
    double mean = meanOf(entries);
    return (victim, aggressor, gpu) -> mean;
  }

  /**
   * The mean of the GPU model plus what the victim and the aggressor deviate from it on average.
   */
  static PairPredictor bias(PairTable table, List<PairTable.Entry> entries) {
    int gpus = table.gpus().size();
    int classes = table.classes().size();
    double mean = meanOf(entries);
    Means base = new Means(gpus, 0);
    entries.forEach(entry -> base.add(entry.gpu(), entry.speed() - mean));
    Means victims = new Means(classes * gpus, SHRINKAGE);
    Means aggressors = new Means(classes * gpus, SHRINKAGE);
    for (PairTable.Entry entry : entries) {
      double rest = entry.speed() - mean - base.of(entry.gpu());
      victims.add(entry.victim() * gpus + entry.gpu(), rest);
      aggressors.add(entry.aggressor() * gpus + entry.gpu(), rest);
    }
    return (victim, aggressor, gpu) ->
        mean
            + base.of(gpu)
            + victims.of(victim * gpus + gpu)
            + aggressors.of(aggressor * gpus + gpu);
  }

  /**
   * Probabilistic matrix factorisation: ten factors per class and GPU model, by gradient descent.
   */
  static PairPredictor factorization(PairTable table, List<PairTable.Entry> entries, long seed) {
    int gpus = table.gpus().size();
    double mean = meanOf(entries);
    Random random = new Random(seed);
    double[][] left = factors(table.classes().size() * gpus, random);
    double[][] right = factors(table.classes().size() * gpus, random);
    List<PairTable.Entry> order = new ArrayList<>(entries);
    for (int epoch = 0; epoch < 300; epoch++) {
      Collections.shuffle(order, random);
      for (PairTable.Entry entry : order) {
        double[] p = left[entry.victim() * gpus + entry.gpu()];
        double[] q = right[entry.aggressor() * gpus + entry.gpu()];
        double error = entry.speed() - mean - dot(p, q);
        for (int f = 0; f < FACTORS; f++) {
          double held = p[f];
          p[f] += 0.05 * (error * q[f] - 0.01 * held);
          q[f] += 0.05 * (error * held - 0.01 * q[f]);
        }
      }
    }
    return (victim, aggressor, gpu) ->
        mean + dot(left[victim * gpus + gpu], right[aggressor * gpus + gpu]);
  }

  private static double meanOf(List<PairTable.Entry> entries) {
    return entries.stream().mapToDouble(PairTable.Entry::speed).sum() / entries.size();
  }

  private static double[][] factors(int rows, Random random) {
    double[][] factors = new double[rows][FACTORS];
    for (double[] row : factors) {
      for (int f = 0; f < FACTORS; f++) {
        row[f] = random.nextGaussian() * 0.2;
      }
    }
    return factors;
  }

  private static double dot(double[] left, double[] right) {
    double sum = 0;
    for (int i = 0; i < left.length; i++) {
      sum += left[i] * right[i];
    }
    return sum;
  }

  /** Means of numbered groups, drawn to zero by some imagined zeros. */
  private static final class Means {
    private final double[] sums;
    private final double[] counts;
    private final double zeros;

    Means(int groups, double zeros) {
      sums = new double[groups];
      counts = new double[groups];
      this.zeros = zeros;
    }

    void add(int group, double value) {
      sums[group] += value;
      counts[group]++;
    }

    double of(int group) {
      double count = counts[group] + zeros;
      return count == 0 ? 0 : sums[group] / count;
    }
  }
}
