package io.github.liquidscheduler.planner.colocation;

import io.github.liquidscheduler.cluster.Gpu;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.Sharing;
import io.github.liquidscheduler.placement.capacity.CoRunnerKey;
import io.github.liquidscheduler.placement.colocation.search.CandidateJob;
import io.github.liquidscheduler.planner.problem.PairSpeeds;
import io.github.liquidscheduler.prediction.ColocationProfile;
import io.github.liquidscheduler.prediction.InterferencePredictor;
import io.github.liquidscheduler.prediction.Observations;
import io.github.liquidscheduler.resource.GpuModel;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiFunction;
import java.util.stream.IntStream;

/**
 * Says which jobs of a queue should share a GPU, two by two, so that together they achieve as much
 * as possible: a maximum-weight matching over what every pair is predicted to achieve beyond one
 * after the other. Taking the best pair left again and again is much worse, since it leaves the
 * least wanted jobs to each other.
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
  private final double opportunisticFloor;
  private final BiFunction<JobSpec, GpuModel, ColocationProfile> profiles;

  private CoRunnerMatcher(
      InterferencePredictor predictor,
      double opportunisticFloor,
      BiFunction<JobSpec, GpuModel, ColocationProfile> profiles) {
    this.predictor = Objects.requireNonNull(predictor, "predictor");
    this.opportunisticFloor = opportunisticFloor;
    this.profiles = Objects.requireNonNull(profiles, "profiles");
  }

  /** Returns the matcher that finds the pairs with the largest gain together. */
  public static CoRunnerMatcher matching(InterferencePredictor predictor) {
    return new CoRunnerMatcher(predictor, 0.55, (job, gpu) -> ColocationProfile.of(job));
  }

  /** Returns this matcher with what is known of a job on a GPU model. */
  public CoRunnerMatcher withProfiles(BiFunction<JobSpec, GpuModel, ColocationProfile> profiles) {
    return new CoRunnerMatcher(predictor, opportunisticFloor, profiles);
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
    return new CoRunnerMatcher(predictor, floor, profiles);
  }

  /** Returns the jobs that share a GPU like this one, given the observations. */
  public CoRunnerMatching plan(List<JobSpec> jobs, Gpu gpu, Observations observations) {
    Queue queue = new Queue(jobs, gpu, observations);
    List<MaximumMatching.Edge> edges = new ArrayList<>();
    for (int one = 0; one < jobs.size(); one++) {
      for (int other = one + 1; other < jobs.size(); other++) {
        double gain = queue.gain(one, other);
        if (gain > 0) {
          edges.add(new MaximumMatching.Edge(one, other, gain));
        }
      }
    }
    List<MaximumMatching.Edge> chosen = MaximumMatching.of(jobs.size(), edges);
    BitSet paired = new BitSet();
    chosen.forEach(pair -> paired.set(pair.one()));
    chosen.forEach(pair -> paired.set(pair.other()));
    return new CoRunnerMatching(
        chosen.stream().map(queue::pair).toList(),
        IntStream.range(0, jobs.size())
            .filter(job -> !paired.get(job))
            .mapToObj(job -> jobs.get(job).id())
            .toList());
  }

  /** The jobs to pair, and how fast each class of them is predicted to be beside each other. */
  private final class Queue {
    private final List<JobSpec> jobs;
    private final int[] classOf;
    private final List<ColocationProfile> classes = new ArrayList<>();
    private final PairSpeeds speeds;
    private final Gpu gpu;

    Queue(List<JobSpec> jobs, Gpu gpu, Observations observations) {
      this.jobs = jobs;
      this.gpu = gpu;
      Map<CoRunnerKey, Integer> known = new LinkedHashMap<>();
      classOf =
          jobs.stream()
              .mapToInt(job -> known.computeIfAbsent(CandidateJob.keyOf(job), key -> add(job)))
              .toArray();
      speeds = new PairSpeeds(predictor, observations, gpu.model(), classes);
    }

    private int add(JobSpec job) {
      classes.add(profiles.apply(job, gpu.model()));
      return classes.size() - 1;
    }

    CoRunnerMatching.Pair pair(MaximumMatching.Edge edge) {
      return new CoRunnerMatching.Pair(
          jobs.get(edge.one()).id(),
          jobs.get(edge.other()).id(),
          speed(edge.one(), edge.other()),
          speed(edge.other(), edge.one()));
    }

    private double speed(int victim, int other) {
      return speeds.speed(classOf[victim], classOf[other]);
    }

    /** Returns the gain of two jobs over one after the other; 0 if they must not share. */
    double gain(int one, int other) {
      boolean allowed =
          mayShare(jobs.get(one))
              && mayShare(jobs.get(other))
              && memory(one) + memory(other) <= gpu.memory().bytes()
              && keepsFloor(one, other)
              && keepsFloor(other, one);
      return allowed ? speed(one, other) + speed(other, one) - 1 : 0;
    }

    private boolean mayShare(JobSpec job) {
      return CandidateJob.mayShare(job)
          && job.tasks() == 1
          && (job.gpuModels().isEmpty() || job.gpuModels().contains(gpu.model()));
    }

    private double memory(int job) {
      double known = classes.get(classOf[job]).memoryBytes();
      return Double.isNaN(known) ? 0 : Math.max(0, known);
    }

    private boolean keepsFloor(int victim, int other) {
      return jobs.get(victim).sharing() instanceof Sharing.Guaranteed guaranteed
          ? speeds.low(classOf[victim], classOf[other]) >= guaranteed.floor()
          : speed(victim, other) >= opportunisticFloor;
    }
  }
}
