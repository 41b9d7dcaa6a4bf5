package io.github.liquidscheduler.reconcile;

import io.github.liquidscheduler.explanation.Constraint;
import io.github.liquidscheduler.explanation.Explanation;
import io.github.liquidscheduler.explanation.StartEstimate;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.scheduling.JobStatus;
import io.github.liquidscheduler.scheduling.Scheduler;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What users are told of why their jobs wait: few words, and only when they have changed. Each is a
 * write to the manager, so they are rationed: at most one for a job in a minute and five in a
 * second, those first that were looked at longest ago. Not thread-safe.
 */
final class Explanations {
  private static final Pattern FRACTION = Pattern.compile("([0-9]{2}:[0-9]{2}:[0-9]{2})\\.[0-9]+Z");
  private static final int MOST_PER_SECOND = 5;

  /** An explanation is a search, so few jobs are looked at in a pass. */
  private static final int MOST_LOOKED_AT = 20;

  private static final Duration LEAST_CHANGE = Duration.ofMinutes(1);

  private static final Duration BETWEEN_TEXTS = Duration.ofMinutes(1);

  /** What has to change before a user is told again. */
  private record Gist(Constraint obstacle, int decade, Optional<Instant> start, Instant toldAt) {

    /** Returns true if a user who was told this need not be told the other now. */
    boolean serves(Gist now) {
      return isAs(now) || Duration.between(toldAt, now.toldAt).compareTo(BETWEEN_TEXTS) < 0;
    }

    private boolean isAs(Gist now) {
      return obstacle == now.obstacle
          && decade == now.decade
          && start.isPresent() == now.start.isPresent()
          && (start.isEmpty() || isNear(now.start.orElseThrow()));
    }

    /** Returns true if a start is later or earlier by at most a tenth of the time until then. */
    private boolean isNear(Instant other) {
      Instant then = start.orElseThrow();
      Duration allowed = Duration.between(toldAt, then).abs().dividedBy(10);
      allowed = allowed.compareTo(LEAST_CHANGE) < 0 ? LEAST_CHANGE : allowed;
      return Duration.between(then, other).abs().compareTo(allowed) <= 0;
    }
  }

  /** How long starts, which come first, keep back explanations. */
  private static final Duration BEHIND_STARTS = Duration.ofSeconds(5);

  /** What was told, by job; those that were looked at longest ago first. */
  private final Map<JobId, Gist> told = new LinkedHashMap<>();

  /** The jobs that have started since, whose texts may have come after that. */
  private final Set<JobId> toEmpty = new HashSet<>();

  /** The jobs whose texts may have got lost; of any thread. */
  private final Set<JobId> lost = ConcurrentHashMap.newKeySet();

  private @Nullable Instant last;
  private String epoch = "";
  private double allowance;

  /** Notes that it is not known whether a user was told what was to be told last. */
  void lose(JobId job) {
    lost.add(job);
  }

  /**
   * Returns what is to be told now.
   *
   * @param isStarting whether jobs are to be started now, too
   */
  List<Command> due(Sight sight, Scheduler scheduler, boolean isStarting) {
    if (isStarting
        && last != null
        && Duration.between(last, sight.now()).compareTo(BEHIND_STARTS) < 0) {
      return List.of();
    }
    forgetWhatGotLost(sight);
    double seconds = last == null ? 1 : Duration.between(last, sight.now()).toMillis() / 1e3;
    allowance = Math.min(MOST_PER_SECOND, allowance + seconds * MOST_PER_SECOND);
    last = sight.now();
    List<Command> due = new ArrayList<>();
    Set<JobId> shown = new HashSet<>();
    List<ObservedJob> waiting = new ArrayList<>();
    for (ObservedJob job : sight.seen().jobs()) {
      shown.add(job.id());
      JobId own = sight.note().apply(job.id()).own();
      @Nullable JobStatus status = scheduler.status(own).orElse(null);
      if (!job.isOwned()) {
        // It may have an id that was given again.
        told.remove(job.id());
      } else if (status instanceof JobStatus.Waiting) {
        toEmpty.remove(job.id());
        waiting.add(job);
      } else if (runs(status)) {
        empty(job.id(), due);
      }
    }
    told.keySet().retainAll(shown);
    toEmpty.retainAll(shown);
    inOrder(waiting).limit(MOST_LOOKED_AT).forEach(job -> explain(job, sight, scheduler, due));
    return due;
  }

  /** A manager that was restarted may have forgotten what it was told last. */
  private void forgetWhatGotLost(Sight sight) {
    if (!epoch.equals(sight.seen().epoch())) {
      told.clear();
      epoch = sight.seen().epoch();
    }
    for (JobId job : List.copyOf(lost)) {
      lost.remove(job);
      told.remove(job);
    }
  }

  private void empty(JobId job, List<Command> due) {
    if (told.remove(job) != null) {
      toEmpty.add(job);
    }
    if (allowance >= 1 && toEmpty.remove(job)) {
      say(job, "", due);
    }
  }

  private static boolean runs(@Nullable JobStatus status) {
    return status instanceof JobStatus.Running || status instanceof JobStatus.Launching;
  }

  private Stream<ObservedJob> inOrder(List<ObservedJob> waiting) {
    List<JobId> order = List.copyOf(told.keySet());
    Map<JobId, Integer> rank = new HashMap<>();
    order.forEach(job -> rank.put(job, rank.size() + 1));
    return waiting.stream().sorted(Comparator.comparing(job -> rank.getOrDefault(job.id(), 0)));
  }

  private void explain(ObservedJob job, Sight sight, Scheduler scheduler, List<Command> due) {
    if (allowance < 1) {
      return;
    }
    Explanation why = scheduler.explain(sight.note().apply(job.id()).own());
    Gist now = gist(why, sight.now());
    @Nullable Gist before = told.remove(job.id());
    if (before != null && before.serves(now)) {
      told.put(job.id(), before);
    } else {
      told.put(job.id(), now);
      say(job.id(), text(why, scheduler), due);
    }
  }

  private void say(JobId job, String text, List<Command> due) {
    allowance--;
    due.add(new Command.Explain(job, text));
  }

  private static Gist gist(Explanation why, Instant now) {
    return new Gist(
        why.unmetConstraints().getFirst().constraint(),
        why.queue().ahead() / 10,
        why.queue().expectedStart().map(StartEstimate::instant),
        now);
  }

  /** Returns the explanation of a waiting job in one line, with times in whole seconds. */
  private static String text(Explanation why, Scheduler scheduler) {
    String summary = FRACTION.matcher(why.summary()).replaceAll("$1Z");
    return "#%d of %d; %s".formatted(why.queue().ahead() + 1, scheduler.waiting().size(), summary);
  }
}
