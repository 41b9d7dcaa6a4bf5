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
import io.github.liquidscheduler.scheduler.policy.Backfill;
import io.github.liquidscheduler.scheduler.policy.GpuTime;
import io.github.liquidscheduler.scheduler.queue.JobEntry;
import io.github.liquidscheduler.scheduler.queue.JobTable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The large jobs that have waited too long, and what the first of them has kept for it: all GPUs
 * that are free where it may start. In between only those start there that ask for few GPUs, and
 * those of which was told how long they run.
 */
final class ReservedCapacity {

  private static final JobId HELD = JobId.of("held");

  /** Of what the holder needs: with so much free nobody passes, so that it need not wait on. */
  private static final double NEARLY_ALL = 0.75;

  private final JobTable jobs;
  private final Backfill rules;
  private final Function<JobId, Optional<Placement>> reserved;
  private final List<JobEntry> overdue;

  private ReservedCapacity(
      JobTable jobs,
      Backfill rules,
      Function<JobId, Optional<Placement>> reserved,
      List<JobEntry> overdue) {
    this.jobs = jobs;
    this.rules = rules;
    this.reserved = reserved;
    this.overdue = overdue;
  }

  /**
   * Returns the room as things stand now.
   *
   * @param reserved where a waiting job is to start, if that is known
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
      overdue.sort(Comparator.comparing(JobEntry::since));
    }
    return new ReservedCapacity(jobs, rules, reserved, overdue);
  }

  /** Returns the first time after now at which a waiting job will have waited too long. */
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
    return job.job().gpus() > 0 && job.job().gpus() >= rules.leastGpus();
  }

  private static long dueAt(JobEntry job, Backfill rules) {
    return GpuTime.cappedSum(
        GpuTime.nanos(job.since()), GpuTime.nanos(rules.holdsAfter().orElseThrow()));
  }

  /** Returns the jobs that have waited too long, those that wait for longest first. */
  List<JobEntry> overdue() {
    return overdue;
  }

  /** Returns the job for which room is kept: it waits for longest of those that do not fit. */
  Optional<JobEntry> holder() {
    return overdue.stream().filter(job -> !job.isRunning()).findFirst();
  }

  /** Returns whether a job must not start where room is kept. */
  boolean keepsOut(JobEntry job) {
    return job.job().gpus() > 0
        && holder().filter(holder -> !holder.id().equals(job.id())).isPresent()
        && !isTold(job)
        && !passes(job);
  }

  /**
   * Returns whether a job may start where room is kept although nobody knows how long it runs: it
   * asks for few GPUs, and the holder lacks many.
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
   * Returns where a job may start now beside what is kept.
   *
   * @param place finds a placement on a cluster
   */
  Optional<Placement> beside(JobSpec job, Function<ClusterState, Optional<Placement>> place) {
    @Nullable JobEntry entry = jobs.find(job.id());
    ClusterState cluster = jobs.cluster();
    if (entry == null || !keepsOut(entry)) {
      return place.apply(cluster);
    }
    List<TaskPlacement> kept = kept(holder().orElseThrow().job());
    if (kept.isEmpty()) {
      return place.apply(cluster);
    }
    cluster.apply(new Placement(HELD, kept));
    try {
      return place.apply(cluster);
    } finally {
      cluster.release(HELD);
    }
  }

  /** Returns the free GPUs that are kept, a task for each node. */
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

  /** Returns the domain in which the holder is to start, if it has to be in one; else all nodes. */
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
