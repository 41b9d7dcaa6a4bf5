package io.github.liquidscheduler.scheduler.window;

import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.Sharing;
import io.github.liquidscheduler.planning.PlanRequest;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.scheduler.policy.BatchWindow;
import io.github.liquidscheduler.scheduler.queue.BatchedJobs;
import io.github.liquidscheduler.scheduler.queue.BatchedJobs.Membership;
import io.github.liquidscheduler.scheduler.queue.JobEntry;
import io.github.liquidscheduler.scheduler.queue.JobTable;
import io.github.liquidscheduler.scheduler.queue.WindowPhase;
import io.github.liquidscheduler.scheduler.speed.JobSpeeds;
import io.github.liquidscheduler.scheduler.turn.Stage;
import io.github.liquidscheduler.scheduler.turn.Turn;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.Reason;
import io.github.liquidscheduler.scheduling.WindowTrigger;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Ends a turn of batch mode: parks jobs left over by a plan, opens the window if there is something
 * new to plan, and requests a plan when it closes.
 */
public final class PlanRequests implements Stage {

  private final BatchWindow options;

  /** Makes the stage. */
  public PlanRequests(BatchWindow options) {
    this.options = options;
  }

  @Override
  public void run(Turn turn) {
    parkAgain(turn);
    BatchedJobs batched = turn.state().window();
    if (batched.gathered() == 0) {
      batched.close();
    } else if (turn.hasGrown() || batched.entered() > 0) {
      batched.open(turn.jobs().now());
    }
    trigger(turn.jobs()).ifPresent(trigger -> turn.decide(request(turn.jobs(), trigger)));
  }

  private static void parkAgain(Turn turn) {
    @Nullable JobEntry last = new Parked(turn.jobs()).lastEligible(turn.planned().borrowed());
    turn.planned()
        .borrowed()
        .forEach(
            (job, membership) -> {
              boolean waits = !job.isRunning() && job.equals(turn.jobs().find(job.id()));
              if (waits && (last == null || JobEntry.TURN.compare(job, last) > 0)) {
                turn.jobs().park(job, membership);
              }
            });
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

  private Decision request(JobTable table, WindowTrigger trigger) {
    List<JobEntry> gathered = new Parked(table).all();
    List<JobEntry> jobs = gathered.subList(0, Math.min(options.maxPlanSize(), gathered.size()));
    gathered.forEach(job -> table.changeStage(job, Membership.ENTERED));
    jobs.forEach(job -> table.changeStage(job, Membership.REQUESTED));
    WindowPhase.Collecting next = new WindowPhase.Idle();
    table
        .batched()
        .request(table.now(), jobs.size() < gathered.size() ? next.opened(table.now()) : next);
    return Decision.RequestPlan.of(
        question(table, jobs), new Reason.WindowClosed(trigger, gathered.size()));
  }

  /** Returns the request, with an immutable copy of the cluster. */
  private PlanRequest question(JobTable table, List<JobEntry> jobs) {
    int limit = PlanIntake.limitOf(table.policy(), options.bypassLimit());
    PlanRequest.Builder request =
        PlanRequest.builder(table.cluster().copy())
            .number(table.batched().requests())
            .pending(jobs.stream().map(PlanRequests::asRequested).toList())
            .deferrable(
                jobs.stream().filter(job -> job.bypassed() < limit).map(JobEntry::id).toList());
    table.running().inOrder().forEach(job -> request.running(job.asPlaced()));
    table
        .speeds()
        .ifPresent(
            speeds -> jobs.forEach(job -> request.gpuSpeeds(job.id(), speeds(table, speeds, job))));
    return request.build();
  }

  private static Map<GpuModel, Double> speeds(JobTable table, JobSpeeds speeds, JobEntry job) {
    return speeds.of(asRequested(job), job.gpuSpeeds(), table.cluster().topology());
  }

  /** Returns the job as the planner sees it: jobs that may share GPUs at their preferred size. */
  private static JobSpec asRequested(JobEntry job) {
    return job.job().sharing() instanceof Sharing.Exclusive
        ? job.job()
        : job.job().atSize(job.job().parallelism().preferred());
  }
}
