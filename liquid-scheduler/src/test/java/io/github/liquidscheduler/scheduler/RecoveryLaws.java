package io.github.liquidscheduler.scheduler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.liquidscheduler.cluster.GpuId;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.planning.BatchPlan;
import io.github.liquidscheduler.planning.PlanCertificate;
import io.github.liquidscheduler.scheduler.job.JobEntry;
import io.github.liquidscheduler.scheduler.queue.JobTable;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Failure;
import io.github.liquidscheduler.scheduling.Progress;
import io.github.liquidscheduler.scheduling.Retry;
import io.github.liquidscheduler.scheduling.Scheduler;
import io.github.liquidscheduler.scheduling.SchedulerSnapshot;
import io.github.liquidscheduler.testkit.ClusterStep;
import io.github.liquidscheduler.testkit.JobDraft;
import io.github.liquidscheduler.testkit.Playback;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;

/** A scheduler is its events: replayed, restored or copied, it decides the same. */
class RecoveryLaws {

  @Provide
  Arbitrary<EventSequence> sequences() {
    return EventSequence.sequences(JobDraft.any(), EventSequence.POLICIES);
  }

  @Property(edgeCases = EdgeCasesMode.NONE)
  void theSameEventsGiveTheSameDecisions(@ForAll("sequences") EventSequence sequence) {
    List<Playback.Turn> turns = sequence.play(sequence.options());

    goesOnAs(turns, sequence.scheduler());
  }

  @Property(edgeCases = EdgeCasesMode.NONE)
  void aRestoredSchedulerGoesOnAsTheFirstWouldHave(
      @ForAll("sequences") EventSequence sequence, @ForAll @IntRange(max = 60) int steps) {
    LiquidScheduler first = sequence.scheduler();
    Playback playback = EventSequence.playback(first);
    int played = Math.min(steps, sequence.steps().size());
    sequence.steps().subList(0, played).forEach(playback::play);
    SchedulerSnapshot snapshot = first.snapshot();

    Scheduler restored = sequence.options(first.view().topology()).restore(snapshot);

    assertThat(restored.snapshot()).isEqualTo(snapshot);
    List<Playback.Turn> turns = new ArrayList<>();
    sequence.steps().subList(played, sequence.steps().size()).stream()
        .flatMap(step -> playback.play(step).stream())
        .forEach(turns::add);
    goesOnAs(turns, restored);
    assertThat(restored.snapshot()).isEqualTo(first.snapshot());
    assertThat(restored.nextWakeUp()).isEqualTo(first.nextWakeUp());
  }

  @Property(edgeCases = EdgeCasesMode.NONE)
  void aCopyGoesItsOwnWay(
      @ForAll("sequences") EventSequence sequence, @ForAll @IntRange(max = 60) int steps) {
    LiquidScheduler first = sequence.scheduler();
    Playback playback = EventSequence.playback(first);
    int played = Math.min(steps, sequence.steps().size());
    sequence.steps().subList(0, played).forEach(playback::play);
    SchedulerSnapshot before = first.snapshot();

    Scheduler copy = first.copy();
    Playback whatIf = playback.goingOnWith(copy);
    List<Playback.Turn> turns = new ArrayList<>();
    sequence.steps().subList(played, sequence.steps().size()).stream()
        .flatMap(step -> whatIf.play(step).stream())
        .forEach(turns::add);

    assertThat(first.snapshot()).isEqualTo(before);
    goesOnAs(turns, first);
    assertThat(first.snapshot()).isEqualTo(copy.snapshot());
  }

  @Property(edgeCases = EdgeCasesMode.NONE)
  void anImpossibleEventChangesNothing(@ForAll("sequences") EventSequence sequence) {
    LiquidScheduler scheduler = sequence.scheduler();
    Playback playback = EventSequence.playback(scheduler);
    for (ClusterStep step : sequence.steps()) {
      playback.play(step);
      List<ClusterEvent> impossible = impossibleEvents(scheduler, step);
      ClusterEvent event = impossible.get(step.pick() % impossible.size());
      SchedulerSnapshot before = scheduler.snapshot();

      assertThatThrownBy(() -> scheduler.on(event))
          .as("%s", event)
          .isInstanceOf(IllegalArgumentException.class);

      assertThat(scheduler.snapshot()).isEqualTo(before);
    }
  }

  private static void goesOnAs(List<Playback.Turn> turns, Scheduler scheduler) {
    for (Playback.Turn turn : turns) {
      assertThat(scheduler.on(turn.event())).isEqualTo(turn.decisions());
    }
  }

  private static List<ClusterEvent> impossibleEvents(LiquidScheduler scheduler, ClusterStep step) {
    JobTable jobs = scheduler.state().jobs();
    Instant now = jobs.now().equals(Instant.MIN) ? Instant.EPOCH : jobs.now();
    List<ClusterEvent> events = new ArrayList<>();
    if (!jobs.now().equals(Instant.MIN)) {
      events.add(new ClusterEvent.TimePassed(now.minusNanos(1)));
      events.add(new ClusterEvent.JobSubmitted(now.minusSeconds(1), step.job().named("new")));
    }
    JobId unknown = JobId.of("unknown");
    events.add(new ClusterEvent.JobFinished(now, unknown));
    events.add(new ClusterEvent.JobCancelled(now, unknown));
    jobs.waiting().inOrder().forEach(job -> addForWaiting(job, now, events));
    for (JobEntry job : jobs.running().inOrder()) {
      events.add(new ClusterEvent.JobSubmitted(now, job.job()));
    }
    jobs.ended().forEach((job, how) -> events.add(new ClusterEvent.JobCancelled(now, job)));
    events.add(new ClusterEvent.NodeLost(now, NodeId.of("nowhere")));
    events.add(new ClusterEvent.NodeRetired(now, NodeId.of("nowhere")));
    events.add(new ClusterEvent.NodeAdded(now, scheduler.view().topology().nodes().get(0)));
    for (JobEntry job : jobs.running().inOrder()) {
      NodeId inUse = job.placement().orElseThrow().tasks().get(0).node();
      events.add(new ClusterEvent.NodeRetired(now, inUse));
    }
    events.add(new ClusterEvent.GpuLost(now, GpuId.of("n0", 100)));
    events.add(new ClusterEvent.GpuReturned(now, GpuId.of("nowhere", 0)));
    for (Node node : scheduler.view().topology().nodes()) {
      switch (scheduler.view().health(node.id())) {
        case UP -> events.add(new ClusterEvent.NodeReturned(now, node.id()));
        case LOST -> events.add(new ClusterEvent.NodeDraining(now, node.id()));
        case DRAINING -> {}
      }
    }
    for (GpuId gpu : scheduler.state().failures().lostGpus()) {
      events.add(new ClusterEvent.GpuLost(now, gpu));
    }
    long requests = scheduler.state().window().requests();
    events.add(new ClusterEvent.PlanProposed(now, planFor(requests + 1)));
    return events;
  }

  private static BatchPlan planFor(long request) {
    PlanCertificate certificate = new PlanCertificate(0, 0, 0, 0, List.of());
    return new BatchPlan(request, List.of(), List.of(), List.of(), certificate);
  }

  private static void addForWaiting(JobEntry job, Instant now, List<ClusterEvent> events) {
    events.add(new ClusterEvent.JobSubmitted(now, job.job()));
    events.add(new ClusterEvent.JobReleased(now, job.id()));
    if (!job.history().hasRun()) {
      events.add(new ClusterEvent.JobFinished(now, job.id()));
    }
    events.add(new ClusterEvent.JobFailed(now, job.id(), Failure.CRASHED, Retry.now()));
    events.add(new ClusterEvent.JobProgressed(now, job.id(), Progress.of(1, 1)));
  }
}
