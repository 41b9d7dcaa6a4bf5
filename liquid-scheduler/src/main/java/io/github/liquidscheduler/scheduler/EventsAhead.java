package io.github.liquidscheduler.scheduler;

import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.scheduler.job.JobEntry;
import io.github.liquidscheduler.scheduler.queue.JobTable;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.ResizeStep;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The future events of a scheduler that is played ahead: expected job ends and requested wake-ups.
 * A job's end is computed when it starts and again with each decision about it.
 */
final class EventsAhead {

  private final TurnsAhead turns;
  private final Function<JobEntry, Optional<Instant>> end;
  // Earliest first; outdated entries remain until they are reached.
  private final PriorityQueue<End> ends;
  // Never iterated. Current ends of jobs that ended or were decided about; empty if there is none.
  private final Map<JobId, Optional<End>> changed = new HashMap<>();

  private record End(Instant at, long start, JobId job) implements Comparable<End> {
    @Override
    public int compareTo(End other) {
      int byTime = at.compareTo(other.at);
      return byTime != 0 ? byTime : Long.compare(start, other.start);
    }
  }

  /**
   * Collects the expected ends of the running jobs; O(n log n).
   *
   * @param end the expected end of a running job as of now; empty if unknown
   */
  EventsAhead(TurnsAhead turns, Function<JobEntry, Optional<Instant>> end) {
    this.turns = turns;
    this.end = end;
    List<End> all = new ArrayList<>();
    jobs().running().inOrder().forEach(job -> end(job).ifPresent(all::add));
    ends = new PriorityQueue<>(all);
  }

  private JobTable jobs() {
    return turns.jobs();
  }

  private Optional<End> end(JobEntry job) {
    return end.apply(job).map(at -> new End(at, job.start(), job.id()));
  }

  /** Applies an event and returns the decisions. */
  List<Decision> play(ClusterEvent event) {
    List<Decision> decisions = turns.turn().apply(event);
    for (ClusterEvent each : event.events()) {
      if (each instanceof ClusterEvent.AboutJob about) {
        change(about.job());
      }
    }
    for (Decision decision : decisions) {
      if (decision instanceof Decision.AboutJob about) {
        change(about.job());
      }
    }
    return decisions;
  }

  private void change(JobId id) {
    @Nullable JobEntry job = jobs().find(id);
    Optional<End> end = job != null && job.isRunning() ? end(job) : Optional.empty();
    changed.put(id, end);
    end.ifPresent(ends::add);
  }

  /**
   * Returns the next event; a job's end precedes a wake-up at the same instant. Who is in the way
   * of a job that would end has left by then. Launching jobs begin at once.
   */
  Optional<ClusterEvent> next() {
    Instant now = jobs().now();
    List<JobEntry> launching = jobs().running().launching();
    if (!launching.isEmpty()) {
      return Optional.of(
          ClusterEvent.together(
              launching.stream().map(job -> new ClusterEvent.JobStarted(now, job.id())).toList()));
    }
    @Nullable End end = first();
    Optional<Instant> wakeUp = turns.wakeUp().get().map(at -> at.isAfter(now) ? at : now);
    if (end == null || wakeUp.filter(end.at()::isAfter).isPresent()) {
      return wakeUp.map(ClusterEvent.TimePassed::new);
    }
    JobEntry ending = jobs().get(end.job());
    return Optional.of(
        jobs().stopping().hasBegunBy(ending, end.at())
            ? new ClusterEvent.JobFinished(end.at(), end.job())
            : leaves(ending.phase().after().getFirst(), end.at()));
  }

  private ClusterEvent leaves(JobId id, Instant at) {
    JobEntry job = jobs().get(id);
    if (job.isMoving()) {
      return leaves(job.phase().after().getFirst(), at);
    }
    return job.isStopping()
        ? new ClusterEvent.JobStopped(at, id)
        : new ClusterEvent.ResizeReported(at, id, job.history().resizes(), ResizeStep.SWITCHED);
  }

  private @Nullable End first() {
    @Nullable End first = ends.peek();
    while (first != null && isChanged(first)) {
      ends.remove();
      first = ends.peek();
    }
    return first;
  }

  private boolean isChanged(End end) {
    return !changed.getOrDefault(end.job(), Optional.of(end)).equals(Optional.of(end));
  }
}
