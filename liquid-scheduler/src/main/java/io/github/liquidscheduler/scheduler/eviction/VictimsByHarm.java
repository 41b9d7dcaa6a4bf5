package io.github.liquidscheduler.scheduler.eviction;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.TaskRole;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.scheduler.job.JobEntry;
import io.github.liquidscheduler.scheduler.job.LazyIterator;
import io.github.liquidscheduler.scheduler.time.GpuTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.Iterator;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * Jobs that give way for their rank: the highest rank first; of equal ranks those that lose least
 * for each GPU that the winner lacks, whichever was submitted first. A job that stops may lose what
 * it has done since its start.
 */
final class VictimsByHarm extends LazyIterator<JobEntry> {

  private final Iterator<JobEntry> byRank;
  private final Instant now;
  private final long needed;
  private final ClusterTopology topology;
  private final PriorityQueue<Option> ofOneRank = new PriorityQueue<>(Option.LEAST_HARM);
  private @Nullable JobEntry ofNextRank;

  /**
   * A job that may stop.
   *
   * @param harm the GPU time since its start for each GPU that the winner lacks
   * @param excess what it frees beyond the need, in thousandths of GPUs
   */
  private record Option(JobEntry job, Duration harm, long excess) {

    // At last the latest submission, so that no two are equal.
    static final Comparator<Option> LEAST_HARM =
        Comparator.comparing(Option::harm)
            .thenComparingLong(Option::excess)
            .thenComparing(option -> option.job().since(), Comparator.reverseOrder())
            .thenComparing(option -> option.job().sequence(), Comparator.reverseOrder());
  }

  /**
   * Makes the order.
   *
   * @param byRank the jobs, the highest rank first
   * @param winner the job that lacks GPUs: at least those of a task, since free ones may be apart
   */
  VictimsByHarm(Iterator<JobEntry> byRank, JobSpec winner, ClusterState cluster, Instant now) {
    this.byRank = byRank;
    this.now = now;
    topology = cluster.topology();
    int task = 0;
    for (TaskRole role : winner.roles()) {
      task = Math.max(task, role.request().gpus());
    }
    needed = 1000L * Math.max(task, winner.gpus() - cluster.freeGpus());
  }

  @Override
  protected @Nullable JobEntry find() {
    if (ofOneRank.isEmpty()) {
      collect();
    }
    @Nullable Option least = ofOneRank.poll();
    return least == null ? null : least.job();
  }

  private void collect() {
    @Nullable JobEntry next = take();
    long rank = next == null ? 0 : next.rank();
    while (next != null && next.rank() == rank) {
      ofOneRank.add(option(next));
      next = take();
    }
    ofNextRank = next;
  }

  private @Nullable JobEntry take() {
    @Nullable JobEntry first = ofNextRank;
    ofNextRank = null;
    return first == null && byRank.hasNext() ? byRank.next() : first;
  }

  private Option option(JobEntry job) {
    int thousandths = job.nodes(topology).thousandths();
    Duration all = GpuTime.times(Duration.between(job.since(), now), thousandths);
    long useful = Math.max(1, Math.min(thousandths, needed));
    return new Option(job, all.dividedBy(useful), Math.max(0, thousandths - needed));
  }
}
