package io.github.liquidscheduler.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.queue.QueueTree;
import io.github.liquidscheduler.scheduler.time.GpuTime;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.PluginFailedException;
import io.github.liquidscheduler.scheduling.Scheduler;
import io.github.liquidscheduler.scheduling.SchedulerSnapshot;
import io.github.liquidscheduler.scheduling.SnapshotSection;
import io.github.liquidscheduler.testkit.ClusterStep;
import io.github.liquidscheduler.testkit.Playback;
import io.github.liquidscheduler.testkit.PresenceLedger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tag;
import net.jqwik.api.lifecycle.AfterProperty;

/**
 * Any set of features on one cluster: no GPU, core or byte has more on it than it has, copies and
 * restored schedulers decide alike, and neither a question nor an event that fails leaves a trace.
 */
class AnyFeaturesLaws {

  /** An operator may ask for what the cluster does not have. */
  private static final List<Class<?>> MAY_BE_REFUSED =
      List.of(ClusterEvent.PlanProposed.class, ClusterEvent.ReservationChanged.class);

  /** The most events that are due between two steps. */
  private static final int MOST_DUE = 4;

  private final ActingFeatures acting = new ActingFeatures();

  @Provide
  Arbitrary<AnyWorld> worlds() {
    return AnyWorld.any();
  }

  @Tag("slow")
  @Property(tries = 500, edgeCases = EdgeCasesMode.NONE)
  void nobodyUsesWhatAnotherHoldsAndRestartsChangeNothing(@ForAll("worlds") AnyWorld world) {
    new Run(world).play();
  }

  /** Pairs that are refused cannot act. */
  @AfterProperty
  void everyFeatureActsBesideEveryOther() {
    acting.requireEach();
  }

  /** A world as it is played. */
  private final class Run {
    private final AnyWorld world;
    private final Fuse fuse = new Fuse();
    private final PresenceLedger books = new PresenceLedger();
    private final Takings takings;
    private final List<Playback.Turn> turns = new ArrayList<>();
    private LiquidScheduler scheduler;
    private Playback playback;

    Run(AnyWorld world) {
      this.world = world;
      takings = new Takings(world.rules());
      scheduler = world.options(world.cluster(), fuse).build();
      playback = new Playback(scheduler, new StalePlans());
      playback.goTo(world.times().start());
    }

    /** Plays all steps; a failure says what happened before. */
    void play() {
      try {
        playSteps();
      } catch (AssertionError | RuntimeException failure) {
        String story =
            turns.stream()
                .map(turn -> "%s%n    %s%n".formatted(turn.event(), turn.decisions()))
                .collect(Collectors.joining());
        throw new AssertionError(
            "%s, %s, form %d:%n%s"
                .formatted(world.features(), scheduler.parameters(), world.variant(), story),
            failure);
      }
    }

    private void playSteps() {
      List<ClusterStep> steps = world.steps();
      for (int step = 0; step < steps.size(); step++) {
        int pick = steps.get(step).pick();
        if (pick % 11 == 7) {
          scheduler = restored(scheduler.snapshot());
          playback = playback.goingOnWith(scheduler);
        }
        var now = playback.now();
        world
            .treeBefore(step)
            .ifPresent(tree -> take(new ClusterEvent.QueuesChanged(now, tree), pick));
        AnyEvents events = new AnyEvents(world, scheduler, playback);
        for (int due = 0; due < MOST_DUE; due++) {
          events.begunBefore(step).ifPresent(event -> take(event, pick));
          events.dueBefore(step).ifPresent(event -> take(event, pick));
        }
        events
            .of(step)
            .map(event -> HoldStep.withHold(world, event, pick))
            .ifPresent(event -> take(event, pick));
      }
    }

    private LiquidScheduler restored(SchedulerSnapshot snapshot) {
      return world.options(scheduler.view().topology(), fuse).restore(snapshot);
    }

    /** Takes an event beside another scheduler, which has seen neither a question nor a failure. */
    private void take(ClusterEvent event, int pick) {
      acting.countEvent();
      turns.add(new Playback.Turn(event, List.of()));
      SchedulerSnapshot before = scheduler.snapshot();
      Scheduler other = other(before);
      Optional<Scheduler> unprotected = unprotected(before);
      KeptReservations reserved = KeptReservations.of(scheduler);
      Optional<Scheduler> withoutPast = withoutPast(before);
      List<Decision> decisions;
      try {
        ask(event, before, pick);
        decisions = decide(event, before, pick);
      } catch (IllegalArgumentException refused) {
        if (!MAY_BE_REFUSED.contains(event.getClass())) {
          throw refused;
        }
        requireSame(before, "a refusal");
        return;
      }
      turns.set(turns.size() - 1, new Playback.Turn(event, decisions));
      requireAlike(other, event, decisions);
      takings.enter(event, decisions);
      if (world.has(Feature.PROTECTION)) {
        takings.requireProtected(event, decisions, books, scheduler);
      }
      books.enter(event, decisions, scheduler);
      boolean goesOn =
          before.now().equals(event.at())
              || scheduler.nextWakeUp().filter(event.at()::equals).isPresent();
      if (world.has(Feature.ADVANCE) && !goesOn) {
        AdvanceReservationLaws.requireNobodyInMaintenance(scheduler, event);
      }
      reserved.require(event, decisions, scheduler);
      requireRest(event, decisions);
      countIfOther(Feature.DECAY, withoutPast, event, decisions);
      countIfOther(Feature.PROTECTION, unprotected, event, decisions);
      world.features().stream()
          .filter(feature -> feature.acted(event, decisions, scheduler))
          .forEach(feature -> acting.count(feature, world.features()));
    }

    private void countIfOther(
        Feature feature,
        Optional<Scheduler> without,
        ClusterEvent event,
        List<Decision> decisions) {
      if (without.filter(twin -> !twin.on(event).equals(decisions)).isPresent()) {
        acting.count(feature, world.features());
      }
    }

    private void requireAlike(Scheduler other, ClusterEvent event, List<Decision> decisions) {
      assertThat(other.on(event)).as("%s", event).isEqualTo(decisions);
      assertThat(other.nextWakeUp()).isEqualTo(scheduler.nextWakeUp());
      if (isTurn(3, 1)) {
        ShortEventLaws.requireAlike(other, scheduler);
      }
    }

    /**
     * Checks what comes next if only time passes, after some events. A start may shorten a promise,
     * and let others start before theirs. Batch mode notices one event late who must not be
     * bypassed. Running jobs move to faster GPUs at any event at which that pays. Shares that
     * follow decayed usage change all the time, as turns do without a quantum. Nothing wakes
     * anybody after the last instant.
     */
    private void requireRest(ClusterEvent event, List<Decision> decisions) {
      boolean isForeseen = !world.has(Feature.FASTER) && !world.has(Feature.WINDOW);
      boolean isSteady = !world.has(Feature.DEADLINES) && !world.has(Feature.DECAY);
      if (isTurn(5, 0) && isForeseen && isSteady) {
        WakeUps.requireNoStartBeforeTheNext(scheduler, event.at());
      }
      boolean comesToRest = !world.times().hasNoQuantum() && !event.at().equals(GpuTime.LATEST);
      if (isTurn(6, 2) && isForeseen && comesToRest) {
        Takings.requireRest(scheduler, event.at(), decisions);
      }
    }

    /** Returns true in one of several events. */
    private boolean isTurn(int several, int which) {
      return turns.size() % several == which;
    }

    /** Returns a copy or a restored scheduler in turns. */
    private Scheduler other(SchedulerSnapshot before) {
      return isTurn(2, 0) ? scheduler.copy() : restored(before);
    }

    /** Returns a scheduler in this state that protects no job, unless nobody would be stopped. */
    private Optional<Scheduler> unprotected(SchedulerSnapshot before) {
      if (!world.has(Feature.PROTECTION)
          || scheduler.waiting().isEmpty()
          || scheduler.view().runningJobs().isEmpty()) {
        return Optional.empty();
      }
      LiquidScheduler.Builder options =
          world.without(Feature.PROTECTION).options(scheduler.view().topology(), fuse);
      SnapshotSection parameters =
          new SnapshotSection(new LinkedHashMap<>(options.build().parameters()));
      return Optional.of(options.restore(with(before, "parameters", parameters)));
    }

    /** Returns a scheduler in this state whose queues have no past. */
    private Optional<Scheduler> withoutPast(SchedulerSnapshot before) {
      if (!world.has(Feature.DECAY) || scheduler.waiting().isEmpty()) {
        return Optional.empty();
      }
      QueueTree tree = scheduler.state().jobs().quotas().tree().orElseThrow();
      QueueTree plain = QueueTree.of(tree.queues()).with(tree.reclaiming());
      return Optional.of(
          restored(with(before, "queues", SnapshotSection.builder().put("tree", plain).build())));
    }

    private static SchedulerSnapshot with(
        SchedulerSnapshot before, String name, SnapshotSection other) {
      Map<String, SnapshotSection> sections = new LinkedHashMap<>(before.sections());
      sections.put(name, other);
      return new SchedulerSnapshot(before.version(), before.now(), sections);
    }

    /** Asks what an event and those after it would lead to, before some events. */
    private void ask(ClusterEvent event, SchedulerSnapshot before, int pick) {
      if (isTurn(3, 0)) {
        arm(pick >> 2);
        blows(() -> scheduler.whatIf(List.of(event), 2));
        requireSame(before, "a question");
      }
    }

    /** Returns what is decided, perhaps after a part threw at some call. */
    private List<Decision> decide(ClusterEvent event, SchedulerSnapshot before, int pick) {
      List<Decision> decisions = new ArrayList<>();
      arm(pick);
      if (blows(() -> decisions.addAll(playback.take(event).decisions()))) {
        requireSame(before, "a failure");
        return playback.take(event).decisions();
      }
      return decisions;
    }

    /** Returns true if a part throws in a call. */
    private boolean blows(Runnable call) {
      try {
        call.run();
        return false;
      } catch (PluginFailedException | ArithmeticException failure) {
        Throwable cause = failure instanceof PluginFailedException ? failure.getCause() : failure;
        assertThat(cause).isInstanceOf(ArithmeticException.class).hasMessage("blown");
        acting.count(Feature.PARTS, world.features());
        return true;
      } finally {
        fuse.disarm();
      }
    }

    /** Has a part throw at some call, in half of the events, if the event comes so far. */
    private void arm(int pick) {
      if (world.has(Feature.PARTS) && pick % 2 == 1) {
        fuse.arm((pick >> 3) % (1 << (pick >> 1) % 8));
      }
    }

    private void requireSame(SchedulerSnapshot before, String what) {
      assertThat(SnapshotDifference.of(scheduler.snapshot(), before)).as("after " + what).isEmpty();
    }
  }
}
