package io.github.liquidscheduler.scheduler;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.ClusterView;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.planning.BatchPlan;
import io.github.liquidscheduler.planning.Migration;
import io.github.liquidscheduler.resource.GpuShare;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Plans that are wrong: tasks moved to other GPUs, several to one, with other shares. */
final class HostilePlans {

  private static final List<Integer> PERCENTS = List.of(10, 25, 50, 100);

  private final ClusterView view;
  private final Random random;

  private HostilePlans(ClusterView view, Random random) {
    this.view = view;
    this.random = random;
  }

  /** Returns a plan with mistakes, which moves some more of the running jobs of a cluster. */
  static BatchPlan of(BatchPlan plan, ClusterView view, int pick) {
    return new HostilePlans(view, new Random(pick)).mutated(plan);
  }

  private BatchPlan mutated(BatchPlan plan) {
    List<Migration> moves = new ArrayList<>(plan.migrations());
    List<JobId> running = new ArrayList<>(view.runningJobs());
    Collections.shuffle(running, random);
    plan.migrations().forEach(move -> running.remove(move.job()));
    plan.starts().forEach(start -> running.remove(start.job()));
    running.removeAll(plan.postponed());
    for (JobId job : running.subList(0, Math.min(3, running.size()))) {
      Placement to = mutated(view.placement(job).orElseThrow());
      moves.add(new Migration(job, to, 1, 2));
    }
    List<Placement> starts = new ArrayList<>();
    for (Placement start : plan.starts()) {
      starts.add(random.nextBoolean() ? mutated(start) : start);
    }
    long number = random.nextInt(5) == 0 ? 0 : plan.number();
    return new BatchPlan(number, starts, moves, plan.postponed(), plan.certificate());
  }

  private Placement mutated(Placement place) {
    boolean isTogether = random.nextInt(3) == 0;
    int percent = PERCENTS.get(random.nextInt(PERCENTS.size()));
    List<TaskPlacement> tasks = new ArrayList<>();
    for (TaskPlacement task : place.tasks()) {
      TaskPlacement on = isTogether && !tasks.isEmpty() ? tasks.getFirst() : moved(task);
      boolean isAlike = on.gpus().size() == task.gpus().size();
      ResourceRequest request = random.nextInt(4) > 0 ? withShare(task, percent) : task.request();
      tasks.add(
          new TaskPlacement(
              task.task(),
              isAlike ? on.node() : task.node(),
              isAlike ? on.gpus() : task.gpus(),
              request));
    }
    return new Placement(place.job(), tasks);
  }

  /** Returns the task on other GPUs of any node that has enough of them. */
  private TaskPlacement moved(TaskPlacement task) {
    ClusterTopology topology = view.topology();
    Node node = topology.nodes().get(random.nextInt(topology.nodes().size()));
    List<Integer> gpus =
        IntStream.range(0, node.gpus().size()).boxed().collect(Collectors.toList());
    Collections.shuffle(gpus, random);
    return gpus.size() < task.gpus().size()
        ? task
        : new TaskPlacement(
            task.task(),
            node.id(),
            gpus.stream().limit(task.gpus().size()).sorted().toList(),
            task.request());
  }

  private static ResourceRequest withShare(TaskPlacement task, int percent) {
    return task.gpus().size() == 1
        ? task.request().toBuilder().share(GpuShare.ofPercent(percent)).build()
        : task.request();
  }
}
