package io.github.liquidscheduler.scheduler;

import static java.util.Objects.requireNonNull;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.NodeHealth;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.job.Dataset;
import io.github.liquidscheduler.job.ExpectedWork;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.resource.Bandwidth;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import io.github.liquidscheduler.scheduler.data.CopyKey;
import io.github.liquidscheduler.scheduler.data.DataBooks;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.scheduler.prefetch.Prefetching;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.Failure;
import io.github.liquidscheduler.scheduling.Retry;
import io.github.liquidscheduler.testkit.Ledger;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/**
 * A small cluster on which jobs that read data sets come and go, transfers arrive, fail or are
 * called off, copies are evicted and nodes get lost, all drawn from a seed.
 */
final class PrefetchWorld {
  private static final int NODES = 3;
  private static final int DATA_SETS = 5;

  final LiquidScheduler.Builder options;
  final Ledger ledger;
  LiquidScheduler scheduler;
  private final Random random;
  private Instant now = Instant.EPOCH;
  private int submitted;

  PrefetchWorld(long seed, Optional<Prefetching> rules) {
    random = new Random(seed);
    ClusterTopology cluster = cluster();
    LiquidScheduler.Builder plain =
        LiquidScheduler.builder(cluster)
            .policy(random.nextBoolean() ? Policies.bestEffortFifo() : Policies.fifo());
    options = rules.map(plain::prefetch).orElse(plain);
    ledger = new Ledger(cluster);
    scheduler = options.build();
  }

  static Prefetching rules(long seed) {
    Random random = new Random(seed);
    Bandwidth path = Bandwidth.ofGigabytesPerSecond(1 + random.nextInt(3));
    Prefetching.Builder rules =
        random.nextInt(4) == 0 ? Prefetching.liquid(path, .5) : Prefetching.over(path);
    return rules
        .mostAtOnce(random.nextInt(4))
        .mostWasted(random.nextInt(3) * .5)
        .localityGpus(random.nextInt(2))
        .build();
  }

  private ClusterTopology cluster() {
    ClusterTopology.Builder cluster = ClusterTopology.builder();
    for (int number = 0; number < NODES; number++) {
      Node.Builder node =
          Node.builder("n" + number)
              .gpus(2, GpuModel.of("K80"), Memory.ofGib(11))
              .disk(Memory.ofGib(20 + random.nextInt(40)));
      if (random.nextBoolean()) {
        node.dataset(dataset(random.nextInt(2)));
      }
      cluster.node(node.build());
    }
    return cluster.build();
  }

  private static Dataset dataset(int number) {
    return new Dataset("d" + number, Memory.ofGib(3 + 6L * number));
  }

  JobSpec job() {
    JobSpec.Builder job =
        JobSpec.builder("j" + submitted++)
            .gpus(1 + random.nextInt(3))
            .expectedWork(ExpectedWork.ofDuration(Duration.ofSeconds(20 + random.nextInt(300))));
    int datasets = random.nextInt(3);
    int first = random.nextInt(DATA_SETS);
    for (int number = 0; number < datasets; number++) {
      job.dataset(dataset((first + number) % DATA_SETS));
    }
    return job.build();
  }

  /** Returns what happens next. */
  ClusterEvent next() {
    Optional<Instant> wakeUp = scheduler.nextWakeUp();
    now = now.plusSeconds(random.nextInt(20));
    if (wakeUp.isPresent() && random.nextInt(3) > 0) {
      now = wakeUp.get().isAfter(now) || random.nextBoolean() ? later(wakeUp.get()) : now;
      return new ClusterEvent.TimePassed(now);
    }
    return switch (random.nextInt(12)) {
      case 0, 1, 2, 3 -> new ClusterEvent.JobSubmitted(now, job());
      case 4, 5, 6 ->
          running()
              .<ClusterEvent>map(job -> new ClusterEvent.JobFinished(now, job))
              .orElseGet(this::quiet);
      case 7 -> ofJobs();
      case 8 -> ofNodes();
      default -> ofCopies();
    };
  }

  private Instant later(Instant other) {
    return other.isAfter(now) ? other : now;
  }

  private ClusterEvent quiet() {
    return new ClusterEvent.TimePassed(now);
  }

  private <T> Optional<T> any(List<T> values) {
    return values.isEmpty()
        ? Optional.empty()
        : Optional.of(values.get(random.nextInt(values.size())));
  }

  private Optional<JobId> running() {
    return any(scheduler.view().runningJobs());
  }

  private ClusterEvent ofJobs() {
    return random.nextBoolean()
        ? any(scheduler.waiting())
            .<ClusterEvent>map(job -> new ClusterEvent.JobCancelled(now, job))
            .orElseGet(this::quiet)
        : running()
            .<ClusterEvent>map(
                job -> new ClusterEvent.JobFailed(now, job, Failure.CRASHED, Retry.now()))
            .orElseGet(this::quiet);
  }

  private ClusterEvent ofNodes() {
    NodeId node = NodeId.of("n" + random.nextInt(NODES));
    return switch (scheduler.view().health(node)) {
      case UP ->
          random.nextBoolean()
              ? new ClusterEvent.NodeLost(now, node)
              : new ClusterEvent.NodeDraining(now, node);
      case DRAINING, LOST -> new ClusterEvent.NodeReturned(now, node);
    };
  }

  /** What is on its way or read by a job that launches arrives, fails, or something is evicted. */
  private ClusterEvent ofCopies() {
    Optional<DataBooks> books = scheduler.state().data();
    if (books.isEmpty()) {
      return quiet();
    }
    Optional<CopyKey> moving = any(List.copyOf(books.get().underWay().keySet()));
    if (moving.isPresent() && random.nextInt(4) > 0) {
      CopyKey copy = moving.get();
      return random.nextInt(5) == 0
          ? new ClusterEvent.PrefetchFailed(now, copy.node(), copy.dataset())
          : new ClusterEvent.DataArrived(
              now, copy.node(), requireNonNull(books.get().underWay().get(copy)).dataset());
    }
    NodeId node = NodeId.of("n" + random.nextInt(NODES));
    Dataset dataset = dataset(random.nextInt(DATA_SETS));
    return isRead(node, dataset)
        ? read(books.get(), node, dataset)
        : new ClusterEvent.DataEvicted(now, node, dataset.name());
  }

  private ClusterEvent read(DataBooks books, NodeId node, Dataset dataset) {
    Node known = scheduler.view().topology().node(node);
    boolean fits = books.freeDisk(known) >= dataset.size().bytes();
    return fits && !books.underWay().containsKey(new CopyKey(node, dataset.name()))
        ? new ClusterEvent.DataArrived(now, node, dataset)
        : quiet();
  }

  private boolean isRead(NodeId node, Dataset dataset) {
    for (JobId job : scheduler.view().runningJobs()) {
      if (scheduler.view().placement(job).orElseThrow().nodes().contains(node)
          && scheduler.job(job).orElseThrow().datasets().contains(dataset)) {
        return true;
      }
    }
    return false;
  }

  /** Plays a step, and enters it in the books of the ledger. */
  List<Decision> step() {
    ClusterEvent event = next();
    List<Decision> decisions = scheduler.on(event);
    ledger.enter(event, decisions);
    return decisions;
  }

  /** Plays steps and returns all decisions. */
  List<Decision> play(int steps) {
    List<Decision> all = new ArrayList<>();
    for (int step = 0; step < steps; step++) {
      all.addAll(step());
    }
    return all;
  }

  boolean isUp(NodeId node) {
    return scheduler.view().health(node) == NodeHealth.UP;
  }
}
