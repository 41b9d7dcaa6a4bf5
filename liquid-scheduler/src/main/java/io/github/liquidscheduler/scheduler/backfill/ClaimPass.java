package io.github.liquidscheduler.scheduler.backfill;

import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.placement.timeline.BackfillSchedule;
import io.github.liquidscheduler.placement.timeline.Reservation;
import io.github.liquidscheduler.placement.timeline.Slot;
import io.github.liquidscheduler.placement.timeline.TimeWindow;
import io.github.liquidscheduler.placement.timeline.WaitingJob;
import io.github.liquidscheduler.scheduler.job.JobEntry;
import io.github.liquidscheduler.scheduler.job.JobOrders;
import io.github.liquidscheduler.scheduler.job.KeptOut;
import io.github.liquidscheduler.scheduler.policy.Backfill;
import io.github.liquidscheduler.scheduler.queue.JobTable;
import io.github.liquidscheduler.scheduler.quota.Charge;
import io.github.liquidscheduler.scheduler.time.GpuTime;
import io.github.liquidscheduler.scheduling.Placer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/*
 * Idea: the rungs of a start that look into the future. A waiting job may start now where it delays
 *   no reservation of a job before it; else, among the first of the order, it gets a reservation.
 * Invariants: a reservation holds against all jobs behind its holder and against none before it;
 *   those that it makes impossible are repaired at once, in order. At most twice as many jobs hold
 *   one as may get one, in the turn order and with those overdue first. BackfillLaws.
 * Cost: one question to the timeline for each job tried that fits on what is free now.
 */
/**
 * One pass over the waiting jobs of a scheduler with backfill: which may start now beside the
 * reservations, and which get one.
 */
public final class ClaimPass {

  private final BackfillPlan plan;
  private final JobTable jobs;
  private final Backfill rules;
  private final Set<JobId> overdue = new LinkedHashSet<>();
  private @Nullable Slot<Placement> now;
  private @Nullable Slot<Placement> later;
  private boolean isInTheWay;
  private boolean stale;
  private boolean triesAll;

  ClaimPass(BackfillPlan plan, JobTable jobs, Backfill rules) {
    this.plan = plan;
    this.jobs = jobs;
    this.rules = rules;
  }

  /**
   * Takes in what has changed, and repairs the reservations. Returns the jobs that {@linkplain
   * #findOverdue() come first}.
   */
  public List<JobEntry> refresh() {
    stale = false;
    if (jobs.quotas().hasQueueTree() && jobs.quotas().haveChanged()) {
      schedule().othersGaveUp(plan.now());
      schedule().othersHold();
    }
    plan.update();
    List<JobEntry> first = findOverdue();
    cancelLost();
    plan.repair(this::withOverdueFirst);
    return first;
  }

  /**
   * Returns true if waiting jobs may start though capacity has grown for none of them: then {@link
   * #candidates} does not know which.
   */
  public boolean dependsOnMore() {
    return plan.dependsOnMore();
  }

  /** Sets whether every waiting job is tried, so that it matters to none later who has failed. */
  public void tryAll(boolean all) {
    triesAll = all;
  }

  /**
   * Returns the jobs that may start now or may get a reservation, and makes their classes ready; no
   * failed attempt speaks for them. In no particular order.
   *
   * @param isHelped whether grown capacity may help the first job of a class
   */
  public List<JobEntry> candidates(Predicate<JobEntry> isHelped) {
    plan.noteMoved();
    return new BackfillCandidates(this, plan, jobs, rules).all(isHelped);
  }

  /** Returns the jobs behind another that may get a reservation, now that it has left its own. */
  public List<JobEntry> nextInLine(JobEntry started) {
    return new BackfillCandidates(this, plan, jobs, rules).nextInLine(started);
  }

  /** Returns the holders of reservations that do not count for a job. */
  List<JobId> passed(JobEntry job) {
    List<JobId> passed = new ArrayList<>();
    for (Reservation<Placement> claim : schedule().reservations()) {
      if (mayPass(job, claim.job())) {
        passed.add(claim.job());
      }
    }
    return passed;
  }

  /** Returns the eligible jobs that come first because they are overdue. */
  public List<JobEntry> findOverdue() {
    List<JobEntry> first = plan.findOverdue();
    overdue.clear();
    first.forEach(job -> overdue.add(job.id()));
    return first;
  }

  /** Compares jobs in the turn order, but for overdue ones, which come first. */
  int withOverdueFirst(JobEntry one, JobEntry other) {
    if (one.precedesQueues() || other.precedesQueues()) {
      return JobOrders.TURN.compare(one, other);
    }
    boolean isFirst = overdue.contains(one.id());
    boolean isOtherFirst = overdue.contains(other.id());
    if (isFirst != isOtherFirst) {
      return isFirst ? -1 : 1;
    }
    return isFirst
        ? ReservedCapacity.LONGEST_WAITING.compare(one, other)
        : JobOrders.TURN.compare(one, other);
  }

  /**
   * Cancels the reservations of jobs that must not be tried, and of jobs that are among the first
   * in none of two orders, twice as many as may be made.
   */
  private void cancelLost() {
    if (schedule().reservations().isEmpty()) {
      return;
    }
    Set<JobId> tried = new HashSet<>();
    jobs.eligible().inOrder().forEach(job -> tried.add(job.id()));
    List<JobEntry> holders = new ArrayList<>();
    for (Reservation<Placement> reservation : schedule().reservations()) {
      if (tried.contains(reservation.job())) {
        holders.add(jobs.get(reservation.job()));
      } else {
        schedule().cancelled(reservation.job());
      }
    }
    Set<JobEntry> kept = new HashSet<>();
    for (Comparator<JobEntry> order :
        List.<Comparator<JobEntry>>of(this::withOverdueFirst, JobOrders.TURN)) {
      holders.stream().sorted(order).limit(2L * rules.reservations()).forEach(kept::add);
    }
    holders.removeAll(kept);
    holders.forEach(job -> schedule().cancelled(job.id()));
  }

  /** Returns true if a start since the last {@link #refresh} may help jobs tried before it. */
  public boolean isStale() {
    return stale;
  }

  private BackfillSchedule<JobSpec, Placement> schedule() {
    return plan.schedule();
  }

  /** Returns true if a job holds a reservation, so that others may start behind it. */
  public boolean isReserved(JobEntry job) {
    return schedule().reservation(job.id()).isPresent();
  }

  /**
   * Returns a placement at which a job may start now without delaying those before it.
   *
   * @param mayMakeWay whether others may give way for the job if there is none
   */
  public Optional<Placement> find(JobEntry job, boolean mayMakeWay) {
    now = null;
    later = null;
    isInTheWay = false;
    Optional<Slot<Placement>> own = schedule().reservation(job.id()).map(Reservation::slot);
    boolean mayReserve = own.isPresent() || mayReserve(job);
    Optional<Slot<Placement>> slot =
        own.isPresent() ? own : mayReserve ? earliest(job) : atOnce(job, mayMakeWay);
    if (slot.isPresent() && isFree(job, slot.get())) {
      now = slot.get();
    } else if (mayReserve) {
      later = slot.orElse(null);
    }
    return Optional.ofNullable(now).map(Slot::placement);
  }

  private Optional<Slot<Placement>> earliest(JobEntry job) {
    return search(job, () -> schedule().earliest(plan.waiting(job), plan.now()));
  }

  private Optional<Slot<Placement>> atOnce(JobEntry job, boolean mayMakeWay) {
    WaitingJob<JobSpec> asked = plan.waiting(job);
    List<JobId> passed = passed(job);
    @Nullable KeptOut known = job.shortage().keptOut();
    boolean isOfItsClass = plan.advance().usableBy(job.job()).isEmpty();
    if (isOfItsClass && known != null && known.speaksFor(asked.length(), passed)) {
      return Optional.empty();
    }
    boolean mayFit = plan.mayFit(job);
    Optional<Slot<Placement>> found =
        mayFit ? search(job, () -> schedule().atOnce(asked, plan.now())) : Optional.empty();
    if (found.isEmpty() && isOfItsClass) {
      long length = mayFit || mayMakeWay ? asked.length() : 0;
      job.shortage().keepOut(new KeptOut(length, passed, !triesAll));
    }
    return found;
  }

  private Optional<Slot<Placement>> search(
      JobEntry job, Supplier<Optional<Slot<Placement>>> question) {
    Optional<Slot<Placement>> found = besideThoseBefore(job, question);
    isInTheWay = found.isPresent() && mayPassAny(job) && !plan.isBesideAll(found.get());
    return found;
  }

  private <T> T besideThoseBefore(JobEntry job, Supplier<T> question) {
    return plan.without(claim -> mayPass(job, claim), question);
  }

  private boolean isFree(JobEntry job, Slot<Placement> slot) {
    return slot.window().start() == plan.now()
        && jobs.cluster().fits(slot.placement())
        && isAdmitted(job, slot.placement())
        && besideThoseBefore(job, () -> plan.quotas().admits(job, slot.placement(), slot.window()));
  }

  private boolean isAdmitted(JobEntry job, Placement placement) {
    return !jobs.quotas().hasQueueTree() || jobs.quotas().admission().admits(job, placement);
  }

  /** Returns true if a job is large enough to hold a reservation. */
  boolean isLarge(JobEntry job) {
    return job.job().gpus() >= rules.leastGpus();
  }

  private boolean mayReserve(JobEntry job) {
    return isLarge(job) && claimsBefore(job) < rules.reservations();
  }

  private long claimsBefore(JobEntry job) {
    return schedule().reservations().stream()
        .filter(claim -> withOverdueFirst(jobs.get(claim.job()), job) < 0)
        .count();
  }

  private boolean mayPassAny(JobEntry job) {
    return schedule().reservations().stream().anyMatch(claim -> mayPass(job, claim.job()));
  }

  /**
   * Returns true if a reservation does not hold against a job: its holder is behind in the turn
   * order, also with those overdue first.
   */
  private boolean mayPass(JobEntry job, JobId holder) {
    return JobOrders.TURN.compare(jobs.get(holder), job) > 0
        && withOverdueFirst(jobs.get(holder), job) > 0;
  }

  /**
   * Returns true if the job last asked about starts soon enough without others giving way: no later
   * than a grace period from now, by expected ends that their owners told.
   */
  public boolean startsSoon() {
    @Nullable Slot<Placement> slot = later;
    return slot != null && isSoon(slot) && isTold(slot);
  }

  private boolean isSoon(Slot<Placement> slot) {
    return slot.window().start()
        <= GpuTime.cappedSum(plan.now(), GpuTime.nanos(jobs.preemption().gracePeriod()));
  }

  /** Returns true if the ends of running jobs before a slot on its nodes were told. */
  private boolean isTold(Slot<Placement> slot) {
    return schedule().running().entrySet().stream()
        .filter(run -> mayDelay(run.getValue(), slot))
        .allMatch(run -> jobs.get(run.getKey()).at(jobs.now()).remaining().isPresent());
  }

  /** Returns true if a slot ends before another on its nodes, which is later if it lasts longer. */
  private static boolean mayDelay(Slot<Placement> slot, Slot<Placement> later) {
    return slot.window().end() <= later.window().start()
        && !Collections.disjoint(slot.placement().nodes(), later.placement().nodes());
  }

  /** Reserves the earliest start of the job last asked about, if it may have one. */
  public void reserve(JobEntry job) {
    @Nullable Slot<Placement> slot = later;
    if (slot != null && schedule().reservation(job.id()).isEmpty()) {
      List<Reservation<Placement>> others = schedule().reservations();
      schedule().reserve(job.id(), slot);
      if (others.size() >= 2L * rules.reservations()) {
        cancelLost();
      }
      if (isInTheWay || takesQuota(job)) {
        schedule().othersHold();
        plan.repair(this::withOverdueFirst);
      }
      // What others no longer hold may help those tried before.
      stale |= !schedule().reservations().containsAll(others);
    }
  }

  /** Returns true if quotas no longer admit a job behind one that has a reservation now. */
  private boolean takesQuota(JobEntry job) {
    QuotaOverTime quotas = plan.quotas();
    return jobs.quotas().hasQueueTree()
        && schedule().reservations().stream()
            .filter(claim -> mayPass(job, claim.job()))
            .map(Reservation::slot)
            .anyMatch(
                slot ->
                    !quotas.admits(
                        jobs.get(slot.placement().job()), slot.placement(), slot.window()));
  }

  /**
   * Notes that a job has started: where it was {@linkplain #find found}, or where others left.
   *
   * @param helps whether others may give way elsewhere now for a job tried before
   */
  public void started(JobEntry job, boolean helps) {
    @Nullable Slot<Placement> slot = now;
    boolean isAsFound =
        slot != null && job.placement().filter(slot.placement()::equals).isPresent();
    if (slot != null && isAsFound) {
      stale |= plan.start(job, slot) || isInTheWay;
      if (isInTheWay) {
        schedule().othersHold();
      }
    }
    stale |=
        !isAsFound
            || helps
            || rules.holdsAfter().isPresent()
            || jobs.quotas().hasQueueTree()
            || job.isStarting();
  }

  /** Returns a placer of a job for which others give way, beside the reservations before it. */
  public Placer ofWinner(JobEntry winner, Placer placer) {
    return beside(claim -> mayPass(winner, claim) || claim.equals(winner.id()), placer);
  }

  /**
   * Returns true if quotas admit a job for which others give way, beside the reservations before it
   * and until it ends.
   *
   * @param released the charges of those that give way
   */
  public boolean admits(JobEntry winner, Placement placement, Map<JobId, Charge> released) {
    return besideThoseBefore(
        winner, () -> plan.quotas().admits(winner, placement, window(placement), released));
  }

  /** Returns a placer of the jobs that move for a winner, beside the reservations. */
  public Placer ofMoved(JobEntry winner, Placer placer) {
    return beside(winner.id()::equals, placer);
  }

  private Placer beside(Predicate<JobId> lifted, Placer placer) {
    Set<String> nodes = new LinkedHashSet<>();
    schedule().reservations().stream()
        .filter(claim -> !lifted.test(claim.job()))
        .flatMap(claim -> claim.slot().placement().nodes().stream())
        .forEach(node -> nodes.add(node.value()));
    return nodes.isEmpty() && plan.advance().isEmpty()
        ? placer
        : new BesideClaims(
            placer,
            nodes,
            placement -> plan.fits(new Slot<>(window(placement), placement), lifted));
  }

  private TimeWindow window(Placement placement) {
    JobEntry job = jobs.get(placement.job());
    return job.isRunning()
        ? new TimeWindow(plan.now(), Math.max(plan.now() + 1, plan.ends().endAt(job, placement)))
        : TimeWindow.of(plan.now(), plan.waiting(job).length());
  }
}
