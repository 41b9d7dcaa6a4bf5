package io.github.liquidscheduler.reconcile;

import io.github.liquidscheduler.job.JobId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the passes of one process remember of each other, beside the notes. All of it may be lost: a
 * job is then ended a little later, and a command is repeated. Thread-safe.
 */
final class PassMemory {

  /** How long notes of jobs are kept that the manager does not show. */
  private static final long FORGOTTEN_NANOS = Duration.ofHours(1).toNanos();

  /**
   * After what time a manager has saved what it has shown: Slurm saves every 5 seconds, and writes
   * for less than one. A command whose answer got lost comes within that time, or never.
   */
  private static final long SAVED_NANOS = Duration.ofSeconds(6).toNanos();

  private final CommandLog log = new CommandLog();
  private final Notes notes;
  private final Instant since;
  private final Duration minJobAge;
  private final Duration startTimeout;
  private final Map<JobId, Sight.Refusal> refusals = new HashMap<>();
  private final Map<JobId, Long> absentSince = new HashMap<>();
  private final Map<JobId, Long> lastShown = new HashMap<>();
  private final Map<JobId, Long> releasedSince = new HashMap<>();
  private final Map<JobId, Long> heldSince = new HashMap<>();

  PassMemory(Notes notes, Instant since, Duration minJobAge, Duration startTimeout) {
    this.notes = notes;
    this.since = since;
    this.minJobAge = minJobAge;
    this.startTimeout = startTimeout;
  }

  CommandLog log() {
    return log;
  }

  /** Takes note of a whole observation, which was complete at some time. */
  synchronized void shows(Observation seen, long now) {
    Map<JobId, Long> held = new HashMap<>(heldSince);
    heldSince.clear();
    for (ObservedJob job : seen.jobs()) {
      lastShown.put(job.id(), seen.begun());
      if (job.state() instanceof ObservedState.Held
          || job.state() instanceof ObservedState.NotYet) {
        heldSince.put(job.id(), held.getOrDefault(job.id(), now));
      }
      if (job.state() instanceof ObservedState.Released) {
        releasedSince.putIfAbsent(job.id(), seen.begun());
      } else {
        releasedSince.remove(job.id());
      }
    }
  }

  private synchronized boolean isLate(JobId job, Observation seen) {
    @Nullable Long since = releasedSince.get(job);
    return since != null && seen.begun() - since >= startTimeout.toNanos();
  }

  /**
   * Returns true if a manager that is killed does not forget that a job was held, and no command
   * may come any more that lets it start.
   */
  private synchronized boolean isHoldSaved(JobId job, Observation seen) {
    @Nullable Long since = heldSince.get(job);
    return since != null
        && seen.begun() - since >= SAVED_NANOS
        && log.isAnswered(job, seen.begun() - SAVED_NANOS);
  }

  /** Returns all that a pass compares the scheduler with. */
  synchronized Sight sight(Observation seen, Map<JobId, ObservedJob> answers, Instant now) {
    return new Sight(
        seen,
        Map.copyOf(answers),
        gone(seen),
        job -> log.isTooYoung(job, seen),
        notes::of,
        notes::byOwnId,
        this::refusal,
        job -> isLate(job, seen),
        job -> isHoldSaved(job, seen),
        log::isStopped,
        now,
        since,
        startTimeout);
  }

  /** Two observations apart for long enough show that a job is gone; one does not (R3). */
  private Set<JobId> gone(Observation seen) {
    Set<JobId> gone = new HashSet<>();
    absentSince.forEach(
        (job, begun) -> {
          if (seen.begun() - begun >= minJobAge.toNanos() / 2) {
            gone.add(job);
          }
        });
    return gone;
  }

  /**
   * Takes note of which jobs are not shown.
   *
   * @param missing the jobs that the scheduler has and the manager does not show, nor knows
   */
  synchronized void miss(Observation seen, List<JobId> missing) {
    absentSince.keySet().retainAll(new HashSet<>(missing));
    missing.forEach(job -> absentSince.putIfAbsent(job, seen.begun()));
  }

  private synchronized Optional<Sight.Refusal> refusal(JobId job) {
    return Optional.ofNullable(refusals.get(job));
  }

  /** Keeps why a job is not wanted as it is. */
  synchronized void refuse(JobId job, Sight.Refusal why) {
    refusals.put(job, why);
  }

  /** Forgets the jobs that have not been shown for long, unless the scheduler has them. */
  synchronized void forget(Set<JobId> live, long now) {
    lastShown.values().removeIf(shown -> now - shown > FORGOTTEN_NANOS);
    Set<JobId> kept = new HashSet<>(lastShown.keySet());
    kept.addAll(live);
    refusals.keySet().retainAll(kept);
    releasedSince.keySet().retainAll(kept);
    log.keepOnly(kept);
    notes.drop(job -> !kept.contains(job));
  }

  /** Returns what was asked for by a job as it is shown. */
  static Optional<ObservedRequest> request(Observation seen, JobId job) {
    @Nullable ObservedJob found =
        seen.jobs().stream().filter(each -> each.id().equals(job)).findFirst().orElse(null);
    return Optional.ofNullable(found).map(ObservedJob::request);
  }

  /**
   * The last command about each job, and when the manager has answered it, by the stopwatch: what
   * it shows counts for a job once it was asked after that. Explanations and refusals change
   * nothing that a pass compares, so they are kept apart. Thread-safe.
   */
  static final class CommandLog {

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

    /** Returns true if nothing was commanded about a job that had no answer by some time. */
    synchronized boolean isAnswered(JobId job, long time) {
      @Nullable Sent last = effects.get(job);
      return last == null || (last.isOver(time) && last.at() <= time);
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
              (job, last) ->
                  last.command().equals(command) ? new Sent(command, now, answer) : last);
    }

    /** Forgets the jobs that are not shown any more. */
    synchronized void keepOnly(Set<JobId> jobs) {
      effects.keySet().retainAll(jobs);
      texts.keySet().retainAll(jobs);
    }
  }
}
