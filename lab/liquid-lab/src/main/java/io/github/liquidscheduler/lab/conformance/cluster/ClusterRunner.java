package io.github.liquidscheduler.lab.conformance.cluster;

import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.lab.conformance.peer.CaseOutcome;
import io.github.liquidscheduler.lab.conformance.peer.CaseRunner;
import io.github.liquidscheduler.lab.conformance.peer.Facts;
import io.github.liquidscheduler.lab.conformance.peer.PeerCase;
import io.github.liquidscheduler.lab.conformance.peer.Refusal;
import io.github.liquidscheduler.queue.QueueTree;
import io.github.liquidscheduler.queue.Reclaiming;
import io.github.liquidscheduler.scheduler.LiquidScheduler;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.scheduler.policy.PreemptionRules;
import io.github.liquidscheduler.scheduler.policy.SchedulingPolicy;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.JobStatus;
import io.github.liquidscheduler.scheduling.Scheduler;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A cluster with queues and jobs, some of which run: the {@link LiquidScheduler} with a {@link
 * QueueTree}, in immediate mode, by priority.
 *
 * <p>The jobs that run are started first, where they run, and the others submitted; then the queues
 * are set, and whatever follows at once is done. A gang that runs in part counts as stopped: it
 * waits in its place, and what it held is free. Where a case says so, more rounds follow in which
 * nothing happens; what is decided then is told as {@code unrest}. Where only some of a cycle's
 * actions run, the others are switched off: without pre-emption nobody takes room inside a queue,
 * without reclaim nobody takes back anything from other queues, without both and without
 * consolidation nobody moves.
 */
public final class ClusterRunner implements CaseRunner {

  private static final int MOST_ROUNDS = 100;

  @Override
  public CaseOutcome run(PeerCase peerCase) {
    Facts facts = peerCase.facts();
    ClusterFacts cluster = ClusterFacts.of(facts);
    facts.requireDistinct("jobs");
    List<ClusterJob> jobs = facts.each("jobs", job -> ClusterJob.of(job, cluster));
    Map<JobId, Placement> was = new LinkedHashMap<>();
    Map<JobId, Placement> before = new LinkedHashMap<>();
    GpuNumbers numbers = new GpuNumbers();
    Map<String, Object> leaving = new LinkedHashMap<>();
    for (ClusterJob job : jobs) {
      Optional<Placement> place = Refusal.locating("jobs", () -> job.placement(numbers));
      if (job.isLeaving()) {
        place.ifPresent(held -> leaving.putAll(job.nodesOfTasks(held)));
      } else {
        place.ifPresent(held -> was.put(job.id(), held));
        place.filter(held -> job.isWhole()).ifPresent(held -> before.put(job.id(), held));
      }
    }
    List<ClusterJob> left = jobs.stream().filter(job -> !job.isLeaving()).toList();
    Scheduler scheduler = started(facts, cluster, left, before);
    List<String> actions = facts.object("cycle").texts("actions");
    boolean reclaims = actions.contains("reclaim");
    QueueTree queues = cluster.queues();
    QueueTree tree = reclaims ? queues : queues.with(Reclaiming.NEVER);
    List<Decision> decisions =
        SeededScheduler.settleLater(scheduler, tree, actions.contains("allocate"));
    Map<String, Object> result = result(jobs, was, leaving, scheduler);
    int rounds = facts.object("cycle").count("stableRounds", 0);
    if (rounds > MOST_ROUNDS) {
      throw facts.object("cycle").refusal("stableRounds", "must be at most " + MOST_ROUNDS);
    }
    if (rounds > 0) {
      result.put("unrest", new QuietRounds(scheduler, tree).unrest(decisions, rounds));
    }
    return new CaseOutcome.Ran(result);
  }

  /** Returns a scheduler with the jobs, those that run in their places, before any decision. */
  private static Scheduler started(
      Facts facts, ClusterFacts cluster, List<ClusterJob> jobs, Map<JobId, Placement> before) {
    List<String> actions = facts.object("cycle").texts("actions");
    SchedulingPolicy policy =
        actions.contains("preempt")
            ? Policies.priority()
            : new PriorityWithoutPreemption("priority-without-preemption");
    boolean moves = actions.contains("consolidation") || actions.contains("reclaim");
    PreemptionRules rules = PreemptionRules.NONE.moving(moves ? jobs.size() : 0);
    return SeededScheduler.elastic(
        cluster.topology(), policy, rules, submissions(jobs, before), before);
  }

  /** Returns the submissions of the jobs that run, then of the others, older ones first. */
  private static List<ClusterEvent> submissions(
      List<ClusterJob> jobs, Map<JobId, Placement> before) {
    List<ClusterJob> ordered = new ArrayList<>(jobs);
    ordered.sort(
        Comparator.<ClusterJob, Boolean>comparing(job -> !before.containsKey(job.id()))
            .thenComparing(ClusterJob::age, Comparator.reverseOrder()));
    List<ClusterEvent> submissions = new ArrayList<>();
    Instant last = Instant.MIN;
    for (ClusterJob job : ordered) {
      Instant at = SeededScheduler.NOW.minus(job.age());
      last = at.isAfter(last) ? at : last;
      submissions.add(new ClusterEvent.JobSubmitted(last, job.spec()));
    }
    return submissions;
  }

  private static Map<String, Object> result(
      List<ClusterJob> jobs,
      Map<JobId, Placement> before,
      Map<String, Object> leaving,
      Scheduler scheduler) {
    Map<String, Object> running = new LinkedHashMap<>();
    Map<String, Object> tasks = new LinkedHashMap<>(leaving);
    TaskChanges changes = new TaskChanges();
    for (ClusterJob job : jobs) {
      Optional<Placement> after = place(scheduler, job.id());
      Optional<Placement> was = Optional.ofNullable(before.get(job.id()));
      running.put(job.id().value(), (double) after.map(place -> place.tasks().size()).orElse(0));
      after.ifPresent(place -> tasks.putAll(job.nodesOfTasks(place)));
      changes.add(was, after);
    }
    Map<String, Object> result = new LinkedHashMap<>();
    result.put("tasksRunning", running);
    result.put("tasks", tasks);
    result.put("totals", changes.totals());
    return result;
  }

  private static Optional<Placement> place(Scheduler scheduler, JobId job) {
    return scheduler.status(job).flatMap(ClusterRunner::place);
  }

  private static Optional<Placement> place(JobStatus status) {
    return switch (status) {
      case JobStatus.Starting now -> Optional.of(now.placement());
      case JobStatus.Launching now -> Optional.of(now.placement());
      case JobStatus.Running now -> Optional.of(now.placement());
      case JobStatus.Resizing now -> Optional.of(now.next());
      case JobStatus.Moving now -> Optional.of(now.next());
      case JobStatus.Waiting now -> Optional.empty();
      case JobStatus.Stopping now -> Optional.empty();
      case JobStatus.Ended now -> Optional.empty();
    };
  }
}
