package io.github.liquidscheduler.scheduler.backfill;

import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.placement.timeline.PlacementTimeline;
import io.github.liquidscheduler.placement.timeline.Slot;
import io.github.liquidscheduler.placement.timeline.TimeWindow;
import io.github.liquidscheduler.placement.timeline.Timeline;
import io.github.liquidscheduler.scheduler.job.JobEntry;
import io.github.liquidscheduler.scheduler.queue.JobTable;
import io.github.liquidscheduler.scheduler.time.GpuTime;
import io.github.liquidscheduler.scheduling.Placer;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A timeline whose immediate starts follow the placer on the live cluster, network load included,
 * unless a reservation conflicts. Capacity still held by an overdue job can only be reserved. A job
 * that may use reserved capacity is placed there first.
 */
record StartingTimeline(
    PlacementTimeline timeline,
    ReservationHolds holds,
    Function<JobEntry, Placer> placer,
    JobTable jobs,
    Supplier<ReservedCapacity> held,
    Supplier<QuotaOverTime> quotas)
    implements Timeline<JobSpec, Placement> {

  @Override
  public void advanceTo(long now) {
    timeline.advanceTo(now);
  }

  @Override
  public void hold(Slot<Placement> slot) {
    timeline.hold(slot);
    holds.occupied(slot);
  }

  @Override
  public void release(Slot<Placement> slot) {
    timeline.release(slot);
    holds.left(slot);
  }

  @Override
  public boolean fits(Slot<Placement> slot) {
    @Nullable JobEntry job = jobs.find(slot.placement().job());
    return holds.asJobOf(slot, () -> timeline.fits(slot))
        && (job == null || quotas.get().admits(job, slot.placement(), slot.window()));
  }

  @Override
  public Optional<Placement> place(JobSpec job, TimeWindow window) {
    return holds.as(job, () -> placeIn(job, window));
  }

  private Optional<Placement> placeIn(JobSpec job, TimeWindow window) {
    Optional<Placement> kept = placeInReserved(job, window);
    if (kept.isPresent()) {
      return kept;
    }
    if (timeline.isShort(job, window)) {
      return Optional.empty();
    }
    return isNow(window) ? placeNow(job, window) : placeLater(job, window);
  }

  /** Returns a placement at which quotas admit the job, as far as the queues go. */
  private Optional<Placement> placeLater(JobSpec job, TimeWindow window) {
    return timeline.place(job, window).filter(placement -> isAdmitted(job, placement, window));
  }

  private boolean isAdmitted(JobSpec job, Placement placement, TimeWindow window) {
    @Nullable JobEntry entry = jobs.find(job.id());
    return entry == null || quotas.get().admits(entry, placement, window);
  }

  private Optional<Placement> placeInReserved(JobSpec job, TimeWindow window) {
    return holds.slotsFor(job).stream()
        .filter(slot -> slot.window().overlaps(window))
        .map(slot -> timeline.placeOn(slot.placement().nodes(), job, window))
        .flatMap(Optional::stream)
        .filter(placement -> isAdmitted(job, placement, window))
        .filter(placement -> !isNow(window) || jobs.cluster().fits(placement))
        .findFirst();
  }

  @Override
  public Optional<Slot<Placement>> earliest(JobSpec job, long length, long from, long latest) {
    return holds.as(job, () -> earliestIn(job, length, from, latest));
  }

  private Optional<Slot<Placement>> earliestIn(JobSpec job, long length, long from, long latest) {
    TimeWindow window = TimeWindow.of(from, length);
    Optional<Placement> atOnce =
        from <= latest ? placeIn(job, window).or(() -> placeSoon(job, window)) : Optional.empty();
    return atOnce.isPresent()
        ? Optional.of(new Slot<>(window, atOnce.get()))
        : earliest(job, length, nextRelease(from), latest, later -> placeLater(job, later))
            .map(slot -> inReservedOrFreedLast(job, slot, from));
  }

  private Slot<Placement> inReservedOrFreedLast(JobSpec job, Slot<Placement> slot, long from) {
    Optional<Placement> inReserved = placeInReserved(job, slot.window());
    return inReserved
        .map(placement -> new Slot<>(slot.window(), placement))
        .orElseGet(() -> isHolder(job) ? slot : timeline.freedLast(job, slot, from));
  }

  private boolean isHolder(JobSpec job) {
    return held.get().holder().filter(holder -> holder.id().equals(job.id())).isPresent();
  }

  /** Returns a placement that can be reserved now, once overdue jobs have left. */
  private Optional<Placement> placeSoon(JobSpec job, TimeWindow window) {
    @Nullable JobEntry entry = jobs.find(job.id());
    return isNow(window) && entry != null && held.get().keepsOut(entry)
        ? Optional.empty()
        : placeLater(job, window);
  }

  private boolean isNow(TimeWindow window) {
    return window.start() == GpuTime.nanos(jobs.now());
  }

  private Optional<Placement> placeNow(JobSpec job, TimeWindow window) {
    return held.get().beside(job, cluster -> placeNow(cluster, job, window));
  }

  private Optional<Placement> placeNow(ClusterState cluster, JobSpec job, TimeWindow window) {
    @Nullable JobEntry entry = jobs.find(job.id());
    Optional<Placement> found =
        entry == null ? Optional.empty() : placer.apply(entry).place(cluster, job);
    return found.isEmpty() || isFree(job, found.get(), window)
        ? found
        : placeLater(job, window).filter(cluster::fits);
  }

  private boolean isFree(JobSpec job, Placement placement, TimeWindow window) {
    return timeline.fits(new Slot<>(window, placement)) && isAdmitted(job, placement, window);
  }

  @Override
  public void loosened(Slot<Placement> slot) {
    timeline.loosened(slot);
  }

  @Override
  public long loosenings() {
    return timeline.loosenings();
  }

  @Override
  public boolean mayBeEarlier(
      JobSpec job, long length, long from, Slot<Placement> own, long since) {
    return jobs.quotas().hasQueueTree()
        || held.get().rules().holdsAfter().isPresent()
        || timeline.mayBeEarlier(job, length, from, own, since);
  }

  @Override
  public long soonest(JobSpec job, long length, long from) {
    return timeline.soonest(job, length, from);
  }

  @Override
  public long nextRelease(long instant) {
    return timeline.nextRelease(instant);
  }
}
