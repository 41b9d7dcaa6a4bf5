package io.github.liquidscheduler.scheduler;

import io.github.liquidscheduler.placement.colocation.AnyCoRunner;
import io.github.liquidscheduler.placement.colocation.Colocation;
import io.github.liquidscheduler.placement.colocation.SharingTrigger;
import io.github.liquidscheduler.resource.Bandwidth;
import io.github.liquidscheduler.scheduler.backfill.BackfillPlan;
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
import java.util.SplittableRandom;

/** What a scheduler may be told to do besides starting jobs in order; a variant gives its form. */
enum Feature {
  TREE,
  /** Queues that have used much of late have a smaller share. */
  DECAY,
  BACKFILL,
  /** Announced reservations of capacity and maintenance. */
  ADVANCE,
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
  /** Users hold jobs and release them. */
  HOLDS,
  BOUNDS,
  /** A policy and a placer of an embedder, which may throw at any call. */
  PARTS,
  /** Jobs begin some time after their starts. */
  LAUNCH,
  /** Jobs run that nobody here has started. */
  ADOPT;

  private static final Duration LEAST_RUN_TIME = Duration.ofSeconds(90);

  /** Returns true if a scheduler refuses two features together. */
  static boolean isRefused(Feature one, Feature other) {
    return (one == WINDOW && other.needsClaims()) || (one.needsClaims() && other == WINDOW);
  }

  private boolean needsClaims() {
    return this == BACKFILL || this == ADVANCE;
  }

  /** Returns features that go together: those drawn, less what is refused, and what these need. */
  static Set<Feature> together(Set<Feature> drawn, int variant) {
    Set<Feature> features = EnumSet.copyOf(drawn);
    if (features.contains(WINDOW) && WINDOW.form(variant, 3) == 0) {
      features.removeIf(Feature::needsClaims);
    } else if (features.stream().anyMatch(Feature::needsClaims)) {
      features.remove(WINDOW);
      features.add(BACKFILL);
    }
    if (features.contains(DECAY)) {
      features.add(TREE);
    }
    return features;
  }

  /** Returns one of several forms of this feature. */
  @SafeVarargs
  final <T> T pick(int variant, T... forms) {
    return forms[form(variant, forms.length)];
  }

  /** Returns the number of a form, which says nothing of the forms of other features. */
  int form(int variant, int forms) {
    int position = List.of(values()).indexOf(this);
    return new SplittableRandom(variant * 31L + position).nextInt(forms);
  }

  /** Returns the rules of pre-emption of these features. */
  static PreemptionRules rules(Set<Feature> features, int variant) {
    ExtremeTimes times = new ExtremeTimes(variant);
    PreemptionRules rules = PreemptionRules.NONE;
    if (features.contains(GRACE)) {
      Duration ordinary = Duration.ofSeconds(GRACE.pick(variant, 7, 20, 60));
      rules = rules.gracePeriod(times.time("grace", ordinary));
    }
    if (features.contains(PROTECTION)) {
      rules = rules.minRunTime(times.time("protection", LEAST_RUN_TIME)).mostPreemptions(2);
    }
    return features.contains(MOVES)
        ? rules
            .moving(3)
            .movePause(times.time("pause of a move", Duration.ZERO))
            .restAfterMove(times.time("rest", Duration.ZERO))
        : rules;
  }

  /**
   * Adds what is no rule of pre-emption to the options of a scheduler.
   *
   * @param placer the placer of jobs that do not share
   */
  static LiquidScheduler.Builder options(
      LiquidScheduler.Builder options, Set<Feature> features, int variant, Placer placer) {
    ExtremeTimes times = new ExtremeTimes(variant);
    options.retries(times.backoff());
    if (!features.contains(SHARING)) {
      options.placer(placer);
    }
    for (Feature feature : features) {
      switch (feature) {
        case TREE, DECAY, ADVANCE, MOVES, GRACE, PROTECTION, HOLDS, PARTS, ADOPT -> {}
        case LAUNCH -> options.startsReported();
        case BACKFILL -> options.backfill(backfill(variant));
        case WINDOW -> options.batch(window(variant));
        case SIZES, DEADLINES -> options.elasticity(elasticity(features, variant));
        case SHARING ->
            options.colocation(
                Colocation.builder(new AnyCoRunner())
                    .base(placer)
                    .trigger(
                        feature.pick(
                            variant,
                            SharingTrigger.aboveUtilization(0.6),
                            SharingTrigger.aboveUtilization(0)))
                    .build());
        case SPEEDS, FASTER -> options.performance(speeds(features, times));
        case PREFETCH ->
            options.prefetch(
                Prefetching.over(Bandwidth.ofGigabytesPerSecond(1))
                    .mostWasted(1)
                    .launch(times.time("launch", Duration.ZERO))
                    .slack(times.time("slack", Duration.ofSeconds(15)))
                    .atMostEvery(times.atLeast("look ahead", Duration.ofSeconds(1)))
                    .build());
        case BOUNDS ->
            options
                .startsPerEvent(feature.pick(variant, 1, 2))
                .searchesPerEvent(feature.pick(variant + 1, 3, 1, 2));
      }
    }
    return options;
  }

  private static Backfill backfill(int variant) {
    ExtremeTimes times = new ExtremeTimes(variant);
    Backfill backfill =
        BACKFILL
            .pick(
                variant,
                Backfill.easy(),
                Backfill.reserving(2),
                Backfill.reserving(4),
                Backfill.conservative())
            .assuming(times.positive("assumed run time", Duration.ofDays(1)));
    return times.patience().map(wait -> backfill.holdingAfter(wait, 1)).orElse(backfill);
  }

  private static BatchWindow window(int variant) {
    ExtremeTimes times = new ExtremeTimes(variant);
    BatchWindow ordinary = BatchWindow.of(times.time("window", Duration.ofSeconds(7)));
    BatchWindow window =
        WINDOW.pick(
            variant,
            BatchWindow.of(Duration.ZERO),
            ordinary.maxJobs(3),
            ordinary.planTimeout(Duration.ofSeconds(20)),
            ordinary.bypassLimit(2));
    return window.planTimeout(times.positive("plan", window.planTimeout()));
  }

  private static Performance speeds(Set<Feature> features, ExtremeTimes times) {
    return features.contains(FASTER)
        ? HeterogeneityLaws.STILL.moving(times.time("pause for speed", Duration.ofSeconds(1)))
        : HeterogeneityLaws.STILL;
  }

  private static Elasticity elasticity(Set<Feature> features, int variant) {
    ExtremeTimes times = new ExtremeTimes(variant);
    Duration coolDown = Duration.ofSeconds(features.contains(SIZES) ? 5 : 100_000);
    Duration pause = times.time("pause of a resize", Duration.ZERO);
    Elasticity.Builder elasticity =
        Elasticity.by(SizingPolicy.marginalGain())
            .coolDown(times.positive("cool-down", coolDown))
            .worthwhile(0)
            .cost(new ResizeCost(pause, pause, pause));
    if (SIZES.form(variant, 2) == 0) {
      elasticity.preemptToGrow();
    }
    if (SIZES.form(variant + 1, 3) == 0 && !features.contains(WINDOW)) {
      elasticity.startSmall();
    }
    return features.contains(DEADLINES)
        ? elasticity.deadlines(DEADLINES.pick(variant, LateJobs.WAIT, LateJobs.REFUSE)).build()
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
      case HOLDS -> event instanceof ClusterEvent.JobReleased && !decisions.isEmpty();
      case LAUNCH -> event instanceof ClusterEvent.JobStarted;
      case ADOPT ->
          event instanceof ClusterEvent.JobAdopted
              && !(decisions.isEmpty() && scheduler.state().failures().overfull().isEmpty());
      case ADVANCE -> hasShown(decisions, scheduler) || isSomebodyKeptOut(scheduler);
      // Seen by a comparison, or by an exception.
      case DECAY, PROTECTION, PARTS -> false;
      default -> hasShown(decisions, scheduler);
    };
  }

  private static boolean isBeyondQuota(JobEntry job, LiquidScheduler scheduler) {
    return scheduler.state().jobs().quotas().admission().excess(job).isPresent();
  }

  /** Returns true if a job could start now, were it not for an announced reservation. */
  private static boolean isSomebodyKeptOut(LiquidScheduler scheduler) {
    BackfillPlan plan = scheduler.state().backfill().orElseThrow();
    return !plan.advance().all().isEmpty()
        && scheduler.state().jobs().eligible().inOrder().stream()
            .flatMap(job -> plan.conflictFor(job).stream())
            .anyMatch(conflict -> conflict.scope().contains("by reservation"));
  }

  private boolean hasShown(List<Decision> decisions, LiquidScheduler scheduler) {
    return decisions.stream().anyMatch(decision -> isShownBy(decision, scheduler));
  }

  private boolean isShownBy(Decision decision, LiquidScheduler scheduler) {
    return switch (this) {
      case TREE -> decision.why() instanceof Reason.Reclaimed;
      case ADVANCE -> decision.why() instanceof Reason.ReservationBegan;
      case WINDOW -> decision instanceof Decision.RequestPlan;
      case SIZES -> decision instanceof Decision.Resize;
      case SHARING ->
          decision instanceof Decision.Start start
              && start.placement().tasks().stream().anyMatch(task -> !task.share().isWhole());
      case MOVES ->
          decision instanceof Decision.Migrate
              && (decision.why() instanceof Reason.MadeWay
                  || decision.why() instanceof Reason.NodeDrained
                  || decision.why() instanceof Reason.ReservationBegan);
      case SPEEDS -> decision.why() instanceof Reason.ScheduledOn;
      case FASTER ->
          decision instanceof Decision.Migrate && decision.why() instanceof Reason.NetGain;
      case DEADLINES ->
          decision.why() instanceof Reason.DeadlineUnmet
              || (decision instanceof Decision.Start start
                  && scheduler.job(start.job()).filter(SharePlan::isPromised).isPresent());
      case PREFETCH -> decision instanceof Decision.Prefetch;
      case GRACE -> decision instanceof Decision.Preempt preempt && preempt.until().isPresent();
      case DECAY, BACKFILL, PROTECTION, HOLDS, BOUNDS, PARTS, LAUNCH, ADOPT -> false;
    };
  }
}
