package io.github.liquidscheduler.scheduler.transfer;

import io.github.liquidscheduler.cluster.GpuId;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.job.Dataset;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.scheduler.data.CopyKey;
import io.github.liquidscheduler.scheduler.data.DataBooks;
import io.github.liquidscheduler.scheduler.data.Run;
import io.github.liquidscheduler.scheduler.job.JobEntry;
import io.github.liquidscheduler.scheduler.job.PlacementClass;
import io.github.liquidscheduler.scheduler.policy.QueueOrder.QueueView;
import io.github.liquidscheduler.scheduler.prefetch.Prefetching;
import io.github.liquidscheduler.scheduler.queue.JobTable;
import io.github.liquidscheduler.scheduler.time.GpuTime;
import io.github.liquidscheduler.scheduling.Placer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.PriorityQueue;
import java.util.Set;

/*
 * Idea: one sampled future on a copy of the cluster. Running jobs end at sampled run times,
 *   waiting jobs start in queue order where the placer puts them, and each start yields the reads
 *   of its data sets.
 * Invariants: over all scenarios a job's run times are evenly spread quantiles, in an order of its
 *   own; the live cluster and the jobs are unchanged; same state, same scenario.
 * Cost: one copy of the cluster, O(nodes + running jobs), at most 64 ends, and after each end at
 *   most one placement per class of the first 64 waiting jobs that fails, plus one per start.
 * Rejected: one future played by a copy of the scheduler, nearly always wrong about places (a
 *   quarter of the bytes was wasted); sampling jobs still to come: as much waste, twice the time.
 */
/**
 * A sampled future: each job takes the run time of some past job relative to its expectation, and
 * waiting jobs start in queue order where the placer puts them. Over all scenarios a job's run
 * times cover the distribution evenly. The live cluster is unchanged.
 *
 * <p>Quotas, reservations, size changes and pre-emption are not simulated. Mutable.
 */
final class Scenario {
  /** The number of scenarios: a prime, so that each job has its own order of lengths. */
  static final int COUNT = 13;

  private static final int MOST_WAITING = 64;
  private static final int MOST_ENDS = 64;

  private final Prefetching rules;
  private final JobTable jobs;
  private final DataBooks books;
  private final Placer placer;
  private final int number;
  private final ClusterState cluster;
  private final List<JobEntry> waiting;
  private final PriorityQueue<End> ends =
      new PriorityQueue<>(
          Comparator.comparingDouble(End::seconds).thenComparing(end -> end.job().value()));
  private final Map<GpuId, Double> freeFrom = new HashMap<>();
  private final Set<CopyKey> brought = new HashSet<>();
  private final List<Read> reads = new ArrayList<>();

  /** A job's end, in seconds from now. */
  private record End(double seconds, JobId job) {}

  Scenario(Prefetching rules, JobTable jobs, DataBooks books, Placer placer, int number) {
    this.rules = rules;
    this.jobs = jobs;
    this.books = books;
    this.placer = placer;
    this.number = number;
    cluster = jobs.cluster().copy();
    waiting = new ArrayList<>(jobs.waiting().head(MOST_WAITING));
  }

  /** Returns the reads within the horizon, or else the first ones beyond it, in order of time. */
  List<Read> play(double horizon) {
    for (JobEntry job : jobs.running().inOrder()) {
      secondsLeft(job).ifPresent(left -> ends.add(new End(left, job.id())));
    }
    int left = MOST_ENDS;
    while (left > 0 && !ends.isEmpty() && !waiting.isEmpty()) {
      End end = ends.remove();
      if (end.seconds() > horizon && !reads.isEmpty()) {
        break;
      }
      release(end);
      startFitting(end.seconds());
      left--;
    }
    return reads;
  }

  private void release(End end) {
    cluster
        .placement(end.job())
        .ifPresent(place -> place.gpuIds().forEach(gpu -> freeFrom.put(gpu, end.seconds())));
    cluster.release(end.job());
  }

  /** Returns true if a job that arrives before {@code at} may take GPUs of a place. */
  private boolean isOpen(Placement place, double at) {
    return !jobs.hasOneHead()
        && place.gpuIds().anyMatch(gpu -> freeFrom.getOrDefault(gpu, 0.0) < at);
  }

  private OptionalDouble secondsLeft(JobEntry job) {
    Optional<Run> run = books.run(job.id());
    if (run.isEmpty() || run.get().seconds().isEmpty()) {
      return OptionalDouble.empty();
    }
    double trained = seconds(run.get().trainsFrom(), jobs.now());
    double length = run.get().seconds().getAsDouble();
    return OptionalDouble.of(Math.max(0, length(job, length, Math.max(0, trained)) - trained));
  }

  /** Returns the sampled training time of a job, given the time trained so far. */
  private double length(JobEntry job, double expected, double trained) {
    return expected <= 0
        ? trained
        : expected * books.ratios().given(trained / expected, quantile(job.id()));
  }

  private double quantile(JobId job) {
    int hash = job.value().hashCode();
    int step = 1 + Math.floorMod(hash, COUNT - 1);
    int first = Math.floorMod(hash / (COUNT - 1), COUNT);
    return (Math.floorMod(step * number + first, COUNT) + .5) / COUNT;
  }

  private static double seconds(Instant from, Instant to) {
    return GpuTime.exactSeconds(Duration.between(from, to));
  }

  private void startFitting(double at) {
    Set<PlacementClass> failed = new HashSet<>();
    Set<QueueView> blocked = new HashSet<>();
    Iterator<JobEntry> next = waiting.iterator();
    boolean goesOn = true;
    while (goesOn && next.hasNext()) {
      JobEntry job = next.next();
      Optional<Placement> place =
          job.placementClass().leastGpus() > cluster.freeGpus()
                  || failed.contains(job.placementClass())
                  || blocked.contains(job.queue())
              ? Optional.empty()
              : placer.place(cluster, job.job());
      if (place.isPresent()) {
        start(job, place.get(), at);
        next.remove();
      } else {
        failed.add(job.placementClass());
        if (job.queue().isStrict()) {
          blocked.add(job.queue());
        }
        goesOn = !jobs.hasOneHead();
      }
    }
  }

  private void start(JobEntry job, Placement place, double at) {
    cluster.apply(place.sized(job.job()), place);
    Set<CopyKey> copies = RunNotes.copies(job.job(), place);
    Set<CopyKey> missing = new LinkedHashSet<>(copies);
    missing.removeIf(copy -> isThere(copy) || brought.contains(copy));
    int nodes = place.nodes().size();
    boolean isOpen = isOpen(place, at);
    double bytes = 0;
    for (CopyKey copy : copies) {
      Dataset dataset = dataset(job, copy);
      double gpus = missing.contains(copy) ? (double) place.gpus() / missing.size() : 0;
      bytes += missing.contains(copy) ? dataset.size().bytes() : 0;
      reads.add(new Read(copy, dataset, job.id(), at, gpus, nodes, isOpen));
    }
    brought.addAll(missing);
    double begins =
        at + GpuTime.exactSeconds(rules.launch()) + bytes / rules.path().bytesPerSecond();
    RunNotes.seconds(job, jobs.now())
        .ifPresent(length -> ends.add(new End(begins + length(job, length, 0), job.id())));
  }

  /** Returns true if the copy is there, or read by a running job, without a transfer. */
  private boolean isThere(CopyKey copy) {
    return books.isThere(copy) || (books.isAwaited(copy) && !books.underWay().containsKey(copy));
  }

  private static Dataset dataset(JobEntry job, CopyKey copy) {
    return job.job().datasets().stream()
        .filter(dataset -> dataset.name().equals(copy.dataset()))
        .findFirst()
        .orElseThrow();
  }
}
