package io.github.liquidscheduler.slurm;

import io.github.liquidscheduler.reconcile.ObservedState;
import io.github.liquidscheduler.slurm.JobLine.Column;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What keeps jobs from starting beside nodes: the licences that are left, and how many tasks of an
 * array may run at a time. A job that was told as waiting for the scheduler takes its part, in the
 * order of the listing, so that not more are started than Slurm lets run.
 */
final class Throttles {

  private static final Pattern LICENSE =
      Pattern.compile("LicenseName=(\\S+)\\s+Total=([0-9]+)\\s.*?Free=([0-9]+)", Pattern.DOTALL);

  private final Map<String, Long> licences = new HashMap<>();
  private final Map<String, Long> tasks = new HashMap<>();

  /**
   * Counts what runs.
   *
   * @param licences what {@code scontrol show licenses} prints
   */
  Throttles(String licences, List<ListedJob> jobs) {
    Matcher licence = LICENSE.matcher(licences);
    while (licence.find()) {
      this.licences.put(licence.group(1), Long.parseLong(licence.group(3)));
    }
    for (ListedJob job : jobs) {
      if (job.line().isTask() && !job.text(Column.NODES).isEmpty() && isActive(job)) {
        tasks.merge(job.text(Column.ARRAY), 1L, Long::sum);
      }
    }
  }

  private static boolean isActive(ListedJob job) {
    return List.of("R", "CF", "S", "SI", "RS", "ST", "CG", "SO").contains(job.text(Column.STATE));
  }

  /** Returns the state of a job, given that of Slurm, and takes its part if it may start. */
  ObservedState state(ListedJob job, ObservedState state) {
    if (!(state instanceof ObservedState.Held) && !(state instanceof ObservedState.Released)) {
      return state;
    }
    boolean isHeld = state instanceof ObservedState.Held;
    Optional<String> missing = missing(job);
    if (isHeld && missing.isPresent()) {
      return new ObservedState.NotYet(missing.get());
    }
    for (Tres licence : Tres.list(job.text(Column.LICENSES))) {
      licences.merge(licence.name(), -licence.amount(1), Long::sum);
    }
    if (job.line().isTask()) {
      tasks.merge(job.text(Column.ARRAY), 1L, Long::sum);
    }
    return state;
  }

  private Optional<String> missing(ListedJob job) {
    long limit = job.arrayLimit();
    if (job.line().isTask()
        && limit > 0
        && tasks.getOrDefault(job.text(Column.ARRAY), 0L) >= limit) {
      return Optional.of(
          "array %s lets %d tasks run at a time".formatted(job.text(Column.ARRAY), limit));
    }
    for (Tres licence : Tres.list(job.text(Column.LICENSES))) {
      long free = Math.max(0, licences.getOrDefault(licence.name(), 0L));
      if (free < licence.amount(1)) {
        return Optional.of(
            "needs %d of licence %s, and %d are free"
                .formatted(licence.amount(1), licence.name(), free));
      }
    }
    return Optional.empty();
  }
}
