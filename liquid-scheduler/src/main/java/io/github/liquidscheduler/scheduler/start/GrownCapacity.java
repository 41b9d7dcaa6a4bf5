package io.github.liquidscheduler.scheduler.start;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.NodeHealth;
import io.github.liquidscheduler.placement.capacity.CapacityIndex;
import io.github.liquidscheduler.placement.capacity.CoRunnerKind;
import io.github.liquidscheduler.placement.eviction.GrownNodes;
import io.github.liquidscheduler.placement.eviction.Growth;
import io.github.liquidscheduler.placement.eviction.NodeSet;
import io.github.liquidscheduler.scheduler.job.JobEntry;
import io.github.liquidscheduler.scheduler.queue.Agenda;
import io.github.liquidscheduler.scheduler.queue.JobTable;
import io.github.liquidscheduler.scheduler.queue.RunningJobs;
import io.github.liquidscheduler.scheduler.quota.QueueAccount;
import io.github.liquidscheduler.scheduler.turn.Turn;
import io.github.liquidscheduler.scheduling.Placer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ObjIntConsumer;
import org.jspecify.annotations.Nullable;

/*
 * Idea: only grown nodes are asked about, so that only their free capacity and their pre-emptible
 * jobs are read, once for all questions of a pass. In a queue tree what was read is kept while one
 * event goes on with another, since hundreds of short events may follow the end of one gang.
 * Invariants: without a queue tree nodes hold the victims of all jobs, with one those of a queue;
 * after a start the free capacity, and after pre-emptions everything that they changed, is read
 * again; what is kept is what a new pass reads: the index, growth, usage and eviction order are
 * the same, and jobs that have started since are added. FreedNodesTest, RetryLaws and
 * ShortQueueEventLaws.
 * Cost: O(grown nodes + pre-emptible jobs on them) once; O(nodes of the job) for a start.
 */
/**
 * A cache of the capacity of the nodes that have grown: what is free there and what a job may take
 * from others, in a queue tree from jobs of its own queue. Read at the first question of a pass.
 */
final class GrownCapacity {

  /** What an answer depends on beside the instant. */
  private record Stamp(CapacityIndex index, long facts, long rollBacks, long usage) {}

  private final JobTable table;
  private final Placer placer;
  private final Agenda agenda;
  private final Map<QueueAccount, GrownNodes> ofQueue = new LinkedHashMap<>();
  private @Nullable Map<CoRunnerKind, BitSet> gpusOf;
  private @Nullable BitSet gpus;
  private @Nullable GrownNodes all;
  private long growthsTakenIn;
  // Since the jobs of their queue were read.
  private final List<JobEntry> started = new ArrayList<>();
  private @Nullable Stamp kept;

  GrownCapacity(JobTable table, Placer placer) {
    this.table = table;
    this.placer = placer;
    agenda = table.agenda();
  }

  /** Begins a pass: forgets everything unless the event of a turn goes on where it was kept. */
  void begin(Turn turn) {
    gpusOf = null;
    gpus = null;
    if (kept == null || !turn.goesOn() || !kept.equals(stamp())) {
      clear();
    }
    kept = null;
  }

  /** Keeps what was read for an event that goes on with this one. */
  void keep() {
    @Nullable GrownNodes known = all;
    if (known != null && table.quotas().hasQueueTree() && table.policy().preempts()) {
      started.removeIf(job -> !job.isRunning() || !table.running().mayBePreempted(job));
      started.forEach(job -> partOf(job, known).mayLeave(job.rank(), nodes(job)));
      started.clear();
      kept = stamp();
    }
  }

  private Stamp stamp() {
    return new Stamp(index(), agenda.facts(), agenda.rollBacks(), table.quotas().searchVersion());
  }

  private void clear() {
    all = null;
    ofQueue.clear();
    started.clear();
  }

  /** Returns the grown nodes with the capacity that is available to a job. */
  GrownNodes forJob(JobEntry job) {
    GrownNodes known = all();
    GrownNodes nodes =
        table.quotas().hasQueueTree() ? ofQueue.getOrDefault(job.account(), known) : known;
    return nodes.withoutAbove(table.preemptsAbove(job));
  }

  /** Returns true if the co-runners on grown nodes accept the job. */
  boolean mayUseGrown(JobEntry job) {
    return table.mayPreempt(job) || mayUse(job, gpus());
  }

  /** Returns true if newly accepted co-runners may take the job. */
  boolean mayUseLearned(JobEntry job) {
    Set<CoRunnerKind> others = agenda.newCoRunners(job);
    return !others.isEmpty() && (table.mayPreempt(job) || mayUse(job, gpusOf(others)));
  }

  private boolean mayUse(JobEntry job, BitSet any) {
    return placer.mayUse(table.cluster(), job.job(), any);
  }

  private BitSet gpusOf(Set<CoRunnerKind> kinds) {
    @Nullable Map<CoRunnerKind, BitSet> known = gpusOf;
    if (known == null) {
      known = table.cluster().shared().gpusOf(agenda.newCoRunners());
      gpusOf = known;
    }
    BitSet together = new BitSet();
    for (CoRunnerKind kind : kinds) {
      together.or(known.get(kind));
    }
    return together;
  }

  private BitSet gpus() {
    @Nullable BitSet known = gpus;
    if (known == null) {
      ClusterTopology topology = index().topology();
      BitSet grown = new BitSet(topology.gpuCount());
      agenda.grownNodes().stream()
          .forEach(node -> grown.set(topology.gpusBefore(node), topology.gpusBefore(node + 1)));
      gpus = grown;
      known = grown;
    }
    return known;
  }

  /** Notes a start, which reduces capacity. */
  void started(JobEntry job) {
    // Without a query the taken capacity need not be known.
    if (all != null) {
      NodeSet taken = nodes(job);
      all.readFree(taken);
      ofQueue.values().forEach(nodes -> nodes.readFree(taken));
      started.add(job);
    }
  }

  /**
   * Notes pre-emptions.
   *
   * @param takesIn whether to add what has grown since the last ones, in a queue tree, instead of
   *     reading everything again
   */
  void preempted(boolean takesIn) {
    gpus = null;
    if (all != null && takesIn) {
      takeInGrowths(all);
    } else {
      clear();
    }
  }

  private GrownNodes all() {
    @Nullable GrownNodes known = all;
    if (known == null) {
      known = read();
      all = known;
    }
    return known;
  }

  private GrownNodes read() {
    BitSet up = onlyUp(agenda.grownNodes());
    GrownNodes read = new GrownNodes(index(), up, agenda.growths(), agenda.firstGrowth());
    if (!agenda.loosened().isEmpty()) {
      BitSet loosened = new BitSet();
      agenda.loosened().forEach(each -> each.capacity().addTo(loosened));
      BitSet alsoUp = onlyUp(loosened);
      read.growOn(alsoUp, agenda.loosened(), agenda.nextGrowth());
      up.or(alsoUp);
    }
    growthsTakenIn = agenda.nextGrowth();
    boolean byQueue = table.quotas().hasQueueTree();
    forEachPreemptible(
        up,
        (job, node) -> (byQueue ? partOf(job, read) : read).mayLeave(job.rank(), nodes(job), node));
    return read;
  }

  private GrownNodes partOf(JobEntry job, GrownNodes known) {
    return ofQueue.computeIfAbsent(job.account(), queue -> known.forOthersToLeave());
  }

  private NodeSet nodes(JobEntry job) {
    return job.nodes(index().topology());
  }

  private BitSet onlyUp(BitSet nodes) {
    BitSet up = new BitSet();
    nodes.stream().filter(node -> index().health(node) == NodeHealth.UP).forEach(up::set);
    return up;
  }

  /** Recomputes the queues with jobs, now or before, on nodes that have grown since. */
  private void takeInGrowths(GrownNodes known) {
    int old = Math.toIntExact(growthsTakenIn - agenda.firstGrowth());
    List<Growth> since = agenda.growths().subList(old, agenda.growths().size());
    BitSet nodes = new BitSet();
    since.forEach(growth -> growth.capacity().addTo(nodes));
    BitSet up = onlyUp(nodes);
    known.growOn(up, since, growthsTakenIn);
    growthsTakenIn = agenda.nextGrowth();
    Set<QueueAccount> changed = new LinkedHashSet<>();
    ofQueue.forEach(
        (queue, grown) -> {
          if (grown.areAnyAt(up)) {
            changed.add(queue);
          }
        });
    forEachPreemptible(up, (job, node) -> changed.add(job.account()));
    changed.forEach(queue -> ofQueue.put(queue, partOf(queue, known)));
    started.removeIf(job -> changed.contains(job.account()));
  }

  private GrownNodes partOf(QueueAccount queue, GrownNodes known) {
    GrownNodes theirs = known.forOthersToLeave();
    table
        .running()
        .preemptibleOf(queue)
        .forEachRemaining(job -> theirs.mayLeave(job.rank(), nodes(job)));
    return theirs;
  }

  private void forEachPreemptible(BitSet nodes, ObjIntConsumer<JobEntry> visitor) {
    if (!table.policy().preempts()) {
      return;
    }
    ClusterTopology topology = index().topology();
    RunningJobs running = table.running();
    for (int next = nodes.nextSetBit(0); next >= 0; next = nodes.nextSetBit(next + 1)) {
      int node = next;
      running.forEachOn(
          topology.nodes().get(node).id(),
          job -> {
            if (running.mayBePreempted(job)) {
              visitor.accept(job, node);
            }
          });
    }
  }

  private CapacityIndex index() {
    return table.cluster().index();
  }
}
