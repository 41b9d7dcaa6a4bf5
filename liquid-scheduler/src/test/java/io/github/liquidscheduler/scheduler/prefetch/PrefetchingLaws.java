package io.github.liquidscheduler.scheduler.prefetch;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.summingLong;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.job.Dataset;
import io.github.liquidscheduler.job.ExpectedWork;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.resource.Bandwidth;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import io.github.liquidscheduler.scheduler.LiquidScheduler;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.SchedulerSnapshot;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/** Whatever waits and whatever is on its way, budgets hold and nothing is brought for nobody. */
class PrefetchingLaws {
  private static final int NODES = 3;
  private static final int DATA_SETS = 4;
  private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

  /** A cluster on which some jobs run and others wait, drawn from a seed. */
  private static final class Situation {
    final Random random;
    final LiquidScheduler scheduler;
    final DataLocality locality;
    final List<Transfer> underWay = new ArrayList<>();
    final Instant now;
    final Prefetching rules;

    Situation(long seed, int mostAtOnce) {
      random = new Random(seed);
      ClusterTopology.Builder cluster = ClusterTopology.builder();
      DataLocality.Builder data = DataLocality.builder();
      for (int node = 0; node < NODES; node++) {
        cluster.node(
            Node.builder("node-" + node).gpus(2, GpuModel.of("K80"), Memory.ofGib(11)).build());
        data.room(node(node), Memory.ofGib(random.nextInt(60)));
      }
      scheduler =
          LiquidScheduler.builder(cluster.build()).policy(Policies.bestEffortFifo()).build();
      for (int job = 0; job < 12; job++) {
        scheduler.on(new ClusterEvent.JobSubmitted(NOON, job(job)));
      }
      for (int i = 0; i < 3; i++) {
        data.copy(anyCopy());
      }
      Set<DataCopy> moving = new HashSet<>();
      for (int i = 0; i < 3; i++) {
        DataCopy copy = anyCopy();
        if (moving.add(copy)) {
          long moved = (long) (random.nextDouble() * copy.dataset().size().bytes());
          underWay.add(new Transfer(copy, Memory.ofBytes(moved)));
        }
      }
      locality = data.build();
      now = NOON.plusSeconds(random.nextInt(600));
      rules =
          Prefetching.over(Bandwidth.ofGigabytesPerSecond(1 + random.nextInt(3)))
              .mostAtOnce(mostAtOnce)
              .build();
    }

    private static NodeId node(int number) {
      return NodeId.of("node-" + number);
    }

    private JobSpec job(int number) {
      JobSpec.Builder job =
          JobSpec.builder("job-" + number)
              .gpus(1 + random.nextInt(4))
              .expectedWork(ExpectedWork.ofDuration(Duration.ofSeconds(60 + random.nextInt(600))));
      return (random.nextInt(4) == 0 ? job : job.dataset(dataset(random.nextInt(DATA_SETS))))
          .build();
    }

    private static Dataset dataset(int number) {
      return new Dataset("data-" + number, Memory.ofGib(5 + 7L * number));
    }

    private DataCopy anyCopy() {
      return new DataCopy(dataset(random.nextInt(DATA_SETS)), node(random.nextInt(NODES)));
    }

    PrefetchPlan plan() {
      return rules.plan(scheduler, locality, underWay, now);
    }
  }

  @Property(tries = 500)
  void budgetsOfPathAndNodesHold(@ForAll long seed, @ForAll @IntRange(min = 1, max = 4) int most) {
    Situation situation = new Situation(seed, most);
    PrefetchPlan plan = situation.plan();

    assertThat(plan.begin().size()).isLessThanOrEqualTo(Math.max(0, most - plan.keep().size()));
    Map<NodeId, Long> kept =
        plan.keep().stream()
            .map(Transfer::copy)
            .collect(groupingBy(DataCopy::node, summingLong(PrefetchingLaws::bytes)));
    Map<NodeId, Long> begun =
        plan.begin().stream()
            .map(Prefetch::copy)
            .collect(groupingBy(DataCopy::node, summingLong(PrefetchingLaws::bytes)));
    begun.forEach(
        (node, bytes) ->
            assertThat(bytes + kept.getOrDefault(node, 0L))
                .isLessThanOrEqualTo(situation.locality.room(node).bytes()));
  }

  private static long bytes(DataCopy copy) {
    return copy.dataset().size().bytes();
  }

  @Property(tries = 500)
  void eachCopyIsBroughtOnceForAJobThatWaits(@ForAll long seed) {
    Situation situation = new Situation(seed, 4);
    PrefetchPlan plan = situation.plan();
    List<JobId> waiting = situation.scheduler.waiting();

    assertThat(
            Stream.concat(
                plan.keep().stream().map(Transfer::copy),
                plan.begin().stream().map(Prefetch::copy)))
        .doesNotHaveDuplicates();
    assertThat(plan.begin())
        .allSatisfy(
            prefetch -> {
              assertThat(situation.locality.isThere(prefetch.copy())).isFalse();
              assertThat(waiting).contains(prefetch.job());
              assertThat(situation.scheduler.job(prefetch.job()).orElseThrow().dataset())
                  .contains(prefetch.copy().dataset());
              assertThat(prefetch.gainGpuSeconds()).isGreaterThanOrEqualTo(1);
            });
  }

  @Property(tries = 500)
  void everyTransferIsKeptOrCancelled(@ForAll long seed) {
    Situation situation = new Situation(seed, 4);
    PrefetchPlan plan = situation.plan();

    assertThat(Stream.concat(plan.keep().stream(), plan.cancel().stream()))
        .containsExactlyInAnyOrderElementsOf(situation.underWay);
  }

  @Property(tries = 200)
  void lookingAgainWhenToldBeginsSomething(@ForAll long seed) {
    Situation situation = new Situation(seed, 100);
    situation.underWay.clear();
    PrefetchPlan plan = situation.plan();

    plan.lookAgain()
        .filter(at -> plan.begin().isEmpty())
        .ifPresent(
            at ->
                assertThat(
                        situation
                            .rules
                            .plan(situation.scheduler, situation.locality, List.of(), at)
                            .begin())
                    .isNotEmpty());
  }

  @Property(tries = 200)
  void askingChangesNothingAndIsAnsweredAlike(@ForAll long seed) {
    Situation situation = new Situation(seed, 4);
    SchedulerSnapshot before = situation.scheduler.snapshot();

    assertThat(situation.plan()).isEqualTo(situation.plan());
    assertThat(situation.scheduler.snapshot()).isEqualTo(before);
    assertThat(new Situation(seed, 4).plan()).isEqualTo(situation.plan());
  }
}
