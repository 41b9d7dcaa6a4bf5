package io.github.liquidscheduler.lab.reference.elastic;

import io.github.liquidscheduler.lab.reference.elastic.sizing.GainSpread;
import io.github.liquidscheduler.lab.reference.elastic.sizing.SizeBounds;
import io.github.liquidscheduler.lab.reference.elastic.sizing.SpeedupGain;
import io.github.liquidscheduler.simulator.elastic.ElasticJob;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Elastic-Tiresias (Wu et al., TPDS 33(1), 2022), and it without some of its rules. A plan starts
 * as that of Tiresias, with submitted sizes. If many jobs then wait, those below the top queue
 * shrink to their least size (compaction, R1). What is free goes to the jobs that gain most
 * speed-up, those that wait included (expansion, R2). Made by {@link #builder}.
 */
public final class ElasticTiresias implements ElasticPolicy {

  /** How many times its submitted size a job may grow. */
  private static final int MOST_GROWTH = 4;

  /** Keeps 0.07 x 100 from being rounded up to 8. */
  private static final double ROUNDING = 1e-9;

  private final Builder options;

  private ElasticTiresias(Builder options) {
    this.options = options;
  }

  /** What free GPUs are used for. */
  public enum Refill {
    /** For nothing until the next plan. */
    NONE,
    /** For jobs that wait, each at its least size. */
    ADMISSION,
    /** For jobs that wait and jobs that grow. */
    EXPANSION
  }

  /** Returns a builder of a policy with all rules and the paper's settings. */
  public static Builder builder(String name) {
    return new Builder(name);
  }

  @Override
  public String name() {
    return options.name;
  }

  @Override
  public List<Double> serviceThresholds() {
    return options.queues.thresholds();
  }

  @Override
  public JobOrder newOrder() {
    return options.queues.newOrder();
  }

  @Override
  public int[] sizes(List<ElasticJobState> jobs, int gpus, double now) {
    int[] sizes = SubmittedSizes.fill(jobs, gpus);
    if (options.compacts && pending(sizes) > options.pendingLimit) {
      compact(jobs, sizes);
    }
    if (options.refill != Refill.NONE) {
      int free = gpus - IntStream.of(sizes).sum();
      GainSpread.spread(
          jobs.stream().map(this::candidate).toList(), sizes, free, options.leastGain);
    }
    CoolDown.keep(jobs, sizes, gpus, now - options.coolDownSeconds);
    return sizes;
  }

  private static long pending(int[] sizes) {
    return Arrays.stream(sizes).filter(size -> size == 0).count();
  }

  private void compact(List<ElasticJobState> jobs, int[] sizes) {
    for (int i = 0; i < sizes.length; i++) {
      if (jobs.get(i).queue() > 0 && sizes[i] > 0) {
        sizes[i] = least(jobs.get(i));
      }
    }
  }

  private SpeedupGain candidate(ElasticJobState job) {
    int least = least(job);
    int most = options.refill == Refill.EXPANSION ? most(job, least) : least;
    return new SpeedupGain(job.curve(), new SizeBounds(least, most, options.measuredOnly));
  }

  private int least(ElasticJobState job) {
    ElasticJob.Sizes sizes = job.job().sizes();
    int fraction = (int) Math.ceil(options.minFraction * sizes.submitted() - ROUNDING);
    int least = Math.min(sizes.submitted(), Math.max(1, Math.max(sizes.minimum(), fraction)));
    return options.measuredOnly ? job.curve().measuredFrom(least) : least;
  }

  private static int most(ElasticJobState job, int least) {
    ElasticJob.Sizes sizes = job.job().sizes();
    int most = Math.min(sizes.maximum(), MOST_GROWTH * sizes.submitted());
    return Math.max(least, Math.min(most, job.curve().peak()));
  }

  /** Builds an {@link ElasticTiresias}. Not thread-safe. */
  public static final class Builder {

    private final String name;
    private ServiceQueues queues = ServiceQueues.TWO;
    private boolean compacts = true;
    private Refill refill = Refill.EXPANSION;
    private int pendingLimit = 10;
    private double minFraction = 0.5;
    private double leastGain = 0.02;
    private double coolDownSeconds;
    private boolean measuredOnly;

    private Builder(String name) {
      this.name = name;
    }

    /** Sets the queues of Tiresias; {@link ServiceQueues#TWO} unless set. */
    public Builder queues(ServiceQueues queues) {
      this.queues = queues;
      return this;
    }

    /** Sets whether jobs shrink while many wait; they do unless set. */
    public Builder compacts(boolean compacts) {
      this.compacts = compacts;
      return this;
    }

    /** Sets what free GPUs are used for; {@link Refill#EXPANSION} unless set. */
    public Builder refill(Refill refill) {
      this.refill = refill;
      return this;
    }

    /** Sets how many jobs may wait before others shrink; 10 unless set. */
    public Builder pendingLimit(int pendingLimit) {
      this.pendingLimit = pendingLimit;
      return this;
    }

    /** Sets the least size as a fraction of the submitted one; 0.5 unless set. */
    public Builder minFraction(double minFraction) {
      this.minFraction = minFraction;
      return this;
    }

    /** Sets what a gain must be more than; 0.02 unless set. */
    public Builder leastGain(double leastGain) {
      this.leastGain = leastGain;
      return this;
    }

    /** Sets for how long a job keeps its size after a change, if it can; 0 unless set. */
    public Builder coolDownSeconds(double coolDownSeconds) {
      this.coolDownSeconds = coolDownSeconds;
      return this;
    }

    /** Sets whether jobs may only have measured sizes; they may have all unless set. */
    public Builder measuredOnly(boolean measuredOnly) {
      this.measuredOnly = measuredOnly;
      return this;
    }

    /** Returns the policy; the builder is not to be used again. */
    public ElasticTiresias build() {
      return new ElasticTiresias(this);
    }
  }
}
