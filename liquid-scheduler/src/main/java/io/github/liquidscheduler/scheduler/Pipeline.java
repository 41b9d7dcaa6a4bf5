package io.github.liquidscheduler.scheduler;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.placement.Placers;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.placement.colocation.Colocation;
import io.github.liquidscheduler.placement.cost.NetworkParameters;
import io.github.liquidscheduler.placement.gang.BestFitPlacer;
import io.github.liquidscheduler.scheduler.adjust.Adjust;
import io.github.liquidscheduler.scheduler.adjust.Adjuster;
import io.github.liquidscheduler.scheduler.adjust.DrainDeadlines;
import io.github.liquidscheduler.scheduler.adjust.InterferenceMitigation;
import io.github.liquidscheduler.scheduler.adjust.PlanRelocations;
import io.github.liquidscheduler.scheduler.adjust.ReservationBegins;
import io.github.liquidscheduler.scheduler.admit.Admit;
import io.github.liquidscheduler.scheduler.admit.Feasibility;
import io.github.liquidscheduler.scheduler.backfill.BackfillPlan;
import io.github.liquidscheduler.scheduler.data.DataBooks;
import io.github.liquidscheduler.scheduler.data.DataPlacer;
import io.github.liquidscheduler.scheduler.deadline.DeadlineAdmission;
import io.github.liquidscheduler.scheduler.deadline.EarlierStarts;
import io.github.liquidscheduler.scheduler.elastic.Expansion;
import io.github.liquidscheduler.scheduler.elastic.Profiling;
import io.github.liquidscheduler.scheduler.models.ModelMoves;
import io.github.liquidscheduler.scheduler.models.ModelPlacer;
import io.github.liquidscheduler.scheduler.performance.Performance;
import io.github.liquidscheduler.scheduler.policy.Backfill;
import io.github.liquidscheduler.scheduler.policy.BatchWindow;
import io.github.liquidscheduler.scheduler.policy.Elasticity;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.scheduler.policy.PreemptionRules;
import io.github.liquidscheduler.scheduler.policy.RetryBackoff;
import io.github.liquidscheduler.scheduler.policy.SchedulingPolicy;
import io.github.liquidscheduler.scheduler.prefetch.Prefetching;
import io.github.liquidscheduler.scheduler.queue.JobTable;
import io.github.liquidscheduler.scheduler.speed.JobSpeeds;
import io.github.liquidscheduler.scheduler.start.BackfillStart;
import io.github.liquidscheduler.scheduler.start.EventBounds;
import io.github.liquidscheduler.scheduler.start.Start;
import io.github.liquidscheduler.scheduler.start.TakenRoom;
import io.github.liquidscheduler.scheduler.state.SchedulerState;
import io.github.liquidscheduler.scheduler.transfer.PrefetchStage;
import io.github.liquidscheduler.scheduler.turn.Stage;
import io.github.liquidscheduler.scheduler.window.Eligibility;
import io.github.liquidscheduler.scheduler.window.PlanIntake;
import io.github.liquidscheduler.scheduler.window.PlanRequests;
import io.github.liquidscheduler.scheduler.window.PlanTimeout;
import io.github.liquidscheduler.scheduling.Placer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What a scheduler is made of, fixed when it is built: the stages of a turn and the state they
 * begin with.
 *
 * @param policy who goes first
 * @param placer who finds placements
 * @param colocation how jobs share GPUs, if they do; the placer is then one that does so
 * @param batch the batch window, in batch mode
 * @param elasticity how running jobs change their sizes, if they do
 * @param performance how fast jobs are on each GPU model, if they are not as fast on all
 * @param network how well links keep what they promise
 * @param backoff how long jobs wait that have failed
 * @param preemption what protects running jobs, and how they stop
 * @param bounds how much one event does at most
 * @param backfill who holds reservations, if anybody does
 * @param prefetching what is brought where before jobs start, if anything is
 * @param parameters all that decides how a scheduler goes on from a given state, by name
 */
record Pipeline(
    SchedulingPolicy policy,
    Placer placer,
    @Nullable Colocation colocation,
    @Nullable BatchWindow batch,
    @Nullable Elasticity elasticity,
    @Nullable Performance performance,
    NetworkParameters network,
    RetryBackoff backoff,
    PreemptionRules preemption,
    EventBounds bounds,
    @Nullable Backfill backfill,
    @Nullable Prefetching prefetching,
    Map<String, String> parameters) {

  /**
   * Returns a pipeline of these parts.
   *
   * @throws IllegalStateException if there is no policy, or parts exclude each other
   */
  static Pipeline of(
      @Nullable SchedulingPolicy policy,
      @Nullable Placer placer,
      @Nullable Colocation colocation,
      @Nullable BatchWindow batch,
      @Nullable Elasticity elasticity,
      @Nullable Performance performance,
      NetworkParameters network,
      RetryBackoff backoff,
      PreemptionRules preemption,
      EventBounds bounds,
      @Nullable Backfill backfill,
      @Nullable Prefetching prefetching) {
    if (policy == null) {
      throw new IllegalStateException(
          "a scheduler needs a policy, but none was set. Use policy(Policies.fifo())");
    }
    if (policy.preempts() && policy.queueOrder().isPresent()) {
      throw new IllegalStateException(
          "a policy that pre-empts must not order queues, but '%s' does both"
              .formatted(policy.name()));
    }
    if ((batch != null || elasticity != null) && bounds.areAny()) {
      throw new IllegalStateException(
          "in batch mode, and where jobs change their sizes, an event decides everything, but was"
              + " bounded: %s".formatted(bounds.parameters()));
    }
    if (batch != null && elasticity != null && elasticity.startsSmall()) {
      throw new IllegalStateException(
          "jobs that start at their smallest sizes are not supported yet together with batch mode");
    }
    if (elasticity != null && elasticity.lateJobs().isPresent()) {
      requireDeadlines(policy, batch, preemption);
    }
    if (backfill != null
        && (policy.preempts()
            || policy.queueOrder().isPresent()
            || batch != null
            || elasticity != null
            || colocation != null
            || bounds.areAny())) {
      throw new IllegalStateException(
          "backfill needs a policy that neither pre-empts nor orders queues, such as"
              + " Policies.fifo(), and is not supported yet together with batch mode, elasticity,"
              + " co-location or startsPerEvent, but the policy was '%s'".formatted(policy.name()));
    }
    if (preemption.mostMoves() > 0 && (batch != null || colocation != null || backfill != null)) {
      throw new IllegalStateException(
          "running jobs are not moved for others together with batch mode, co-location or backfill"
              + " yet, but were to be, %d at most".formatted(preemption.mostMoves()));
    }
    if (performance != null && elasticity != null && elasticity.lateJobs().isPresent()) {
      throw new IllegalStateException(
          "deadlines are promised as if all GPUs were alike, which is not supported yet together"
              + " with speeds by GPU model, but both were set");
    }
    if (performance != null
        && performance.pause().isPresent()
        && (batch != null || colocation != null || backfill != null || bounds.areAny())) {
      throw new IllegalStateException(
          "running jobs do not move to faster GPUs together with batch mode, co-location, backfill"
              + " or startsPerEvent yet, but were to");
    }
    if (placer != null && colocation != null) {
      throw new IllegalStateException(
          "a scheduler has either a placer or co-location, but was given both. Use"
              + " Colocation.builder(…).base(placer)");
    }
    Placer sought =
        colocation != null
            ? Placers.colocating(colocation)
            : placer != null ? placer : BestFitPlacer.bestFit();
    Map<String, String> parameters = new TreeMap<>();
    parameters.put("policy", policy.name());
    add(parameters, "policy", policy.parameters());
    if (colocation == null) {
      add(parameters, "placer", sought.parameters());
    } else {
      add(parameters, "colocation", colocation.parameters());
    }
    if (batch != null) {
      add(parameters, "batch", batch.parameters());
    }
    if (elasticity != null) {
      add(parameters, "elasticity", elasticity.parameters());
    }
    if (performance != null) {
      add(parameters, "performance", performance.parameters());
    }
    parameters.put("network", network.toString());
    add(parameters, "backoff", backoff.parameters());
    add(parameters, "preemption", preemption.parameters());
    if (backfill != null) {
      add(parameters, "backfill", backfill.parameters());
    }
    if (prefetching != null) {
      add(parameters, "prefetching", prefetching.parameters());
    }
    parameters.putAll(bounds.parameters());
    return new Pipeline(
        policy,
        new SizedPlacer(
            prefetching == null || colocation != null
                ? CheckedPlacer.of(sought)
                : new DataPlacer(CheckedPlacer.of(sought), prefetching.localityGpus()),
            elasticity != null && elasticity.startsSmall()),
        colocation,
        batch,
        elasticity,
        performance,
        network,
        backoff,
        preemption,
        bounds,
        backfill,
        prefetching,
        Collections.unmodifiableMap(parameters));
  }

  private static void requireDeadlines(
      SchedulingPolicy policy, @Nullable BatchWindow batch, PreemptionRules preemption) {
    if (!policy.name().equals(Policies.deadlineFirst().name())
        || batch != null
        || preemption.mostPreemptions() < Integer.MAX_VALUE) {
      throw new IllegalStateException(
          "where deadlines are heeded, the policy must be Policies.deadlineFirst(), jobs may be"
              + " pre-empted as often as needed, and batch mode is not supported yet, but the"
              + " policy was '%s'".formatted(policy.name()));
    }
  }

  private static void add(
      Map<String, String> parameters, String prefix, Map<String, String> values) {
    values.forEach((name, value) -> parameters.put(prefix + "." + name, value));
  }

  /** Returns the state of a scheduler that has seen no event, and remembers so many ended jobs. */
  SchedulerState emptyState(ClusterTopology topology, int mostEnded) {
    ClusterState cluster = ClusterState.of(topology, network);
    @Nullable Duration coolDown = elasticity == null ? null : elasticity.coolDown();
    @Nullable JobSpeeds speeds =
        performance == null ? null : new JobSpeeds(performance.predictor());
    JobTable jobs =
        new JobTable(cluster, policy, preemption, speeds, coolDown, mostEnded, batch != null);
    @Nullable BackfillPlan plan =
        backfill == null ? null : new BackfillPlan(backfill, this::placer, jobs);
    @Nullable DataBooks data = prefetching == null ? null : new DataBooks(topology);
    return new SchedulerState(jobs, parameters, colocation, plan, data);
  }

  /** Returns the same, but that one event does all there is to do. */
  Pipeline unbounded() {
    return bounds.areAny()
        ? new Pipeline(
            policy,
            placer,
            colocation,
            batch,
            elasticity,
            performance,
            network,
            backoff,
            preemption,
            EventBounds.NONE,
            backfill,
            prefetching,
            parameters)
        : this;
  }

  /** Returns what finds placements for the jobs of a table. */
  Placer placer(JobTable jobs) {
    return jobs.speeds()
        .<Placer>map(speeds -> new ModelPlacer(placer, speeds, jobs))
        .orElse(placer);
  }

  /** Returns the stages of each turn, for a state. */
  List<Stage> stages(SchedulerState state) {
    List<Stage> stages = new ArrayList<>();
    Placer placer = placer(state.jobs());
    @Nullable DeadlineAdmission deadlines = deadlines(state);
    Feasibility feasibility = new Feasibility(state.cluster().topology(), placer);
    stages.add(new Admit(state, feasibility, backoff, deadlines));
    if (deadlines != null) {
      stages.add(new EarlierStarts(deadlines));
    }
    if (batch != null) {
      stages.add(new PlanTimeout(batch));
    }
    stages.add(new Adjust(adjusters(placer)));
    stages.add(new PlanIntake(batch == null ? 0 : batch.bypassLimit()));
    stages.add(new Order());
    if (batch != null) {
      stages.add(new Eligibility());
    }
    Stage start =
        backfill == null
            ? new Start(placer, Optional.ofNullable(elasticity), bounds)
            : new BackfillStart();
    stages.add(start);
    if (elasticity != null) {
      if (elasticity.profiles() || elasticity.drift() < Double.POSITIVE_INFINITY) {
        stages.add(new Profiling(elasticity));
      }
      stages.add(new Expansion(elasticity, placer));
      if (elasticity.takesRoom()) {
        stages.add(new TakenRoom(elasticity, placer));
      }
    }
    if (performance != null && performance.pause().isPresent()) {
      stages.add(new ModelMoves(performance, this.placer, start));
    }
    if (batch != null) {
      stages.add(new PlanRequests(batch));
    }
    if (prefetching != null) {
      stages.add(new PrefetchStage(prefetching, placer));
    }
    return List.copyOf(stages);
  }

  private @Nullable DeadlineAdmission deadlines(SchedulerState state) {
    return elasticity == null
        ? null
        : elasticity
            .lateJobs()
            .map(late -> new DeadlineAdmission(state.jobs(), elasticity, late))
            .orElse(null);
  }

  private List<Adjuster> adjusters(Placer placer) {
    List<Adjuster> adjusters = new ArrayList<>();
    adjusters.add(new DrainDeadlines());
    if (backfill != null) {
      adjusters.add(new ReservationBegins());
    }
    if (colocation != null) {
      adjusters.add(new InterferenceMitigation(colocation, placer));
    }
    adjusters.add(new PlanRelocations(placer));
    return adjusters;
  }
}
