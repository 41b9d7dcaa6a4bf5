package io.github.liquidscheduler.elastic.protocol;

import static io.github.liquidscheduler.elastic.protocol.Told.id;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.elastic.ElasticOptions;
import io.github.liquidscheduler.elastic.SampleRange;
import io.github.liquidscheduler.elastic.ScalingAnswer;
import io.github.liquidscheduler.elastic.ScalingRequest.Cancel;
import io.github.liquidscheduler.elastic.ScalingRequest.Migrate;
import io.github.liquidscheduler.elastic.ScalingRequest.NoReplacement;
import io.github.liquidscheduler.elastic.ScalingRequest.ScaleIn;
import io.github.liquidscheduler.elastic.ScalingRequest.ScaleOut;
import io.github.liquidscheduler.elastic.protocol.ToWorker.StopReason;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class LeaderTest {

  @Test
  void trainingBeginsWhenTheInitialWorkersAreReady() {
    Told job = new Told(ElasticOptions.builder().initialWorkers(2).build());
    job.starts("ann");
    job.isReady("ann");
    job.starts("bob");
    assertThat(job.leader.topologyEpoch()).isZero();

    job.isReady("bob");

    assertThat(job.run("ann").topology().members()).containsExactly(id("ann"), id("bob"));
    assertThat(job.run("bob").step()).isEqualTo(1);
  }

  @Test
  void oneWorkerBroadcastsTheFirstModelToTheOthers() {
    TopologyEpoch topology = Told.training("ann", "bob", "cem").run("ann").topology();

    assertThat(topology.receivers()).hasSize(2).doesNotContain(topology.broadcaster());
  }

  @Test
  void aMiniBatchCountsWhenAllHaveReportedIt() {
    Told job = Told.training("ann", "bob");

    job.reports("ann", Told.BATCH);
    assertThat(job.leader.step()).isEqualTo(1);
    job.reports("bob", Told.BATCH);

    assertThat(job.run("ann").step()).isEqualTo(2);
    assertThat(job.run("ann").committed()).isTrue();
  }

  @Test
  void membersTrainOnWhileNewWorkersPrepare() {
    Told job = Told.training("ann");
    job.asks(new ScaleOut("grow", List.of(id("bob"))));
    job.starts("bob");

    job.trains("ann");
    job.trains("ann");

    assertThat(job.leader.step()).isEqualTo(3);
    assertThat(job.run("ann").switched()).isFalse();
  }

  @Test
  void theSwitchComesWhenEveryWorkerHasHadHalfASecondToHearOfIt() {
    Told job = Told.training("ann");
    job.trains("ann");
    job.trains("ann");
    job.starts("bob");
    job.isReady("bob");

    for (int batch = 0; batch < 5; batch++) {
      assertThat(job.leader.topologyEpoch()).isEqualTo(1);
      job.trains("ann");
    }

    assertThat(job.leader.topologyEpoch()).isEqualTo(2);
    assertThat(job.run("ann").step()).isEqualTo(8);
    assertThat(job.run("bob").topology().broadcaster()).isEqualTo(id("ann"));
  }

  @Test
  void requestsBeforeTheSwitchIsDecidedAreMerged() {
    Told job = Told.training("ann", "bob");
    job.asks(new ScaleOut("grow", List.of(id("cem"))));
    job.asks(new ScaleIn("shrink", List.of(id("bob"))));
    job.starts("cem");
    job.isReady("cem");
    job.trains("ann", "bob");

    assertThat(job.leader.topologyEpoch()).isEqualTo(2);
    assertThat(job.run("ann").topology().members()).containsExactly(id("ann"), id("cem"));
    assertThat(job.stopped("bob")).isEqualTo(StopReason.REMOVED);
    assertThat(job.answers())
        .contains(
            new ScalingAnswer.Switched("grow", 2, 2), new ScalingAnswer.Switched("shrink", 2, 2));
  }

  @Test
  void requestsAfterTheSwitchIsDecidedAreToBeMadeAgain() {
    Told job = Told.training("ann", "bob");
    job.asks(new ScaleIn("shrink", List.of(id("bob"))));

    job.asks(new ScaleOut("grow", List.of(id("cem"))));

    assertThat(job.answers()).endsWith(new ScalingAnswer.Retry("grow"));
  }

  @Test
  void aRequestCanBeCancelledBeforeItsSwitchIsDecided() {
    Told job = Told.training("ann");
    job.asks(new ScaleOut("grow", List.of(id("bob"))));
    job.starts("bob");

    job.asks(new Cancel("grow"));

    assertThat(job.answers()).endsWith(new ScalingAnswer.Cancelled("grow"));
    assertThat(job.stopped("bob")).isEqualTo(StopReason.REMOVED);
  }

  @Test
  void beforeTheFirstTopologyNobodyIsLetGo() {
    Told job = new Told(ElasticOptions.builder().initialWorkers(2).build());
    job.asks(new ScaleIn("shrink", List.of(id("bob"))));
    assertThat(job.answers()).containsExactly(new ScalingAnswer.Retry("shrink"));

    job.starts("ann");
    job.isReady("ann");
    job.starts("bob");
    job.isReady("bob");

    assertThat(job.run("ann").topology().members()).containsExactly(id("ann"), id("bob"));
  }

  @Test
  void aWorkerThatWantsToLeaveBeforeItTrainsLeavesAfterTheSwitch() {
    Told job = new Told(ElasticOptions.builder().initialWorkers(2).build());
    job.starts("ann");
    job.isReady("ann");
    job.starts("bob");
    job.hears(new ToLeader.Leave(id("bob")));
    job.isReady("bob");

    job.trains("ann", "bob");

    assertThat(job.run("ann").topology().members()).containsExactly(id("ann"));
    assertThat(job.stopped("bob")).isEqualTo(StopReason.REMOVED);
  }

  @Test
  void aDecidedSwitchIsNotCancelled() {
    Told job = Told.training("ann", "bob");
    job.asks(new ScaleIn("shrink", List.of(id("bob"))));

    job.asks(new Cancel("shrink"));

    assertThat(job.answers())
        .endsWith(new ScalingAnswer.Rejected("shrink", "The switch is already decided"));
  }

  @Test
  void aNewWorkerThatIsNotReadyInTimeIsDroppedAndTheTopologyStays() {
    Told job = Told.training("ann");
    job.asks(new ScaleOut("grow", List.of(id("bob"))));

    job.passes(Duration.ofSeconds(15));
    job.trains("ann");
    job.passes(Duration.ofSeconds(105));

    assertThat(job.answers()).endsWith(new ScalingAnswer.TimedOut("grow", id("bob")));
    assertThat(job.leader.topologyEpoch()).isEqualTo(1);
  }

  @Test
  void theLastWorkerIsNotLetGo() {
    Told job = Told.training("ann");

    job.asks(new ScaleIn("shrink", List.of(id("ann"))));

    assertThat(job.answers())
        .endsWith(new ScalingAnswer.Rejected("shrink", "No worker would be left"));
  }

  @Test
  void whenAllAreReplacedTheyStayToBroadcastTheModel() {
    Told job = Told.training("ann");
    job.trains("ann");
    job.starts("bob");
    job.asks(new Migrate("move", List.of(id("ann")), List.of(id("cem"))));
    job.starts("cem");
    job.isReady("bob");
    job.isReady("cem");
    for (int batch = 0; batch < 5; batch++) {
      job.trains("ann");
    }
    assertThat(job.run("cem").topology().broadcaster()).isEqualTo(id("ann"));

    for (int batch = 0; batch < 6; batch++) {
      job.trains("ann", "bob", "cem");
    }

    assertThat(job.stopped("ann")).isEqualTo(StopReason.REMOVED);
    assertThat(job.answers()).anyMatch(new ScalingAnswer.Switched("move", 3, 12)::equals);
  }

  @Test
  void whoMissesTwoPatiencesIsEvictedAndTheOthersRepeatTheMiniBatch() {
    Told job = Told.training("ann", "bob");
    job.trains("ann", "bob");
    SampleRange lost = job.run("bob").batch();
    job.reports("ann", Told.BATCH);

    job.passes(Duration.ofMillis(19_900));
    assertThat(job.leader.topologyEpoch()).isEqualTo(1);
    job.passes(Duration.ofMillis(100));

    assertThat(job.run("ann").topology().members()).containsExactly(id("ann"));
    assertThat(job.run("ann").step()).isEqualTo(2);
    assertThat(job.run("ann").committed()).isFalse();
    assertThat(job.stopped("bob")).isEqualTo(StopReason.EVICTED);
    assertThat(job.leader.mayBeSeenTwice()).containsExactly(lost);
  }

  @Test
  void workersThatHangWithALostOneAreWaitedFor() {
    Told job = Told.training("ann", "bob");
    job.trains("ann", "bob");

    job.passes(Duration.ofSeconds(30));
    assertThat(job.leader.topologyEpoch()).isEqualTo(1);
    job.fails("ann");
    job.passes(Duration.ofSeconds(1));

    assertThat(job.run("ann").topology().members()).containsExactly(id("ann"));
  }

  @Test
  void aMiniBatchThatFailedForSomeIsRepeatedByAll() {
    Told job = Told.training("ann", "bob");
    job.trains("ann", "bob");

    job.reports("ann", Told.BATCH);
    job.fails("bob");

    assertThat(job.run("ann").step()).isEqualTo(2);
    assertThat(job.run("ann").committed()).isFalse();
    assertThat(job.run("ann").topology().number()).isEqualTo(2);
    assertThat(job.leader.mayBeSeenTwice()).isEmpty();
  }

  @Test
  void aWorkerWhoseProcessEndedIsEvictedAtOnce() {
    Told job = Told.training("ann", "bob");

    job.hears(new ToLeader.Lost(id("bob")));

    assertThat(job.run("ann").topology().members()).containsExactly(id("ann"));
    assertThat(job.answers()).contains(new ScalingAnswer.Evicted(id("bob")));
  }

  @Test
  void aJobWhoseLastHolderOfTheModelIsLostSaysSo() {
    Told job = Told.training("ann");
    job.trains("ann");

    job.hears(new ToLeader.Lost(id("ann")));

    assertThat(job.answers()).endsWith(new ScalingAnswer.ModelLost(2));
  }

  @Test
  void aWorkerThatIsSlowInEightOfTenMiniBatchesIsAStraggler() {
    Told job = Told.training("ann", "bob", "cem");

    for (int batch = 1; batch <= 8; batch++) {
      assertThat(job.answers()).noneMatch(ScalingAnswer.StragglerFound.class::isInstance);
      trainWithSlowCem(job, Told.BATCH.multipliedBy(2));
    }

    assertThat(job.answers()).endsWith(new ScalingAnswer.StragglerFound(id("cem"), 2, true));
  }

  @Test
  void oneOfTwoWorkersIsAStragglerToo() {
    Told job = Told.training("ann", "bob");

    for (int batch = 1; batch <= 8; batch++) {
      assertThat(job.answers()).noneMatch(ScalingAnswer.StragglerFound.class::isInstance);
      job.reports("ann", Told.BATCH);
      job.reports("bob", Told.BATCH.multipliedBy(3));
    }

    assertThat(job.answers()).endsWith(new ScalingAnswer.StragglerFound(id("bob"), 3, true));
  }

  @Test
  void aStragglerWithoutReplacementIsDroppedIfTheOthersAreFasterAlone() {
    Told job = Told.training("ann", "bob", "cem");
    trainWithSlowCem(job, Told.BATCH.multipliedBy(2));

    job.asks(new NoReplacement("drop", id("cem")));

    assertThat(job.answers()).endsWith(new ScalingAnswer.Accepted("drop"));
  }

  @Test
  void aStragglerThatIsStillWorthItsPlaceStays() {
    Told job = Told.training("ann", "bob", "cem");
    trainWithSlowCem(job, Duration.ofMillis(140));

    job.asks(new NoReplacement("drop", id("cem")));

    assertThat(job.answers())
        .endsWith(new ScalingAnswer.Rejected("drop", "The job would be slower without the worker"));
  }

  @Test
  void aNewLeaderGoesOnWhereTheWorkersAre() {
    Told before = Told.training("ann", "bob");
    before.trains("ann", "bob");
    before.trains("ann", "bob");

    Told after = takeOver(before, "ann", "bob");

    assertThat(after.leader.step()).isEqualTo(3);
    assertThat(after.leader.topologyEpoch()).isEqualTo(1);
  }

  @Test
  void workersThatDidNotComeToANewLeaderAreEvicted() {
    Told before = Told.training("ann", "bob");
    before.trains("ann", "bob");

    Told after = takeOver(before, "ann");
    after.passes(Duration.ofSeconds(10));

    assertThat(after.leader.topologyEpoch()).isEqualTo(2);
    assertThat(after.leader.mayBeSeenTwice()).isNotEmpty();
  }

  @Test
  void whileANewLeaderTakesOverRequestsAreToBeMadeAgain() {
    Told before = Told.training("ann", "bob");

    Told after = takeOver(before, "ann");
    after.asks(new ScaleOut("grow", List.of(id("cem"))));

    assertThat(after.answers()).containsExactly(new ScalingAnswer.Retry("grow"));
  }

  @Test
  void aLeaderThatHandedOverIsSilent() {
    Told job = Told.training("ann");

    assertThat(job.leader.handOver(Instant.EPOCH))
        .hasSize(1)
        .allMatch(LeaderOutput.Save.class::isInstance);

    job.reports("ann", Told.BATCH);
    assertThat(job.leader.step()).isEqualTo(1);
  }

  @Test
  void afterTheLastEpochAllWorkersStop() {
    Told job = Told.training("ann", "bob");
    while (job.stopped("ann") == null) {
      job.trains("ann", "bob");
    }

    assertThat(job.stopped("bob")).isEqualTo(StopReason.FINISHED);
    assertThat(job.answers()).endsWith(new ScalingAnswer.Finished(40));
  }

  @Test
  void whoAsksAfterTheEndHearsThatItFinishedUnlessItsModelIsBehind() {
    Told job = Told.training("ann", "bob");
    job.trains("ann", "bob");
    job.reports("ann", Told.BATCH);
    job.passes(Duration.ofSeconds(20));
    while (job.stopped("ann") == null) {
      job.trains("ann");
    }
    Replica end = job.saved().orElseThrow().replica();

    assertThat(reasonTold(job, new ToLeader.Register(id("ann"), end, true)))
        .isEqualTo(StopReason.FINISHED);
    assertThat(reasonTold(job, new ToLeader.Register(id("bob"), end, true)))
        .isEqualTo(StopReason.EVICTED);
    assertThat(reasonTold(job, new ToLeader.Register(id("late"), null, false)))
        .isEqualTo(StopReason.FINISHED);
  }

  private static StopReason reasonTold(Told job, ToLeader message) {
    List<LeaderOutput> told = job.leader.on(Instant.EPOCH.plus(Duration.ofDays(1)), message);
    assertThat(told).hasSize(1);
    return ((ToWorker.Stop) ((LeaderOutput.Send) told.getFirst()).message()).reason();
  }

  private static void trainWithSlowCem(Told job, Duration compute) {
    job.reports("ann", Told.BATCH);
    job.reports("bob", Told.BATCH);
    job.reports("cem", compute);
  }

  /** A leader of term 2 is told by the workers of another what they know. */
  private static Told takeOver(Told before, String... names) {
    LeaderState saved = before.saved().orElseThrow();
    Told after = new Told(ElasticOptions.builder().build(), 2, saved);
    for (String name : names) {
      before.worker(name).connected(2).stream()
          .filter(WorkerOutput.Send.class::isInstance)
          .forEach(output -> after.hears(((WorkerOutput.Send) output).message()));
    }
    return after;
  }
}
