package io.github.liquidscheduler.scheduler.start;

import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.job.Communication;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.Parallelism;
import io.github.liquidscheduler.job.RoleCounts;
import io.github.liquidscheduler.job.TaskRole;
import io.github.liquidscheduler.job.TopologyConstraint;
import io.github.liquidscheduler.scheduler.elastic.NetGains;
import io.github.liquidscheduler.scheduler.eviction.EvictionPlan;
import io.github.liquidscheduler.scheduler.eviction.VictimSearch;
import io.github.liquidscheduler.scheduler.job.JobEntry;
import io.github.liquidscheduler.scheduler.job.JobOrders;
import io.github.liquidscheduler.scheduler.policy.Elasticity;
import io.github.liquidscheduler.scheduler.queue.Agenda;
import io.github.liquidscheduler.scheduler.queue.JobTable;
import io.github.liquidscheduler.scheduler.turn.Stage;
import io.github.liquidscheduler.scheduler.turn.Turn;
import io.github.liquidscheduler.scheduling.Placer;
import io.github.liquidscheduler.scheduling.Reason;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Predicate;

/**
 * Grows running jobs by one size step each at the expense of others, up to their preferred sizes.
 * The additional tasks are treated as a waiting job after all waiting jobs. Jobs that have just
 * started, or must keep their size, give nothing. For queue trees with computed shares.
 */
public final class ReclaimingExpansion implements Stage {

  /** The number of failed attempts after which the other jobs wait for the next turn. */
  private static final int MOST_FAILURES = 8;

  private final Placer placer;
  private final NetGains gains;

  /** Makes the stage; {@code placer} places moved jobs. */
  public ReclaimingExpansion(Elasticity rules, Placer placer) {
    this.placer = placer;
    gains = new NetGains(rules);
  }

  @Override
  public void run(Turn turn) {
    JobTable jobs = turn.jobs();
    if (!turn.mayAdjust(Agenda.Rest.ALL)
        || !jobs.quotas().hasQueueTree()
        || jobs.quotas().lendsQuota()) {
      return;
    }
    List<JobEntry> inOrder = new ArrayList<>(jobs.elastic().all());
    inOrder.removeIf(job -> job.size() >= job.job().parallelism().preferred());
    inOrder.sort(JobOrders.TURN);
    int inVain = 0;
    for (JobEntry job : inOrder) {
      if (inVain < MOST_FAILURES && job.isRunning() && jobs.elastic().mayChange(job)) {
        if (enlarge(turn, job)) {
          jobs.agenda().lookAgain();
        } else {
          inVain++;
        }
      }
    }
  }

  private boolean enlarge(Turn turn, JobEntry job) {
    JobTable jobs = turn.jobs();
    Placement has = job.placement().orElseThrow();
    OptionalInt size = job.job().parallelism().next(job.size());
    Optional<RoleCounts> larger =
        size.isEmpty() ? Optional.empty() : has.counts(job.job()).at(size.getAsInt());
    if (larger.isEmpty()) {
      return false;
    }
    JobEntry asking = job.asking(more(job.job(), has, larger.get()));
    if (jobs.quotas().admission().excess(asking).isPresent()
        && !jobs.quotas().admission().isBlockedByParentLimit(asking)) {
      return false;
    }
    Placer beside = new AdditionalTasksPlacer(placer, job.job(), has);
    Optional<EvictionPlan> plan = plan(jobs, asking, beside, job);
    Optional<Placement> to =
        plan.map(made -> AdditionalTasksPlacer.together(job.job(), has, made.placement()));
    Optional<Reason> gain =
        to.filter(place -> turn.delaysNobody(job, place))
            .flatMap(place -> gains.of(job, place, jobs));
    gain.ifPresent(
        why -> {
          MakingWay.carryOut(turn, plan.orElseThrow(), asking);
          turn.resize(job, to.orElseThrow(), why);
        });
    return gain.isPresent();
  }

  private Optional<EvictionPlan> plan(
      JobTable jobs, JobEntry asking, Placer beside, JobEntry growing) {
    Predicate<JobEntry> keepsItsSize = job -> job.equals(growing) || mustKeepItsSize(jobs, job);
    return VictimSearch.forTasks(jobs, placer, beside, keepsItsSize).find(asking)
            instanceof VictimSearch.Result.Found found
        ? Optional.of(found.plan())
        : Optional.empty();
  }

  private static boolean mustKeepItsSize(JobTable jobs, JobEntry job) {
    return jobs.elastic().contains(job) && !jobs.elastic().mayChange(job);
  }

  /** Returns the additional tasks of a larger size as a job of their own. */
  private static JobSpec more(JobSpec job, Placement has, RoleCounts larger) {
    List<TaskRole> roles = new ArrayList<>();
    for (int role = 0; role < job.roles().size(); role++) {
      TaskRole of = job.roles().get(role);
      int more = larger.tasks().get(role) - has.tasksOf(job).get(role);
      if (more > 0) {
        roles.add(of.whole(more));
      }
    }
    JobSpec.Builder tasks = job.toBuilder().roles(roles).groups(List.of());
    return tasks
        .parallelism(Parallelism.fixed(roles.getFirst().count()))
        .communication(Communication.none())
        .topology(TopologyConstraint.NONE)
        .build();
  }
}
