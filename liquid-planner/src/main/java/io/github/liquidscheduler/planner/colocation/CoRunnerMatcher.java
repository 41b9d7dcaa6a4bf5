package io.github.liquidscheduler.planner.colocation;

import io.github.liquidscheduler.cluster.Gpu;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.Sharing;
import io.github.liquidscheduler.placement.capacity.CoRunnerKey;
import io.github.liquidscheduler.placement.colocation.search.CandidateJob;
import io.github.liquidscheduler.prediction.ColocationProfile;
import io.github.liquidscheduler.prediction.ColocationQuery;
import io.github.liquidscheduler.prediction.InterferencePredictor;
import io.github.liquidscheduler.prediction.Observations;
import io.github.liquidscheduler.resource.GpuModel;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiFunction;

/**
 * Says which jobs of a queue should share a GPU, two by two, so that together they achieve as much
 * as possible: a maximum-weight matching over what every pair is predicted to achieve beyond one
 * after the other. Taking the best pair left again and again is much worse, since it leaves those
 * to each other whom nobody wants.
 *
 * <p>Two jobs are a pair if each may share one GPU, their device memory fits, and nobody is
 * predicted below the floor: a guaranteed job at the low end of the interval, an opportunistic one
 * at .55 of its isolated rate. Immutable.
 *
 * <p>Jobs of one class are predicted once. The matching of 200 jobs of 26 classes takes some tens
 * of milliseconds; of more than 48 jobs, each brings only its 48 best pairs.
 */
public final class CoRunnerMatcher {

  private final InterferencePredictor predictor;
  private final MatchingStrategy strategy;
  private final double opportunisticFloor;
  private final BiFunction<JobSpec, GpuModel, ColocationProfile> profiles;

  private CoRunnerMatcher(
      InterferencePredictor predictor,
      MatchingStrategy strategy,
      double opportunisticFloor,
      BiFunction<JobSpec, GpuModel, ColocationProfile> profiles) {
    this.predictor = Objects.requireNonNull(predictor, "predictor");
    this.strategy = strategy;
    this.opportunisticFloor = opportunisticFloor;
    this.profiles = Objects.requireNonNull(profiles, "profiles");
  }

  /** Returns the matcher that finds the pairs with the largest gain together. */
  public static CoRunnerMatcher matching(InterferencePredictor predictor) {
    return with(predictor, MatchingStrategy.matching());
  }

  /** Returns the matcher that takes the pair with the largest gain again and again, to compare. */
  public static CoRunnerMatcher greedy(InterferencePredictor predictor) {
    return with(predictor, MatchingStrategy.greedy());
  }

  /** Returns the matcher that takes any pair with a gain again and again, to compare. */
  public static CoRunnerMatcher random(InterferencePredictor predictor, long seed) {
    return with(predictor, MatchingStrategy.random(seed));
  }

  private static CoRunnerMatcher with(InterferencePredictor predictor, MatchingStrategy strategy) {
    return new CoRunnerMatcher(predictor, strategy, 0.55, (job, gpu) -> ColocationProfile.of(job));
  }

  /** Returns this matcher with what is known of a job on a GPU model. */
  public CoRunnerMatcher withProfiles(BiFunction<JobSpec, GpuModel, ColocationProfile> profiles) {
    return new CoRunnerMatcher(predictor, strategy, opportunisticFloor, profiles);
  }

  /**
   * Returns this matcher with another floor of opportunistic jobs.
   *
   * @throws IllegalArgumentException if it is not from 0 to 1
   */
  public CoRunnerMatcher withOpportunisticFloor(double floor) {
    if (!(floor >= 0 && floor <= 1)) {
      throw new IllegalArgumentException(
          "the floor of opportunistic jobs must be from 0 to 1, but was " + floor);
    }
    return new CoRunnerMatcher(predictor, strategy, floor, profiles);
  }

  /** Returns which of the jobs share a GPU like this one, given what was observed. */
  public CoRunnerMatching plan(List<JobSpec> jobs, Gpu gpu, Observations observations) {
    Speeds speeds = new Speeds(jobs, gpu, observations);
    List<MatchingStrategy.Edge> edges = new ArrayList<>();
    for (int one = 0; one < jobs.size(); one++) {
      for (int other = one + 1; other < jobs.size(); other++) {
        double gain = speeds.gain(one, other);
        if (gain > 0) {
          edges.add(new MatchingStrategy.Edge(one, other, gain));
        }
      }
    }
    return plan(jobs, speeds, strategy.choose(jobs.size(), edges));
  }

  private static CoRunnerMatching plan(
      List<JobSpec> jobs, Speeds speeds, List<MatchingStrategy.Edge> chosen) {
    List<MatchingStrategy.Edge> inOrder = new ArrayList<>(chosen);
    inOrder.sort(Comparator.comparingInt(edge -> Math.min(edge.one(), edge.other())));
    List<CoRunnerMatching.Pair> pairs = new ArrayList<>();
    boolean[] paired = new boolean[jobs.size()];
    for (MatchingStrategy.Edge edge : inOrder) {
      int one = Math.min(edge.one(), edge.other());
      int other = Math.max(edge.one(), edge.other());
      paired[one] = true;
      paired[other] = true;
      pairs.add(
          new CoRunnerMatching.Pair(
              jobs.get(one).id(),
              jobs.get(other).id(),
              speeds.speed(one, other),
              speeds.speed(other, one)));
    }
    List<JobId> alone = new ArrayList<>();
    for (int job = 0; job < paired.length; job++) {
      if (!paired[job]) {
        alone.add(jobs.get(job).id());
      }
    }
    return new CoRunnerMatching(pairs, alone);
  }

  /**
   * The speed that each class of jobs is predicted to retain beside each other, all asked at once.
   */
  private final class Speeds {
    private final List<JobSpec> classes = new ArrayList<>();
    private final int[] classOf;
    private final boolean[] shares;
    private final double[] memory;
    private final float[] values;
    private final float[] lows;
    private final double most;

    Speeds(List<JobSpec> jobs, Gpu gpu, Observations observations) {
      classOf = new int[jobs.size()];
      shares = new boolean[jobs.size()];
      most = gpu.memory().bytes();
      Map<CoRunnerKey, Integer> known = new LinkedHashMap<>();
      for (int job = 0; job < classOf.length; job++) {
        JobSpec spec = jobs.get(job);
        shares[job] = CandidateJob.mayShare(spec) && spec.tasks() == 1 && allows(spec, gpu.model());
        classOf[job] = known.computeIfAbsent(CandidateJob.keyOf(spec), each -> add(spec));
      }
      List<ColocationProfile> all =
          classes.stream().map(each -> profiles.apply(each, gpu.model())).toList();
      memory = all.stream().mapToDouble(p -> Math.max(0, known(p.memoryBytes()))).toArray();
      List<ColocationQuery> questions = new ArrayList<>();
      for (ColocationProfile victim : all) {
        for (ColocationProfile other : all) {
          questions.add(new ColocationQuery(gpu.model(), victim, List.of(other)));
        }
      }
      values = new float[questions.size()];
      lows = new float[questions.size()];
      predictor.retainedSpeeds(questions, observations.interference(), values, lows);
    }

    private int add(JobSpec job) {
      classes.add(job);
      return classes.size() - 1;
    }

    double speed(int victim, int other) {
      return values[classOf[victim] * classes.size() + classOf[other]];
    }

    /** Returns what two jobs achieve beyond one after the other; 0 if they must not share. */
    double gain(int one, int other) {
      boolean allowed =
          shares[one]
              && shares[other]
              && memory[classOf[one]] + memory[classOf[other]] <= most
              && keepsFloor(one, other)
              && keepsFloor(other, one);
      return allowed ? speed(one, other) + speed(other, one) - 1 : 0;
    }

    private boolean keepsFloor(int victim, int other) {
      return classes.get(classOf[victim]).sharing() instanceof Sharing.Guaranteed guaranteed
          ? lows[classOf[victim] * classes.size() + classOf[other]] >= guaranteed.floor()
          : speed(victim, other) >= opportunisticFloor;
    }

    private static double known(double memory) {
      return Double.isNaN(memory) ? 0 : memory;
    }

    private static boolean allows(JobSpec job, GpuModel gpu) {
      return job.gpuModels().isEmpty() || job.gpuModels().contains(gpu);
    }
  }
}
