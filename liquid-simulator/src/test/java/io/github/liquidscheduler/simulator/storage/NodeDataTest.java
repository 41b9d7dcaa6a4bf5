package io.github.liquidscheduler.simulator.storage;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.job.Dataset;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.resource.Bandwidth;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.Reason;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A node has room for 1,500 bytes, and the path carries 100 bytes in a second. */
class NodeDataTest {
  private static final NodeId NODE = NodeId.of("n0");
  private static final NodeDisks.Copy CLICKS = copy("clicks", 1_000);
  private static final NodeDisks.Copy FILMS = copy("films", 1_000);

  private final QueuedClock clock = new QueuedClock();
  private final List<String> told = new ArrayList<>();
  private final List<Instant> read = new ArrayList<>();
  private final NodeData data =
      new NodeData(
          ClusterTopology.builder()
              .node(
                  Node.builder("n0")
                      .gpus(1, GpuModel.of("K80"), Memory.ofGib(11))
                      .disk(Memory.ofBytes(1_500))
                      .build())
              .build(),
          new Bandwidth(100),
          clock,
          this::tell);

  private static NodeDisks.Copy copy(String name, long bytes) {
    return new NodeDisks.Copy(new Dataset(name, Memory.ofBytes(bytes)), NODE);
  }

  private void tell(ClusterEvent event) {
    told.add(
        switch (event) {
          case ClusterEvent.DataArrived e -> e.dataset().name() + " arrived";
          case ClusterEvent.DataEvicted e -> e.dataset() + " gone";
          default -> event.toString();
        });
  }

  private void bring(NodeDisks.Copy copy) {
    data.bring(
        new Decision.Prefetch(
            JobId.of("reader"),
            NODE,
            copy.dataset(),
            Instant.EPOCH,
            List.of(),
            new Reason.ExpectedRead(1, 1)));
  }

  private void readAt(int second, NodeDisks.Copy copy) {
    clock.schedule(
        Duration.ofSeconds(second),
        () -> {
          if (data.use(copy)) {
            read.add(clock.instant());
          } else {
            data.await(copy, (each, isHeld) -> read.add(clock.instant()));
          }
        });
  }

  @Test
  void aJobReadsAtOnceWhatIsThere() {
    bring(CLICKS);
    readAt(20, CLICKS);

    clock.run();

    assertThat(read).containsExactly(at(20));
    assertThat(data.brought()).isEqualTo(1_000);
    assertThat(data.wasted()).isZero();
  }

  @Test
  void whatIsOnItsWayIsWaitedForAndComesOnce() {
    bring(CLICKS);
    readAt(4, CLICKS);
    readAt(5, CLICKS);

    clock.run();

    assertThat(read).containsExactly(at(10), at(10));
    assertThat(told).containsExactly("clicks arrived");
    assertThat(data.wasted()).isZero();
  }

  @Test
  void whatIsCancelledIsWastedAsFarAsItCame() {
    bring(CLICKS);
    clock.schedule(
        Duration.ofSeconds(4),
        () ->
            data.cancel(
                new Decision.CancelPrefetch(NODE, "clicks", new Reason.ExpectedRead(0, 0))));

    clock.run();

    assertThat(told).isEmpty();
    assertThat(data.brought()).isEqualTo(400);
    assertThat(data.wasted()).isEqualTo(400);
  }

  @Test
  void theCopyThatNobodyReadsGoesForOneThatAJobReads() {
    bring(CLICKS);
    readAt(20, FILMS);

    clock.run();

    assertThat(read).containsExactly(at(30));
    assertThat(told).containsExactly("clicks arrived", "clicks gone", "films arrived");
    assertThat(data.wasted()).isEqualTo(1_000);
  }

  @Test
  void aCopyThatFindsNoRoomIsReadAndGivenUp() {
    readAt(0, CLICKS);
    readAt(20, FILMS);

    clock.run();

    assertThat(read).containsExactly(at(10), at(30));
    assertThat(told).containsExactly("clicks arrived", "films arrived", "films gone");
  }

  private static Instant at(int second) {
    return Instant.ofEpochSecond(second);
  }
}
