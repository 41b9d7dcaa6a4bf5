package io.github.liquidscheduler.elastic.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.liquidscheduler.elastic.Partitioning;
import io.github.liquidscheduler.elastic.SampleRange;
import io.github.liquidscheduler.elastic.ScalingAnswer;
import io.github.liquidscheduler.elastic.ScalingRequest;
import io.github.liquidscheduler.elastic.WorkerId;
import io.github.liquidscheduler.elastic.ledger.PartitionLedger;
import io.github.liquidscheduler.elastic.ledger.PartitionProgress;
import io.github.liquidscheduler.elastic.protocol.LeaderState;
import io.github.liquidscheduler.elastic.protocol.Replica;
import io.github.liquidscheduler.elastic.protocol.ToLeader;
import io.github.liquidscheduler.elastic.protocol.ToWorker;
import io.github.liquidscheduler.elastic.protocol.TopologyEpoch;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class JsonLinesTest {
  private static final WorkerId ANN = WorkerId.of("ann");
  private static final TopologyEpoch TOPOLOGY = new TopologyEpoch(2, List.of(ANN), null, List.of());

  private final JsonLines json = new JsonLines();

  static Stream<Frame> frames() {
    PartitionLedger ledger = PartitionLedger.of(new Partitioning(10, 3, 2, 1));
    ledger.refill(ANN, 2);
    ledger.crash(ANN);
    ledger.refill(ANN, 1);
    Replica replica = new Replica(TOPOLOGY, 5, ledger.snapshot());
    PartitionProgress progress = new PartitionProgress(0, 1, 2);
    return Stream.of(
        new Frame.Join(ANN),
        new Frame.BatchEnd(2, 5, 0.25),
        new Frame.Run(2, List.of(ANN), null, List.of(), true, 5, new SampleRange(0, 2, 4), true, 0),
        new Frame.Stop(ToWorker.StopReason.FINISHED, true),
        new Frame.ForLeader(new ToLeader.Register(ANN, replica, true)),
        new Frame.ForLeader(new ToLeader.Register(ANN, null, false)),
        new Frame.ForLeader(new ToLeader.BatchEnd(ANN, 2, 5, progress, Duration.ofMillis(30))),
        new Frame.ForLeader(new ToLeader.BatchEnd(ANN, 2, 5, null, Duration.ZERO)),
        new Frame.ForWorker(
            ANN,
            new ToWorker.Proceed(
                7, TOPOLOGY, 5, new ToWorker.LedgerUpdate.Changes(ledger.takeChanges()))),
        new Frame.ForWorker(
            ANN,
            new ToWorker.Proceed(
                7, TOPOLOGY, 5, new ToWorker.LedgerUpdate.Full(ledger.snapshot()))),
        new Frame.Request(new ScalingRequest.Migrate("move", List.of(ANN), List.of())),
        new Frame.Answer(new ScalingAnswer.StragglerFound(ANN, 1.5, true)));
  }

  @ParameterizedTest
  @MethodSource("frames")
  void aFrameIsReadAsItWasWritten(Frame frame) {
    String line = json.write(frame);

    assertThat(json.frame(line)).isEqualTo(frame);
    assertThat(line).doesNotContain("\n");
  }

  @Test
  void aSavedStateIsReadAsItWasWritten() {
    Replica replica =
        new Replica(TOPOLOGY, 3, PartitionLedger.of(new Partitioning(10, 3, 2, 1)).snapshot());
    LeaderState state =
        new LeaderState(replica, List.of(new ScalingRequest.ScaleOut("grow", List.of(ANN))), false);

    assertThat(json.state(json.write(state))).isEqualTo(state);
  }

  @Test
  void whatIsNoFrameIsRefused() {
    assertThatThrownBy(() -> json.frame("GET / HTTP/1.1")).isInstanceOf(UncheckedIOException.class);
  }
}
