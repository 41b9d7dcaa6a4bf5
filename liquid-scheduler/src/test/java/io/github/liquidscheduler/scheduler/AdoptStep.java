package io.github.liquidscheduler.scheduler;

import io.github.liquidscheduler.cluster.GpuId;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.NodeHealth;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.TaskRole;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.testkit.ClusterStep;
import io.github.liquidscheduler.testkit.JobNames;
import io.github.liquidscheduler.testkit.Playback;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Jobs that are seen to run: new ones, and such as wait, are to start or run elsewhere. */
final class AdoptStep {

  /** More than the jobs that are submitted. */
  private static final int FIRST = 1_000;

  private AdoptStep() {}

  /** Returns what is seen instead of a step; empty in most cases. */
  static Optional<ClusterEvent> of(
      AnyWorld world, int number, ClusterStep step, LiquidScheduler scheduler, Playback playback) {
    if (!world.has(Feature.ADOPT) || number % 4 != 1) {
      return Optional.empty();
    }
    Instant now = playback.now().plusSeconds(step.seconds());
    List<JobId> live =
        Stream.concat(scheduler.waiting().stream(), scheduler.view().runningJobs().stream())
            .toList();
    boolean isNew = live.isEmpty() || step.pick() % 3 > 0;
    JobSpec job =
        isNew
            ? step.job().named(JobNames.of(FIRST + number))
            : scheduler.job(live.get(step.pick() / 3 % live.size())).orElseThrow();
    Instant since = now.minusSeconds(Math.min(now.getEpochSecond(), step.pick() % 100));
    Optional<ClusterEvent> event =
        nodes(job, step.pick() / 7, scheduler)
            .map(
                nodes -> new ClusterEvent.JobAdopted(now, job, nodes, since, step.pick() % 2 == 0));
    event.ifPresent(seen -> playback.goTo(now));
    return isNew ? event.map(world::dressed) : event;
  }

  /** Returns nodes that have the GPUs of a job, whoever holds them; empty if there are none. */
  private static Optional<List<NodeId>> nodes(JobSpec job, int pick, LiquidScheduler scheduler) {
    List<Node> all = scheduler.view().topology().nodes();
    Map<NodeId, Integer> used = new HashMap<>();
    List<NodeId> nodes = new ArrayList<>();
    for (TaskRole role : job.roles()) {
      for (int task = 0; task < role.count(); task++) {
        Optional<NodeId> node =
            IntStream.range(0, all.size())
                .mapToObj(each -> all.get((each + pick) % all.size()))
                .filter(each -> scheduler.view().health(each.id()) != NodeHealth.LOST)
                .filter(
                    each ->
                        used.getOrDefault(each.id(), 0) + role.request().gpus()
                            <= gpus(each, scheduler))
                .map(Node::id)
                .findFirst();
        if (node.isEmpty()) {
          return Optional.empty();
        }
        used.merge(node.get(), role.request().gpus(), Integer::sum);
        nodes.add(node.get());
      }
    }
    return Optional.of(nodes);
  }

  private static long gpus(Node node, LiquidScheduler scheduler) {
    return IntStream.range(0, node.gpus().size())
        .filter(gpu -> !scheduler.view().isLost(new GpuId(node.id(), gpu)))
        .count();
  }
}
