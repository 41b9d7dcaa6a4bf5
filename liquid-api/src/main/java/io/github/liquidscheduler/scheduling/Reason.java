package io.github.liquidscheduler.scheduling;

import io.github.liquidscheduler.cluster.GpuId;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.explanation.UnmetConstraint;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.QueueName;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.text.Count;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;

/** Why a decision was taken, as data. */
public sealed interface Reason {

  /** Returns the reason as a sentence for people, without a full stop. */
  default String describe() {
    return switch (this) {
      case Scheduled(String policy, int bypassed) ->
          bypassed == 0
              ? "next in the order of policy " + policy
              : "bypasses %d that come before it by policy %s and do not fit"
                  .formatted(bypassed, policy);
      case ScheduledOn fast ->
          String.format(
              Locale.ROOT,
              "%s; on %s, %.2f times as fast as on %s%s",
              new Scheduled(fast.policy, fast.bypassed).describe(),
              fast.model,
              fast.times,
              fast.other,
              fast.times < 1 ? ", which is taken or falls to others" : "");
      case PreemptedByPriority(String policy, JobId winner) ->
          "is pre-empted for job '" + winner + "', which comes first by policy " + policy;
      case Reclaimed(QueueName from, QueueName by, JobId winner, ReclaimRule rule) ->
          rule.describe(from, by, winner);
      case MadeSmaller(JobId winner) -> "gives up GPUs for job '" + winner + "'";
      case MadeWay(JobId winner) -> "goes on elsewhere to free capacity for job '" + winner + "'";
      case SpeedsUnknown(int seen) -> "was seen at " + seen + " of its sizes";
      case SpeedsDrifted(int tasks, double measured, double reported) ->
          String.format(
              Locale.ROOT,
              "reports %.3g iterations per second on %s, where %.3g were measured",
              reported,
              Count.of(tasks, "task"),
              measured);
      case DeadlineUnmet(Instant deadline, Optional<Instant> earliestEnd) ->
          "cannot end before its deadline, %s; the earliest possible end is %s"
              .formatted(deadline, earliestEnd.map(Instant::toString).orElse("not known"));
      case NodeGone(NodeId node) -> "node '" + node + "' is lost";
      case NodeDrained(NodeId node) -> "node '" + node + "' drains";
      case ReservationBegan(ReservationId reservation) ->
          "what it runs on is reserved from now on, by reservation '" + reservation + "'";
      case TakenByAdopted(JobId job) ->
          "job '" + job + "', whose start was not decided here, runs on what it was to get";
      case GpuGone(GpuId gpu) -> "GPU '" + gpu + "' is lost";
      case Infeasible(List<UnmetConstraint> unmetConstraints) ->
          "can never run here: "
              + unmetConstraints.stream()
                  .map(UnmetConstraint::describe)
                  .collect(Collectors.joining("; "));
      case RetriesExhausted(int failures) -> "failed " + Count.of(failures, "time") + " in a row";
      case InterferenceViolation(JobId slowed, double retained, double promised) ->
          String.format(
              Locale.ROOT,
              "co-runner '%s' retains %.2f of its speed alone, and %.2f was promised",
              slowed,
              retained,
              promised);
      case NetGain(double gainSeconds, double costSeconds) ->
          "gains " + gainSeconds + " s and costs " + costSeconds + " s";
      case ExpectedRead(double probability, double gainGpuSeconds) ->
          String.format(
              Locale.ROOT,
              "is read there with a probability of %.2f, which saves %.1f GPU-seconds",
              probability,
              gainGpuSeconds);
      case WindowClosed(WindowTrigger trigger, int jobs) ->
          "the batch window of " + Count.of(jobs, "job") + " closed: " + trigger.describe();
      case Planned(long number) ->
          number == 0
              ? "placed by a batch plan that was not requested"
              : "placed by batch plan " + number;
      case Restored() -> "was decided before the scheduler was restored";
    };
  }

  /**
   * The job came next by the policy, of those that fit.
   *
   * @param bypassed how many waiting jobs come before it and do not fit, at least 0
   */
  record Scheduled(String policy, int bypassed) implements Reason {
    /**
     * Checks the parts.
     *
     * @throws IllegalArgumentException if {@code bypassed} is negative
     */
    public Scheduled {
      Objects.requireNonNull(policy, "policy");
      if (bypassed < 0) {
        throw new IllegalArgumentException(
            "the jobs bypassed must not be negative, but were " + bypassed);
      }
    }
  }

  /**
   * The job came next by the policy, of those that fit, and is not as fast on all GPU models.
   *
   * @param bypassed how many waiting jobs come before it and do not fit, at least 0
   * @param model the model of its GPUs; of several, the slowest
   * @param times how many times as fast it is predicted to be there as on {@code other}, positive
   *     and finite
   * @param other of the other models that it may use, that on which it is fastest
   */
  record ScheduledOn(String policy, int bypassed, GpuModel model, double times, GpuModel other)
      implements Reason {
    /**
     * Checks the parts.
     *
     * @throws IllegalArgumentException if {@code bypassed} is negative, or {@code times} not
     *     positive and finite
     */
    public ScheduledOn {
      new Scheduled(policy, bypassed);
      Objects.requireNonNull(model, "model");
      Objects.requireNonNull(other, "other");
      if (!(times > 0 && times < Double.POSITIVE_INFINITY)) {
        throw new IllegalArgumentException(
            "a ratio of speeds must be positive and finite, but was " + times);
      }
    }
  }

  /**
   * The job is pre-empted for one that comes before it by the policy.
   *
   * @param winner the job that starts instead
   */
  record PreemptedByPriority(String policy, JobId winner) implements Reason {
    /** Checks that nothing is null. */
    public PreemptedByPriority {
      Objects.requireNonNull(policy, "policy");
      Objects.requireNonNull(winner, "winner");
    }
  }

  /**
   * Another queue takes back what the job's queue holds.
   *
   * @param from the queue of the job
   * @param by the queue of the job that starts instead
   * @param rule what gives the other queue a right to it
   */
  record Reclaimed(QueueName from, QueueName by, JobId winner, ReclaimRule rule) implements Reason {
    /** Checks that nothing is null. */
    public Reclaimed {
      Objects.requireNonNull(rule, "rule");
      Objects.requireNonNull(from, "from");
      Objects.requireNonNull(by, "by");
      Objects.requireNonNull(winner, "winner");
    }
  }

  /** The job gives up GPUs so that another one starts. */
  record MadeSmaller(JobId winner) implements Reason {
    /** Checks that nothing is null. */
    public MadeSmaller {
      Objects.requireNonNull(winner, "winner");
    }
  }

  /** The job goes on elsewhere so that another one fits where it was. */
  record MadeWay(JobId winner) implements Reason {
    /** Checks that nothing is null. */
    public MadeWay {
      Objects.requireNonNull(winner, "winner");
    }
  }

  /**
   * It is not known how fast the job is at its other sizes.
   *
   * @param seen at how many of its sizes it was seen
   */
  record SpeedsUnknown(int seen) implements Reason {
    /**
     * Checks the number.
     *
     * @throws IllegalArgumentException if it is negative
     */
    public SpeedsUnknown {
      if (seen < 0) {
        throw new IllegalArgumentException(
            "a number of sizes must not be negative, but was " + seen);
      }
    }
  }

  /**
   * The job is not as fast, or as slow, as was measured.
   *
   * @param tasks the size at which it runs
   * @param measured how many iterations per second were measured there, or follow from what was
   *     measured at other sizes
   * @param reported how many it reports
   */
  record SpeedsDrifted(int tasks, double measured, double reported) implements Reason {
    /**
     * Checks the numbers.
     *
     * @throws IllegalArgumentException if a number is not positive
     */
    public SpeedsDrifted {
      if (tasks < 1 || !(measured > 0 && reported > 0)) {
        throw new IllegalArgumentException(
            "tasks and speeds must be positive, but were %d, %s and %s"
                .formatted(tasks, measured, reported));
      }
    }
  }

  /**
   * The job cannot end before its deadline.
   *
   * @param deadline when it has to have ended
   * @param earliestEnd when it could end at the earliest; empty if that is not known
   */
  record DeadlineUnmet(Instant deadline, Optional<Instant> earliestEnd) implements Reason {
    /** Checks that nothing is null. */
    public DeadlineUnmet {
      Objects.requireNonNull(deadline, "deadline");
      Objects.requireNonNull(earliestEnd, "earliestEnd");
    }
  }

  /** A node that the job ran on is gone. */
  record NodeGone(NodeId node) implements Reason {
    /** Checks that nothing is null. */
    public NodeGone {
      Objects.requireNonNull(node, "node");
    }
  }

  /**
   * A node that the job runs on has to be empty now or soon, or one that it was to use takes no new
   * tasks.
   */
  record NodeDrained(NodeId node) implements Reason {
    /** Checks that nothing is null. */
    public NodeDrained {
      Objects.requireNonNull(node, "node");
    }
  }

  /** The capacity that the job runs on is reserved from now on. */
  record ReservationBegan(ReservationId reservation) implements Reason {
    /** Checks that nothing is null. */
    public ReservationBegan {
      Objects.requireNonNull(reservation, "reservation");
    }
  }

  /**
   * A start is taken back, since a job that was {@linkplain ClusterEvent.JobAdopted adopted} runs
   * there.
   *
   * @param job the job that runs there
   */
  record TakenByAdopted(JobId job) implements Reason {
    /** Checks that nothing is null. */
    public TakenByAdopted {
      Objects.requireNonNull(job, "job");
    }
  }

  /** A GPU that the job ran on is gone. */
  record GpuGone(GpuId gpu) implements Reason {
    /** Checks that nothing is null. */
    public GpuGone {
      Objects.requireNonNull(gpu, "gpu");
    }
  }

  /**
   * Not even the empty cluster, with every node up, could hold the job.
   *
   * @param unmetConstraints the constraints that it cannot meet, at least one
   */
  record Infeasible(List<UnmetConstraint> unmetConstraints) implements Reason {
    /**
     * Checks and copies the unmet constraints.
     *
     * @throws IllegalArgumentException if there is none
     */
    public Infeasible {
      unmetConstraints = List.copyOf(unmetConstraints);
      if (unmetConstraints.isEmpty()) {
        throw new IllegalArgumentException(
            "an infeasible job must have an unmet constraint, but had none");
      }
    }
  }

  /**
   * The job has failed so often in a row that it is not started again.
   *
   * @param failures how often, at least 1
   */
  record RetriesExhausted(int failures) implements Reason {
    /**
     * Checks the number.
     *
     * @throws IllegalArgumentException if it is not positive
     */
    public RetriesExhausted {
      if (failures < 1) {
        throw new IllegalArgumentException(
            "a job that is given up must have failed at least once, but had " + failures);
      }
    }
  }

  /**
   * The job slows a co-runner on a GPU they share below what that one was promised.
   *
   * @param retained its measured speed as a fraction of its speed alone, in (0, 1]
   * @param promised the fraction that it was to retain, in (0, 1]
   */
  record InterferenceViolation(JobId slowed, double retained, double promised) implements Reason {
    /**
     * Checks the parts.
     *
     * @throws IllegalArgumentException if a part is not in (0, 1]
     */
    public InterferenceViolation {
      Objects.requireNonNull(slowed, "slowed");
      if (!(retained > 0 && retained <= 1 && promised > 0 && promised <= 1)) {
        throw new IllegalArgumentException(
            "retained and promised speed must be in (0, 1], but were %s and %s, for job '%s'"
                .formatted(retained, promised, slowed));
      }
    }
  }

  /**
   * The change saves more than it costs.
   *
   * @param gainSeconds predicted saving in seconds of job time
   * @param costSeconds predicted cost in seconds of job time
   */
  record NetGain(double gainSeconds, double costSeconds) implements Reason {
    /**
     * Checks the parts.
     *
     * @throws IllegalArgumentException if one is not finite
     */
    public NetGain {
      if (!Double.isFinite(gainSeconds) || !Double.isFinite(costSeconds)) {
        throw new IllegalArgumentException(
            "gain and cost must be finite, but were " + gainSeconds + " and " + costSeconds);
      }
    }
  }

  /**
   * A job is expected to read a data set on a node.
   *
   * @param probability how likely it is that one does, from 0 to 1
   * @param gainGpuSeconds for how long GPUs idle less at its launch if one does and the data set is
   *     there, all together; not negative
   */
  record ExpectedRead(double probability, double gainGpuSeconds) implements Reason {
    /**
     * Checks the parts.
     *
     * @throws IllegalArgumentException if the probability is not in [0, 1], or the gain negative or
     *     not finite
     */
    public ExpectedRead {
      if (!(probability >= 0 && probability <= 1)
          || !(gainGpuSeconds >= 0 && gainGpuSeconds < Double.POSITIVE_INFINITY)) {
        throw new IllegalArgumentException(
            "a probability must be in [0, 1] and a gain at least 0, but were %s and %s"
                .formatted(probability, gainGpuSeconds));
      }
    }
  }

  /**
   * The batch window closed, so a plan is asked for.
   *
   * @param trigger what closed it
   * @param jobs how many jobs were in it, at least 1
   */
  record WindowClosed(WindowTrigger trigger, int jobs) implements Reason {
    /**
     * Checks the parts.
     *
     * @throws IllegalArgumentException if there is no job
     */
    public WindowClosed {
      Objects.requireNonNull(trigger, "trigger");
      if (jobs < 1) {
        throw new IllegalArgumentException(
            "a window that closes must hold a job, but held " + jobs);
      }
    }
  }

  /**
   * A batch plan says so, and it still fits.
   *
   * @param number the number of the {@link Decision.RequestPlan} that the plan answers; 0 if nobody
   *     asked for it
   */
  record Planned(long number) implements Reason {
    /**
     * Checks the number.
     *
     * @throws IllegalArgumentException if it is negative
     */
    public Planned {
      if (number < 0) {
        throw new IllegalArgumentException(
            "the number of a plan's request must not be negative, but was " + number);
      }
    }
  }

  /** It was decided before the scheduler was restored, and could not be carried out then. */
  record Restored() implements Reason {}
}
