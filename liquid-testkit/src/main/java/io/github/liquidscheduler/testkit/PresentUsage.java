package io.github.liquidscheduler.testkit;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.GpuId;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.QueueName;
import io.github.liquidscheduler.queue.QueueSpec;
import io.github.liquidscheduler.queue.QueueStatus;
import io.github.liquidscheduler.queue.QueueTree;
import io.github.liquidscheduler.queue.QuotaResource;
import io.github.liquidscheduler.resource.CpuCores;
import io.github.liquidscheduler.resource.GpuShare;
import io.github.liquidscheduler.resource.Memory;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Scheduler;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What queues really hold, counted from the tasks that are there: never more than the scheduler
 * says, nor than any limit. After a change of the tree, or a job that was adopted, a queue may hold
 * more until it has come down.
 */
final class PresentUsage {

  private static final double ROUNDING = 1e-6;

  /** A resource of a queue. */
  private record Quota(QueueName queue, QuotaResource resource) {}

  private final Map<JobId, QueueName> queues = new HashMap<>();
  // The queue in which a job was started last.
  private final Map<JobId, QueueName> ranIn = new HashMap<>();
  private final Set<Quota> excused = new HashSet<>();
  private @Nullable QueueTree tree;
  private boolean isChanged;

  void note(ClusterEvent event) {
    switch (event) {
      case ClusterEvent.QueuesChanged e -> {
        tree = e.tree();
        isChanged = true;
      }
      case ClusterEvent.JobSubmitted e -> queues.put(e.job(), e.spec().queue());
      case ClusterEvent.JobAdopted e -> {
        queues.put(e.job(), e.spec().queue());
        start(e.job());
        isChanged = true;
      }
      case ClusterEvent.JobUpdated e -> queues.put(e.job(), e.spec().queue());
      case ClusterEvent.JobFailed e ->
          e.updated().ifPresent(job -> queues.put(e.job(), job.queue()));
      default -> {}
    }
  }

  void start(JobId job) {
    ranIn.put(job, requireNonNull(queues.get(job)));
  }

  /** Returns true if one job may hold quota that another takes. */
  boolean mayShareQuota(JobId one, JobId other) {
    return tree != null
        && path(ranIn.getOrDefault(one, requireNonNull(queues.get(one)))).stream()
            .filter(path(ranIn.get(other))::contains)
            .anyMatch(
                queue ->
                    tree.resources().stream().anyMatch(resource -> isLimited(queue, resource)));
  }

  private boolean isLimited(QueueName queue, QuotaResource resource) {
    return limit(new Quota(queue, resource)) < Double.POSITIVE_INFINITY;
  }

  /**
   * Checks all limits.
   *
   * @param present the tasks that are there
   * @param coming the tasks that come once others have left
   */
  void require(
      Map<JobId, List<TaskPlacement>> present,
      Map<JobId, List<TaskPlacement>> coming,
      Scheduler scheduler) {
    ClusterTopology cluster = scheduler.view().topology();
    if (tree == null) {
      return;
    }
    for (QueueSpec queue : tree.queues()) {
      for (QuotaResource resource : tree.resources()) {
        Quota quota = new Quota(queue.name(), resource);
        double there = sum(quota, present, cluster);
        if (there + sum(quota, coming, cluster) <= limit(quota)) {
          excused.remove(quota);
        } else if (isChanged) {
          excused.add(quota);
        }
        double said = said(quota, scheduler);
        assertThat(said).as("what is said of %s", quota).isGreaterThanOrEqualTo(there - ROUNDING);
        if (!excused.contains(quota)) {
          assertThat(said).as("%s", quota).isLessThanOrEqualTo(limit(quota));
        }
      }
    }
    isChanged = false;
  }

  /** Returns what a queue holds by its status, with what is leaving. */
  private static double said(Quota quota, Scheduler scheduler) {
    QueueStatus.Usage usage =
        requireNonNull(scheduler.queue(quota.queue()).orElseThrow().usage().get(quota.resource()));
    return usage.held() + usage.stopping();
  }

  private double limit(Quota quota) {
    QueueTree all = requireNonNull(tree);
    QueueSpec queue = all.find(quota.queue()).orElseThrow();
    double limit = all.quota(queue, quota.resource()).limit();
    return all.reclaiming().lends() && queue.parent().isEmpty() && isCounted(queue, quota)
        ? Math.min(limit, guaranteed(queue, quota.resource()))
        : limit;
  }

  private boolean isCounted(QueueSpec queue, Quota quota) {
    return queue.quotas().containsKey(quota.resource())
        || requireNonNull(tree).children(queue.name()).stream()
            .anyMatch(child -> isCounted(child, quota));
  }

  private double guaranteed(QueueSpec queue, QuotaResource resource) {
    QueueTree all = requireNonNull(tree);
    double ofChildren =
        all.children(queue.name()).stream().mapToDouble(child -> guaranteed(child, resource)).sum();
    return Math.max(ofChildren, all.quota(queue, resource).guaranteed());
  }

  private double sum(Quota quota, Map<JobId, List<TaskPlacement>> jobs, ClusterTopology cluster) {
    double sum = 0;
    for (Map.Entry<JobId, List<TaskPlacement>> job : jobs.entrySet()) {
      if (path(ranIn.get(job.getKey())).contains(quota.queue())) {
        for (TaskPlacement task : job.getValue()) {
          sum += amount(task, quota.resource(), cluster);
        }
      }
    }
    return sum;
  }

  private static double amount(
      TaskPlacement task, QuotaResource resource, ClusterTopology cluster) {
    return switch (resource.kind()) {
      case GPU ->
          isOfModel(task, resource, cluster)
              ? task.request().gpus()
                  * task.request().share().orElse(GpuShare.WHOLE).thousandths()
                  / 1000.0
              : 0;
      case CPU -> task.request().cpu().orElse(CpuCores.ZERO).millicores() / 1000.0;
      case MEMORY -> task.request().memory().orElse(Memory.ZERO).bytes();
    };
  }

  private static boolean isOfModel(
      TaskPlacement task, QuotaResource resource, ClusterTopology cluster) {
    return resource.model().isEmpty()
        || task.gpus().stream()
            .findFirst()
            .map(gpu -> cluster.gpu(new GpuId(task.node(), gpu)).model())
            .equals(resource.model());
  }

  private Set<QueueName> path(@Nullable QueueName queue) {
    Set<QueueName> path = new HashSet<>();
    Optional<QueueName> at = Optional.ofNullable(queue);
    while (at.isPresent()) {
      path.add(at.get());
      at = requireNonNull(tree).find(at.get()).flatMap(QueueSpec::parent);
    }
    return path;
  }
}
