package io.github.liquidscheduler.scheduler.admit;

import io.github.liquidscheduler.cluster.GpuId;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.Resident;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.job.TaskId;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.resource.GpuShare;
import io.github.liquidscheduler.scheduler.job.JobEntry;
import io.github.liquidscheduler.scheduler.turn.Turn;
import io.github.liquidscheduler.scheduling.Reason;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/*
 * Idea: of a task that was seen on a node nobody knows which GPUs it uses, only how many. It is
 *   booked where that contradicts least: on GPUs that are free, then on those promised to starts that
 *   have not begun, then where others are leaving, then on any.
 * Invariants: equal states book alike; only starts are taken back, and no more than are in the way.
 *   JobAdoptedTest.
 * Cost: O(GPUs of the node x jobs there).
 * Rejected: to book it on GPUs that are freed later, which would move what nobody has moved.
 */
/** A task of a job, and the node where it was seen. */
record SeenTask(TaskId id, NodeId node, ResourceRequest request) {

  /** Returns the GPUs of a node that are not lost. */
  static Stream<Integer> gpus(NodeId node, ClusterState cluster) {
    return IntStream.range(0, cluster.topology().node(node).gpus().size())
        .boxed()
        .filter(gpu -> !cluster.isLost(new GpuId(node, gpu)));
  }

  /** Returns true if another job than the one seen has a start that was decided only. */
  static boolean isOnlyPromised(JobEntry job, JobId seen) {
    return job.isRunning() && !job.hasBegun() && !job.id().equals(seen);
  }

  /** Returns its role and node. */
  String place() {
    return id.role() + " on " + node;
  }

  /**
   * Chooses its GPUs, and takes back the starts that are in its way there.
   *
   * @param before the tasks of its job that have their GPUs already
   */
  TaskPlacement book(Turn turn, JobId job, List<TaskPlacement> before) {
    List<Rating> ratings =
        gpus(node, turn.cluster()).map(gpu -> rate(turn, job, before, gpu)).sorted().toList();
    List<Integer> chosen =
        ratings.stream().limit(request.gpus()).map(Rating::gpu).sorted().toList();
    chosen.forEach(gpu -> takeBack(turn, job, before, gpu));
    return new TaskPlacement(id, node, chosen, request);
  }

  /**
   * How little a GPU contradicts what is known of it, least first.
   *
   * @param level 0 if it is free, 1 if it is without starts, 2 and 3 the same once others have
   *     left, 4 if others use it, 5 if the job itself does
   */
  private record Rating(int gpu, int level, boolean isOwn, long free)
      implements Comparable<Rating> {
    private static final Comparator<Rating> ORDER =
        Comparator.comparingInt(Rating::level)
            .thenComparing(rating -> !rating.isOwn)
            .thenComparing(rating -> rating.level < 4 ? 0 : -rating.free)
            .thenComparingInt(Rating::gpu);

    @Override
    public int compareTo(Rating other) {
      return ORDER.compare(this, other);
    }
  }

  private Rating rate(Turn turn, JobId job, List<TaskPlacement> before, int gpu) {
    Amounts needed = Amounts.ofGpu(request);
    Amounts own = held(turn, gpu, resident -> resident.job().equals(job));
    Amounts promised =
        held(turn, gpu, resident -> isOnlyPromised(turn.jobs().get(resident.job()), job));
    Amounts left = left(turn, job, before, gpu);
    Amounts leaving = leaving(turn, job, gpu);
    int level =
        left.minus(leaving).covers(needed)
            ? 0
            : left.minus(leaving).plus(promised).covers(needed)
                ? 1
                : left.covers(needed) ? 2 : left.plus(promised).covers(needed) ? 3 : 4;
    boolean isTwice = used(before, gpu).compute() + needed.compute() > GpuShare.WHOLE.thousandths();
    return new Rating(gpu, isTwice ? 5 : level, !own.equals(Amounts.NONE), left.compute());
  }

  /** Returns what is free of a GPU without the job, less what its other tasks take. */
  private Amounts left(Turn turn, JobId job, List<TaskPlacement> before, int gpu) {
    ClusterState cluster = turn.cluster();
    int position = cluster.topology().position(node);
    return new Amounts(
            cluster.index().freeShare(position, gpu), cluster.index().freeGpuMemory(position, gpu))
        .plus(held(turn, gpu, resident -> resident.job().equals(job)))
        .minus(used(before, gpu));
  }

  private Amounts used(List<TaskPlacement> tasks, int gpu) {
    return tasks.stream()
        .filter(task -> task.node().equals(node) && task.gpus().contains(gpu))
        .map(task -> Amounts.ofGpu(task.request()))
        .reduce(Amounts.NONE, Amounts::plus);
  }

  private Amounts held(Turn turn, int gpu, Predicate<Resident> wanted) {
    return turn.cluster().residents(new GpuId(node, gpu)).stream()
        .filter(wanted)
        .map(Amounts::of)
        .reduce(Amounts.NONE, Amounts::plus);
  }

  private Amounts leaving(Turn turn, JobId job, int gpu) {
    return turn.jobs().stopping().on(node).stream()
        .filter(other -> !other.equals(job))
        .flatMap(other -> turn.jobs().get(other).phase().leaving().map(Placement::tasks).stream())
        .map(tasks -> used(tasks, gpu))
        .reduce(Amounts.NONE, Amounts::plus);
  }

  private void takeBack(Turn turn, JobId job, List<TaskPlacement> before, int gpu) {
    for (Resident other : turn.cluster().residents(new GpuId(node, gpu)).reversed()) {
      JobEntry entry = turn.jobs().get(other.job());
      if (isOnlyPromised(entry, job)
          && !left(turn, job, before, gpu).covers(Amounts.ofGpu(request))) {
        turn.preempt(entry, new Reason.TakenByAdopted(job));
      }
    }
  }
}
