package io.github.liquidscheduler.scheduler;

import static io.github.liquidscheduler.scheduler.Session.aJob;
import static io.github.liquidscheduler.scheduler.Session.aJobOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Domain;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.explanation.Constraint;
import io.github.liquidscheduler.explanation.UnmetConstraint;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.job.TopologyConstraint;
import io.github.liquidscheduler.planning.Migration;
import io.github.liquidscheduler.resource.CpuCores;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import io.github.liquidscheduler.scheduler.policy.Backfill;
import io.github.liquidscheduler.scheduler.policy.Policies;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Free GPUs are reserved for a large job that has waited too long, even if run times are unknown.
 */
class ReservedCapacityTest {

  private static final Duration A_MINUTE = Duration.ofMinutes(1);

  private static final Backfill RULES =
      Backfill.easy().forJobsOf(8).assuming(Duration.ofSeconds(1)).holdingAfter(A_MINUTE, 1);

  private final Session session = holding(Session.cluster(8));

  private static Session holding(ClusterTopology cluster) {
    return new Session(
        LiquidScheduler.builder(cluster).policy(Policies.fifo()).backfill(RULES).build());
  }

  /** Six of eight GPUs are busy for an unknown time, and a job that needs all waits. */
  private void sixOfEightAreBusy() {
    for (int job = 0; job < 6; job++) {
      session.submit(aJob("busy-" + job, 1));
    }
    session.submit(aJob("large", 8));
  }

  @Test
  void beforeAJobIsOverdueOthersBackfillIfExpectedToEndInTime() {
    sixOfEightAreBusy();

    assertThat(session.at(59).submit(aJob("small", 2))).containsExactly("start small");
  }

  @Test
  void afterThatTheyDoNot() {
    sixOfEightAreBusy();

    assertThat(session.at(60).submit(aJob("small", 2))).isEmpty();
    assertThat(session.scheduler.explain(JobId.of("small")).unmetConstraints())
        .singleElement()
        .returns(Constraint.RESERVATION, UnmetConstraint::constraint)
        .extracting(UnmetConstraint::describe)
        .asString()
        .contains("'large'");
  }

  @Test
  void aJobMayHaveAnyNameBesideReservedCapacity() {
    for (String name : new String[] {"held", "also held", "reserved"}) {
      Session other = holding(Session.cluster(8));
      other.submit(aJob(name, 6));
      other.submit(aJob("large", 8));

      assertThat(other.at(60).submit(aJob("small", 2))).isEmpty();
      assertThat(other.finish(name)).containsExactly("start large");
    }
  }

  @Test
  void aPlacerThatKnowsRunningJobsOnlyKeepsOffReservedCapacity() {
    Session other =
        new Session(
            LiquidScheduler.builder(Session.cluster(8))
                .policy(Policies.fifo())
                .backfill(RULES)
                .placer(new PlainPlacer())
                .build());
    other.submit(aJob("busy", 6));
    other.submit(aJob("large", 8));

    assertThat(other.at(60).submit(aJob("small", 2))).isEmpty();
    assertThat(other.finish("busy")).containsExactly("start large");
  }

  @Test
  void aPlannedMoveTakesNoReservedCapacity() {
    for (boolean isOverdue : new boolean[] {false, true}) {
      Session two = holding(Session.cluster(8, 8));
      two.submit(aJob("m", 4));
      two.submit(aJob("busy", 4).excludeNodes(List.of("n0")));
      two.submit(aJob("large", 8).excludeNodes(List.of("n0")));

      two.at(isOverdue ? 60 : 0);
      assertThat(
              two.plan(
                  0, List.of(new Migration(JobId.of("m"), Session.place("m on n1 4 5 6 7"), 1, 9))))
          .hasSize(isOverdue ? 0 : 1);
    }
  }

  @Test
  void theSchedulerWakesWhenAJobBecomesOverdue() {
    sixOfEightAreBusy();
    session.at(59).pass();

    assertThat(session.scheduler.nextWakeUp().orElseThrow())
        .isBeforeOrEqualTo(Instant.ofEpochSecond(60));
  }

  @Test
  void fewGpusPassUntilThreeQuartersOfWhatItNeedsIsFree() {
    sixOfEightAreBusy();
    session.at(60).finish("busy-0");
    session.finish("busy-1");
    session.finish("busy-2");

    assertThat(session.submit(aJob("five-are-free", 1))).containsExactly("start five-are-free");
    session.finish("busy-3");
    session.finish("busy-4");
    assertThat(session.submit(aJob("six-are-free", 1))).isEmpty();
    session.finish("busy-5");
    assertThat(session.finish("five-are-free")).containsExactly("start large");
  }

  @Test
  void fewGpusPassInTheSameEventInWhichTheJobThatHeldThemStarts() {
    Session two = holding(Session.cluster(8, 8));
    two.submit(aJob("busy-0", 7).excludeNodes(List.of("n1")));
    two.submit(aJob("busy-1", 3).excludeNodes(List.of("n0")));
    two.submit(aJob("large-0", 8).excludeNodes(List.of("n1")));
    two.submit(aJob("large-1", 8).excludeNodes(List.of("n0")));

    assertThat(two.at(60).submit(aJob("six-are-free", 1))).isEmpty();
    assertThat(two.finish("busy-0")).containsExactly("start large-0", "start six-are-free");
  }

  @Test
  void aJobThatWasToldToEndBeforeStarts() {
    session.submit(aJobOf("busy", 6, 1000));
    session.submit(aJob("large", 8));

    assertThat(session.at(100).submit(aJobOf("too-long", 2, 901))).isEmpty();
    assertThat(session.submit(aJobOf("short", 2, 900))).containsExactly("start short");
  }

  @Test
  void jobsThatNeedNoGpusAreInNobodysWay() {
    sixOfEightAreBusy();
    JobSpec.Builder cpuOnly =
        JobSpec.builder("cpu-only")
            .role("task", 1, ResourceRequest.builder().cpu(CpuCores.of(1)).build());

    assertThat(session.at(60).submit(cpuOnly)).containsExactly("start cpu-only");
  }

  @Test
  void whoWaitedTooLongComesBeforeShorterJobs() {
    Session shortest =
        new Session(
            LiquidScheduler.builder(Session.cluster(8))
                .policy(Policies.shortestJobFirst())
                .backfill(RULES)
                .build());
    shortest.submit(aJobOf("busy", 8, 100));
    shortest.submit(aJobOf("long", 8, 1000));
    shortest.at(99).submit(aJobOf("short", 8, 10));

    assertThat(shortest.at(100).finish("busy")).containsExactly("start long");
  }

  @Test
  void aJobThatRequiresOneRackReservesOnlyThatRack() {
    Session racks = holding(twoRacks());
    racks.submit(aJob("left", 6).topology(TopologyConstraint.required("rack")));
    racks.submit(aJob("right", 7).topology(TopologyConstraint.required("rack")));
    racks.submit(aJob("large", 8).topology(TopologyConstraint.required("rack")));
    String kept =
        racks.at(60).scheduler.view().placement(JobId.of("left")).orElseThrow().nodes().toString();

    racks.submit(aJob("two", 2));
    racks.submit(aJob("one", 1));
    racks.submit(aJob("another", 1));

    assertThat(racks.scheduler.waiting()).contains(JobId.of("large"), JobId.of("two"));
    assertThat(racks.scheduler.view().placement(JobId.of("one")).orElseThrow().nodes().toString())
        .isNotEqualTo(kept);
  }

  @Test
  void aRestoredSchedulerKeepsTheReservedCapacity() {
    sixOfEightAreBusy();
    session.at(60).pass();

    Session restored =
        new Session(
            LiquidScheduler.builder(Session.cluster(8))
                .policy(Policies.fifo())
                .backfill(RULES)
                .restore(session.scheduler.snapshot()));

    assertThat(restored.at(61).submit(aJob("small", 2))).isEmpty();
  }

  @Test
  void aWaitIsNotNegativeNorAreGpus() {
    assertThatThrownBy(() -> Backfill.easy().holdingAfter(Duration.ofSeconds(-1), 0))
        .hasMessage(
            "the wait after which capacity is reserved must not be negative, but was PT-1S");
    assertThatThrownBy(() -> Backfill.easy().holdingAfter(A_MINUTE, -1))
        .hasMessage("the GPUs of jobs that pass must not be negative, but were -1");
  }

  private static ClusterTopology twoRacks() {
    ClusterTopology.Builder cluster = ClusterTopology.builder().levels("rack");
    for (String rack : new String[] {"a", "b"}) {
      String domain = "rack-" + rack;
      cluster.domain(Domain.of("rack", domain));
      cluster.node(
          Node.builder("n-" + rack)
              .domain(domain)
              .gpus(8, GpuModel.of("V100"), Memory.ofGib(16))
              .build());
    }
    return cluster.build();
  }
}
