package io.github.liquidscheduler.scheduler.window;

import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.Sharing;
import io.github.liquidscheduler.planning.PlanRequest;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.scheduler.job.JobEntry;
import io.github.liquidscheduler.scheduler.policy.BatchWindow;
import io.github.liquidscheduler.scheduler.queue.BatchedJobs;
import io.github.liquidscheduler.scheduler.queue.BatchedJobs.Membership;
import io.github.liquidscheduler.scheduler.queue.BatchedJobs.OpenPlan;
import io.github.liquidscheduler.scheduler.queue.JobTable;
import io.github.liquidscheduler.scheduler.queue.WindowPhase;
import io.github.liquidscheduler.scheduler.speed.JobSpeeds;
import io.github.liquidscheduler.scheduler.turn.Stage;
import io.github.liquidscheduler.scheduler.turn.Turn;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.Reason;
import io.github.liquidscheduler.scheduling.WindowTrigger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/*
 * Idea: a plan is asked for the jobs that quotas admit in turn order (QuotaWalk); the others are
 *   tried without one, so that others may give way to them.
 * Invariants: a job parked again waits for something new to plan; one that is due again, as after
 *   an early stop, is tried in the next event first (ShortPlanLaws, BatchQueueLaws).
 * Cost: O(waiting jobs) at a request, O(jobs of the plan) at other events.
 */
/** Ends a turn of batch mode: parks jobs left over by a plan and asks for plans. */
public record PlanRequests(BatchWindow options) implements Stage {

  @Override
  public void run(Turn turn) {
    BatchedJobs batched = turn.state().window();
    if (turn.jobs().agenda().isCut()) {
      return; // The next event goes on with the jobs of the plan.
    }
    parkAgain(turn);
    turn.jobs().agenda().retainLater(turn.jobs().eligible().byClass());
    if (batched.gathered() == 0) {
      batched.close();
    } else if (turn.hasGrown() || batched.entered() > 0) {
      batched.open(turn.jobs().now());
    }
    trigger(turn.jobs()).flatMap(trigger -> request(turn.jobs(), trigger)).ifPresent(turn::decide);
  }

  /** Parks the jobs of the plan that do not run, but for those that are due again. */
  private static void parkAgain(Turn turn) {
    JobTable jobs = turn.jobs();
    Map<JobEntry, Membership> borrowed = turn.planned().borrowed();
    Parked.Limits limits = new Parked(jobs).limits(borrowed);
    Map<JobId, Membership> due = new LinkedHashMap<>();
    borrowed.forEach(
        (job, membership) -> {
          boolean waits =
              !job.isRunning() && job.equals(jobs.find(job.id())) && job.delayedUntil() == null;
          if (waits && !limits.mustGoOn(job)) {
            boolean isAwaited = jobs.batched().phase() instanceof WindowPhase.Awaiting;
            Membership next =
                membership == Membership.REQUESTED && !isAwaited
                    ? Membership.LEFT_OVER
                    : membership;
            if (isDue(jobs, job)) {
              due.put(job.id(), next);
            } else {
              jobs.waitingTransitions().park(job, next);
            }
          }
        });
    if (!due.isEmpty()) {
      leave(jobs, due);
    }
  }

  /** Returns true if an eligible job is to be tried in the next event. */
  private static boolean isDue(JobTable jobs, JobEntry job) {
    if (jobs.batched().contains(job) || !jobs.agenda().isDue()) {
      return false;
    }
    return jobs.hasOneHead()
        ? jobs.agenda().parkedHead() == null
        : !jobs.eligible().byClass().isParked(job);
  }

  /** Leaves eligible jobs to be tried in the next event, and parked again then. */
  private static void leave(JobTable jobs, Map<JobId, Membership> due) {
    jobs.batched().leaveOpen(BatchedJobs.OpenPlan.without(due));
    jobs.agenda().lookAgain();
  }

  private Optional<WindowTrigger> trigger(JobTable table) {
    BatchedJobs batched = table.batched();
    if (!(batched.phase() instanceof WindowPhase.Gathering gathering)) {
      return Optional.empty();
    }
    if (!table.now().isBefore(WindowTimes.closing(gathering, options))) {
      return Optional.of(WindowTrigger.TIME);
    }
    if (options.maxJobs().isPresent() && batched.entered() >= options.maxJobs().getAsInt()) {
      return Optional.of(WindowTrigger.COUNT);
    }
    double queued = (double) batched.enteredGpus() / table.cluster().topology().gpuCount();
    return options.queuedGpuFraction().isPresent()
            && queued >= options.queuedGpuFraction().getAsDouble()
        ? Optional.of(WindowTrigger.PRESSURE)
        : Optional.empty();
  }

  /**
   * Returns the request for the jobs that quotas admit; empty if they admit none. Then the jobs are
   * tried without a plan, since others may give way to them.
   */
  private Optional<Decision> request(JobTable table, WindowTrigger trigger) {
    List<JobEntry> gathered = new Parked(table).all();
    List<QuotaWalk.Step> steps = steps(table, gathered);
    gathered.forEach(job -> table.waitingTransitions().changeStage(job, Membership.ENTERED));
    List<JobSpec> jobs = new ArrayList<>();
    for (QuotaWalk.Step step : steps) {
      step.admitted().ifPresent(jobs::add);
      table
          .waitingTransitions()
          .changeStage(
              step.job(),
              step.admitted().isPresent() ? Membership.REQUESTED : Membership.BEYOND_QUOTA);
    }
    if (jobs.isEmpty()) {
      table.batched().close();
      tryBeyondQuotas(table, gathered);
      return Optional.empty();
    }
    WindowPhase.Collecting next = new WindowPhase.Idle();
    table
        .batched()
        .request(table.now(), steps.size() < gathered.size() ? next.opened(table.now()) : next);
    return Optional.of(
        Decision.RequestPlan.of(
            question(table, jobs), new Reason.WindowClosed(trigger, gathered.size())));
  }

  private List<QuotaWalk.Step> steps(JobTable table, List<JobEntry> gathered) {
    return table.quotas().hasQueueTree()
        ? QuotaWalk.over(table, gathered, options.maxPlanSize())
        : gathered.stream()
            .limit(options.maxPlanSize())
            .map(job -> new QuotaWalk.Step(job, Optional.of(job.job())))
            .toList();
  }

  private static void tryBeyondQuotas(JobTable table, List<JobEntry> gathered) {
    Map<JobId, Membership> due = new LinkedHashMap<>();
    @Nullable OpenPlan open = table.batched().openPlan();
    if (open != null) {
      due.putAll(open.borrowed());
    }
    gathered.forEach(job -> due.put(job.id(), Membership.BEYOND_QUOTA));
    gathered.forEach(table.waitingTransitions()::makeEligible);
    leave(table, due);
  }

  /** Returns the request, with an immutable copy of the cluster. */
  private PlanRequest question(JobTable table, List<JobSpec> jobs) {
    int limit = PlanIntake.limitOf(table, options.bypassLimit());
    PlanRequest.Builder request =
        PlanRequest.builder(table.cluster().copy())
            .number(table.batched().requests())
            .pending(jobs.stream().map(PlanRequests::asRequested).toList())
            .deferrable(
                jobs.stream()
                    .map(job -> table.get(job.id()))
                    .filter(
                        job -> job.history().bypassed() < limit && PlanIntake.mayDefer(table, job))
                    .map(JobEntry::id)
                    .toList());
    table.running().inOrder().forEach(job -> request.running(job.asPlaced()));
    table
        .speeds()
        .ifPresent(
            speeds -> jobs.forEach(job -> request.gpuSpeeds(job.id(), speeds(table, speeds, job))));
    return request.build();
  }

  private static Map<GpuModel, Double> speeds(JobTable table, JobSpeeds speeds, JobSpec job) {
    return speeds.of(
        asRequested(job), table.get(job.id()).history().gpuSpeeds(), table.cluster().topology());
  }

  /** Returns the job as the planner sees it: jobs that may share GPUs at their preferred size. */
  private static JobSpec asRequested(JobSpec job) {
    return job.sharing() instanceof Sharing.Exclusive
        ? job
        : job.atSize(job.parallelism().preferred());
  }
}
