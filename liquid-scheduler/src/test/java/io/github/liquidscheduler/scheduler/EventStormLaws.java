package io.github.liquidscheduler.scheduler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Domain;
import io.github.liquidscheduler.cluster.GpuId;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.NodeHealth;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.job.ExpectedWork;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.job.TopologyConstraint;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.Failure;
import io.github.liquidscheduler.scheduling.Retry;
import io.github.liquidscheduler.scheduling.Scheduler;
import io.github.liquidscheduler.testkit.Ledger;
import io.github.liquidscheduler.testkit.PresenceLedger;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;

/**
 * Long storms on small clusters, in which what one event left behind meets all kinds of later ones,
 * kept in books of what is promised and of who is really there: half a million events in a full
 * build.
 */
class EventStormLaws {

  private static final int EVENTS = 2_500;
  private static final int NODES = 4;
  private static final int GPUS = 4;
  private static final int MOST_WAITING = 25;

  /** Of a seed, as choices that shrink would be used up early in so long a storm. */
  @Property(tries = 200, edgeCases = EdgeCasesMode.NONE, shrinking = ShrinkingMode.OFF)
  void whoRunsHasGpusThatNobodyElseHas(@ForAll long seed) {
    Storm storm = new Storm(new Random(seed));
    for (int event = 0; event < EVENTS; event++) {
      storm.next();
      if (event % 250 == 0) {
        storm.check();
      }
    }
    storm.check();
  }

  /** A cluster, what happens to it, and the books of that. */
  private static final class Storm {
    private final Random random;
    private final Ledger promises;
    private final PresenceLedger presence = new PresenceLedger();
    private final LiquidScheduler.Builder options;
    private Scheduler scheduler;
    private long second;
    private int submitted;

    Storm(Random random) {
      this.random = random;
      ClusterTopology cluster = cluster();
      promises = new Ledger(cluster);
      options =
          LiquidScheduler.builder(cluster)
              .policy(any(EventSequence.POLICIES))
              .preemption(
                  any(EventSequence.RULES)
                      .gracePeriod(Duration.ofSeconds(40L * random.nextInt(3))));
      scheduler = options.build();
    }

    private static ClusterTopology cluster() {
      ClusterTopology.Builder cluster = ClusterTopology.builder().levels("rack");
      for (int node = 0; node < NODES; node++) {
        if (node % 2 == 0) {
          cluster.domain(Domain.of("rack", "r" + node / 2));
        }
        cluster.node(
            Node.builder("n" + node)
                .gpus(GPUS, GpuModel.of(node < 3 ? "A100" : "V100"), Memory.ofGib(40))
                .domain("r" + node / 2)
                .build());
      }
      return cluster.build();
    }

    /** Lets the next thing happen. */
    void next() {
      second += random.nextInt(30);
      Instant at = Instant.ofEpochSecond(second);
      ClusterEvent event = event(at);
      List<Decision> decisions = scheduler.on(event);
      promises.enter(event, decisions);
      presence.enter(event, decisions, scheduler);
      if (random.nextInt(20) == 0) {
        stopAgain(at);
      }
    }

    /** A job that is not stopping any more, or was not, cannot stop. */
    private void stopAgain(Instant at) {
      List<JobId> others = new ArrayList<>(promises.waiting());
      others.addAll(promises.running().keySet());
      others.removeAll(stopping());
      if (!others.isEmpty()) {
        ClusterEvent again = new ClusterEvent.JobStopped(at, any(others));
        assertThatIllegalArgumentException().isThrownBy(() -> scheduler.on(again));
      }
    }

    /** Compares with the books, and goes on with a copy or one that was restored. */
    void check() {
      assertThat(scheduler.waiting()).containsExactlyInAnyOrderElementsOf(promises.waiting());
      assertThat(scheduler.view().runningJobs())
          .containsExactlyInAnyOrderElementsOf(promises.running().keySet());
      scheduler = random.nextBoolean() ? scheduler.copy() : options.restore(scheduler.snapshot());
    }

    private ClusterEvent event(Instant at) {
      return switch (random.nextInt(24)) {
        case 0 -> node(at, NodeId.of("n" + random.nextInt(NODES)));
        case 1 -> gpu(at, GpuId.of("n" + random.nextInt(NODES), random.nextInt(GPUS)));
        case 2 -> new ClusterEvent.TimePassed(at);
        case 3, 4 -> about(at, promises.running().keySet(), job -> fail(at, job));
        case 5, 6 -> cancel(at);
        case 7, 8, 9, 10, 11 -> about(at, present(), job -> new ClusterEvent.JobFinished(at, job));
        case 12, 13 -> about(at, stopping(), job -> new ClusterEvent.JobStopped(at, job));
        case 14 -> about(at, stopping(), job -> fail(at, job));
        case 15 ->
            about(
                at, promises.waiting(), job -> new ClusterEvent.JobUpdated(at, spec(job.value())));
        default -> promises.waiting().size() < MOST_WAITING ? submit(at) : cancel(at);
      };
    }

    private ClusterEvent node(Instant at, NodeId node) {
      return scheduler.view().health(node) == NodeHealth.UP
          ? new ClusterEvent.NodeLost(at, node)
          : new ClusterEvent.NodeReturned(at, node);
    }

    private ClusterEvent gpu(Instant at, GpuId gpu) {
      return scheduler.view().isLost(gpu)
          ? new ClusterEvent.GpuReturned(at, gpu)
          : new ClusterEvent.GpuLost(at, gpu);
    }

    private ClusterEvent fail(Instant at, JobId job) {
      Failure how = presence.since(job).isPresent() ? Failure.CRASHED : Failure.NOT_STARTED;
      return new ClusterEvent.JobFailed(at, job, how, Retry.now());
    }

    private ClusterEvent cancel(Instant at) {
      return about(at, promises.waiting(), job -> new ClusterEvent.JobCancelled(at, job));
    }

    /** Returns what happens to one of some jobs; a job is submitted if there is none. */
    private ClusterEvent about(
        Instant at, Collection<JobId> jobs, Function<JobId, ClusterEvent> event) {
      return jobs.isEmpty() ? submit(at) : event.apply(any(jobs.stream().sorted().toList()));
    }

    private List<JobId> stopping() {
      return promises.waiting().stream().filter(job -> presence.since(job).isPresent()).toList();
    }

    private List<JobId> present() {
      List<JobId> present = new ArrayList<>(promises.running().keySet());
      present.removeIf(job -> presence.since(job).isEmpty());
      present.addAll(stopping());
      return present;
    }

    private <T> T any(List<T> of) {
      return of.get(random.nextInt(of.size()));
    }

    private ClusterEvent submit(Instant at) {
      return new ClusterEvent.JobSubmitted(at, spec("j" + submitted++));
    }

    private JobSpec spec(String id) {
      JobSpec.Builder job =
          JobSpec.builder(id)
              .role("worker", 1 + random.nextInt(6), ResourceRequest.ofGpus(1))
              .priority(random.nextInt(3))
              .preemptible(random.nextInt(3) > 0)
              .expectedWork(ExpectedWork.ofDuration(Duration.ofSeconds(random.nextInt(600) + 1)));
      if (random.nextInt(4) == 0) {
        job.topology(TopologyConstraint.required("rack"));
      }
      return job.build();
    }
  }
}
