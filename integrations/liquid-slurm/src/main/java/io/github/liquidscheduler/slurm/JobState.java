package io.github.liquidscheduler.slurm;

import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.reconcile.ObservedState;
import io.github.liquidscheduler.reconcile.ObservedState.Outcome;
import io.github.liquidscheduler.slurm.JobLine.Column;
import io.github.liquidscheduler.slurm.SlurmConfig.Ownership;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** How far a job has come, by its state in Slurm. */
record JobState(Ownership ownership, Instant now) {

  /** The begin time of a job that waits for the scheduler: 2040-01-01. */
  static final Instant FAR_AHEAD = Instant.ofEpochSecond(2_208_988_800L);

  ObservedState of(ListedJob job) throws IOException {
    String state = job.text(Column.STATE);
    return switch (state) {
      case "R", "CF", "S", "SI", "RS", "ST" ->
          new ObservedState.Running(job.line().start().orElse(now));
      case "CG", "SO" -> new ObservedState.Ending();
      case "PD", "RQ", "RH", "RF" -> pending(job);
      case "SE" -> new ObservedState.NotYet("held after a special exit");
      case "RD" -> new ObservedState.NotYet("held, for its reservation was deleted");
      default -> new ObservedState.Ended(outcome(state));
    };
  }

  /** Returns the outcome of a state in the short form of squeue or the long one of sacct. */
  static Outcome outcome(String state) throws IOException {
    return switch (state) {
      case "CD", "COMPLETED" -> Outcome.FINISHED;
      case "OOM", "OUT_OF_MEMORY" -> Outcome.OUT_OF_MEMORY;
      case "CA", "CANCELLED", "DL", "DEADLINE", "RV", "REVOKED" -> Outcome.CANCELLED;
      case "F",
          "FAILED",
          "TO",
          "TIMEOUT",
          "NF",
          "NODE_FAIL",
          "BF",
          "BOOT_FAIL",
          "PR",
          "PREEMPTED" ->
          Outcome.FAILED;
      default -> throw new IOException("a job's state must be one of Slurm's, but was " + state);
    };
  }

  private ObservedState pending(ListedJob job) throws IOException {
    String dependency = job.text(Column.DEPENDENCY);
    String reason = job.text(Column.REASON);
    Optional<Instant> begin = begin(job);
    if (!dependency.isEmpty()) {
      return new ObservedState.NotYet(
          (reason.equals("DependencyNeverSatisfied")
                  ? "its dependency can never be satisfied: "
                  : "depends on ")
              + dependency);
    }
    if (begin.isPresent() && begin.get().isAfter(now)) {
      return new ObservedState.NotYet(begins(begin.get()));
    }
    boolean isHeld = job.line().number(Column.PRIORITY) == 0;
    return switch (ownership) {
      case BEGIN_TIME ->
          isHeld
              ? isHeldAfterLaunch(job)
                  ? new ObservedState.Held()
                  : new ObservedState.NotYet(heldBy(reason))
              : farAhead(job);
      case HOLD -> isHeld ? held(job, reason) : released(job);
    };
  }

  /**
   * Returns the state of a job with a hold, which is the scheduler's if it was ever pinned. The
   * begin time of a job that ran is Slurm's: the end of its credential, which a start overrides.
   */
  private ObservedState held(ListedJob job, String reason) {
    Optional<Instant> start = job.line().start().filter(at -> at.isAfter(now));
    return start.isPresent() && job.line().number(Column.RESTARTS) == 0
        ? new ObservedState.NotYet(begins(start.get()))
        : reason.equals("JobHeldUser")
                || isHeldAfterLaunch(job)
                || job.adminComment().required().isPresent()
            ? new ObservedState.Held()
            : new ObservedState.NotYet(heldBy(reason));
  }

  /** Returns true if Slurm holds it since a node refused to launch it: it waits for a release. */
  static boolean isHeldAfterLaunch(ListedJob job) {
    return job.text(Column.REASON).replace('_', ' ').equals("launch failed requeued held");
  }

  private static String begins(Instant at) {
    return "begins at " + at + " at the earliest";
  }

  private static String heldBy(String reason) {
    return switch (reason) {
      case "JobHeldUser" -> "held by its user";
      case "JobHeldAdmin" -> "held by an administrator";
      default -> "held by Slurm: " + reason;
    };
  }

  /** Returns whether a job waits for the scheduler, whatever else it waits for. */
  boolean waits(ListedJob job) {
    boolean isPending = List.of("PD", "RQ", "RH", "RF", "SE").contains(job.text(Column.STATE));
    boolean isHeld = job.line().number(Column.PRIORITY) == 0;
    return isPending
        && isOurs(job)
        && (job.adminComment().required().isPresent()
            || (ownership == Ownership.HOLD ? isHeld : isFarAhead(job)));
  }

  private static boolean isFarAhead(ListedJob job) {
    return job.line().start().filter(start -> !start.isBefore(FAR_AHEAD)).isPresent();
  }

  private static ObservedState farAhead(ListedJob job) throws IOException {
    return isFarAhead(job) ? new ObservedState.Held() : released(job);
  }

  private static ObservedState released(ListedJob job) throws IOException {
    List<NodeId> pinned = job.pinned().stream().map(NodeId::of).toList();
    return new ObservedState.Released(pinned);
  }

  /** Returns whether the scheduler decides when a job of the partitions starts. */
  boolean isOurs(ListedJob job) {
    return switch (ownership) {
      case BEGIN_TIME -> true;
      case HOLD ->
          job.adminComment().required().isPresent()
              || (job.line().number(Column.PRIORITY) == 0
                  && job.text(Column.REASON).equals("JobHeldUser"));
    };
  }

  /** Returns the begin time that its user asked for, as the submit plugin has noted it. */
  static Optional<Instant> begin(ListedJob job) {
    try {
      return Words.of(job.adminComment().kept())
          .value("begin")
          .filter(seconds -> seconds.matches("[0-9]{1,12}"))
          .map(seconds -> Instant.ofEpochSecond(Long.parseLong(seconds)));
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }
}
