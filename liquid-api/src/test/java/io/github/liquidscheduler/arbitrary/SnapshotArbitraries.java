package io.github.liquidscheduler.arbitrary;

import io.github.liquidscheduler.cluster.GpuId;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.prediction.LearnedState;
import io.github.liquidscheduler.scheduling.ColocationRecord;
import io.github.liquidscheduler.scheduling.ColocationRecord.Ban;
import io.github.liquidscheduler.scheduling.ColocationRecord.Rate;
import io.github.liquidscheduler.scheduling.ColocationRecord.Report;
import io.github.liquidscheduler.scheduling.JobRecord;
import io.github.liquidscheduler.scheduling.JobStatus;
import io.github.liquidscheduler.scheduling.SchedulerSnapshot;
import io.github.liquidscheduler.scheduling.WindowRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;

/** Any state of a scheduler. Its parts need not fit together. */
public final class SnapshotArbitraries {

  private SnapshotArbitraries() {}

  /** Returns states with up to two waiting and two running jobs. */
  public static Arbitrary<SchedulerSnapshot> snapshots() {
    Arbitrary<Map<JobId, JobStatus.Outcome>> ended =
        Arbitraries.maps(JobArbitraries.ids(), Arbitraries.of(JobStatus.Outcome.class))
            .ofMaxSize(3);
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
                    ClusterArbitraries.gpuIds().list().ofMaxSize(2),
                    windows().optional(),
                    colocations().optional())
                .as(Rest::new))
        .as(
            (policy, now, submissions, waiting, running, over, nodes, rest) ->
                new SchedulerSnapshot(
                    policy,
                    now,
                    submissions,
                    waiting,
                    running,
                    over,
                    nodes.getKey(),
                    nodes.getValue(),
                    rest.lostGpus,
                    rest.window,
                    rest.colocations))
        .withoutEdgeCases();
  }

  /** Returns what was learned from jobs that share GPUs. */
  public static Arbitrary<ColocationRecord> colocations() {
    return Combinators.combine(
            counts(),
            reports().list().uniqueElements(Report::job).ofMaxSize(2),
            rates().list().ofMaxSize(2),
            bans().list().ofMaxSize(2),
            saveState().list().ofMaxSize(3))
        .as(ColocationRecord::new);
  }

  private static Arbitrary<Report> reports() {
    return Combinators.combine(
            JobArbitraries.ids(),
            JobArbitraries.ids().list().ofMaxSize(2).list().ofMaxSize(2),
            parts())
        .as(Report::new);
  }

  private static Arbitrary<Rate> rates() {
    return Combinators.combine(
            JobArbitraries.workloads(),
            QuantityArbitraries.models(),
            QuantityArbitraries.counts(),
            Arbitraries.doubles().greaterThan(0),
            QuantityArbitraries.counts())
        .as(Rate::new);
  }

  private static Arbitrary<Ban> bans() {
    return Combinators.combine(
            JobArbitraries.workloads(),
            JobArbitraries.workloads(),
            QuantityArbitraries.models(),
            parts())
        .as(Ban::new);
  }

  private static Arbitrary<LearnedState> saveState() {
    return Combinators.combine(
            QuantityArbitraries.names(),
            QuantityArbitraries.names().list().ofMaxSize(3),
            Arbitraries.doubles().list().ofMaxSize(4))
        .as(LearnedState::new);
  }

  private static Arbitrary<OptionalDouble> parts() {
    return Arbitraries.doubles()
        .between(0, false, 1, true)
        .optional()
        .map(part -> part.isPresent() ? OptionalDouble.of(part.get()) : OptionalDouble.empty());
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
            numbers().list().ofSize(3),
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
                    numbers.get(0),
                    numbers.get(1),
                    numbers.get(2),
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

  /** What comes last in a snapshot. */
  private record Rest(
      List<GpuId> lostGpus,
      Optional<WindowRecord> window,
      Optional<ColocationRecord> colocations) {}

  /** When a job came, as the how manieth, and since when it is what it is. */
  private record Submission(long sequence, Instant at, Instant since) {}
}
