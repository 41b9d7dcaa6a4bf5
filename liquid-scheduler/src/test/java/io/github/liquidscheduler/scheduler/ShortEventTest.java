package io.github.liquidscheduler.scheduler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.scheduler.policy.BatchWindow;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** An event starts no more jobs than it may; the next one, which is due at once, goes on. */
class ShortEventTest {

  private final Session session =
      new Session(
          LiquidScheduler.builder(Session.cluster(4, 1))
              .policy(Policies.bestEffortFifo())
              .startsPerEvent(2)
              .build());

  private void fourWaitForTheFirstNode() {
    session.submit("a", 4);
    session.submit("b", 2);
    session.submit("c", 1);
    session.submit("d", 1);
    session.submit("e", 1);
  }

  @Test
  void whatIsLeftIsDueAtOnce() {
    fourWaitForTheFirstNode();

    assertThat(session.at(9).finish("a")).containsExactly("start b", "start d");
    assertThat(session.scheduler.nextWakeUp()).contains(Instant.ofEpochSecond(9));
    assertThat(session.pass()).containsExactly("start e");
    assertThat(session.scheduler.nextWakeUp()).isEmpty();
  }

  @Test
  void anotherEventGoesOnAsWell() {
    fourWaitForTheFirstNode();
    session.at(9).finish("a");

    assertThat(session.at(10).submit("f", 1)).containsExactly("start e");
  }

  @Test
  void whereRoomHasGrownIsKnownAlsoWhenNodesGetOtherPlaces() {
    Session small =
        new Session(
            LiquidScheduler.builder(Session.cluster(1, 2))
                .policy(Policies.bestEffortFifo())
                .startsPerEvent(1)
                .build());
    small.on(new ClusterEvent.NodeLost(Instant.EPOCH, NodeId.of("n0")));
    small.submit("a", 2);
    small.submit("b", 1);
    small.submit("c", 1);

    assertThat(small.finish("a")).containsExactly("start b");
    assertThat(small.on(new ClusterEvent.NodeRetired(Instant.EPOCH, NodeId.of("n0"))))
        .containsExactly("start c");
  }

  @Test
  void anEventStartsAtLeastOneJob() {
    assertThatThrownBy(() -> LiquidScheduler.builder(Session.cluster(1)).startsPerEvent(0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("an event must start at least 1 job, but was to start 0 at most");
  }

  @Test
  void inBatchModeAnEventDecidesEverything() {
    LiquidScheduler.Builder batched =
        LiquidScheduler.builder(Session.cluster(1))
            .policy(Policies.fifo())
            .batch(BatchWindow.of(Duration.ZERO))
            .startsPerEvent(1);

    assertThatThrownBy(batched::build)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("in batch mode");
  }
}
