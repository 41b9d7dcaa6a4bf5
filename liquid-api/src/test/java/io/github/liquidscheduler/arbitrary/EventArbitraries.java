package io.github.liquidscheduler.arbitrary;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.GpuId;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.scheduling.AdvanceReservation;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Failure;
import io.github.liquidscheduler.scheduling.Progress;
import io.github.liquidscheduler.scheduling.ReservationId;
import io.github.liquidscheduler.scheduling.ResizeStep;
import io.github.liquidscheduler.scheduling.Retry;
import io.github.liquidscheduler.scheduling.SizeSpeed;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Tuple;

/** Any event, and histories of a given cluster. */
public final class EventArbitraries {

  private EventArbitraries() {}

  /** Returns events of every kind, each about anything. */
  public static Arbitrary<ClusterEvent> events() {
    Arbitrary<Instant> at = QuantityArbitraries.instants();
    Arbitrary<JobId> job = JobArbitraries.ids();
    Arbitrary<NodeId> node = ClusterArbitraries.nodeIds();
    Arbitrary<GpuId> gpu = ClusterArbitraries.gpuIds();
    Arbitrary<ClusterEvent> any =
        Arbitraries.oneOf(
            List.of(
                Combinators.combine(at, JobArbitraries.jobs()).as(ClusterEvent.JobSubmitted::new),
                Combinators.combine(at, JobArbitraries.jobs()).as(ClusterEvent.JobUpdated::new),
                Combinators.combine(
                        at,
                        JobArbitraries.jobs().filter(spec -> spec.tasks() <= 64),
                        node,
                        Arbitraries.of(true, false))
                    .as(EventArbitraries::adopted),
                Combinators.combine(at, job).as(ClusterEvent.JobFinished::new),
                Combinators.combine(at, job, failures(), retries()).as(ClusterEvent.JobFailed::new),
                Combinators.combine(at, job).as(ClusterEvent.JobCancelled::new),
                Combinators.combine(at, job, Arbitraries.of("", "\u001B[2J", "nächste Woche"))
                    .as(ClusterEvent.JobHeld::new),
                Combinators.combine(at, job).as(ClusterEvent.JobReleased::new),
                Combinators.combine(at, job, progress()).as(ClusterEvent.JobProgressed::new),
                Combinators.combine(at, job).as(ClusterEvent.JobStarted::new),
                Combinators.combine(at, job, retries().filter(Retry::again))
                    .as(ClusterEvent.JobStopped::new),
                Combinators.combine(at, job, resizes()).as((time, id, said) -> said.of(time, id)),
                Combinators.combine(at, job, speeds()).as(ClusterEvent.JobProfiled::new),
                Combinators.combine(at, node).as(ClusterEvent.NodeLost::new),
                Combinators.combine(at, node, at.optional()).as(ClusterEvent.NodeDraining::new),
                Combinators.combine(at, node).as(ClusterEvent.NodeReturned::new),
                Combinators.combine(at, ClusterArbitraries.clusters())
                    .as(
                        (time, cluster) ->
                            new ClusterEvent.NodeAdded(
                                time, cluster.nodes().getLast(), cluster.domains())),
                Combinators.combine(at, node).as(ClusterEvent.NodeRetired::new),
                Combinators.combine(at, gpu).as(ClusterEvent.GpuLost::new),
                Combinators.combine(at, gpu).as(ClusterEvent.GpuReturned::new),
                Combinators.combine(at, PlanArbitraries.plans()).as(ClusterEvent.PlanProposed::new),
                Combinators.combine(at, QueueArbitraries.trees())
                    .as(ClusterEvent.QueuesChanged::new),
                Combinators.combine(at, node, JobArbitraries.datasets())
                    .as(ClusterEvent.DataArrived::new),
                Combinators.combine(at, node, QuantityArbitraries.names())
                    .as(ClusterEvent.PrefetchFailed::new),
                Combinators.combine(at, node, QuantityArbitraries.names())
                    .as(ClusterEvent.DataEvicted::new),
                Combinators.combine(at, reservations()).as(ClusterEvent.ReservationAnnounced::new),
                Combinators.combine(at, reservations()).as(ClusterEvent.ReservationChanged::new),
                Combinators.combine(at, reservationIds())
                    .as(ClusterEvent.ReservationCancelled::new),
                at.map(ClusterEvent.TimePassed::new)));
    return Arbitraries.frequencyOf(Tuple.of(25, any), Tuple.of(1, bundles(any))).withoutEdgeCases();
  }

  private static ClusterEvent adopted(Instant at, JobSpec spec, NodeId node, boolean isOwned) {
    return new ClusterEvent.JobAdopted(
        at, spec, Collections.nCopies(spec.tasks(), node), at.minusSeconds(1), isOwned);
  }

  private static Arbitrary<ClusterEvent> bundles(Arbitrary<ClusterEvent> events) {
    return events
        .filter(event -> !(event instanceof ClusterEvent.JobProgressed))
        .filter(event -> !(event instanceof ClusterEvent.PlanProposed))
        .list()
        .ofMinSize(2)
        .ofMaxSize(4)
        .map(all -> all.stream().sorted(Comparator.comparing(ClusterEvent::at)).toList())
        .map(ClusterEvent.Bundle::new);
  }

  /** Returns identities of advance reservations. */
  static Arbitrary<ReservationId> reservationIds() {
    return Arbitraries.of("firmware", "demo", "größer").map(ReservationId::of);
  }

  static Arbitrary<AdvanceReservation> reservations() {
    Arbitrary<Instant> from = Arbitraries.longs().between(0, 1L << 33).map(Instant::ofEpochSecond);
    Arbitrary<Long> seconds = Arbitraries.longs().between(1, 1_000_000);
    Arbitrary<AdvanceReservation> maintenance =
        Combinators.combine(
                reservationIds(),
                from,
                seconds,
                ClusterArbitraries.nodeIds().list().ofMinSize(1).ofMaxSize(3).uniqueElements())
            .as(
                (id, begin, length, nodes) ->
                    new AdvanceReservation.Maintenance(
                        id, begin, begin.plusSeconds(length), nodes));
    Arbitrary<AdvanceReservation> room =
        Combinators.combine(
                reservationIds(),
                from,
                seconds,
                Arbitraries.integers().between(1, 64),
                JobArbitraries.ids().list().ofMinSize(1).ofMaxSize(3).uniqueElements(),
                QueueArbitraries.names().optional())
            .as(
                (id, begin, length, gpus, jobs, queue) ->
                    new AdvanceReservation.Capacity(
                        id,
                        begin,
                        begin.plusSeconds(length),
                        JobSpec.builder("shape").gpus(gpus).build(),
                        jobs,
                        queue));
    return Arbitraries.oneOf(maintenance, room);
  }

  /** What a job says of its resize. */
  private record ResizeReport(long number, ResizeStep step, Optional<Duration> paused) {

    ClusterEvent of(Instant at, JobId job) {
      return new ClusterEvent.ResizeReported(
          at, job, number, step, paused.filter(time -> step == ResizeStep.SWITCHED));
    }
  }

  private static Arbitrary<ResizeReport> resizes() {
    return Combinators.combine(
            Arbitraries.longs().between(1, Long.MAX_VALUE),
            Arbitraries.of(ResizeStep.class),
            QuantityArbitraries.durations().optional())
        .as(ResizeReport::new);
  }

  private static Arbitrary<List<SizeSpeed>> speeds() {
    return Combinators.combine(
            Arbitraries.integers().between(1, Integer.MAX_VALUE),
            Arbitraries.doubles().between(1e-6, 1e6).ofScale(6))
        .as(SizeSpeed::new)
        .list()
        .ofMaxSize(3);
  }

  /** Returns progress with and without a time still needed. */
  public static Arbitrary<Progress> progress() {
    return Combinators.combine(
            QuantityArbitraries.amounts(),
            Arbitraries.doubles().between(0, Double.MAX_VALUE).ofScale(17),
            QuantityArbitraries.durations().optional())
        .as(
            (iterations, rate, remaining) -> {
              Progress progress = Progress.of(iterations, rate);
              return remaining.map(progress::withRemaining).orElse(progress);
            });
  }

  /**
   * Returns up to {@code max} events in the order of their times, which name nodes and GPUs of the
   * cluster and jobs submitted before. Not every event fits the state that the ones before it lead
   * to: a job may finish that does not run. A scheduler refuses such and stays as it was.
   */
  public static Arbitrary<List<ClusterEvent>> histories(ClusterTopology cluster, int max) {
    return moments(cluster)
        .list()
        .ofMinSize(1)
        .ofMaxSize(max)
        .map(EventArbitraries::history)
        .withoutEdgeCases();
  }

  private static List<ClusterEvent> history(List<Moment> moments) {
    List<ClusterEvent> events = new ArrayList<>();
    List<JobId> jobs = new ArrayList<>();
    Instant now = Instant.EPOCH;
    for (Moment moment : moments) {
      now = now.plusSeconds(moment.secondsLater);
      events.add(moment.happening.at(now, jobs));
    }
    return events;
  }

  private static Arbitrary<Moment> moments(ClusterTopology cluster) {
    List<GpuId> gpus = gpusOf(cluster);
    Arbitrary<Happening> nothing = Arbitraries.just((at, jobs) -> new ClusterEvent.TimePassed(at));
    Arbitrary<Happening> happenings =
        Arbitraries.frequencyOf(
            Tuple.of(6, submissions(cluster)),
            Tuple.of(6, jobEvents()),
            Tuple.of(3, nodeEvents(cluster.nodes())),
            Tuple.of(2, gpus.isEmpty() ? nothing : gpuEvents(gpus)),
            Tuple.of(1, nothing));
    return Combinators.combine(Arbitraries.of(0, 1, 60, 3600), happenings).as(Moment::new);
  }

  private static Arbitrary<Happening> submissions(ClusterTopology cluster) {
    return JobArbitraries.jobsFor(cluster)
        .map(
            job ->
                (at, jobs) -> {
                  JobSpec numbered = job.apply("job-" + jobs.size());
                  jobs.add(numbered.id());
                  return new ClusterEvent.JobSubmitted(at, numbered);
                });
  }

  private static Arbitrary<Happening> jobEvents() {
    Arbitrary<Integer> picks = Arbitraries.integers().between(0, 1000);
    return Arbitraries.frequencyOf(
        Tuple.of(
            4, picks.map(pick -> (at, jobs) -> new ClusterEvent.JobFinished(at, pick(jobs, pick)))),
        Tuple.of(
            1,
            Combinators.combine(picks, failures(), retries())
                .as(
                    (pick, failure, retry) ->
                        (at, jobs) ->
                            new ClusterEvent.JobFailed(at, pick(jobs, pick), failure, retry))),
        Tuple.of(
            1,
            picks.map(pick -> (at, jobs) -> new ClusterEvent.JobCancelled(at, pick(jobs, pick)))),
        Tuple.of(
            1,
            Combinators.combine(picks, modestProgress())
                .as(
                    (pick, progress) ->
                        (at, jobs) ->
                            new ClusterEvent.JobProgressed(at, pick(jobs, pick), progress))));
  }

  private static Arbitrary<Happening> nodeEvents(List<Node> nodes) {
    List<BiFunction<Instant, NodeId, ClusterEvent>> kinds =
        List.of(
            ClusterEvent.NodeLost::new,
            ClusterEvent.NodeDraining::new,
            ClusterEvent.NodeReturned::new,
            ClusterEvent.NodeReturned::new);
    return Combinators.combine(Arbitraries.of(nodes), Arbitraries.of(kinds))
        .as((node, kind) -> (at, jobs) -> kind.apply(at, node.id()));
  }

  private static Arbitrary<Happening> gpuEvents(List<GpuId> gpus) {
    List<BiFunction<Instant, GpuId, ClusterEvent>> kinds =
        List.of(ClusterEvent.GpuLost::new, ClusterEvent.GpuReturned::new);
    return Combinators.combine(Arbitraries.of(gpus), Arbitraries.of(kinds))
        .as((gpu, kind) -> (at, jobs) -> kind.apply(at, gpu));
  }

  private static Arbitrary<Progress> modestProgress() {
    return Combinators.combine(
            Arbitraries.longs().between(0, 1_000_000), Arbitraries.longs().between(0, 100_000))
        .as((done, left) -> Progress.of(done, 2.5).withRemaining(Duration.ofSeconds(left)));
  }

  private static Arbitrary<Retry> retries() {
    Arbitrary<Retry> delayed =
        Arbitraries.integers()
            .between(0, 1000)
            .map(seconds -> Retry.after(Duration.ofSeconds(seconds)));
    Arbitrary<Retry> elsewhere =
        delayed.map(retry -> retry.avoiding(NodeId.of("n1"), NodeId.of("n0")));
    return Arbitraries.oneOf(Arbitraries.of(Retry.no(), Retry.now()), delayed, elsewhere);
  }

  private static Arbitrary<Failure> failures() {
    return Arbitraries.of(Failure.class);
  }

  private static List<GpuId> gpusOf(ClusterTopology cluster) {
    List<GpuId> gpus = new ArrayList<>();
    for (Node node : cluster.nodes()) {
      for (int i = 0; i < node.gpus().size(); i++) {
        gpus.add(new GpuId(node.id(), i));
      }
    }
    return gpus;
  }

  private static JobId pick(List<JobId> jobs, int pick) {
    return jobs.isEmpty() ? JobId.of("nobody") : jobs.get(pick % jobs.size());
  }

  /** What happens at a moment, given the jobs submitted so far. */
  private interface Happening {
    ClusterEvent at(Instant at, List<JobId> jobs);
  }

  /** What happens how long after the moment before. */
  private record Moment(int secondsLater, Happening happening) {}
}
