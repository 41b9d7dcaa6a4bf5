package io.github.liquidscheduler.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.arbitrary.Choices;
import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Domain;
import io.github.liquidscheduler.cluster.GpuId;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.job.ExpectedWork;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.job.TopologyConstraint;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import io.github.liquidscheduler.scheduler.policy.SchedulingPolicy;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Failure;
import io.github.liquidscheduler.scheduling.Retry;
import io.github.liquidscheduler.scheduling.Scheduler;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/**
 * Long storms on small clusters, in which what one event left behind meets all kinds of later ones,
 * kept in plain books: most of the million events that are judged in each build.
 */
class EventStormLaws {

  private static final int EVENTS = 2_500;
  private static final int NODES = 4;
  private static final int GPUS = 4;
  private static final int MOST_WAITING = 25;

  @Property(tries = 330)
  void whoRunsHasGpusThatNobodyElseHas(@ForAll(supplier = Choices.Any.class) Choices choices) {
    Storm storm = new Storm(choices.random());
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
    private final GpuBooks books = new GpuBooks();
    private final LiquidScheduler.Builder options;
    private Scheduler scheduler;
    private long second;
    private int submitted;

    Storm(Random random) {
      this.random = random;
      List<SchedulingPolicy> policies = EventSequence.POLICIES;
      options =
          LiquidScheduler.builder(cluster()).policy(policies.get(random.nextInt(policies.size())));
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
      ClusterEvent event = event(Instant.ofEpochSecond(second));
      books.enter(event, scheduler.on(event));
    }

    /** Compares with the books, and goes on with a copy or one that was restored. */
    void check() {
      assertThat(scheduler.waiting()).containsExactlyInAnyOrderElementsOf(books.waiting());
      assertThat(scheduler.view().runningJobs())
          .containsExactlyInAnyOrderElementsOf(books.running());
      scheduler = random.nextBoolean() ? scheduler.copy() : options.restore(scheduler.snapshot());
    }

    private ClusterEvent event(Instant at) {
      NodeId node = NodeId.of("n" + random.nextInt(NODES));
      return switch (random.nextInt(20)) {
        case 0 ->
            books.isDown(node)
                ? new ClusterEvent.NodeReturned(at, node)
                : new ClusterEvent.NodeLost(at, node);
        case 1 -> gpu(at, new GpuId(node, random.nextInt(GPUS)));
        case 2 -> new ClusterEvent.TimePassed(at);
        case 3, 4 ->
            books.running().isEmpty()
                ? submit(at)
                : new ClusterEvent.JobFailed(
                    at, any(books.running()), Failure.CRASHED, Retry.now());
        case 5, 6 -> books.waiting().isEmpty() ? submit(at) : cancel(at);
        case 7, 8, 9, 10, 11 -> books.running().isEmpty() ? submit(at) : finish(at);
        default -> books.waiting().size() < MOST_WAITING ? submit(at) : cancel(at);
      };
    }

    private ClusterEvent gpu(Instant at, GpuId gpu) {
      return books.isLost(gpu)
          ? new ClusterEvent.GpuReturned(at, gpu)
          : new ClusterEvent.GpuLost(at, gpu);
    }

    private ClusterEvent finish(Instant at) {
      return new ClusterEvent.JobFinished(at, any(books.running()));
    }

    private ClusterEvent cancel(Instant at) {
      return new ClusterEvent.JobCancelled(at, any(books.waiting()));
    }

    private JobId any(Set<JobId> jobs) {
      return jobs.stream().sorted().skip(random.nextInt(jobs.size())).findFirst().orElseThrow();
    }

    private ClusterEvent submit(Instant at) {
      JobSpec.Builder job =
          JobSpec.builder("j" + submitted++)
              .role("worker", 1 + random.nextInt(6), ResourceRequest.ofGpus(1))
              .priority(random.nextInt(3))
              .preemptible(random.nextInt(3) > 0)
              .expectedWork(ExpectedWork.ofDuration(Duration.ofSeconds(random.nextInt(600) + 1)));
      if (random.nextInt(4) == 0) {
        job.topology(TopologyConstraint.required("rack"));
      }
      return new ClusterEvent.JobSubmitted(at, job.build());
    }
  }
}
