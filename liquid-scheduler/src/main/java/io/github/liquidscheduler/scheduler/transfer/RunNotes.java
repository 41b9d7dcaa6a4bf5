package io.github.liquidscheduler.scheduler.transfer;

import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.job.Dataset;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.scheduler.data.CopyKey;
import io.github.liquidscheduler.scheduler.data.DataBooks;
import io.github.liquidscheduler.scheduler.data.Run;
import io.github.liquidscheduler.scheduler.job.JobEntry;
import io.github.liquidscheduler.scheduler.prefetch.Prefetching;
import io.github.liquidscheduler.scheduler.time.GpuTime;
import io.github.liquidscheduler.scheduler.turn.Turn;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.Progress;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.OptionalDouble;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Records the turn's starts and ends in the books. */
record RunNotes(Prefetching rules, Turn turn, DataBooks books) {
  private static final double NANOS = 1e9;

  void take() {
    turn.event().events().forEach(this::note);
    turn.decisions().forEach(this::note);
  }

  private void note(ClusterEvent event) {
    switch (event) {
      case ClusterEvent.JobAdopted e -> books.ended(e.job(), false, now());
      case ClusterEvent.JobFinished e -> books.ended(e.job(), true, now());
      case ClusterEvent.JobFailed e -> books.ended(e.job(), false, now());
      case ClusterEvent.JobCancelled e -> books.ended(e.job(), false, now());
      case ClusterEvent.JobProgressed e -> report(e.job(), e.progress());
      default -> {
        // Changes no run.
      }
    }
  }

  private void report(JobId job, Progress progress) {
    progress.remaining().ifPresent(left -> books.reported(job, GpuTime.exactSeconds(left), now()));
  }

  private void note(Decision decision) {
    switch (decision) {
      case Decision.Start start -> begin(start.job(), start.placement(), start.after().isEmpty());
      case Decision.Migrate move -> begin(move.job(), move.placement(), false);
      case Decision.Resize resize -> begin(resize.job(), resize.placement(), false);
      case Decision.Preempt preempt -> books.ended(preempt.job(), false, now());
      default -> {
        // Changes no run.
      }
    }
  }

  private void begin(JobId id, Placement placement, boolean isWhole) {
    @Nullable JobEntry job = turn.jobs().find(id);
    if (job == null) {
      return;
    }
    Set<CopyKey> copies = copies(job.job(), placement);
    List<CopyKey> missing = copies.stream().filter(copy -> !books.isThere(copy)).toList();
    Instant launched = GpuTime.end(now(), rules.launch());
    double bytes =
        missing.stream().mapToDouble(copy -> bytes(job.job(), copy)).sum()
            / rules.path().bytesPerSecond();
    Run run =
        new Run(
            launched,
            GpuTime.end(launched, Duration.ofNanos((long) (bytes * NANOS))),
            job.at(now()).remaining().stream().mapToDouble(GpuTime::exactSeconds).findFirst(),
            isWhole && !job.job().parallelism().isElastic(),
            missing);
    books.started(id, run, copies, now());
  }

  private static double bytes(JobSpec job, CopyKey copy) {
    return job.datasets().stream()
        .filter(dataset -> dataset.name().equals(copy.dataset()))
        .mapToDouble(dataset -> dataset.size().bytes())
        .sum();
  }

  /** Returns the copies that a job reads at a placement. */
  static Set<CopyKey> copies(JobSpec job, Placement placement) {
    Set<CopyKey> copies = new LinkedHashSet<>();
    for (NodeId node : placement.nodes()) {
      for (Dataset dataset : job.datasets()) {
        copies.add(new CopyKey(node, dataset.name()));
      }
    }
    return copies;
  }

  /** Returns the expected training time of a job in seconds; empty if unknown. */
  static OptionalDouble seconds(JobEntry job, Instant now) {
    return job.at(now).remaining().stream().mapToDouble(GpuTime::exactSeconds).findFirst();
  }

  private Instant now() {
    return turn.jobs().now();
  }
}
