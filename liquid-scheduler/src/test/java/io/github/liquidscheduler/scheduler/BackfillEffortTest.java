package io.github.liquidscheduler.scheduler;

import static io.github.liquidscheduler.scheduler.Session.aJobOf;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.scheduler.policy.Backfill;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Progress;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** Who is tried again beside reservations: nobody whom nothing has helped. */
class BackfillEffortTest {

  private final CountingPlacer placer = new CountingPlacer();
  private final Session session =
      new Session(
          LiquidScheduler.builder(Session.cluster(8))
              .policy(Policies.bestEffortFifo())
              .backfill(Backfill.easy())
              .placer(placer)
              .build());

  /**
   * Two GPUs are free until 100, from when on a job has reserved all, and two jobs are too long.
   */
  BackfillEffortTest() {
    placer.isCapacityBound = true;
    session.submit(aJobOf("running", 6, 100));
    session.submit(aJobOf("reserved", 8, 100));
    session.submit(aJobOf("a", 2, 1000));
    session.submit(aJobOf("b", 1, 500));
    placer.searches = 0;
  }

  @Test
  void aJobThatIsKeptOutIsNotTriedAgainAsTimePasses() {
    assertThat(session.at(10).pass()).isEmpty();

    assertThat(placer.searches).isZero();
  }

  @Test
  void norIsOneOfItsClassThatRunsLonger() {
    assertThat(session.at(10).submit(aJobOf("c", 2, 2000))).isEmpty();

    assertThat(placer.searches).isZero();
  }

  @Test
  void aShorterOneOfItsClassStarts() {
    assertThat(session.at(10).submit(aJobOf("c", 2, 90))).containsExactly("start c");
  }

  @Test
  void aJobThatIsKeptOutStartsOnceItIsShorter() {
    assertThat(
            session
                .at(10)
                .on(new ClusterEvent.JobUpdated(session.now(), aJobOf("b", 1, 90).build())))
        .containsExactly("start b");
  }

  @Test
  void jobsThatAReservationKeptOutStartOnceItIsGone() {
    assertThat(session.at(10).cancel("reserved")).containsExactly("start a");
  }

  @Test
  void jobsThatAReservationKeptOutStartOnceItBeginsLater() {
    Progress slow = Progress.of(1, 0).withRemaining(Duration.ofSeconds(5000));
    ClusterEvent report =
        new ClusterEvent.JobProgressed(Instant.ofEpochSecond(10), JobId.of("running"), slow);

    assertThat(session.at(10).on(report)).containsExactly("start a");
  }
}
