package io.github.liquidscheduler.reconcile;

import io.github.liquidscheduler.job.JobId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The last command about each job, and when the manager has answered it, by the stopwatch: what it
 * shows counts for a job once it was asked after that. Explanations and refusals change nothing
 * that a pass compares, so they are kept apart. Thread-safe.
 */
final class CommandLog {

  /** A command without an answer for so long has got lost. */
  private static final long LOST_NANOS = Duration.ofMinutes(2).toNanos();

  /** How long a command that was refused is not repeated. */
  private static final long REFUSED_NANOS = Duration.ofSeconds(10).toNanos();

  /** What is known of a command. */
  enum Answer {
    NONE,
    DONE,
    REFUSED,
    /** There was an answer, but not to this. */
    UNKNOWN
  }

  /** A command, and when it was sent, or answered if it was. */
  private record Sent(Command command, long at, Answer answer) {

    boolean isOver(long now) {
      return answer != Answer.NONE || now - at > LOST_NANOS;
    }
  }

  private final Map<JobId, Sent> effects = new HashMap<>();
  private final Map<JobId, Sent> texts = new HashMap<>();

  private Map<JobId, Sent> of(Command command) {
    return command instanceof Command.Explain || command instanceof Command.Refuse
        ? texts
        : effects;
  }

  /** Returns true if what was commanded about a job may not show in an observation. */
  synchronized boolean isTooYoung(JobId job, Observation seen) {
    @Nullable Sent last = effects.get(job);
    return last != null && (!last.isOver(seen.begun()) || seen.begun() - last.at() <= 0);
  }

  /** Returns true if the stop of an attempt was carried out. */
  synchronized boolean isStopped(ObservedJob job) {
    @Nullable Sent last = effects.get(job.id());
    return last != null
        && last.answer() == Answer.DONE
        && last.command() instanceof Command.Stop stop
        && stop.attempt() == job.attempt();
  }

  /** Returns those that are to be sent: the same is not on its way, and was not just refused. */
  synchronized List<Command> due(List<Command> commands, long now) {
    List<Command> due = new ArrayList<>();
    for (Command command : commands) {
      @Nullable Sent last = of(command).get(command.job());
      boolean isBarred =
          last != null
              && last.command().equals(command)
              && (!last.isOver(now)
                  || (last.answer() == Answer.REFUSED && now - last.at() < REFUSED_NANOS));
      if (!isBarred) {
        due.add(command);
      }
    }
    return due;
  }

  synchronized void send(List<Command> commands, long now) {
    for (Command command : commands) {
      of(command).put(command.job(), new Sent(command, now, Answer.NONE));
    }
  }

  synchronized void answer(Command command, Answer answer, long now) {
    of(command)
        .computeIfPresent(
            command.job(),
            (job, last) -> last.command().equals(command) ? new Sent(command, now, answer) : last);
  }

  /** Forgets the jobs that are not shown any more. */
  synchronized void keepOnly(Set<JobId> jobs) {
    effects.keySet().retainAll(jobs);
    texts.keySet().retainAll(jobs);
  }
}
