package io.github.liquidscheduler.scheduler;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.placement.Placers;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.placement.colocation.Colocation;
import io.github.liquidscheduler.placement.cost.NetworkParameters;
import io.github.liquidscheduler.placement.gang.BestFitPlacer;
import io.github.liquidscheduler.scheduler.adjust.DrainDeadlines;
import io.github.liquidscheduler.scheduler.adjust.InterferenceMitigation;
import io.github.liquidscheduler.scheduler.adjust.NodeEvacuation;
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
import io.github.liquidscheduler.scheduler.elastic.SpeedWatch;
import io.github.liquidscheduler.scheduler.ended.EndedJobs;
import io.github.liquidscheduler.scheduler.eviction.QuotaPlacer;
import io.github.liquidscheduler.scheduler.models.ModelMoves;
import io.github.liquidscheduler.scheduler.models.ModelPlacer;
import io.github.liquidscheduler.scheduler.performance.Performance;
import io.github.liquidscheduler.scheduler.policy.Backfill;
import io.github.liquidscheduler.scheduler.policy.BatchWindow;
import io.github.liquidscheduler.scheduler.policy.Elasticity;
import io.github.liquidscheduler.scheduler.policy.PreemptionRules;
import io.github.liquidscheduler.scheduler.policy.RetryBackoff;
import io.github.liquidscheduler.scheduler.policy.SchedulingPolicy;
import io.github.liquidscheduler.scheduler.prefetch.Prefetching;
import io.github.liquidscheduler.scheduler.queue.JobTable;
import io.github.liquidscheduler.scheduler.speed.JobSpeeds;
import io.github.liquidscheduler.scheduler.start.EventBounds;
import io.github.liquidscheduler.scheduler.start.ReclaimingExpansion;
import io.github.liquidscheduler.scheduler.start.ReservationUpkeep;
import io.github.liquidscheduler.scheduler.start.Start;
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
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/*
 * Idea: the fixed assembly of a scheduler. It wraps the placer once and builds, for a state, the
 *   stages of a turn in their order: admit, adjust running jobs, take in plans, order, start,
 *   grow or move running jobs, request plans, prefetch.
 * Invariants: holds no state of jobs, so a copy of a scheduler shares it; a stage is present only
 *   if its option is set; parameters() names every option that changes a decision.
 * Cost: building the stages is O(stages); done when a scheduler is built or copied, for a what-if
 *   and after a turn that failed. Each stage states its own cost.
 */
/**
 * The options of a scheduler, fixed when it is built: they yield the initial state and the stages
 * of a turn.
 */
final class Pipeline {

  private final SchedulingPolicy policy;
  private final Placer placer;
  private final @Nullable Colocation colocation;
  private final @Nullable BatchWindow batch;
  private final @Nullable Elasticity elasticity;
  private final @Nullable Performance performance;
  private final NetworkParameters network;
  private final RetryBackoff backoff;
  private final PreemptionRules preemption;
  private final @Nullable Backfill backfill;
  private final @Nullable Prefetching prefetching;
  private final boolean startsReported;
  private final Map<String, String> parameters;

  /**
   * Makes a pipeline from the builder's options.
   *
   * @throws IllegalStateException if there is no policy or options exclude each other
   */
  Pipeline(LiquidScheduler.Builder parts) {
    policy = Compatibility.requirePolicy(parts);
    colocation = parts.colocation;
    batch = parts.batch;
    elasticity = parts.elasticity;
    performance = parts.performance;
    network = parts.network;
    backoff = parts.backoff;
    preemption = parts.preemption;
    backfill = parts.backfill;
    prefetching = parts.prefetching;
    startsReported = parts.startsReported;
    Placer sought = sought(parts);
    placer = placer(sought, parts);
    parameters = Collections.unmodifiableMap(parameters(policy, sought, parts));
  }

  /** Returns the configured placer: a co-locating one if jobs share GPUs. */
  private static Placer sought(LiquidScheduler.Builder parts) {
    if (parts.colocation != null) {
      return Placers.colocating(parts.colocation);
    }
    return parts.placer != null ? parts.placer : BestFitPlacer.bestFit();
  }

  private static Placer placer(Placer sought, LiquidScheduler.Builder parts) {
    Placer checked = CheckedPlacer.of(sought);
    return new SizedPlacer(
        parts.prefetching == null || parts.colocation != null
            ? checked
            : new DataPlacer(checked, parts.prefetching.localityGpus()),
        parts.elasticity != null && parts.elasticity.startsSmall());
  }

  private static Map<String, String> parameters(
      SchedulingPolicy policy, Placer sought, LiquidScheduler.Builder parts) {
    Map<String, String> parameters = new TreeMap<>();
    parameters.put("policy", policy.name());
    add(parameters, "policy", policy.parameters());
    if (parts.colocation == null) {
      add(parameters, "placer", sought.parameters());
    } else {
      add(parameters, "colocation", parts.colocation.parameters());
    }
    if (parts.batch != null) {
      add(parameters, "batch", parts.batch.parameters());
    }
    if (parts.elasticity != null) {
      add(parameters, "elasticity", parts.elasticity.parameters());
    }
    if (parts.performance != null) {
      add(parameters, "performance", parts.performance.parameters());
    }
    parameters.put("network", parts.network.toString());
    add(parameters, "backoff", parts.backoff.parameters());
    add(parameters, "preemption", parts.preemption.parameters());
    if (parts.backfill != null) {
      add(parameters, "backfill", parts.backfill.parameters());
    }
    if (parts.prefetching != null) {
      add(parameters, "prefetching", parts.prefetching.parameters());
    }
    if (parts.startsReported) {
      parameters.put("startsReported", "true");
    }
    parameters.putAll(parts.bounds.parameters());
    return parameters;
  }

  private static void add(
      Map<String, String> parameters, String prefix, Map<String, String> values) {
    values.forEach((name, value) -> parameters.put(prefix + "." + name, value));
  }

  /** Returns the initial state, which remembers up to {@code mostEnded} ended jobs. */
  SchedulerState emptyState(ClusterTopology topology, int mostEnded) {
    ClusterState cluster = ClusterState.of(topology, network);
    @Nullable Duration coolDown = elasticity == null ? null : elasticity.coolDown();
    @Nullable JobSpeeds speeds =
        performance == null ? null : new JobSpeeds(performance.predictor());
    JobTable jobs =
        new JobTable(
            cluster,
            policy,
            preemption,
            speeds,
            coolDown,
            new EndedJobs(mostEnded),
            batch != null,
            elasticity != null && elasticity.lateJobs().isPresent(),
            startsReported);
    @Nullable BackfillPlan plan = backfill == null ? null : emptyPlan(jobs);
    @Nullable DataBooks data = prefetching == null ? null : new DataBooks(topology);
    return new SchedulerState(jobs, parameters, colocation, plan, data);
  }

  private BackfillPlan emptyPlan(JobTable jobs) {
    Placer own = placer(jobs);
    return new BackfillPlan(
        Objects.requireNonNull(backfill),
        own,
        job -> QuotaPlacer.of(own, jobs.quotas(), job),
        jobs);
  }

  /** Returns an independent copy of a state. */
  SchedulerState copy(SchedulerState state) {
    return state.copy(backfill == null ? null : this::emptyPlan);
  }

  /** Returns the batch window; null in immediate mode. */
  @Nullable BatchWindow batch() {
    return batch;
  }

  /** Returns the elasticity options; null if sizes are fixed. */
  @Nullable Elasticity elasticity() {
    return elasticity;
  }

  /** Returns, by name, every option that changes decisions. */
  Map<String, String> parameters() {
    return parameters;
  }

  /** Returns the placer for the jobs of a table. */
  Placer placer(JobTable jobs) {
    return jobs.speeds()
        .<Placer>map(speeds -> new ModelPlacer(placer, speeds, jobs))
        .orElse(placer);
  }

  /** Returns what empties nodes by a deadline. */
  NodeEvacuation evacuation(Placer own) {
    return new NodeEvacuation(Optional.ofNullable(elasticity), own);
  }

  /** Returns the feasibility check against the cluster of a state. */
  Feasibility feasibility(SchedulerState state) {
    return new Feasibility(state.cluster(), placer(state.jobs()));
  }

  /**
   * Returns the stages of a turn, in order, for a state.
   *
   * @param feasibility the feasibility check for its cluster
   * @param bounds the limits of the work per event
   */
  List<Stage> stages(SchedulerState state, Feasibility feasibility, EventBounds bounds) {
    List<Stage> stages = new ArrayList<>();
    Placer own = placer(state.jobs());
    addChecks(stages, state, feasibility);
    addAdjustments(stages, own);
    addStarts(stages, own, bounds, state.jobs());
    return List.copyOf(stages);
  }

  /** Adds what applies the event. */
  private void addChecks(List<Stage> stages, SchedulerState state, Feasibility feasibility) {
    @Nullable DeadlineAdmission deadlines = deadlines(state);
    stages.add(new Admit(state, feasibility, backoff, deadlines));
    if (deadlines != null) {
      stages.add(new EarlierStarts(deadlines));
    }
    if (batch != null) {
      stages.add(new PlanTimeout(batch));
    }
    if (elasticity != null && elasticity.drift() < Double.POSITIVE_INFINITY) {
      stages.add(new SpeedWatch(elasticity));
    }
  }

  /** Adds what changes running jobs for the event, and ranks and releases waiting ones. */
  private void addAdjustments(List<Stage> stages, Placer own) {
    NodeEvacuation evacuation = evacuation(own);
    stages.add(new DrainDeadlines(evacuation));
    if (backfill != null) {
      stages.add(new ReservationBegins(evacuation));
    }
    if (colocation != null) {
      stages.add(new InterferenceMitigation(colocation, own));
    }
    stages.add(new PlanRelocations(own));
    stages.add(new PlanIntake(batch == null ? 0 : batch.bypassLimit()));
    stages.add(new Order());
    if (batch != null) {
      stages.add(new Eligibility());
    }
  }

  /** Adds what starts jobs, gives running ones what nobody waits for, and looks ahead. */
  private void addStarts(List<Stage> stages, Placer own, EventBounds bounds, JobTable jobs) {
    Stage start = new Start(own, Optional.ofNullable(elasticity), bounds, jobs);
    stages.add(start);
    if (elasticity != null) {
      if (elasticity.profiles() || elasticity.drift() < Double.POSITIVE_INFINITY) {
        stages.add(new Profiling(elasticity));
      }
      stages.add(new Expansion(elasticity, own));
      if (elasticity.preemptsToGrow()) {
        stages.add(new ReclaimingExpansion(elasticity, own));
      }
    }
    if (performance != null && performance.pause().isPresent()) {
      stages.add(new ModelMoves(performance, placer, start));
    }
    if (backfill != null) {
      stages.add(new ReservationUpkeep());
    }
    if (batch != null) {
      stages.add(new PlanRequests(batch));
    }
    if (prefetching != null) {
      stages.add(new PrefetchStage(prefetching, own));
    }
  }

  private @Nullable DeadlineAdmission deadlines(SchedulerState state) {
    return elasticity == null
        ? null
        : elasticity
            .lateJobs()
            .map(late -> new DeadlineAdmission(state.jobs(), elasticity, late))
            .orElse(null);
  }
}
