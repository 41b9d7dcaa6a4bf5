package io.github.liquidscheduler.scheduler.backfill;

import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.placement.timeline.PlacementTimeline;
import io.github.liquidscheduler.placement.timeline.Slot;
import io.github.liquidscheduler.scheduler.job.JobEntry;
import io.github.liquidscheduler.scheduler.queue.JobTable;
import io.github.liquidscheduler.scheduling.AdvanceReservation;
import io.github.liquidscheduler.scheduling.ReservationId;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/*
 * Idea: advance reservations as holds on a timeline. Maintenance closes nodes; reserved capacity
 *   is held less the parts that its own users occupy. For a user's question the holds are lifted
 *   and put back.
 * Invariants: the timeline holds exactly the announced reservations, each GPU of one at most once
 *   over its window, by the reservation or by its users; holds keep the order of announcement, as
 *   in a restored scheduler (AdvanceReservationLaws).
 * Cost: hold is O(reservations^2), which are few, plus O(slots x tasks^2) for each new one;
 *   occupied, left and as(job) re-hold only the reservations concerned, each O(GPUs x users).
 */
/**
 * The holds of advance reservations on a timeline: closed nodes, and reserved capacity less what
 * its users hold there. To those users the capacity looks free. Mutable.
 */
final class ReservationHolds {

  private final PlacementTimeline timeline;
  private final JobTable jobs;
  private final Map<ReservationId, Held> held = new LinkedHashMap<>();

  /** A reservation, the slots of its users and the remainder it holds. */
  private static final class Held {
    private final Announced announced;
    private final Map<JobId, Slot<Placement>> users = new LinkedHashMap<>();
    private List<Slot<Placement>> rest = List.of();

    Held(Announced announced) {
      this.announced = announced;
    }
  }

  ReservationHolds(PlacementTimeline timeline, JobTable jobs) {
    this.timeline = timeline;
    this.jobs = jobs;
  }

  /**
   * Holds exactly these reservations.
   *
   * @param slots the slots of running jobs and of waiting jobs with reservations
   * @param gaveUp receives the start of each window no longer held
   * @return true if a reservation is held that was not before
   */
  boolean hold(List<Announced> wanted, Collection<Slot<Placement>> slots, LongConsumer gaveUp) {
    for (Held each : List.copyOf(held.values())) {
      if (!wanted.contains(each.announced) && !isOnlyBegun(each.announced, wanted)) {
        drop(each);
        gaveUp.accept(each.announced.window().start());
      }
    }
    boolean holdsMore = false;
    for (Announced each : wanted) {
      if (!held.containsKey(each.id())) {
        add(each, slots);
        holdsMore = true;
      }
    }
    keepOrder(wanted);
    return holdsMore;
  }

  /** Orders holds as announced, as a copy that builds them from scratch does. */
  private void keepOrder(List<Announced> wanted) {
    for (Announced each : wanted) {
      held.put(each.id(), Objects.requireNonNull(held.remove(each.id())));
    }
  }

  private static boolean isOnlyBegun(Announced known, List<Announced> wanted) {
    return wanted.contains(known.begun());
  }

  private void add(Announced announced, Collection<Slot<Placement>> slots) {
    Held added = new Held(announced);
    held.put(announced.id(), added);
    if (announced.reservation() instanceof AdvanceReservation.Maintenance maintenance) {
      maintenance.nodes().stream()
          .filter(jobs.cluster().topology()::contains)
          .forEach(node -> timeline.close(node, announced.window()));
    }
    slots.stream()
        .filter(slot -> uses(added, slot))
        .forEach(slot -> added.users.put(slot.placement().job(), slot));
    keep(added);
  }

  private void drop(Held each) {
    held.remove(each.announced.id());
    if (each.announced.reservation() instanceof AdvanceReservation.Maintenance maintenance) {
      maintenance.nodes().stream()
          .filter(jobs.cluster().topology()::contains)
          .forEach(node -> timeline.reopen(node, each.announced.window()));
    }
    giveUp(each);
  }

  private void keep(Held each) {
    each.rest =
        each.announced
            .slot()
            .map(slot -> UnusedCapacity.of(slot, each.users.values()))
            .orElse(List.of());
    each.rest.forEach(timeline::keep);
  }

  private void giveUp(Held each) {
    each.rest.forEach(timeline::giveUp);
    each.rest = List.of();
  }

  /** Records that a job now holds a slot. */
  void occupied(Slot<Placement> slot) {
    for (Held each : held.values()) {
      if (uses(each, slot)) {
        giveUp(each);
        each.users.put(slot.placement().job(), slot);
        keep(each);
      }
    }
  }

  /** Records that a job no longer holds a slot. */
  void left(Slot<Placement> slot) {
    for (Held each : held.values()) {
      if (slot.equals(each.users.get(slot.placement().job()))) {
        giveUp(each);
        each.users.remove(slot.placement().job());
        keep(each);
      }
    }
  }

  private boolean uses(Held each, Slot<Placement> slot) {
    @Nullable JobEntry job = jobs.find(slot.placement().job());
    return job != null
        && isFor(each, job.job())
        && each.announced
            .slot()
            .filter(kept -> sharesGpu(kept.placement(), slot.placement()))
            .isPresent();
  }

  private static boolean isFor(Held each, JobSpec job) {
    return each.announced.reservation() instanceof AdvanceReservation.Capacity reserved
        && each.announced.slot().isPresent()
        && reserved.isFor(job);
  }

  /** Returns true if two placements have a GPU in common. */
  static boolean sharesGpu(Placement one, Placement other) {
    return one.tasks().stream()
        .anyMatch(task -> other.tasks().stream().anyMatch(beside -> sharesGpu(task, beside)));
  }

  private static boolean sharesGpu(TaskPlacement one, TaskPlacement other) {
    return one.node().equals(other.node()) && one.gpus().stream().anyMatch(other.gpus()::contains);
  }

  /**
   * Answers a question about the timeline as a job sees it, with the capacity reserved for it free.
   */
  <T> T as(JobSpec job, Supplier<T> question) {
    List<Held> own = held.values().stream().filter(each -> isFor(each, job)).toList();
    if (own.isEmpty()) {
      return question.get();
    }
    own.forEach(this::giveUp);
    try {
      return question.get();
    } finally {
      own.forEach(this::keep);
    }
  }

  /** Answers a question about the timeline as the slot's job sees it. */
  <T> T asJobOf(Slot<Placement> slot, Supplier<T> question) {
    @Nullable JobEntry job = held.isEmpty() ? null : jobs.find(slot.placement().job());
    return job == null ? question.get() : as(job.job(), question);
  }

  /** Returns the reserved slots that a job may use. */
  List<Slot<Placement>> slotsFor(JobSpec job) {
    return held.values().stream()
        .filter(each -> isFor(each, job))
        .map(each -> each.announced.slot())
        .flatMap(Optional::stream)
        .toList();
  }
}
