package io.github.liquidscheduler.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.cluster.NodeHealth;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.QueueName;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.planning.PlanRequest;
import io.github.liquidscheduler.queue.QueueQuota;
import io.github.liquidscheduler.queue.QueueSpec;
import io.github.liquidscheduler.queue.QueueTree;
import io.github.liquidscheduler.queue.QuotaResource;
import io.github.liquidscheduler.resource.GpuShare;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.JobStatus;
import io.github.liquidscheduler.scheduling.Reason;
import io.github.liquidscheduler.scheduling.ResizeStep;
import io.github.liquidscheduler.scheduling.Scheduler;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Keeps books of its own on the GPUs that queues hold, from nothing but events and decisions, and
 * fails at the first start beyond a limit and at the first job that is taken from a queue that
 * holds no more than is guaranteed to it.
 */
final class QueueLedger {

  private final Map<JobId, JobSpec> jobs = new HashMap<>();
  // In thousandths of a GPU.
  private final Map<JobId, Long> held = new LinkedHashMap<>();
  private final Map<JobId, Long> before = new HashMap<>();
  private @Nullable QueueTree tree;

  void enter(ClusterEvent event, List<Decision> decisions) {
    switch (event) {
      case ClusterEvent.QueuesChanged changed -> tree = changed.tree();
      case ClusterEvent.JobSubmitted submitted -> jobs.put(submitted.job(), submitted.spec());
      case ClusterEvent.JobUpdated updated -> jobs.put(updated.job(), updated.spec());
      case ClusterEvent.JobFinished finished -> held.remove(finished.job());
      case ClusterEvent.JobCancelled cancelled -> held.remove(cancelled.job());
      case ClusterEvent.JobFailed failed -> held.remove(failed.job());
      case ClusterEvent.ResizeReported reported -> resized(reported);
      default -> {}
    }
    before.keySet().retainAll(held.keySet());
    decisions.forEach(this::carryOut);
    before.keySet().retainAll(held.keySet());
  }

  private void carryOut(Decision decision) {
    if (decision instanceof Decision.Preempt preempt) {
      if (preempt.why() instanceof Reason.Reclaimed reclaimed) {
        assertThat(job(preempt.job()).isPreemptible()).isTrue();
        assertThat(job(preempt.job()).queue()).isEqualTo(reclaimed.from());
        requireMoreThanGuaranteed(reclaimed.from(), reclaimed.by());
      }
      held.remove(preempt.job());
    } else if (decision instanceof Decision.Resize resize) {
      resize(resize);
    } else if (decision instanceof Decision.Migrate move) {
      held.put(move.job(), gpus(move.placement()));
    } else if (decision instanceof Decision.Start start) {
      long gpus = gpus(start.placement());
      held.put(start.job(), gpus);
      if (gpus > 0) {
        path(job(start.job()).queue()).forEach(queue -> requireAllowed(queue, start.job()));
      }
    }
  }

  /** A job that grows keeps to the limits of its queue and of its ancestors. */
  private void resize(Decision.Resize resize) {
    long gpus = gpus(resize.placement());
    long had = Objects.requireNonNull(held.put(resize.job(), gpus));
    before.putIfAbsent(resize.job(), had);
    if (gpus > had) {
      path(job(resize.job()).queue()).forEach(queue -> requireAllowed(queue, resize.job()));
    }
  }

  /** A job whose growth failed holds what it held. */
  private void resized(ClusterEvent.ResizeReported reported) {
    Long had = before.get(reported.job());
    Long has = held.get(reported.job());
    if (had == null || has == null || reported.step() == ResizeStep.READY) {
      return;
    }
    boolean isSwitched = reported.step() == ResizeStep.SWITCHED;
    if (isSwitched || had < has) {
      before.remove(reported.job());
      held.put(reported.job(), isSwitched ? has : had);
    }
  }

  /** The jobs of a request keep to the limits together, at their preferred sizes. */
  void requireAsked(PlanRequest request) {
    Map<JobId, Long> now = new LinkedHashMap<>(held);
    request.pending().forEach(job -> held.put(job.id(), gpus(job)));
    request.pending().stream()
        .filter(job -> gpus(job) > 0)
        .forEach(job -> path(job.queue()).forEach(queue -> requireAllowed(queue, job.id())));
    held.clear();
    held.putAll(now);
  }

  private static long gpus(JobSpec job) {
    return job.atSize(job.parallelism().preferred()).roles().stream()
        .mapToLong(role -> role.count() * gpus(role.request()))
        .sum();
  }

  private static long gpus(Placement placement) {
    return placement.tasks().stream().mapToLong(task -> gpus(task.request())).sum();
  }

  private static long gpus(ResourceRequest request) {
    return (long) request.gpus() * request.share().orElse(GpuShare.WHOLE).thousandths();
  }

  private JobSpec job(JobId job) {
    return Objects.requireNonNull(jobs.get(job));
  }

  private void requireAllowed(QueueName queue, JobId started) {
    QueueQuota quota = quota(queue);
    assertThat(sum(queue, false) / 1000.0)
        .as("%s in %s", started, queue)
        .isLessThanOrEqualTo(quota.limit());
    if (!job(started).isPreemptible()) {
      assertThat(sum(queue, true) / 1000.0).isLessThanOrEqualTo(quota.guaranteed());
    }
  }

  private void requireMoreThanGuaranteed(QueueName from, QueueName by) {
    List<QueueName> loser = path(from);
    List<QueueName> winner = path(by);
    int level = 0;
    while (loser.get(level).equals(winner.get(level))) {
      level++;
    }
    QueueName side = loser.get(level);
    assertThat(sum(side, false) / 1000.0).as("%s", side).isGreaterThan(quota(side).guaranteed());
  }

  /**
   * Checks that no job waits that is guaranteed a GPU held by another queue beyond its own
   * guarantee. Each job is one GPU and fits on any free one. Who still stops waits for itself
   * alone.
   */
  void requireNoDebt(Scheduler scheduler) {
    for (JobId job : scheduler.waiting()) {
      List<QueueName> mine = path(job(job).queue());
      boolean fixed = !job(job).isPreemptible();
      if (!isStopping(scheduler, job)
          && mine.stream().allMatch(queue -> isGuaranteedOneMore(queue, fixed))) {
        held.keySet().stream()
            .filter(other -> job(other).isPreemptible() && mayBeTaken(scheduler, other))
            .forEach(other -> requireNoDebt(job, mine, path(job(other).queue())));
      }
    }
  }

  private static boolean isStopping(Scheduler scheduler, JobId job) {
    return scheduler.status(job).filter(JobStatus.Stopping.class::isInstance).isPresent();
  }

  private boolean isGuaranteedOneMore(QueueName queue, boolean fixed) {
    double guaranteed = quota(queue).guaranteed();
    return sum(queue, false) / 1000.0 + 1 <= guaranteed
        && (!fixed || sum(queue, true) / 1000.0 + 1 <= guaranteed);
  }

  private static boolean mayBeTaken(Scheduler scheduler, JobId job) {
    return scheduler.view().placement(job).orElseThrow().nodes().stream()
        .allMatch(node -> scheduler.view().health(node) == NodeHealth.UP);
  }

  private void requireNoDebt(JobId waiting, List<QueueName> mine, List<QueueName> theirs) {
    if (!mine.equals(theirs)) {
      int level = 0;
      while (mine.get(level).equals(theirs.get(level))) {
        level++;
      }
      QueueName side = theirs.get(level);
      assertThat(sum(side, false) / 1000.0)
          .as("%s waits, %s holds", waiting, side)
          .isLessThanOrEqualTo(quota(side).guaranteed());
    }
  }

  private QueueQuota quota(QueueName queue) {
    QueueTree now = Objects.requireNonNull(tree);
    return now.quota(now.find(queue).orElseThrow(), QuotaResource.GPUS);
  }

  private long sum(QueueName queue, boolean ofFixed) {
    return held.entrySet().stream()
        .filter(job -> path(job(job.getKey()).queue()).contains(queue))
        .filter(job -> !ofFixed || !job(job.getKey()).isPreemptible())
        .mapToLong(Map.Entry::getValue)
        .sum();
  }

  /** Returns a queue and those that it is a part of, from the top. */
  private List<QueueName> path(QueueName queue) {
    List<QueueName> path = new ArrayList<>();
    Optional<QueueName> at = Optional.of(queue);
    while (at.isPresent()) {
      path.add(at.get());
      at = Objects.requireNonNull(tree).find(at.get()).flatMap(QueueSpec::parent);
    }
    Collections.reverse(path);
    return path;
  }
}
