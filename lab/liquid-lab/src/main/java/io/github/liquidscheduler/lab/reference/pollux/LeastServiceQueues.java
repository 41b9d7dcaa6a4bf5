package io.github.liquidscheduler.lab.reference.pollux;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Tiresias as the artefact runs it: two queues by attained service, sizes and batch sizes as
 * submitted. A job leaves the first queue for the second after 16 GPU-hours in which it held its
 * GPUs. Those that run stay where they are.
 */
final class LeastServiceQueues implements GoodputPolicy {

  private static final long FIRST_QUEUE_GPU_SECONDS = 16 * 3600;

  private final GoodputCluster cluster;
  private final List<GoodputProgress> first = new ArrayList<>();
  private final List<GoodputProgress> second = new ArrayList<>();

  /** The seconds in which each job was meant to run, by what was decided before. */
  private final Map<GoodputProgress, Long> executed = new HashMap<>();

  private Map<GoodputProgress, NodeAllocation> running = Map.of();
  private long decided;

  LeastServiceQueues(GoodputCluster cluster) {
    this.cluster = cluster;
  }

  @Override
  public Map<GoodputProgress, NodeAllocation> allocate(List<GoodputProgress> jobs, long now) {
    first.retainAll(jobs);
    second.retainAll(jobs);
    jobs.stream().filter(job -> executed.putIfAbsent(job, 0L) == null).forEach(first::add);
    jobs.forEach(job -> demoteIfServed(job, now));
    decided = now;
    running = place(chosen());
    return running;
  }

  private void demoteIfServed(GoodputProgress job, long now) {
    if (running.containsKey(job)) {
      long seconds = executed.merge(job, now - decided, Long::sum);
      if (seconds * job.job().gpus() >= FIRST_QUEUE_GPU_SECONDS && first.remove(job)) {
        second.add(job);
      }
    }
  }

  private List<GoodputProgress> chosen() {
    List<GoodputProgress> queued = new ArrayList<>(first);
    queued.addAll(second);
    List<GoodputProgress> chosen = new ArrayList<>();
    int free = cluster.gpus();
    for (GoodputProgress job : queued) {
      if (job.job().gpus() <= free) {
        free -= job.job().gpus();
        chosen.add(job);
      }
    }
    return chosen;
  }

  private Map<GoodputProgress, NodeAllocation> place(List<GoodputProgress> chosen) {
    Map<GoodputProgress, NodeAllocation> placed = new LinkedHashMap<>(running);
    placed.keySet().retainAll(chosen);
    NodePool pool = new NodePool(cluster.nodes(), cluster.gpusPerNode(), placed.values());
    for (GoodputProgress job : chosen) {
      placed.computeIfAbsent(job, started -> pool.takeFromEmptiest(started.job().gpus()));
    }
    return placed;
  }
}
