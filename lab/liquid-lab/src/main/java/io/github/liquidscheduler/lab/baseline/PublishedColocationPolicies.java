package io.github.liquidscheduler.lab.baseline;

import io.github.liquidscheduler.job.Sharing;
import io.github.liquidscheduler.placement.colocation.ColocationPolicy;
import io.github.liquidscheduler.placement.colocation.ColocationPolicy.CandidateScores;
import io.github.liquidscheduler.placement.colocation.PredictedSlowdownRule;
import io.github.liquidscheduler.placement.colocation.SharedGpu;
import io.github.liquidscheduler.placement.colocation.SharedGpu.CoRunner;
import io.github.liquidscheduler.prediction.Observations;
import java.util.List;

/**
 * The policies of published systems, to compare {@link PredictedSlowdownRule} with. None of them
 * predicts anything; where they look at utilisation, an unknown one counts as full.
 */
public final class PublishedColocationPolicies {

  private static final double MORE_THAN_ANY_COLOCATION = 1e6;
  private static final double REJECTED = Double.POSITIVE_INFINITY;

  private PublishedColocationPolicies() {}

  /** Returns all of them. */
  public static List<ColocationPolicy> all() {
    return List.of(firstFit(), liquid(), gandiva(), antMan(), lucid());
  }

  /** Returns the policy {@code first-fit}: any co-runners will do. */
  public static ColocationPolicy firstFit() {
    return new Each("first-fit", gpu -> 0);
  }

  /**
   * Returns the policy {@code liquid} with the limit of the released system, 1.3 ("more than 1 to
   * expect more improvement").
   */
  public static ColocationPolicy liquid() {
    return liquid(1.3);
  }

  /**
   * Returns the policy {@code liquid}: utilisations alone must add up to less than a limit, and
   * memory must be left over; the first GPU where this holds is taken (Liquid, section 6.2).
   */
  public static ColocationPolicy liquid(double limit) {
    return new Each(
        "liquid", gpu -> gpu.utilization() < limit && gpu.memoryLeft().bytes() > 0 ? 0 : REJECTED);
  }

  /**
   * Returns the policy {@code gandiva}: beside those with the lowest utilisation (Xiao et al., OSDI
   * 2018).
   */
  public static ColocationPolicy gandiva() {
    return new Each("gandiva", SharedGpu::utilization);
  }

  /**
   * Returns the policy {@code antman}: one guaranteed job on a GPU; opportunistic ones where
   * utilisation is below .8, the freest first (Xiao et al., OSDI 2020).
   */
  public static ColocationPolicy antMan() {
    return new Each("antman", PublishedColocationPolicies::antMan);
  }

  /**
   * Returns the policy {@code lucid}: jobs score 0, 1 or 2 by how hard they work the GPU, and the
   * scores of a GPU add up to at most 2, to at most 1 beside a guaranteed job; gangs share too (Hu
   * et al., ASPLOS 2023, who learn the score; here utilisation and use of the memory bandwidth
   * below .4 score 0, below .75 score 1).
   */
  public static ColocationPolicy lucid() {
    return new Each("lucid", PublishedColocationPolicies::lucid);
  }

  private static double antMan(SharedGpu gpu) {
    double before = gpu.utilization() - gpu.candidateJob().utilization();
    boolean onlyOneIsGuaranteed =
        !gpu.candidateJob().isGuaranteed()
            || gpu.residents().stream().noneMatch(CoRunner::isGuaranteed);
    boolean free = gpu.candidateJob().isGuaranteed() || before < 0.8;
    return onlyOneIsGuaranteed && free ? before : REJECTED;
  }

  private static double lucid(SharedGpu gpu) {
    int score = score(gpu.candidateJob());
    int limit = gpu.candidateJob().sharing() instanceof Sharing.Guaranteed ? 1 : 2;
    for (CoRunner resident : gpu.residents()) {
      score += score(resident);
      limit = resident.isGuaranteed() ? 1 : limit;
    }
    return score <= limit ? score : REJECTED;
  }

  private static int score(CoRunner coRunner) {
    double bandwidth = coRunner.profile().memoryBandwidthUtilization();
    double load = Math.max(coRunner.utilization(), Double.isNaN(bandwidth) ? 0 : bandwidth);
    return load < 0.4 ? 0 : load < 0.75 ? 1 : 2;
  }

  /** What one candidate costs, whatever the others are. */
  @FunctionalInterface
  private interface Cost {
    double of(SharedGpu gpu);
  }

  /** A policy that looks at one candidate at a time and prefers any of them to an empty GPU. */
  private record Each(String name, Cost cost) implements ColocationPolicy {
    @Override
    public void score(
        List<SharedGpu> candidates, Observations observations, CandidateScores scores) {
      for (int i = 0; i < candidates.size(); i++) {
        double each = cost.of(candidates.get(i));
        if (each < REJECTED) {
          scores.admit(i, each, 1);
        }
      }
    }

    @Override
    public double costOfEmpty() {
      return MORE_THAN_ANY_COLOCATION;
    }
  }
}
