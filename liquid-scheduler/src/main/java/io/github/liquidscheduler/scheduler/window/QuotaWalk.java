package io.github.liquidscheduler.scheduler.window;

import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.Parallelism;
import io.github.liquidscheduler.job.QueueName;
import io.github.liquidscheduler.job.TaskRole;
import io.github.liquidscheduler.scheduler.job.JobEntry;
import io.github.liquidscheduler.scheduler.job.JobOrders;
import io.github.liquidscheduler.scheduler.queue.JobTable;
import io.github.liquidscheduler.scheduler.queue.Quotas;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/*
 * Idea: a plan is asked for the jobs that would start if capacity were no question: the walk goes
 *   through the queues in their serving order and supposes that each job starts whose quotas admit
 *   it, which changes that order as a start does.
 * Invariants: the order is that of a pass that starts jobs in turn (StartPass), the sizes are those
 *   that it would choose; usage, shares and orders are as before afterwards.
 * Cost: for each job that of a start in the accounts, O(log sizes) checks if it is elastic.
 */
/** Jobs of a queue tree in the order in which their quotas would let them start. */
final class QuotaWalk {

  private final JobTable table;
  private final Quotas quotas;
  // Each queue's jobs that are not supposed to run, the first in turn first.
  private final Map<QueueName, List<JobEntry>> waiting = new LinkedHashMap<>();
  // How many of these have been asked.
  private final Map<QueueName, Integer> asked = new HashMap<>();
  private final Set<QueueName> blocked = new LinkedHashSet<>();

  /**
   * A job of the walk.
   *
   * @param job the job
   * @param admitted the job with the sizes that its quotas admit; empty if they admit none
   */
  record Step(JobEntry job, Optional<JobSpec> admitted) {}

  private QuotaWalk(JobTable table) {
    this.table = table;
    quotas = table.quotas();
  }

  /**
   * Returns jobs in the order of their turns, until {@code most} are admitted.
   *
   * @param jobs waiting jobs
   */
  static List<Step> over(JobTable table, List<JobEntry> jobs, int most) {
    List<Step> steps = new ArrayList<>();
    if (!jobs.isEmpty()) {
      QuotaWalk walk = new QuotaWalk(table);
      jobs.stream().sorted(JobOrders.RANK).forEach(walk::enter);
      table.quotas().imagine(() -> walk.go(steps, most));
      table.queues().arrange();
    }
    return steps;
  }

  private void enter(JobEntry job) {
    waiting.computeIfAbsent(job.job().queue(), queue -> new ArrayList<>()).add(job);
  }

  private void go(List<Step> steps, int most) {
    int admitted = 0;
    for (@Nullable JobEntry job = next(); job != null && admitted < most; job = next()) {
      Optional<JobSpec> sized = blocked.contains(job.job().queue()) ? Optional.empty() : ask(job);
      steps.add(new Step(job, sized));
      note(job, sized.isPresent());
      admitted += sized.isPresent() ? 1 : 0;
    }
  }

  /** Returns the next job to be asked; null if there is none. */
  private @Nullable JobEntry next() {
    Map<QueueName, JobEntry> firsts = new HashMap<>();
    waiting.forEach(
        (queue, jobs) -> {
          if (!jobs.isEmpty()) {
            firsts.put(queue, jobs.getFirst());
          }
        });
    table.queues().arrangeFor(firsts);
    @Nullable JobEntry next = null;
    for (Map.Entry<QueueName, List<JobEntry>> queue : waiting.entrySet()) {
      int at = asked.getOrDefault(queue.getKey(), 0);
      if (at < queue.getValue().size()) {
        JobEntry job = queue.getValue().get(at);
        next = next == null || job.account().position() < next.account().position() ? job : next;
      }
    }
    return next;
  }

  private void note(JobEntry job, boolean isAdmitted) {
    QueueName queue = job.job().queue();
    if (isAdmitted) {
      List<JobEntry> jobs = Objects.requireNonNull(waiting.get(queue));
      jobs.remove((int) asked.getOrDefault(queue, 0));
    } else {
      asked.merge(queue, 1, Integer::sum);
      if (job.queue().isStrict()) {
        blocked.add(queue);
      }
    }
  }

  /** Supposes that a job runs at the largest size admitted, up to the preferred one. */
  private Optional<JobSpec> ask(JobEntry job) {
    JobSpec spec = job.job();
    Parallelism sizes = spec.parallelism();
    JobSpec preferred = spec.atSize(sizes.preferred());
    if (quotas.admission().mayAdmit(job, preferred)) {
      quotas.suppose(job, preferred);
      return Optional.of(spec);
    }
    List<Integer> smaller =
        sizes.allowedSizes().subList(0, sizes.allowedSizes().indexOf(sizes.preferred()));
    int fitting = -1;
    int tooLarge = smaller.size();
    while (tooLarge - fitting > 1) {
      int middle = (fitting + tooLarge) >>> 1;
      boolean fits = quotas.admission().mayAdmit(job, spec.atSize(smaller.get(middle)));
      fitting = fits ? middle : fitting;
      tooLarge = fits ? tooLarge : middle;
    }
    if (fitting < 0) {
      return Optional.empty();
    }
    quotas.suppose(job, spec.atSize(smaller.get(fitting)));
    return Optional.of(upTo(spec, smaller.subList(0, fitting + 1)));
  }

  /** Returns a job with these of its sizes only, of which it prefers the largest. */
  private static JobSpec upTo(JobSpec job, List<Integer> sizes) {
    JobSpec largest = job.atSize(sizes.getLast());
    if (sizes.size() == 1) {
      return largest;
    }
    if (job.hasStatedSizes()) {
      return largest.toBuilder().parallelism(new Parallelism(sizes, sizes.getLast())).build();
    }
    List<TaskRole> roles =
        largest.roles().stream()
            .map(
                role ->
                    role.atLeast(Math.min(role.count(), job.role(role.name()).orElseThrow().min())))
            .toList();
    return largest.toBuilder().roles(roles).build();
  }
}
