package io.github.liquidscheduler.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.cluster.GpuId;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.Reason;
import io.github.liquidscheduler.testkit.JobDraft;
import io.github.liquidscheduler.testkit.Playback;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/**
 * Pre-empted jobs stop in time, checked against books of running and stopping jobs kept from events
 * and decisions alone.
 */
class StoppingLaws {

  private record Stopping(Placement placement, Instant until) {}

  private final Map<JobId, Placement> running = new HashMap<>();
  private final Map<JobId, Instant> since = new HashMap<>();
  private final Map<JobId, Integer> preemptions = new HashMap<>();
  private final Map<JobId, Stopping> stopping = new HashMap<>();

  @Provide
  Arbitrary<EventSequence> sequences() {
    return EventSequence.sequences(JobDraft.any(), EventSequence.POLICIES)
        .map(StoppingLaws::withMinRunTime);
  }

  private static EventSequence withMinRunTime(EventSequence sequence) {
    return new EventSequence(
        sequence.cluster(),
        sequence.policy(),
        sequence.rules().minRunTime(Duration.ofSeconds(40)),
        sequence.window(),
        sequence.steps());
  }

  @Property(edgeCases = EdgeCasesMode.NONE)
  void aStoppingJobIsNamedByItsSuccessorAndNotRestarted(
      @ForAll("sequences") EventSequence sequence) {
    List.of(running, since, preemptions, stopping).forEach(Map::clear);

    for (Playback.Turn turn : sequence.play(sequence.options())) {
      Instant now = turn.event().at();
      stopping.values().removeIf(held -> !held.until().isAfter(now));
      forget(turn.event());
      for (Decision decision : turn.decisions()) {
        switch (decision) {
          case Decision.Start start -> start(start, now);
          case Decision.Preempt preempt -> preempt(preempt, sequence, now);
          case Decision.Migrate move -> running.put(move.job(), move.placement());
          case Decision.Resize resize -> running.put(resize.job(), resize.placement());
          case Decision.Reject reject -> {
            running.remove(reject.job());
            stopping.remove(reject.job());
          }
          case Decision.Profile profile -> {}
          case Decision.Prefetch prefetch -> {}
          case Decision.CancelPrefetch cancel -> {}
          case Decision.RequestPlan request -> {}
        }
      }
    }
  }

  private void forget(ClusterEvent event) {
    if (event instanceof ClusterEvent.JobFinished
        || event instanceof ClusterEvent.JobFailed
        || event instanceof ClusterEvent.JobCancelled
        || event instanceof ClusterEvent.JobStopped) {
      JobId job = ((ClusterEvent.AboutJob) event).job();
      running.remove(job);
      stopping.remove(job);
    }
  }

  private void start(Decision.Start start, Instant now) {
    assertThat(stopping).doesNotContainKey(start.job());
    Set<JobId> holding = new LinkedHashSet<>();
    stopping.forEach(
        (job, held) -> {
          if (!Collections.disjoint(gpus(held.placement()), gpus(start.placement()))) {
            holding.add(job);
          }
        });
    assertThat(start.after()).containsAll(holding).doesNotHaveDuplicates();
    assertThat(stopping.keySet()).containsAll(start.after());
    running.put(start.job(), start.placement());
    since.put(start.job(), now);
  }

  private static Set<GpuId> gpus(Placement placement) {
    Set<GpuId> gpus = new HashSet<>();
    for (TaskPlacement task : placement.tasks()) {
      task.gpus().forEach(gpu -> gpus.add(new GpuId(task.node(), gpu)));
    }
    return gpus;
  }

  private void preempt(Decision.Preempt preempt, EventSequence sequence, Instant now) {
    int times = preemptions.merge(preempt.job(), 1, Integer::sum);
    if (preempt.why() instanceof Reason.PreemptedByPriority) {
      Duration run = Duration.between(Objects.requireNonNull(since.get(preempt.job())), now);
      assertThat(run).isGreaterThanOrEqualTo(sequence.rules().minRunTime());
      assertThat(times).isLessThanOrEqualTo(sequence.rules().mostPreemptions());
    }
    boolean atOnce =
        preempt.why() instanceof Reason.NodeGone || preempt.why() instanceof Reason.GpuGone;
    Instant end = now.plus(sequence.rules().gracePeriod());
    assertThat(preempt.until().isPresent()).isEqualTo(!atOnce && end.isAfter(now));
    Placement held = Objects.requireNonNull(running.remove(preempt.job()));
    preempt.until().ifPresent(until -> stopping.put(preempt.job(), new Stopping(held, until)));
    preempt.until().ifPresent(until -> assertThat(until).isEqualTo(end));
  }
}
