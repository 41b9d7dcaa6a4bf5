package io.github.liquidscheduler.scheduler.backfill;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Domain;
import io.github.liquidscheduler.cluster.GpuId;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.NodeRange;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.job.TaskId;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.scheduler.job.JobEntry;
import io.github.liquidscheduler.scheduler.job.JobOrders;
import io.github.liquidscheduler.scheduler.policy.Backfill;
import io.github.liquidscheduler.scheduler.queue.JobTable;
import io.github.liquidscheduler.scheduler.time.GpuTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/*
 * Idea: large jobs that have waited too long come first. For the first of them, the holder, all
 *   free GPUs are reserved in the domain where it is to start, so that it gathers GPUs even if no
 *   run time is known.
 * Invariants: derived from the jobs at one instant, never state; others start on reserved GPUs
 *   only if their run time is known, or if they are small and the holder still lacks more than a
 *   quarter of its GPUs. The cluster is unchanged after each question.
 * Cost: O(eligible jobs) to build and for nextDue; a question beside(...) O(GPUs of the domain)
 *   for the temporary hold, plus one placement.
 */
/**
 * The overdue large jobs, and the capacity reserved for the first of them: all free GPUs where it
 * may start. Until then only small jobs and jobs with known run times start there.
 *
 * @param reserved the planned placement of a waiting job, if any
 * @param overdue the overdue jobs, longest waiting first
 */
record ReservedCapacity(
    JobTable jobs,
    Backfill rules,
    Function<JobId, Optional<Placement>> reserved,
    List<JobEntry> overdue) {

  /** The order of overdue jobs. */
  static final Comparator<JobEntry> LONGEST_WAITING =
      Comparator.comparing(JobEntry::since).thenComparing(JobOrders.TURN);

  /**
   * The fraction of the holder's GPUs from which on no small job passes, so that it starts soon.
   */
  private static final double NEARLY_ALL = 0.75;

  /**
   * Returns the reserved capacity at this instant.
   *
   * @param reserved the planned placement of a waiting job, if any
   */
  static ReservedCapacity of(
      JobTable jobs, Backfill rules, Function<JobId, Optional<Placement>> reserved) {
    List<JobEntry> overdue = new ArrayList<>();
    if (rules.holdsAfter().isPresent()) {
      long now = GpuTime.nanos(jobs.now());
      for (JobEntry job : jobs.eligible().inOrder()) {
        if (mayHold(job, rules) && dueAt(job, rules) <= now) {
          overdue.add(job);
        }
      }
      overdue.sort(LONGEST_WAITING);
    }
    return new ReservedCapacity(jobs, rules, reserved, overdue);
  }

  /**
   * Returns the first later instant at which a waiting job becomes overdue; {@code never} if none.
   */
  static long nextDue(JobTable jobs, Backfill rules, long now, long never) {
    long next = never;
    if (rules.holdsAfter().isPresent()) {
      for (JobEntry job : jobs.eligible().inOrder()) {
        long due = mayHold(job, rules) ? dueAt(job, rules) : never;
        next = due > now ? Math.min(next, due) : next;
      }
    }
    return next;
  }

  private static boolean mayHold(JobEntry job, Backfill rules) {
    return job.job().gpus() > 0 && job.job().gpus() >= rules.leastGpus() && !job.precedesQueues();
  }

  private static long dueAt(JobEntry job, Backfill rules) {
    return GpuTime.cappedSum(
        GpuTime.nanos(job.since()), GpuTime.nanos(rules.holdsAfter().orElseThrow()));
  }

  /** Returns the holder: the longest-waiting overdue job that has not started. */
  Optional<JobEntry> holder() {
    return overdue.stream().filter(job -> !job.isRunning()).findFirst();
  }

  /** Returns true if a job must not start on reserved GPUs. */
  boolean keepsOut(JobEntry job) {
    return job.job().gpus() > 0
        && !job.precedesQueues()
        && holder().filter(holder -> !holder.id().equals(job.id())).isPresent()
        && !isTold(job)
        && !passes(job);
  }

  /**
   * Returns true if a job with unknown run time may start on reserved GPUs: it requests few, and
   * the holder lacks many.
   */
  boolean passes(JobEntry job) {
    return job.job().gpus() <= rules.passing()
        && !isTold(job)
        && holder().filter(this::lacksMany).isPresent();
  }

  private boolean lacksMany(JobEntry holder) {
    return freeGpus(holder) < NEARLY_ALL * holder.job().gpus();
  }

  private int freeGpus(JobEntry holder) {
    ClusterState cluster = jobs.cluster();
    NodeRange range = nodes(holder.job());
    List<Node> nodes = cluster.topology().nodes();
    return range.size() == nodes.size()
        ? cluster.freeGpus()
        : nodes.subList(range.first(), range.end()).stream()
            .mapToInt(node -> cluster.freeGpus(node.id()))
            .sum();
  }

  private boolean isTold(JobEntry job) {
    return job.at(jobs.now()).remaining().isPresent();
  }

  /**
   * Returns a placement for a job outside the reserved capacity, where it must stay out.
   *
   * @param place finds a placement on a cluster
   */
  Optional<Placement> beside(JobSpec job, Function<ClusterState, Optional<Placement>> place) {
    @Nullable JobEntry entry = jobs.find(job.id());
    ClusterState cluster = jobs.cluster();
    if (entry == null || !keepsOut(entry)) {
      return place.apply(cluster);
    }
    JobSpec holder = holder().orElseThrow().job();
    List<TaskPlacement> kept = kept(holder);
    if (kept.isEmpty()) {
      return place.apply(cluster);
    }
    // Under the name of the holder, which waits: no other job has it.
    cluster.apply(new Placement(holder.id(), kept));
    try {
      return place.apply(cluster);
    } finally {
      cluster.release(holder.id());
    }
  }

  /** Returns true if a job that must stay out would take reserved GPUs at a placement. */
  boolean isInTheWay(JobEntry job, Placement placement) {
    if (!keepsOut(job)) {
      return false;
    }
    List<TaskPlacement> kept = kept(holder().orElseThrow().job());
    return !kept.isEmpty() && ReservationHolds.sharesGpu(new Placement(job.id(), kept), placement);
  }

  /** Returns the reserved GPUs, one task per node. */
  private List<TaskPlacement> kept(JobSpec holder) {
    NodeRange range = nodes(holder);
    List<TaskPlacement> kept = new ArrayList<>();
    for (Node node : jobs.cluster().topology().nodes().subList(range.first(), range.end())) {
      List<Integer> free = freeGpus(node);
      if (!free.isEmpty()) {
        kept.add(
            new TaskPlacement(
                new TaskId("held", kept.size()),
                node.id(),
                free,
                ResourceRequest.ofGpus(free.size())));
      }
    }
    return kept;
  }

  private List<Integer> freeGpus(Node node) {
    List<Integer> free = new ArrayList<>();
    for (int gpu = 0; gpu < node.gpus().size(); gpu++) {
      if (jobs.cluster().isFree(new GpuId(node.id(), gpu))) {
        free.add(gpu);
      }
    }
    return free;
  }

  /** Returns the nodes of the holder's planned domain if it requires one; else all nodes. */
  private NodeRange nodes(JobSpec holder) {
    ClusterTopology topology = jobs.cluster().topology();
    Optional<Domain> domain =
        reserved
            .apply(holder.id())
            .flatMap(
                place ->
                    holder
                        .topology()
                        .required()
                        .flatMap(
                            level -> topology.domainOf(place.tasks().getFirst().node(), level)));
    return domain
        .map(where -> topology.nodesOf(where.id()))
        .orElse(new NodeRange(0, topology.nodes().size()));
  }
}
