package io.github.liquidscheduler.scheduler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.scheduler.data.DataBooks;
import io.github.liquidscheduler.scheduler.data.PrefetchedCopy;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.Reason;
import io.github.liquidscheduler.scheduling.Scheduler;
import io.github.liquidscheduler.scheduling.SchedulerSnapshot;
import io.github.liquidscheduler.scheduling.SnapshotSection;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** Budgets hold and the books agree, for all behaviour of jobs, transfers and nodes. */
class PrefetchLaws {
  private static final int STEPS = 40;

  private static PrefetchWorld world(long seed) {
    return new PrefetchWorld(seed, Optional.of(PrefetchWorld.rules(seed)));
  }

  /** The ledger fails for what is brought twice, overfills a disk or is read. */
  @Property(tries = 100)
  void nothingIsBroughtTwiceAndDisksAreNeverOverfull(@ForAll long seed) {
    PrefetchWorld world = world(seed);

    for (Decision decision : world.play(STEPS)) {
      if (decision instanceof Decision.Prefetch prefetch
          && prefetch.why() instanceof Reason.ExpectedRead why) {
        assertThat(why.probability()).isPositive();
      }
    }
  }

  @Property(tries = 100)
  void noMoreAreUnderWayAtOnceThanMayBe(@ForAll long seed) {
    PrefetchWorld world = world(seed);
    int most = PrefetchWorld.rules(seed).mostAtOnce();

    for (int step = 0; step < STEPS; step++) {
      world.step();
      assertThat(books(world).underWay().size()).isLessThanOrEqualTo(most);
    }
  }

  @Property(tries = 100)
  void whatWasSentIsReadLostUnreadOrUnderWay(@ForAll long seed) {
    PrefetchWorld world = world(seed);

    for (int step = 0; step < STEPS; step++) {
      world.step();
      DataBooks books = books(world);
      SnapshotSection saved = world.scheduler.snapshot().section("data");
      double sent = amount("sent", saved);
      assertThat(
              amount("read", saved)
                  + amount("lost", saved)
                  + bytes(books.unread())
                  + bytes(books.underWay().values()))
          .isCloseTo(sent, within(1e-6 * (1 + sent)));
    }
  }

  @Property(tries = 100)
  void aRestoredSchedulerAndACopyDecideAlike(@ForAll long seed) {
    PrefetchWorld world = world(seed);

    for (int step = 0; step < STEPS; step++) {
      SchedulerSnapshot before = world.scheduler.snapshot();
      LiquidScheduler restored = world.options.restore(before);
      assertThat(restored.snapshot()).isEqualTo(before);
      Scheduler copy = world.scheduler.copy();
      ClusterEvent event = world.next();
      List<Decision> decisions = world.scheduler.on(event);
      assertThat(restored.on(event)).isEqualTo(decisions);
      assertThat(copy.on(event)).isEqualTo(decisions);
      assertThat(restored.snapshot()).isEqualTo(world.scheduler.snapshot());
      assertThat(copy.snapshot()).isEqualTo(world.scheduler.snapshot());
    }
  }

  @Property(tries = 100)
  void theSameSeedGivesTheSameDecisions(@ForAll long seed) {
    assertThat(world(seed).play(STEPS)).isEqualTo(world(seed).play(STEPS));
  }

  /** Without prefetching, what jobs read and nodes hold changes nothing. */
  @Property(tries = 100)
  void whereNothingIsPrefetchedDataSetsChangeNoDecision(@ForAll long seed) {
    PrefetchWorld world = new PrefetchWorld(seed, Optional.empty());
    LiquidScheduler other = world.options.build();

    for (int step = 0; step < STEPS; step++) {
      ClusterEvent event = world.next();
      assertThat(other.on(withoutData(event))).isEqualTo(world.scheduler.on(event));
    }
  }

  private static ClusterEvent withoutData(ClusterEvent event) {
    if (!(event instanceof ClusterEvent.JobSubmitted submitted)) {
      return event;
    }
    JobSpec job = submitted.spec();
    return new ClusterEvent.JobSubmitted(
        event.at(),
        JobSpec.builder(job.id().value())
            .gpus(job.gpus())
            .expectedWork(job.expectedWork().orElseThrow())
            .build());
  }

  @Property(tries = 100)
  void nothingIsBroughtToANodeThatIsNotUp(@ForAll long seed) {
    PrefetchWorld world = world(seed);

    for (int step = 0; step < STEPS; step++) {
      for (Decision decision : world.step()) {
        if (decision instanceof Decision.Prefetch prefetch) {
          assertThat(world.isUp(prefetch.node())).isTrue();
        }
      }
    }
  }

  private static double amount(String name, SnapshotSection saved) {
    return (double) Objects.requireNonNull(saved.values().get(name));
  }

  private static double bytes(Collection<PrefetchedCopy> copies) {
    return copies.stream().mapToDouble(copy -> copy.dataset().size().bytes()).sum();
  }

  private static DataBooks books(PrefetchWorld world) {
    return world.scheduler.state().data().orElseThrow();
  }
}
