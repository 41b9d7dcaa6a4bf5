package io.github.liquidscheduler.scheduler.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.job.ExpectedWork;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.scheduler.job.Entries;
import io.github.liquidscheduler.scheduler.job.JobEntry;
import io.github.liquidscheduler.scheduler.job.JobQueue;
import io.github.liquidscheduler.scheduler.job.JobTransition;
import io.github.liquidscheduler.scheduler.policy.PreemptionRules;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RunningJobsTest {

  private static final Instant START = Instant.ofEpochSecond(100);
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private final JobEntry first = Entries.waiting(expected("first", MINUTE.multipliedBy(3)), 5);
  private final JobEntry second = Entries.waiting(expected("second", MINUTE), 4);
  private final JobEntry third = Entries.waiting(JobSpec.builder("third").gpus(1), 3);

  @Test
  void laterStartsHaveHigherNumbers() {
    RunningJobs running = running(PreemptionRules.NONE);

    assertThat(first.start()).isLessThan(second.start());
    assertThat(second.start()).isLessThan(third.start());
    assertThat(running.inOrder()).containsExactly(first, second, third);
    assertThat(running.on(NodeId.of("n0"))).containsExactly(first, third);
    running.remove(first);
    assertThat(running.inOrder()).containsExactly(second, third);
    assertThat(running.on(NodeId.of("n0"))).containsExactly(third);
  }

  @Test
  void jobsAreOrderedByExpectedEndUnknownLast() {
    RunningJobs running = running(PreemptionRules.NONE);
    assertThat(running.soonestToEnd()).containsExactly(second, first, third);

    JobEntry fourth = Entries.waiting(expected("fourth", MINUTE.multipliedBy(2)), 6);
    start(running, fourth, "n1", 1);

    assertThat(running.soonestToEnd()).containsExactly(second, fourth, first, third);
    running.dequeue(second);
    assertThat(running.soonestToEnd()).containsExactly(fourth, first, third);
  }

  @Test
  void aJobIsProtectedUntilItHasRunLongEnough() {
    RunningJobs running = running(PreemptionRules.NONE.minRunTime(MINUTE));

    running.endProtectionAt(START.plus(MINUTE).minusNanos(1));
    assertThat(running.unprotected()).isNull();
    assertThat(running.mayBePreempted(first)).isFalse();
    assertThat(preemptibleAbove(-1, running)).isEmpty();
    assertThat(running.nextUnprotected()).contains(START.plus(MINUTE));

    running.endProtectionAt(START.plus(MINUTE));
    assertThat(running.unprotected()).isSameAs(third);
    running.dequeue(third);
    running.enqueue(third);
    assertThat(running.mayBePreempted(third)).isTrue();
    assertThat(preemptibleAbove(-1, running)).containsExactly(third);
    assertThat(preemptibleAbove(0, running)).isEmpty();
  }

  @Test
  void endlessProtectionNeverEnds() {
    RunningJobs running =
        running(PreemptionRules.NONE.minRunTime(Duration.ofSeconds(Long.MAX_VALUE)));

    running.endProtectionAt(START.plusSeconds(1_000_000));
    assertThat(running.unprotected()).isNull();
    assertThat(running.nextUnprotected()).contains(Instant.MAX);
  }

  @Test
  void preemptionsPerJobAreLimited() {
    RunningJobs running = running(PreemptionRules.NONE.mostPreemptions(1));
    assertThat(running.mayBePreempted(first)).isTrue();

    running.dequeue(first);
    first.own().countPreemption();
    running.enqueue(first);

    assertThat(running.mayBePreempted(first)).isFalse();
    assertThat(preemptibleAbove(-1, running)).containsExactly(second, third);
  }

  @Test
  void aQueueCountsWhatRunsInIt() {
    JobQueue queue = first.queue();
    RunningJobs running = running(PreemptionRules.NONE);
    assertThat(List.of(queue.running(), queue.gpus())).containsExactly(1, 1);

    running.remove(first);

    assertThat(List.of(queue.running(), queue.gpus())).containsExactly(0, 0);
    assertThat(queue.isEmpty()).isTrue();
  }

  private static List<JobEntry> preemptibleAbove(long rank, RunningJobs running) {
    List<JobEntry> jobs = new ArrayList<>();
    running.preemptibleAbove(rank, any -> true).forEachRemaining(jobs::add);
    return jobs;
  }

  private RunningJobs running(PreemptionRules rules) {
    RunningJobs running = new RunningJobs(true, rules);
    running.endProtectionAt(START);
    start(running, first, "n0", 0);
    start(running, second, "n1", 0);
    start(running, third, "n0", 1);
    return running;
  }

  private static void start(RunningJobs running, JobEntry job, String node, int gpu) {
    new JobTransition(job, START).start(Entries.on(job.id().value(), node, gpu));
    running.add(job);
    running.enqueue(job);
  }

  private static JobSpec.Builder expected(String id, Duration time) {
    return JobSpec.builder(id).gpus(1).expectedWork(ExpectedWork.ofDuration(time));
  }
}
