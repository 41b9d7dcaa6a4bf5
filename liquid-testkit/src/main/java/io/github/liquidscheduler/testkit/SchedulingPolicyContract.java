package io.github.liquidscheduler.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.job.ExpectedWork;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.JobStatus;
import io.github.liquidscheduler.scheduling.Scheduler;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/**
 * The contract of every scheduling policy, seen from outside: on a scheduler that follows it. No
 * batch window may be set.
 */
public abstract class SchedulingPolicyContract {
  private static final Instant START = Instant.EPOCH;

  /** Makes a contract. */
  protected SchedulingPolicyContract() {}

  /** Returns a new scheduler that follows the policy to judge. */
  protected abstract Scheduler scheduler(ClusterTopology cluster);

  /** Returns clusters. */
  @Provide
  protected Arbitrary<ClusterTopology> clusters() {
    return Topologies.any();
  }

  /** Returns the events on them. */
  @Provide
  protected Arbitrary<List<ClusterStep>> steps() {
    return ClusterStep.any(JobDraft.any()).list().ofMinSize(1).ofMaxSize(60);
  }

  /** A job that fits starts as soon as it is submitted. */
  @Example
  public void aJobThatFitsStarts() {
    Scheduler scheduler = scheduler(twoNodes());

    assertThat(started(submit(scheduler, job("a", 8)))).containsExactly("a");
  }

  /** A job that does not fit waits, and starts when it does. */
  @Example
  public void aJobThatDoesNotFitWaitsAndStartsWhenItDoes() {
    Scheduler scheduler = scheduler(twoNodes());
    submit(scheduler, job("a", 8));

    assertThat(submit(scheduler, job("b", 8))).isEmpty();
    assertThat(started(scheduler.on(new ClusterEvent.JobFinished(START, JobId.of("a")))))
        .containsExactly("b");
  }

  /** Among equal jobs the one that was submitted first goes first, whatever their names. */
  @Example
  public void equalJobsGoInTheOrderOfTheirSubmission() {
    Scheduler scheduler = scheduler(twoNodes());
    submit(scheduler, job("running", 8));
    List<String> ids = List.of("10", "9", "2", "1");
    ids.forEach(id -> submit(scheduler, job(id, 8)));

    assertThat(scheduler.waiting()).extracting(JobId::value).containsExactlyElementsOf(ids);
  }

  /** No job is stopped for another that is like it. */
  @Example
  public void noJobIsStoppedForAnEqual() {
    Scheduler scheduler = scheduler(twoNodes());
    submit(scheduler, job("a", 8));

    assertThat(submit(scheduler, job("b", 8))).isEmpty();
  }

  /** A job that lost its node is still before the equal ones that were submitted later. */
  @Example
  public void aJobThatLostItsNodeGoesBeforeLaterEquals() {
    Scheduler scheduler = scheduler(twoNodes());
    List.of("a", "b", "c").forEach(id -> submit(scheduler, job(id, 4)));
    NodeId node = scheduler.view().placement(JobId.of("a")).orElseThrow().tasks().get(0).node();
    scheduler.on(new ClusterEvent.NodeLost(START, node));

    assertThat(scheduler.waiting()).extracting(JobId::value).containsExactly("a", "c");
  }

  /** Every decision can be carried out, and every job is in exactly one state. */
  @Property(tries = 200, edgeCases = EdgeCasesMode.NONE)
  public void theBooksAgree(
      @ForAll("clusters") ClusterTopology cluster, @ForAll("steps") List<ClusterStep> steps) {
    Scheduler scheduler = scheduler(cluster);
    Playback playback = new Playback(scheduler, PlanSource.NONE);
    Ledger ledger = new Ledger(cluster);

    for (ClusterStep step : steps) {
      playback.play(step).ifPresent(turn -> ledger.enter(turn.event(), turn.decisions()));

      assertThat(scheduler.waiting()).containsExactlyInAnyOrderElementsOf(ledger.waiting());
      assertThat(scheduler.view().runningJobs())
          .containsExactlyElementsOf(ledger.running().keySet());
      assertThat(ledger.ended())
          .allMatch(job -> scheduler.status(job).orElseThrow() instanceof JobStatus.Ended);
    }
  }

  /** The same events lead to the same decisions. */
  @Property(tries = 100, edgeCases = EdgeCasesMode.NONE)
  public void theSameEventsGiveTheSameDecisions(
      @ForAll("clusters") ClusterTopology cluster, @ForAll("steps") List<ClusterStep> steps) {
    Scheduler other = scheduler(cluster);

    for (Playback.Turn turn : new Playback(scheduler(cluster), PlanSource.NONE).play(steps)) {
      assertThat(other.on(turn.event())).as("%s", turn.event()).isEqualTo(turn.decisions());
    }
  }

  /** Until the instant at which the scheduler wants to decide again, time alone changes nothing. */
  @Property(tries = 200, edgeCases = EdgeCasesMode.NONE)
  public void ranksChangeAtReviewsOnly(
      @ForAll("clusters") ClusterTopology cluster, @ForAll("steps") List<ClusterStep> steps) {
    Scheduler scheduler = scheduler(cluster);
    Playback playback = new Playback(scheduler, PlanSource.NONE);
    playback.play(steps);
    List<JobId> waiting = scheduler.waiting();
    Instant late = playback.now().plus(Duration.ofDays(1));
    Instant before = scheduler.nextWakeUp().map(wakeUp -> wakeUp.minusNanos(1)).orElse(late);

    if (!before.isBefore(playback.now())) {
      assertThat(scheduler.on(new ClusterEvent.TimePassed(before))).isEmpty();
      assertThat(scheduler.waiting()).isEqualTo(waiting);
    }
  }

  private static ClusterTopology twoNodes() {
    ClusterTopology.Builder cluster = ClusterTopology.builder();
    for (String id : List.of("n0", "n1")) {
      cluster.node(Node.builder(id).gpus(4, GpuModel.of("V100"), Memory.ofGib(16)).build());
    }
    return cluster.build();
  }

  private static JobSpec job(String id, int gpus) {
    return JobSpec.builder(id)
        .gpus(gpus)
        .expectedWork(ExpectedWork.ofDuration(Duration.ofMinutes(1)))
        .build();
  }

  private static List<Decision> submit(Scheduler scheduler, JobSpec job) {
    return scheduler.on(new ClusterEvent.JobSubmitted(START, job));
  }

  private static List<String> started(List<Decision> decisions) {
    return decisions.stream()
        .filter(Decision.Start.class::isInstance)
        .map(Decision.Start.class::cast)
        .map(start -> start.job().value())
        .toList();
  }
}
