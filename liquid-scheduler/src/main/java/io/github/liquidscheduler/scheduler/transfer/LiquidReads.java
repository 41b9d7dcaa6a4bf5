package io.github.liquidscheduler.scheduler.transfer;

import io.github.liquidscheduler.cluster.NodeHealth;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.job.Dataset;
import io.github.liquidscheduler.scheduler.data.CopyKey;
import io.github.liquidscheduler.scheduler.data.DataBooks;
import io.github.liquidscheduler.scheduler.data.Run;
import io.github.liquidscheduler.scheduler.job.JobEntry;
import io.github.liquidscheduler.scheduler.prefetch.Prefetching;
import io.github.liquidscheduler.scheduler.time.GpuTime;
import io.github.liquidscheduler.scheduler.turn.Turn;
import io.github.liquidscheduler.scheduling.Reason;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;

/**
 * Liquid's rule: if no GPU is free and enough are in use, each waiting job of one task on one GPU
 * is prepared on the first GPU whose job ends within launch time and slack. Preparing means
 * bringing its data; the placer remains free to start it elsewhere.
 */
final class LiquidReads {
  private static final double NANOS = 1e9;

  private final Prefetching rules;
  private final double ratio;
  private final Turn turn;
  private final DataBooks books;
  private final Transfers transfers;
  private double lookAgain = Double.POSITIVE_INFINITY;

  /** The expected release of a GPU, in seconds from now. */
  private record Ending(NodeId node, double seconds) {}

  LiquidReads(Prefetching rules, double ratio, Turn turn, DataBooks books) {
    this.rules = rules;
    this.ratio = ratio;
    this.turn = turn;
    this.books = books;
    transfers = new Transfers(rules, turn, books);
  }

  /** Begins transfers; returns the seconds until the next look-ahead. */
  double run() {
    if (turn.cluster().freeGpus() > 0 || ratio > 1) {
      return lookAgain;
    }
    List<Ending> endings = endings();
    for (JobEntry job : turn.jobs().waiting().inOrder()) {
      boolean isSmall = job.job().tasks() == 1 && job.job().gpus() == 1;
      if (isSmall && !job.job().datasets().isEmpty() && !isPrepared(job)) {
        prepare(job, endings);
      }
    }
    return lookAgain;
  }

  private List<Ending> endings() {
    List<Ending> endings = new ArrayList<>();
    for (JobEntry job : turn.jobs().running().inOrder()) {
      Optional<Run> run = books.run(job.id());
      if (run.isPresent() && run.get().seconds().isPresent()) {
        double trained =
            GpuTime.exactSeconds(Duration.between(run.get().trainsFrom(), turn.jobs().now()));
        double left = run.get().seconds().getAsDouble() - trained;
        job.placement().stream()
            .flatMap(placement -> placement.tasks().stream())
            .forEach(
                task -> task.gpus().forEach(gpu -> endings.add(new Ending(task.node(), left))));
      }
    }
    return endings;
  }

  private boolean isPrepared(JobEntry job) {
    return books.underWay().values().stream().anyMatch(each -> each.job().equals(job.id()));
  }

  private void prepare(JobEntry job, List<Ending> endings) {
    double bytes =
        job.job().datasets().stream().mapToDouble(dataset -> dataset.size().bytes()).sum();
    double lead =
        GpuTime.exactSeconds(rules.launch())
            + transfers.seconds(bytes)
            + GpuTime.exactSeconds(rules.slack());
    for (Iterator<Ending> each = endings.iterator(); each.hasNext(); ) {
      Ending ending = each.next();
      if (ending.seconds() < lead) {
        each.remove();
        job.job().datasets().forEach(dataset -> bring(job, dataset, ending));
        return;
      }
      lookAgain = Math.min(lookAgain, ending.seconds() - lead);
    }
  }

  private void bring(JobEntry job, Dataset dataset, Ending ending) {
    CopyKey copy = new CopyKey(ending.node(), dataset.name());
    if (!books.isThereSoon(copy) && turn.cluster().health(copy.node()) == NodeHealth.UP) {
      Instant now = turn.jobs().now();
      Instant neededAt = now.plusNanos((long) (Math.max(0, ending.seconds()) * NANOS));
      Reason.ExpectedRead why =
          new Reason.ExpectedRead(1, transfers.seconds((double) dataset.size().bytes()));
      transfers.begin(copy, dataset, job.id(), 1, neededAt, neededAt, why, other -> false);
    }
  }
}
