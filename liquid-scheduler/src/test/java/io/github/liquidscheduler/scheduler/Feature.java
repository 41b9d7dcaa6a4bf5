package io.github.liquidscheduler.scheduler;

import io.github.liquidscheduler.placement.colocation.AnyCoRunner;
import io.github.liquidscheduler.placement.colocation.Colocation;
import io.github.liquidscheduler.placement.colocation.SharingTrigger;
import io.github.liquidscheduler.resource.Bandwidth;
import io.github.liquidscheduler.scheduler.deadline.SharePlan;
import io.github.liquidscheduler.scheduler.job.JobEntry;
import io.github.liquidscheduler.scheduler.performance.Performance;
import io.github.liquidscheduler.scheduler.policy.Backfill;
import io.github.liquidscheduler.scheduler.policy.BatchWindow;
import io.github.liquidscheduler.scheduler.policy.Elasticity;
import io.github.liquidscheduler.scheduler.policy.Elasticity.LateJobs;
import io.github.liquidscheduler.scheduler.policy.PreemptionRules;
import io.github.liquidscheduler.scheduler.policy.ResizeCost;
import io.github.liquidscheduler.scheduler.policy.SizingPolicy;
import io.github.liquidscheduler.scheduler.prefetch.Prefetching;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.Placer;
import io.github.liquidscheduler.scheduling.Reason;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** What a scheduler may be told to do besides starting jobs in order; a variant gives its form. */
enum Feature {
  TREE,
  BACKFILL,
  WINDOW,
  SIZES,
  SHARING,
  MOVES,
  SPEEDS,
  FASTER,
  DEADLINES,
  PREFETCH,
  GRACE,
  PROTECTION,
  BOUNDS,
  /** A policy and a placer of an embedder, which may throw at any call. */
  PARTS;

  /** The time for which running jobs are protected. */
  static final Duration LEAST_RUN_TIME = Duration.ofSeconds(90);

  /** How often a protected job may be stopped. */
  static final int MOST_STOPS = 2;

  /** Returns true if a scheduler refuses two features together. */
  static boolean isRefused(Feature one, Feature other) {
    return EnumSet.of(one, other).equals(EnumSet.of(BACKFILL, WINDOW));
  }

  /** Returns one of several forms. */
  @SafeVarargs
  static <T> T pick(int variant, T... forms) {
    return forms[variant % forms.length];
  }

  /** Returns the rules of pre-emption of these features. */
  static PreemptionRules rules(Set<Feature> features, int variant) {
    PreemptionRules rules = PreemptionRules.NONE;
    if (features.contains(GRACE)) {
      rules = rules.gracePeriod(Duration.ofSeconds(pick(variant, 7, 20, 60)));
    }
    if (features.contains(PROTECTION)) {
      rules = rules.minRunTime(LEAST_RUN_TIME).mostPreemptions(MOST_STOPS);
    }
    return features.contains(MOVES) ? rules.moving(3) : rules;
  }

  /**
   * Adds what is no rule of pre-emption to the options of a scheduler.
   *
   * @param placer the placer of jobs that do not share
   */
  static LiquidScheduler.Builder options(
      LiquidScheduler.Builder options, Set<Feature> features, int variant, Placer placer) {
    if (!features.contains(SHARING)) {
      options.placer(placer);
    }
    for (Feature feature : features) {
      switch (feature) {
        case TREE, MOVES, GRACE, PROTECTION, PARTS -> {}
        case BACKFILL ->
            options.backfill(
                pick(
                    variant,
                    Backfill.easy(),
                    Backfill.reserving(2),
                    Backfill.reserving(4),
                    Backfill.conservative()));
        case WINDOW ->
            options.batch(
                pick(
                    variant,
                    BatchWindow.of(Duration.ZERO),
                    BatchWindow.of(Duration.ofSeconds(7)).maxJobs(3),
                    BatchWindow.of(Duration.ofSeconds(7)).planTimeout(Duration.ofSeconds(20)),
                    BatchWindow.of(Duration.ofSeconds(7)).bypassLimit(2)));
        case SIZES, DEADLINES -> options.elasticity(elasticity(features, variant));
        case SHARING ->
            options.colocation(
                Colocation.builder(new AnyCoRunner())
                    .base(placer)
                    .trigger(
                        pick(
                            variant,
                            SharingTrigger.aboveUtilization(0.6),
                            SharingTrigger.aboveUtilization(0)))
                    .build());
        case SPEEDS, FASTER -> options.performance(speeds(features));
        case PREFETCH ->
            options.prefetch(
                Prefetching.over(Bandwidth.ofGigabytesPerSecond(1)).mostWasted(1).build());
        case BOUNDS ->
            options.startsPerEvent(pick(variant, 1, 2)).searchesPerEvent(pick(variant, 3, 1, 2));
      }
    }
    return options;
  }

  private static Performance speeds(Set<Feature> features) {
    return features.contains(FASTER) ? HeterogeneityLaws.MOVING : HeterogeneityLaws.STILL;
  }

  private static Elasticity elasticity(Set<Feature> features, int variant) {
    Elasticity.Builder elasticity =
        Elasticity.by(SizingPolicy.marginalGain())
            .coolDown(Duration.ofSeconds(features.contains(SIZES) ? 5 : 100_000))
            .worthwhile(0)
            .cost(ResizeCost.NONE);
    if (variant % 2 == 0) {
      elasticity.preemptToGrow();
    }
    if (variant % 3 == 0 && !features.contains(WINDOW)) {
      elasticity.startSmall();
    }
    return features.contains(DEADLINES)
        ? elasticity.deadlines(pick(variant, LateJobs.WAIT, LateJobs.REFUSE)).build()
        : elasticity.build();
  }

  /** Returns true if decisions, or what is reserved or has to wait, show this at work. */
  boolean acted(ClusterEvent event, List<Decision> decisions, LiquidScheduler scheduler) {
    return switch (this) {
      case TREE ->
          hasShown(decisions, scheduler)
              || scheduler.state().jobs().allWaiting().stream()
                  .anyMatch(job -> isBeyondQuota(job, scheduler));
      case FASTER ->
          !(event instanceof ClusterEvent.PlanProposed) && hasShown(decisions, scheduler);
      case BACKFILL ->
          scheduler.state().backfill().filter(plan -> !plan.reservations().isEmpty()).isPresent();
      case BOUNDS ->
          scheduler.nextWakeUp().filter(scheduler.state().jobs().now()::equals).isPresent();
      // Seen by a comparison, or by an exception.
      case PROTECTION, PARTS -> false;
      default -> hasShown(decisions, scheduler);
    };
  }

  private static boolean isBeyondQuota(JobEntry job, LiquidScheduler scheduler) {
    return scheduler.state().jobs().quotas().admission().excess(job).isPresent();
  }

  private boolean hasShown(List<Decision> decisions, LiquidScheduler scheduler) {
    return decisions.stream().anyMatch(decision -> isShownBy(decision, scheduler));
  }

  private boolean isShownBy(Decision decision, LiquidScheduler scheduler) {
    return switch (this) {
      case TREE -> decision.why() instanceof Reason.Reclaimed;
      case WINDOW -> decision instanceof Decision.RequestPlan;
      case SIZES -> decision instanceof Decision.Resize;
      case SHARING ->
          decision instanceof Decision.Start start
              && start.placement().tasks().stream().anyMatch(task -> !task.share().isWhole());
      case MOVES ->
          decision instanceof Decision.Migrate && decision.why() instanceof Reason.MadeWay;
      case SPEEDS -> decision.why() instanceof Reason.ScheduledOn;
      case FASTER ->
          decision instanceof Decision.Migrate && decision.why() instanceof Reason.NetGain;
      case DEADLINES ->
          decision.why() instanceof Reason.DeadlineUnmet
              || (decision instanceof Decision.Start start
                  && scheduler.job(start.job()).filter(SharePlan::isPromised).isPresent());
      case PREFETCH -> decision instanceof Decision.Prefetch;
      case GRACE -> decision instanceof Decision.Preempt preempt && preempt.until().isPresent();
      case BACKFILL, PROTECTION, BOUNDS, PARTS -> false;
    };
  }
}
