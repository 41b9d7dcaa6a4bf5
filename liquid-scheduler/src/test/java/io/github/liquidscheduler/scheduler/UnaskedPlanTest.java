package io.github.liquidscheduler.scheduler;

import static io.github.liquidscheduler.scheduler.Session.aJob;
import static io.github.liquidscheduler.scheduler.Session.place;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.TopologyConstraint;
import io.github.liquidscheduler.planning.Migration;
import io.github.liquidscheduler.scheduler.policy.BatchWindow;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.scheduler.policy.SchedulingPolicy;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.Reason;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Plans that an operator or a defragmentation proposes without having been asked. */
class UnaskedPlanTest {

  private static final BatchWindow WINDOW =
      BatchWindow.of(Duration.ofSeconds(15)).planTimeout(Duration.ofSeconds(60));

  private final Session immediate = fragmented(Policies.bestEffortFifo());
  private final Session batch =
      new Session(
          LiquidScheduler.builder(Session.cluster(2, 2))
              .policy(Policies.bestEffortFifo())
              .batch(WINDOW)
              .build());

  @Test
  void movesJobsAndStartsTheJobsThatThenFit() {
    assertThat(immediate.plan(0, List.of(move("b", "b on n0 1")), "wide on n1 0 1"))
        .containsExactly("migrate b", "start wide");

    assertThat(immediate.last().get(1).why()).isEqualTo(new Reason.Planned(0));
    assertThat(immediate.last().get(1).why().describe())
        .isEqualTo("placed by a batch plan that was not requested");
  }

  @Test
  void startsTheHeadThatBlocksAStrictQueue() {
    Session strict = fragmented(Policies.fifo());

    assertThat(strict.plan(0, List.of(move("b", "b on n0 1")), "wide on n1 0 1"))
        .containsExactly("migrate b", "start wide");
  }

  @Test
  void letsNobodyBeBypassedWhoCouldStart() {
    immediate.submit(aJob("late", 2).topology(TopologyConstraint.required("node")));

    assertThat(immediate.plan(0, List.of(move("b", "b on n0 1")), "late on n1 0 1"))
        .containsExactly("migrate b", "start wide");
  }

  @Test
  void isIgnoredWhereItDoesNotFit() {
    immediate.submit(aJob("kept", 1).preemptible(false));
    assertThat(placementOf(immediate)).isEqualTo(place("kept on n0 1"));

    assertThat(
            immediate.plan(
                0,
                List.of(
                    move("kept", "kept on n1 1"),
                    move("b", "b on n0 0"),
                    move("gone", "gone on n1 1"),
                    new Migration(JobId.of("a"), place("a on n1 1"), 2, 1)),
                "wide on n1 0 1",
                "over on n1 1"))
        .isEmpty();
    assertThat(immediate.plan(0, "wide on n1 1")).isEmpty();
    assertThat(immediate.waiting()).containsExactly("wide");
  }

  @Test
  void movesNobodyToWhereItIs() {
    assertThat(immediate.plan(0, List.of(move("b", "b on n1 0")))).isEmpty();
  }

  @Test
  void startsJobsThatAPlanRequestedBeforeCannotMove() {
    batch.submit("b", 1);
    batch.plan(0, "b on n1 1");
    batch.submit("wide", 4);
    batch.at(15).pass();
    batch.at(16).submit("late", 1);
    assertThat(batch.plan(0, "late on n1 0")).containsExactly("start late");

    assertThat(batch.plan(1, List.of(move("late", "late on n0 1"), move("b", "b on n0 0"))))
        .containsExactly("migrate b");
  }

  @Test
  void startsJobsThatAWindowGathers() {
    batch.submit("a", 1);
    batch.submit("b", 1);

    assertThat(batch.plan(0, "a on n1 1")).containsExactly("start a");
    assertThat(placementOf(batch)).isEqualTo(place("a on n1 1"));
    assertThat(batch.at(15).pass()).containsExactly("plan [b]");
  }

  @Test
  void startsJobsOfAPlanThatIsAwaitedAndLeavesTheOthersToIt() {
    batch.submit("a", 1);
    batch.submit("b", 1);
    batch.at(15).pass();

    assertThat(batch.at(16).plan(0, "a on n1 1")).containsExactly("start a");
    assertThat(batch.waiting()).containsExactly("b");
    assertThat(batch.at(17).plan(1, "a on n0 0", "b on n0 1")).containsExactly("start b");
    assertThat(placementOf(batch)).isEqualTo(place("b on n0 1"));
  }

  @Test
  void triesTheJobsBeforeItsOwnAndParksThemAgain() {
    batch.submit("wide", 4);
    batch.submit("small", 1);
    batch.at(15).pass();
    batch.at(16).plan(1);
    batch.submit("larger", 4);
    batch.submit("tiny", 1);

    assertThat(batch.plan(0, "tiny on n1 1")).isEmpty();
    assertThat(batch.at(20).finish("wide")).isEmpty();
    assertThat(batch.plan(0, "tiny on n1 1")).containsExactly("start small", "start tiny");
    assertThat(batch.at(31).pass()).containsExactly("plan [larger]");
  }

  private static Placement placementOf(Session session) {
    return ((Decision.Start) session.last().get(0)).placement();
  }

  private static Migration move(String job, String to) {
    return new Migration(JobId.of(job), place(to), 1, 2);
  }

  /** Two nodes of two GPUs with one job of one GPU on each, and a job that needs a whole node. */
  private static Session fragmented(SchedulingPolicy policy) {
    Session session =
        new Session(LiquidScheduler.builder(Session.cluster(2, 2)).policy(policy).build());
    session.submit("a", 1);
    session.submit("x", 1);
    session.submit("b", 1);
    session.finish("x");
    session.submit(aJob("wide", 2).topology(TopologyConstraint.required("node")));
    return session;
  }
}
