package io.github.liquidscheduler.reconcile;

import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.job.JobId;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What is known of a job beside the scheduler's journal. It is durable before anybody acts on it.
 *
 * @param job the manager's id
 * @param own its id in the scheduler, another one after it has ended there once
 * @param submitted when the manager took it at first, if that is known
 * @param began where it last began, or may have: a start is noted before it is commanded
 * @param ended its last end, noted before it is told
 * @param moved the attempt that was stopped in order to go on elsewhere
 * @param told what its user was told last of why it is not started
 */
record JobNote(
    JobId job,
    JobId own,
    Optional<Instant> submitted,
    Optional<Began> began,
    Optional<Ended> ended,
    OptionalInt moved,
    Optional<Told> told) {

  /** The attempt in an id that a job has after an end. */
  private static final Pattern ATTEMPT = Pattern.compile("#([0-9]+)");

  /**
   * The beginning of an attempt.
   *
   * @param on the node of each task, in the order of the tasks
   * @param epoch the life of the manager in which that was known
   */
  record Began(int attempt, List<NodeId> on, String epoch) {
    Began {
      on = List.copyOf(on);
    }

    /** Returns true if all tasks are on the same nodes as these. */
    boolean isOn(Collection<NodeId> nodes) {
      return on.stream().sorted().toList().equals(nodes.stream().sorted().toList());
    }
  }

  /** The end of a job. */
  record Ended(int attempt, ObservedState.Outcome how) {}

  /**
   * A refusal.
   *
   * @param epoch the life of the manager to which it was told; another may have forgotten it
   */
  record Told(int attempt, String text, String epoch) {}

  /** Makes a note of a job of which nothing is known. */
  JobNote(JobId job) {
    this(
        job,
        job,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        OptionalInt.empty(),
        Optional.empty());
  }

  JobNote of(ObservedJob seen) {
    boolean isFirst = seen.attempt() == 0 && seen.submitted().isPresent();
    Optional<Instant> at = isFirst ? seen.submitted() : submitted;
    return new JobNote(job, own, at, began, ended, moved, told);
  }

  /** Returns true if another job is shown under the same id. */
  boolean isOfAnother(ObservedJob seen) {
    return seen.attempt() == 0
        && submitted.isPresent()
        && seen.submitted().isPresent()
        && !submitted.equals(seen.submitted());
  }

  /** Returns the note of another job under the same id. */
  static JobNote ofAnother(ObservedJob seen) {
    JobId own = JobId.of(seen.id().value() + '@' + seen.submitted().orElseThrow());
    return new JobNote(seen.id()).named(own).of(seen);
  }

  JobNote named(JobId name) {
    return new JobNote(job, name, submitted, began, ended, moved, told);
  }

  /** A later attempt may still run that the manager has forgotten: it stays noted. */
  JobNote begins(Began now) {
    return began.filter(last -> last.attempt() > now.attempt()).isPresent()
        ? this
        : new JobNote(job, own, submitted, Optional.of(now), ended, moved, told);
  }

  /** The end of a later attempt stays noted, though the manager may have forgotten that one. */
  JobNote ends(Ended now) {
    return hasEnded(now.attempt() + 1)
        ? this
        : new JobNote(job, own, submitted, began, Optional.of(now), moved, told);
  }

  JobNote moves(int attempt) {
    return new JobNote(job, own, submitted, began, ended, OptionalInt.of(attempt), told);
  }

  JobNote tells(Told now) {
    return new JobNote(job, own, submitted, began, ended, moved, Optional.of(now));
  }

  /** Returns the last attempt that is known to have begun, 0 if none is. */
  int lastAttempt() {
    return Math.max(began.map(Began::attempt).orElse(0), ended.map(Ended::attempt).orElse(0));
  }

  /** Returns true if an attempt has not begun after what is known to have. */
  boolean hasBegun(int attempt) {
    return began.filter(last -> last.attempt() >= attempt).isPresent();
  }

  /** Returns true if it has ended under its present id in the scheduler. */
  boolean isOver() {
    Matcher attempt = ATTEMPT.matcher(own.value());
    return hasEnded(attempt.find() ? Integer.parseInt(attempt.group(1)) : 0);
  }

  /** Returns its id in the scheduler if it comes again after an end. */
  JobId nameOf(int attempt) {
    return nameOf(attempt, 1);
  }

  /** Returns its id if an attempt comes for the second time, or a later one. */
  JobId nameOf(int attempt, int time) {
    String again = time == 1 ? "" : "." + time;
    return JobId.of(own.value().replaceFirst("#.*", "") + '#' + attempt + again);
  }

  /** Returns true if an attempt is one that has ended. */
  boolean hasEnded(int attempt) {
    return ended.filter(last -> last.attempt() >= attempt).isPresent();
  }
}
