package io.github.liquidscheduler.arbitrary;

import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.scheduling.JobRecord;
import io.github.liquidscheduler.scheduling.JobStatus;
import io.github.liquidscheduler.scheduling.SchedulerSnapshot;
import io.github.liquidscheduler.scheduling.WindowRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;

/** Any state of a scheduler. Its parts need not fit together. */
public final class SnapshotArbitraries {

  private SnapshotArbitraries() {}

  /** Returns states with up to two waiting and two running jobs. */
  public static Arbitrary<SchedulerSnapshot> snapshots() {
    Arbitrary<Map<JobId, JobStatus.Ending>> ended =
        Arbitraries.maps(JobArbitraries.ids(), Arbitraries.of(JobStatus.Ending.class)).ofMaxSize(3);
    return Combinators.combine(
            QuantityArbitraries.names(),
            QuantityArbitraries.instants(),
            counts(),
            records().list().ofMaxSize(2),
            records().list().ofMaxSize(2),
            ended,
            Combinators.combine(
                    ClusterArbitraries.nodeIds().list().ofMaxSize(2),
                    ClusterArbitraries.nodeIds().list().ofMaxSize(2))
                .as(Map::entry),
            Combinators.combine(
                    ClusterArbitraries.gpuIds().list().ofMaxSize(2), windows().optional())
                .as(Map::entry))
        .as(
            (policy, now, submissions, waiting, running, over, nodes, gpusAndWindow) ->
                new SchedulerSnapshot(
                    policy,
                    now,
                    submissions,
                    waiting,
                    running,
                    over,
                    nodes.getKey(),
                    nodes.getValue(),
                    gpusAndWindow.getKey(),
                    gpusAndWindow.getValue()))
        .withoutEdgeCases();
  }

  /** Returns windows that await a plan or not. */
  public static Arbitrary<WindowRecord> windows() {
    Arbitrary<Instant> times = QuantityArbitraries.instants();
    return Combinators.combine(
            Arbitraries.longs().between(1, Long.MAX_VALUE),
            times.optional(),
            times.optional(),
            JobArbitraries.ids().list().uniqueElements().ofMaxSize(6))
        .as(
            (requests, openedAt, requestedAt, jobs) -> {
              int third = jobs.size() / 3;
              List<JobId> requested = jobs.subList(third, 2 * third);
              return new WindowRecord(
                  requests,
                  openedAt,
                  requestedAt,
                  jobs.subList(0, third),
                  requestedAt.isPresent() ? requested : List.of(),
                  jobs.subList(2 * third, jobs.size()));
            });
  }

  /** Returns records of jobs that wait and of jobs that run. */
  public static Arbitrary<JobRecord> records() {
    return JobArbitraries.jobs().flatMap(SnapshotArbitraries::recordOf).withoutEdgeCases();
  }

  private static Arbitrary<JobRecord> recordOf(JobSpec job) {
    Arbitrary<Instant> times = QuantityArbitraries.instants();
    Arbitrary<Duration> durations = QuantityArbitraries.durations();
    return Combinators.combine(
            Combinators.combine(counts(), times, times).as(Submission::new),
            durations,
            durations,
            durations,
            Combinators.combine(numbers(), numbers()).as(Map::entry),
            durations.optional(),
            times.optional(),
            DecisionArbitraries.placements(job.id()).optional())
        .as(
            (submission, executed, attained, forgiven, numbers, remaining, remainingAt, place) ->
                new JobRecord(
                    job,
                    submission.sequence,
                    submission.at,
                    submission.since,
                    executed,
                    attained,
                    forgiven,
                    numbers.getKey(),
                    numbers.getValue(),
                    remaining,
                    remainingAt,
                    place));
  }

  private static Arbitrary<Long> counts() {
    return QuantityArbitraries.amounts();
  }

  private static Arbitrary<Integer> numbers() {
    return Arbitraries.integers().between(0, Integer.MAX_VALUE);
  }

  /** When a job came, as the how manieth, and since when it is what it is. */
  private record Submission(long sequence, Instant at, Instant since) {}
}
