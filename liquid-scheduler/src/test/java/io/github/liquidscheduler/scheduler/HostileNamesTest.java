package io.github.liquidscheduler.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Domain;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.job.ExpectedWork;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.Parallelism;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.job.TopologyConstraint;
import io.github.liquidscheduler.placement.Placers;
import io.github.liquidscheduler.queue.QueueSpec;
import io.github.liquidscheduler.queue.QueueTree;
import io.github.liquidscheduler.queue.Reclaiming;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import io.github.liquidscheduler.scheduler.policy.Backfill;
import io.github.liquidscheduler.scheduler.policy.Elasticity;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.scheduler.policy.PreemptionRules;
import io.github.liquidscheduler.scheduler.policy.SizingPolicy;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.JobStatus;
import io.github.liquidscheduler.scheduling.Placer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Names decide nothing: jobs, queues, nodes, domains, roles and models that are called as parts of
 * the scheduler are, and all by the same names, fare as any others do.
 */
class HostileNamesTest {

  private static final List<String> HOSTILE =
      List.of(
          "held",
          "left",
          "also left",
          "held held",
          "also held held",
          "every queue",
          "default",
          "cluster",
          "node",
          "none",
          "$",
          "worker",
          "root",
          "null",
          "rack",
          "held left",
          "n/a");

  private static final Duration MINUTE = Duration.ofMinutes(1);

  /** What a scheduler does beside starting jobs. */
  enum Setting {
    PRIORITY,
    EASY,
    CONSERVATIVE,
    RESERVING_ELASTIC,
    COMPUTED_SHARES,
    LENT_QUOTA,
    DOMINANT_SHARES,
    FAIR_SHARE_BACKFILL;

    LiquidScheduler.Builder scheduler(ClusterTopology cluster, Placer placer) {
      LiquidScheduler.Builder builder =
          LiquidScheduler.builder(cluster)
              .policy(this == FAIR_SHARE_BACKFILL ? Policies.fairShare() : Policies.priority())
              .placer(placer);
      return switch (this) {
        case EASY, FAIR_SHARE_BACKFILL -> builder.backfill(Backfill.easy());
        case CONSERVATIVE -> builder.backfill(Backfill.conservative());
        case RESERVING_ELASTIC ->
            builder
                .backfill(Backfill.reserving(2))
                .elasticity(Elasticity.by(SizingPolicy.marginalGain()).coolDown(MINUTE).build());
        case PRIORITY, COMPUTED_SHARES, LENT_QUOTA, DOMINANT_SHARES ->
            builder.preemption(PreemptionRules.NONE.moving(2));
      };
    }

    Optional<Reclaiming> lending() {
      return switch (this) {
        case COMPUTED_SHARES, LENT_QUOTA, DOMINANT_SHARES ->
            Optional.of(Reclaiming.valueOf(name()));
        default -> Optional.empty();
      };
    }
  }

  /** The same jobs and nodes under other names. */
  private static final class World {
    private final List<String> names;
    private final String prefix;
    private final LiquidScheduler.Builder options;
    private LiquidScheduler scheduler;
    private final List<String> told = new ArrayList<>();

    /** Makes one whose names are hostile, or else plain. */
    World(Setting setting, Placer placer, List<String> names, String prefix) {
      this.names = names;
      this.prefix = prefix;
      options = setting.scheduler(cluster(), placer);
      scheduler = options.build();
      setting
          .lending()
          .ifPresent(rules -> take(new ClusterEvent.QueuesChanged(Instant.EPOCH, tree(rules))));
    }

    private String name(int number, String kind) {
      return prefix.isEmpty() ? names.get(number % names.size()) : prefix + kind + number;
    }

    private ClusterTopology cluster() {
      ClusterTopology.Builder cluster = ClusterTopology.builder().levels("rack");
      for (int rack = 0; rack < 2; rack++) {
        cluster.domain(Domain.of("rack", name(rack, "r")));
        for (int node = 2 * rack; node < 2 * rack + 2; node++) {
          cluster.node(
              Node.builder(name(node, "n"))
                  .gpus(4, GpuModel.of(name(0, "m")), Memory.ofGib(16))
                  .domain(name(rack, "r"))
                  .build());
        }
      }
      return cluster.build();
    }

    private QueueTree tree(Reclaiming rules) {
      return QueueTree.of(
              QueueSpec.named(name(5, "top")).withGpus(16),
              QueueSpec.named(name(6, "q")).in(name(5, "top")).withGpus(10),
              QueueSpec.named(name(7, "q")).in(name(5, "top")).withGpus(4))
          .with(rules);
    }

    private JobSpec job(int number, Random random) {
      int tasks = 1 + random.nextInt(6);
      JobSpec.Builder job =
          JobSpec.builder(name(number, "j"))
              .queue(name(6 + random.nextInt(2), "q"))
              .priority(random.nextInt(3))
              .preemptible(random.nextInt(4) > 0)
              .role(name(0, "w"), tasks, ResourceRequest.ofGpus(1))
              .gpuModels(List.of(GpuModel.of(name(0, "m"))))
              .topology(
                  random.nextInt(3) == 0
                      ? TopologyConstraint.required("rack")
                      : TopologyConstraint.NONE)
              .expectedWork(ExpectedWork.ofDuration(MINUTE.multipliedBy(1 + random.nextInt(9))));
      return random.nextInt(3) == 0
          ? job.parallelism(Parallelism.between(1, tasks, tasks + 2)).build()
          : job.build();
    }

    void play(long seed) {
      Random random = new Random(seed);
      Instant now = Instant.EPOCH;
      for (int number = 0; number < names.size(); number++) {
        now = now.plus(MINUTE.multipliedBy(random.nextInt(3)).plusSeconds(1));
        now = wake(now);
        take(new ClusterEvent.JobSubmitted(now, job(number, random)));
        JobId other = JobId.of(name(random.nextInt(number + 1), "j"));
        if (scheduler.status(other).orElse(null) instanceof JobStatus.Running) {
          take(new ClusterEvent.JobFinished(now, other));
        }
        if (random.nextInt(4) == 0) {
          scheduler = options.restore(scheduler.snapshot());
        }
      }
    }

    private Instant wake(Instant until) {
      Optional<Instant> due = scheduler.nextWakeUp();
      for (int i = 0; i < 20 && due.isPresent() && !due.get().isAfter(until); i++) {
        take(new ClusterEvent.TimePassed(due.get()));
        due = scheduler.nextWakeUp();
      }
      return until;
    }

    private void take(ClusterEvent event) {
      scheduler.on(event).forEach(decision -> told.add(told(decision)));
    }

    private String told(Decision decision) {
      String job = decision instanceof Decision.AboutJob about ? number(about.job()) : "";
      String places = decision instanceof Decision.Start start ? places(start.placement()) : "";
      return decision.getClass().getSimpleName() + " " + job + " " + places;
    }

    private String number(JobId job) {
      return IntStream.range(0, names.size())
          .filter(each -> name(each, "j").equals(job.value()))
          .mapToObj(Integer::toString)
          .collect(Collectors.joining());
    }

    private String places(Placement placement) {
      List<NodeId> nodes =
          IntStream.range(0, 4).mapToObj(each -> NodeId.of(name(each, "n"))).toList();
      return placement.tasks().stream()
          .map(task -> nodes.indexOf(task.node()) + ":" + task.gpus())
          .collect(Collectors.joining(" "));
    }
  }

  @ParameterizedTest
  @EnumSource
  void jobsFareAlikeWhateverTheyAreCalled(Setting setting) {
    for (Placer placer :
        List.of(Placers.bestFit(), Placers.leastCost(), Placers.leastFragmentation())) {
      for (int seed = 0; seed < 20; seed++) {
        List<String> names = new ArrayList<>(HOSTILE);
        Collections.shuffle(names, new Random(seed));
        World plain = new World(setting, placer, names, "plain ");
        World hostile = new World(setting, placer, names, "");
        plain.play(seed);
        hostile.play(seed);
        assertThat(plain.told).isNotEmpty();
        assertThat(hostile.told).as("%s, seed %d", placer, seed).isEqualTo(plain.told);
      }
    }
  }
}
