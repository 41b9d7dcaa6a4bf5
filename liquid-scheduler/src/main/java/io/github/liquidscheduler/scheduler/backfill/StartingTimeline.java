package io.github.liquidscheduler.scheduler.backfill;

import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.placement.timeline.PlacementTimeline;
import io.github.liquidscheduler.placement.timeline.Slot;
import io.github.liquidscheduler.placement.timeline.TimeWindow;
import io.github.liquidscheduler.placement.timeline.Timeline;
import io.github.liquidscheduler.scheduler.policy.GpuTime;
import io.github.liquidscheduler.scheduler.queue.JobTable;
import io.github.liquidscheduler.scheduling.Placer;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * A timeline on which who starts now starts where the placer would put it on the cluster as it is,
 * with what others send, unless a reservation is in the way there; and nowhere where somebody still
 * is who was to have ended.
 */
record StartingTimeline(
    PlacementTimeline timeline, Placer placer, JobTable jobs, Supplier<HeldRoom> held)
    implements Timeline<JobSpec, Placement> {

  @Override
  public void advanceTo(long now) {
    timeline.advanceTo(now);
  }

  @Override
  public void hold(Slot<Placement> slot) {
    timeline.hold(slot);
  }

  @Override
  public void release(Slot<Placement> slot) {
    timeline.release(slot);
  }

  @Override
  public boolean fits(Slot<Placement> slot) {
    return timeline.fits(slot);
  }

  @Override
  public Optional<Placement> place(JobSpec job, TimeWindow window) {
    return window.start() == GpuTime.nanos(jobs.now())
        ? placeNow(job, window)
        : timeline.place(job, window);
  }

  @Override
  public Optional<Slot<Placement>> earliest(JobSpec job, long length, long from, long latest) {
    TimeWindow window = TimeWindow.of(from, length);
    Optional<Placement> atOnce = from <= latest ? place(job, window) : Optional.empty();
    return atOnce.isPresent()
        ? Optional.of(new Slot<>(window, atOnce.get()))
        : timeline
            .earliest(job, length, timeline.nextRelease(from), latest)
            .map(slot -> isHolder(job) ? slot : timeline.freedLast(job, slot, from));
  }

  private boolean isHolder(JobSpec job) {
    return held.get().holder().filter(holder -> holder.id().equals(job.id())).isPresent();
  }

  private Optional<Placement> placeNow(JobSpec job, TimeWindow window) {
    return held.get().beside(job, cluster -> placeNow(cluster, job, window));
  }

  private Optional<Placement> placeNow(ClusterState cluster, JobSpec job, TimeWindow window) {
    Optional<Placement> found = placer.place(cluster, job);
    return found.isEmpty() || timeline.fits(new Slot<>(window, found.get()))
        ? found
        : timeline.place(job, window).filter(cluster::fits);
  }

  @Override
  public long nextRelease(long instant) {
    return timeline.nextRelease(instant);
  }
}
