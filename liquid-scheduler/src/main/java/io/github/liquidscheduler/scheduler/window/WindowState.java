package io.github.liquidscheduler.scheduler.window;

import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.explanation.Constraint;
import io.github.liquidscheduler.explanation.UnmetConstraint;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.planning.BatchPlan;
import io.github.liquidscheduler.scheduler.policy.BatchWindow;
import io.github.liquidscheduler.scheduler.policy.SchedulingPolicy;
import io.github.liquidscheduler.scheduler.queue.BatchedJobs;
import io.github.liquidscheduler.scheduler.queue.BatchedJobs.Stage;
import io.github.liquidscheduler.scheduler.queue.JobEntry;
import io.github.liquidscheduler.scheduler.queue.JobTable;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.Reason;
import io.github.liquidscheduler.scheduling.WindowRecord;
import io.github.liquidscheduler.scheduling.WindowTrigger;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The batch window at work: gathers the jobs that come to wait, asks for a plan when it closes, and
 * opens them to the pass that follows the plan, or the end of the time for it.
 *
 * <p>A job opened for a plan is held again if it does not start in that pass, as is one that stood
 * before it in the queue and was opened so that nobody is bypassed. A job opened because no plan
 * came stays open. If the policy does not skip, the open jobs are always the first of the queue.
 */
public final class WindowState {

  private final JobTable table;
  private final BatchedJobs batched;
  private final BatchWindow options;
  private final PlannedPlacements places;
  private final Set<JobEntry> openedForPlan = new LinkedHashSet<>();
  private boolean hasGrown;

  public WindowState(JobTable table, BatchWindow options, PlannedPlacements places) {
    this.table = table;
    batched = table.held();
    this.options = options;
    this.places = places;
  }

  public WindowRecord toRecord() {
    return new WindowRecord(
        batched.requests(),
        Optional.ofNullable(batched.openedAt()),
        Optional.ofNullable(batched.requestedAt()),
        ids(jobsIn(Stage.ENTERED)),
        ids(jobsIn(Stage.REQUESTED)),
        table.open().ids());
  }

  /** Goes on where {@code record} was made. The waiting jobs are in the table already, held. */
  public void restore(WindowRecord record) {
    batched.restore(
        record.requests(), record.openedAt().orElse(null), record.requestedAt().orElse(null));
    record.entered().forEach(job -> batched.put(table.get(job), Stage.ENTERED));
    record.requested().forEach(job -> batched.put(table.get(job), Stage.REQUESTED));
    record.immediate().forEach(job -> table.open(table.get(job)));
  }

  /** Takes a plan; one that was not awaited, or no longer, changes nothing. */
  public void take(BatchPlan plan, List<Decision> decisions) {
    Optional<Instant> requestedAt = batched.awaitedSince(plan);
    if (requestedAt.isEmpty()) {
      return;
    }
    new Relocations(table).carryOut(plan, requestedAt.get(), decisions);
    places.begin(plan.request(), bypassLimit());
    for (Placement start : plan.starts()) {
      @Nullable JobEntry job = table.find(start.job());
      if (job != null && batched.stage(job) == Stage.REQUESTED) {
        places.add(job, start);
      }
    }
    places.letWait(jobsIn(Stage.REQUESTED));
    openForPlan();
    batched.settle();
    if (batched.entered() == 0) {
      batched.open(null);
    }
  }

  /** Prepares the pass that follows an event. */
  public void beforePass() {
    hasGrown = table.changes().hasGrown();
    @Nullable Instant requestedAt = batched.requestedAt();
    if (requestedAt != null && !table.now().isBefore(deadline(requestedAt))) {
      jobsIn(Stage.REQUESTED).forEach(table::open);
      batched.settle();
    }
    @Nullable JobEntry last = lastOpenForGood();
    if (last != null) {
      heldBefore(last).forEach(table::open);
    }
  }

  /** Tidies up after the pass, and asks for a plan if the window closes. */
  public void afterPass(List<Decision> decisions) {
    holdAgain();
    if (batched.gathered() == 0) {
      batched.open(null);
    } else if (batched.openedAt() == null && (hasGrown || batched.entered() > 0)) {
      batched.open(table.now());
    }
    trigger().ifPresent(trigger -> decisions.add(request(trigger)));
  }

  /** Returns when it has to be looked at again if nothing happens until then. */
  public Optional<Instant> nextWakeUp() {
    return batched.requestedAt() != null
        ? Optional.of(deadline(batched.requestedAt()))
        : Optional.ofNullable(batched.openedAt()).map(opened -> later(opened, options.time()));
  }

  /** Returns what the window has to do with a job's waiting, if it holds it. */
  public Optional<UnmetConstraint> unmetConstraint(JobEntry job) {
    @Nullable Stage stage = batched.stage(job);
    if (stage == null) {
      return Optional.empty();
    }
    boolean awaited = stage == Stage.REQUESTED && batched.requestedAt() != null;
    return Optional.of(
        new UnmetConstraint(
            Constraint.BATCH_WINDOW,
            awaited ? "plan " + batched.requests() + ", " + due() : "the window, " + due(),
            awaited ? batched.requested() : batched.gathered(),
            0,
            Optional.empty()));
  }

  private String due() {
    return nextWakeUp().map(at -> "due at " + at).orElse("due once there is something new to plan");
  }

  /** Opens what was requested, and what stands before a job that might bypass it now. */
  private void openForPlan() {
    List<JobEntry> jobs = jobsIn(Stage.REQUESTED);
    boolean allowsBypass = table.policy().allowsBypass();
    jobs.stream()
        .filter(job -> !allowsBypass || places.contain(job))
        .reduce((first, second) -> second)
        .ifPresent(last -> openedForPlan.addAll(heldBefore(last)));
    openedForPlan.addAll(jobs);
    openedForPlan.forEach(table::open);
  }

  private void holdAgain() {
    @Nullable JobEntry lastForGood = lastOpenForGood();
    for (JobEntry job : openedForPlan) {
      boolean waits = !job.isRunning() && job.equals(table.find(job.id()));
      if (waits && (lastForGood == null || JobEntry.TURN.compare(job, lastForGood) > 0)) {
        table.hold(job, Stage.LEFT_OVER);
      }
    }
    openedForPlan.clear();
  }

  /** Returns the last open job that stays so, if the policy wants those before it open too. */
  private @Nullable JobEntry lastOpenForGood() {
    if (table.policy().allowsBypass()) {
      return null;
    }
    return table.open().inOrder().reversed().stream()
        .filter(job -> !openedForPlan.contains(job))
        .findFirst()
        .orElse(null);
  }

  private Optional<WindowTrigger> trigger() {
    @Nullable Instant openedAt = batched.openedAt();
    if (batched.requestedAt() != null || openedAt == null) {
      return Optional.empty();
    }
    if (!table.now().isBefore(later(openedAt, options.time()))) {
      return Optional.of(WindowTrigger.TIME);
    }
    int jobs = batched.entered();
    if (options.jobs().isPresent() && jobs >= options.jobs().getAsInt()) {
      return Optional.of(WindowTrigger.COUNT);
    }
    return options.pressure().isPresent() && pressure() >= options.pressure().getAsDouble()
        ? Optional.of(WindowTrigger.PRESSURE)
        : Optional.empty();
  }

  private double pressure() {
    return (double) batched.enteredGpus() / table.cluster().topology().gpuCount();
  }

  private Decision request(WindowTrigger trigger) {
    List<JobEntry> gathered = table.waiting().inOrder().stream().filter(batched::contains).toList();
    List<JobEntry> jobs = gathered.subList(0, Math.min(options.mostJobs(), gathered.size()));
    gathered.forEach(job -> batched.put(job, Stage.ENTERED));
    jobs.forEach(job -> batched.put(job, Stage.REQUESTED));
    batched.request(table.now());
    batched.open(jobs.size() < gathered.size() ? table.now() : null);
    return new Decision.RequestPlan(
        batched.requests(),
        ids(jobs),
        ids(deferrable(jobs)),
        new Reason.WindowClosed(trigger, gathered.size()));
  }

  private List<JobEntry> deferrable(List<JobEntry> jobs) {
    return jobs.stream().filter(job -> job.bypassed() < bypassLimit()).toList();
  }

  private int bypassLimit() {
    SchedulingPolicy policy = table.policy();
    return policy.allowsBypass() && !policy.preempts() ? options.bypassLimit() : 0;
  }

  private static List<JobId> ids(List<JobEntry> jobs) {
    return jobs.stream().map(JobEntry::id).toList();
  }

  private List<JobEntry> jobsIn(Stage stage) {
    return table.waiting().inOrder().stream().filter(job -> batched.stage(job) == stage).toList();
  }

  private List<JobEntry> heldBefore(JobEntry last) {
    return table.waiting().inOrder().stream()
        .takeWhile(job -> JobEntry.TURN.compare(job, last) <= 0)
        .filter(batched::contains)
        .toList();
  }

  private Instant deadline(Instant requested) {
    return later(requested, options.planWithin());
  }

  private static Instant later(Instant from, Duration time) {
    return time.compareTo(Duration.between(from, Instant.MAX)) < 0 ? from.plus(time) : Instant.MAX;
  }
}
