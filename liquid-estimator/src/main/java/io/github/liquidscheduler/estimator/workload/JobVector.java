package io.github.liquidscheduler.estimator.workload;

import io.github.liquidscheduler.prediction.ColocationProfile;
import io.github.liquidscheduler.resource.GpuModel;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One job on a GPU model as numbers, worked out once and used in many pairs. */
public final class JobVector {
  /** How many numbers a class is compared by. */
  static final int FEATURES = 6;

  private static final Set<String> HALF = Set.of("fp16", "bf16", "amp", "half", "mixed");
  private static final double HOST_CORES = 8;

  private static final int MOST_ANSWERS = 1024;

  /**
   * What is said of a job beside another: what the models say, and what that is given what was
   * watched. Mutable, so that an answer costs no garbage each time that something was learned.
   */
  public static final class Answer {

    private final JobVector other;
    private final LocalPair classes;
    private final double base;
    private final double promised;
    private double speed;
    private double error;
    private @Nullable Object watched;

    /**
     * Makes an answer before anything was watched.
     *
     * @param other the other
     * @param classes the classes of the job and of the other
     * @param base the retained speed that the models say
     * @param promised the 90 % error that they promise
     */
    public Answer(JobVector other, LocalPair classes, double base, double promised) {
      this.other = other;
      this.classes = classes;
      this.base = base;
      this.promised = promised;
      speed = base;
      error = promised;
    }

    /** Returns the other. */
    public JobVector other() {
      return other;
    }

    /** Returns the classes of the job and of the other. */
    public LocalPair classes() {
      return classes;
    }

    /** Returns the retained speed that the models say. */
    public double base() {
      return base;
    }

    /** Returns the 90 % error that the models promise. */
    public double promised() {
      return promised;
    }

    /** Returns the retained speed, given what was watched. */
    public double speed() {
      return speed;
    }

    /** Returns its 90 % error. */
    public double error() {
      return error;
    }

    /** Returns true if speed and error are those that follow from this state of knowledge. */
    @SuppressWarnings("ReferenceEquality") // Whether it is the same one.
    public boolean isBy(Object state) {
      return watched == state;
    }

    /** Sets what follows from a state of knowledge. */
    public void correct(double speed, double error, Object state) {
      this.speed = speed;
      this.error = error;
      watched = state;
    }
  }

  final WorkloadClass workload;
  final ColocationProfile profile;
  private final IdentityHashMap<JobVector, Answer> answers = new IdentityHashMap<>();
  private boolean retired;
  private final ClassRecord record;
  private final boolean familyIsKnown;
  final double logRate;
  final double lowGain;
  final double highGain;
  final double hostLoad;
  final double gpuShare;
  final ClassEffects.Effect effect;
  final double utilization;
  final double bandwidth;
  final double memory;
  final double halfPrecision;

  /** Works out the numbers of a job on a GPU model by what is known. */
  public JobVector(ColocationProfile profile, GpuModel gpu, ClassHistory known) {
    this.profile = profile;
    workload = WorkloadClass.of(profile.workload());
    record = known.record(workload, gpu);
    familyIsKnown = known.knowsFamily(workload.family());
    double rate =
        Double.isNaN(profile.isolatedRate()) ? record.isolatedRate() : profile.isolatedRate();
    logRate = StrictMath.log(rate);
    List<GpuModel> references = references(known);
    lowGain = gain(known, references, 0);
    highGain = gain(known, references, references.size() - 2);
    hostLoad = hostLoad(rate);
    gpuShare = known.gpuShare(workload, gpu, rate);
    effect = known.effects().of(workload, gpu, features());
    utilization = profile.utilization();
    bandwidth = profile.memoryBandwidthUtilization();
    memory = Math.min(1, profile.memoryBytes() / (GpuFacts.of(gpu).memory() * (1L << 30)));
    halfPrecision = HALF.contains(workload.precision()) ? 1 : 0;
  }

  /** Returns the features by which this class is compared: {@value #FEATURES} numbers. */
  double[] features() {
    int processes = FamilyFacts.of(workload.family()).map(FamilyFacts::processes).orElse(1);
    return new double[] {
      logRate, gpuShare, lowGain, highGain, hostLoad, StrictMath.log(processes) / StrictMath.log(2)
    };
  }

  /** Returns the class of the job. */
  public WorkloadClass workload() {
    return workload;
  }

  /** Returns the known profile of the job. */
  public ColocationProfile profile() {
    return profile;
  }

  /** Returns the mean deviation of this class from the usual speed, or NaN if it was no victim. */
  double sensitivity() {
    return record.asVictim().mean();
  }

  /** Returns the mean deviation of those beside this class, or NaN if there were none. */
  double pressure() {
    return record.asAggressor().mean();
  }

  /**
   * Returns true if nothing at all is known of the job: no measurement of its family, no rate, no
   * utilisation.
   */
  public boolean isUnknown() {
    return !familyIsKnown && Double.isNaN(logRate) && Double.isNaN(utilization);
  }

  /** Returns true if this class was measured beside others on this GPU model. */
  public boolean isFamiliar() {
    return record.asVictim().count() > 0 && record.asAggressor().count() > 0;
  }

  /** Returns the remembered answer for this job beside another, or nothing. */
  public @Nullable Answer answerBeside(JobVector other) {
    return answers.get(other);
  }

  /** Remembers an answer; if there are too many, the older ones are forgotten. */
  public void remember(Answer answer) {
    if (retired) {
      return;
    }
    if (answers.size() >= MOST_ANSWERS) {
      answers.clear();
    }
    answers.put(answer.other(), answer);
  }

  /**
   * Has it remember nothing from now on. Answers of others still name a vector that has been
   * replaced, and it must not keep those in turn that it has answers for.
   */
  public void retire() {
    retired = true;
    answers.clear();
  }

  /** Returns true if it has been replaced. */
  public boolean isRetired() {
    return retired;
  }

  private static List<GpuModel> references(ClassHistory known) {
    return known.gpus().stream()
        .sorted(Comparator.comparingDouble((GpuModel gpu) -> GpuFacts.of(gpu).teraflops()))
        .toList();
  }

  /** How much faster the job is on one reference GPU model than on the one before. */
  private double gain(ClassHistory known, List<GpuModel> references, int slower) {
    if (slower < 0 || slower + 1 >= references.size()) {
      return Double.NaN;
    }
    double from = known.record(workload, references.get(slower)).isolatedRate();
    double to = known.record(workload, references.get(slower + 1)).isolatedRate();
    return StrictMath.log(to / from);
  }

  /** The logarithm of the part of a host's cores that preparing the job's samples keeps busy. */
  private double hostLoad(double rate) {
    Optional<FamilyFacts> facts = FamilyFacts.of(workload.family());
    if (facts.isEmpty()) {
      return Double.NaN;
    }
    int batch = workload.batchSize().orElse(facts.get().defaultBatch());
    double seconds = facts.get().hostMilliseconds() * 1e-3 * batch * rate;
    return StrictMath.log(seconds / HOST_CORES + 0.02);
  }
}
