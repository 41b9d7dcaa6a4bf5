package io.github.liquidscheduler.scheduler;

import io.github.liquidscheduler.job.ExpectedWork;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.scheduler.policy.RetryBackoff;
import io.github.liquidscheduler.scheduler.policy.SchedulingPolicy;
import io.github.liquidscheduler.scheduler.time.GpuTime;
import io.github.liquidscheduler.scheduling.AdvanceReservation;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Retry;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * The extreme durations and instants of a world: some in some worlds, none in most of them.
 *
 * @param variant the variant of the world, from which all follow
 */
record ExtremeTimes(int variant) {

  private static final Instant LAST = GpuTime.LATEST;
  private static final Duration NANOSECOND = Duration.ofNanos(1);

  private static final List<Duration> DURATIONS =
      List.of(
          Duration.ZERO,
          NANOSECOND,
          Duration.ofSeconds(1, 999_999_999),
          Duration.ofDays(365 * 292),
          Duration.ofDays(365 * 9000),
          Duration.ofSeconds(Long.MAX_VALUE, 999_999_999));

  private static final List<Instant> STARTS =
      List.of(Instant.EPOCH.plusNanos(1), LAST.minusSeconds(500), LAST.minusNanos(1), LAST);

  private static final List<Duration> PAUSES =
      List.of(
          NANOSECOND,
          NANOSECOND,
          Duration.ofDays(1),
          Duration.ofDays(365 * 30),
          Duration.ofDays(365 * 90));

  /** Returns when the world begins. */
  Instant start() {
    return isAny("start", 4) ? pick("which start", STARTS) : Instant.EPOCH;
  }

  /** Returns how long nothing happens before a step. */
  Duration pauseBefore(int step) {
    String place = "pause before " + step;
    return isAny(place, 16) ? pick(place, PAUSES) : Duration.ZERO;
  }

  /** Returns a time that is perhaps an extreme one. */
  Duration time(String place, Duration ordinary) {
    return isAny(place, 4) ? pick(place, DURATIONS) : ordinary;
  }

  /** Returns a time above zero that is perhaps an extreme one. */
  Duration positive(String place, Duration ordinary) {
    Duration time = time(place, ordinary);
    return time.isZero() ? NANOSECOND : time;
  }

  /** Returns an ordinary time, or one that is extremely long. */
  Duration atLeast(String place, Duration ordinary) {
    Duration time = time(place, ordinary);
    return time.compareTo(ordinary) < 0 ? ordinary : time;
  }

  /** Returns a wait after which jobs come first, if there is one. */
  Optional<Duration> patience() {
    return Optional.of(time("patience", Duration.ZERO)).filter(Duration::isPositive);
  }

  /** Returns the delays of retries; extreme ones grow fast. */
  RetryBackoff backoff() {
    RetryBackoff ordinary = RetryBackoff.DEFAULT;
    Duration first = time("first retry", ordinary.first());
    Duration most = time("last retry", ordinary.most());
    return most.compareTo(first) < 0
        ? new RetryBackoff(first, 1000, first, 100)
        : new RetryBackoff(first, ordinary.factor(), most, ordinary.failures());
  }

  /** Returns true if jobs take turns within nanoseconds, unless the world has another policy. */
  boolean hasNoQuantum() {
    return isAny("policy", 8);
  }

  /** Returns a policy by the attained service whose thresholds are extreme, or one that is none. */
  SchedulingPolicy policy(SchedulingPolicy ordinary) {
    if (!hasNoQuantum()) {
      return ordinary;
    }
    List<Duration> thresholds = List.of(NANOSECOND, positive("threshold", Duration.ofSeconds(90)));
    return thresholds.getLast().equals(NANOSECOND)
        ? Policies.leastAttainedServiceWithPromotion(List.of(NANOSECOND), 1e-9)
        : Policies.leastAttainedServiceWithPromotion(thresholds, 1e9);
  }

  /** Returns an event in which some times are extreme. */
  ClusterEvent of(ClusterEvent event) {
    Instant now = event.at();
    return switch (event) {
      case ClusterEvent.JobSubmitted e -> new ClusterEvent.JobSubmitted(now, of(e.spec(), now));
      case ClusterEvent.JobUpdated e -> new ClusterEvent.JobUpdated(now, of(e.spec(), now));
      case ClusterEvent.JobFailed e when e.retry().again() ->
          new ClusterEvent.JobFailed(
              now,
              e.job(),
              e.failure(),
              new Retry(true, time("retry" + now, e.retry().after()), e.retry().avoiding()));
      case ClusterEvent.JobProgressed e when isAny("left" + now, 4) ->
          new ClusterEvent.JobProgressed(
              now, e.job(), e.progress().withRemaining(pick("left" + now, DURATIONS)));
      case ClusterEvent.NodeDraining e when isAny("drain" + now, 4) ->
          new ClusterEvent.NodeDraining(now, e.node(), Optional.of(instant("drain" + now, now)));
      case ClusterEvent.ReservationAnnounced e when isAny("end" + now, 4) ->
          new ClusterEvent.ReservationAnnounced(now, of(e.reservation(), "end" + now));
      case ClusterEvent.ReservationChanged e when isAny("end" + now, 4) ->
          new ClusterEvent.ReservationChanged(now, of(e.reservation(), "end" + now));
      default -> event;
    };
  }

  private JobSpec of(JobSpec job, Instant now) {
    String place = job.id() + " at " + now;
    JobSpec.Builder builder = job.toBuilder();
    job.expectedWork()
        .flatMap(ExpectedWork::duration)
        .ifPresent(work -> builder.expectedWork(ExpectedWork.ofDuration(time(place, work))));
    if (isAny("deadline of " + place, 8)) {
      builder.deadline(instant("deadline of " + place, now));
    }
    return builder.build();
  }

  private AdvanceReservation of(AdvanceReservation reservation, String place) {
    List<Instant> ends =
        List.of(reservation.from().plusNanos(1), LAST, LAST.plusNanos(1), Instant.MAX);
    Instant until =
        Optional.of(pick(place, ends))
            .filter(reservation.from()::isBefore)
            .orElse(reservation.until());
    return switch (reservation) {
      case AdvanceReservation.Maintenance r ->
          new AdvanceReservation.Maintenance(r.id(), r.from(), until, r.nodes());
      case AdvanceReservation.Capacity r ->
          new AdvanceReservation.Capacity(r.id(), r.from(), until, r.shape(), r.jobs(), r.queue());
    };
  }

  private Instant instant(String place, Instant now) {
    return pick(
        place,
        List.of(
            Instant.MIN,
            Instant.EPOCH,
            now.minusNanos(1),
            now,
            now.plusNanos(1),
            LAST,
            Instant.MAX));
  }

  /** Returns true in one of some places of every third world. */
  private boolean isAny(String place, int some) {
    return variant % 3 == 0 && draw("whether " + place, some) == 0;
  }

  private <T> T pick(String place, List<T> some) {
    return some.get(draw(place, some.size()));
  }

  private int draw(String place, int bound) {
    return new SplittableRandom(variant * 31L + place.hashCode()).nextInt(bound);
  }
}
