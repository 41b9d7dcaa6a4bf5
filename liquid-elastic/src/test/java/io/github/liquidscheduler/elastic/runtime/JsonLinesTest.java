package io.github.liquidscheduler.elastic.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

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
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

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
        Frame.Join.of(ANN),
        new Frame.Join(ANN, "secret"),
        new Frame.Hello("agent", null),
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

  /** No null, no missing field, no field of another kind, no number out of range. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "GET / HTTP/1.1",
        "",
        "null",
        "7",
        "[]",
        "{}",
        "{'type':'Quit'}",
        "{'type':'Join'}",
        "{'type':'Join','worker':null}",
        "{'type':'Join','worker':7}",
        "{'type':'Join','worker':' '}",
        "{'type':'Join','worker':'ann'} {'type':'Ready'}",
        "{'type':'Join','worker':'ann','worker':'bob'}",
        "{'type':'Hello'}",
        "{'type':'BatchEnd','topology':1,'step':1}",
        "{'type':'BatchEnd','topology':null,'step':1,'computeSeconds':1}",
        "{'type':'BatchEnd','topology':'1','step':1,'computeSeconds':1}",
        "{'type':'BatchEnd','topology':1.5,'step':1,'computeSeconds':1}",
        "{'type':'BatchEnd','topology':9223372036854775808,'step':1,'computeSeconds':1}",
        "{'type':'BatchEnd','topology':1,'step':1,'computeSeconds':-1}",
        "{'type':'BatchEnd','topology':1,'step':1,'computeSeconds':'NaN'}",
        "{'type':'BatchEnd','topology':1,'step':1,'computeSeconds':1e300}",
        "{'type':'ForLeader'}",
        "{'type':'ForLeader','message':{'type':'Lost'}}",
        "{'type':'ForLeader','message':{'type':'Ready'}}",
        "{'type':'ForLeader','message':{'type':'Register','replica':null,'loaded':true}}",
        "{'type':'ForLeader','message':{'type':'Register','worker':'ann','replica':null}}",
        "{'type':'ForLeader','message':{'type':'BatchEnd','worker':'ann','topology':1,'step':1,"
            + "'progress':null,'compute':'PT10000000000H'}}",
        "{'type':'ForLeader','message':{'type':'BatchEnd','worker':'ann','topology':1,'step':1,"
            + "'progress':{'epoch':0,'partition':-1,'offset':0},'compute':'PT1S'}}",
        "{'type':'Request'}",
        "{'type':'Request','request':{'type':'ScaleOut','workers':[]}}",
        "{'type':'Request','request':{'type':'ScaleOut','id':'grow','workers':[null]}}",
        "{'type':'Request','request':{'type':'ScaleOut','id':'grow','workers':'ann'}}",
        "{'type':'Request','request':{'type':'NoReplacement','id':'no'}}",
        "{'type':'Stop','reason':0,'committed':true}",
        "{'type':'ForWorker','worker':'ann','message':{'type':'Stop','term':1,'step':1}}",
        "{'type':'Answer','answer':{'type':'Accepted'}}",
      })
  void whatIsNoFrameIsRefusedInOneSentence(String line) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> json.frame(line.replace('\'', '"')))
        .withMessageStartingWith("it is no Frame")
        .withMessageNotContainingAny("\n", "com.fasterxml");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "null",
        "{}",
        "{'replica':null,'requests':[],'finished':false}",
        "{'replica':{'topology':{'number':1,'members':['ann'],'broadcaster':null,'receivers':[]},"
            + "'step':1,'ledger':{'partitioning':"
            + "{'samples':4,'partitions':1,'batchSize':1,'seed':0},"
            + "'epoch':0,'states':[{'type':'Todo','start':5}],'mayBeSeenTwice':[]}},"
            + "'requests':[],'finished':false}",
        "{'replica':{'topology':{'number':1,'members':['ann'],'broadcaster':'bob','receivers':[]},"
            + "'step':1,'ledger':{'partitioning':"
            + "{'samples':4,'partitions':1,'batchSize':1,'seed':0},"
            + "'epoch':0,'states':[{'type':'Done'}],'mayBeSeenTwice':[]}},"
            + "'requests':[],'finished':false}",
      })
  void whatIsNoSavedStateIsRefused(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> json.state(text.replace('\'', '"')))
        .withMessageStartingWith("it is no LeaderState");
  }
}
