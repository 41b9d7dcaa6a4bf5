package io.github.liquidscheduler.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.scheduler.job.JobEntry;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.testkit.ClusterStep;
import io.github.liquidscheduler.testkit.Playback;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Where each start is reported at once, reports change nothing. */
class ReportedStartsLaws {

  /**
   * Who lets another turn at the same instant decide otherwise: batch mode notices one event late
   * who must not be bypassed, a start may shorten a promise, prefetching looks ahead once in a
   * while, and jobs grow once they have begun. A job that waited for others to leave has just been
   * launched when they have, where it would have run since its start was decided. Running jobs move
   * to faster GPUs at any turn at which that pays. An over-full node opens with the turn after the
   * one in which enough has been left.
   */
  private static final Set<Feature> APART =
      Set.of(
          Feature.LAUNCH,
          Feature.GRACE,
          Feature.FASTER,
          Feature.PARTS,
          Feature.WINDOW,
          Feature.DEADLINES,
          Feature.PREFETCH,
          Feature.SIZES,
          Feature.ADOPT);

  private static final int MOST_TURNS = 100;

  @Provide
  Arbitrary<AnyWorld> worlds() {
    return AnyWorld.any();
  }

  /** Proposed moves are left out: what begins with a plan may not be moved by it. */
  @Property(tries = 500, edgeCases = EdgeCasesMode.NONE)
  void whereEachStartIsReportedAtOnceDecisionsAreAsWithoutReports(
      @ForAll("worlds") AnyWorld drawn) {
    AnyWorld world = plain(drawn);
    Fuse fuse = new Fuse();
    LiquidScheduler scheduler = world.options(world.cluster(), fuse).build();
    LiquidScheduler told = world.options(world.cluster(), fuse).startsReported().build();
    Playback playback = new Playback(scheduler, new StalePlans());
    playback.goTo(world.times().start());
    List<ClusterStep> steps = world.steps();
    for (int step = 0; step < steps.size(); step++) {
      AnyEvents events = new AnyEvents(world, scheduler, playback);
      List<ClusterEvent> all = new ArrayList<>();
      var now = playback.now();
      world.treeBefore(step).ifPresent(tree -> all.add(new ClusterEvent.QueuesChanged(now, tree)));
      events
          .of(step)
          .filter(event -> !(event instanceof ClusterEvent.PlanProposed))
          .ifPresent(all::add);
      all.forEach(event -> takeBoth(event, playback, scheduler, told));
      requireAlike(scheduler, told);
    }
  }

  private static AnyWorld plain(AnyWorld drawn) {
    AnyWorld world = drawn;
    for (Feature feature : Feature.values()) {
      world = APART.contains(feature) ? world.without(feature) : world;
    }
    return world;
  }

  private static void takeBoth(
      ClusterEvent event, Playback plain, LiquidScheduler scheduler, LiquidScheduler told) {
    List<Decision> decisions;
    try {
      decisions = plain.take(event).decisions();
    } catch (IllegalArgumentException refused) {
      return;
    }
    List<Decision> same = new ArrayList<>(told.on(event));
    assertThat(same).as("%s", event).isEqualTo(decisions);
    assertThat(rest(event.at(), told::on, told))
        .as("after %s", event)
        .isEqualTo(rest(event.at(), next -> plain.take(next).decisions(), scheduler));
  }

  /** Returns what is decided until nothing more is due at an instant. */
  private static List<Decision> rest(
      Instant now, Function<ClusterEvent, List<Decision>> turn, LiquidScheduler scheduler) {
    List<Decision> decisions = new ArrayList<>();
    for (int turns = 0; turns < MOST_TURNS; turns++) {
      List<JobId> launching = launching(scheduler);
      boolean isDue = scheduler.nextWakeUp().filter(at -> !at.isAfter(now)).isPresent();
      if (launching.isEmpty() && !isDue) {
        break;
      }
      decisions.addAll(
          turn.apply(
              launching.isEmpty()
                  ? new ClusterEvent.TimePassed(now)
                  : new ClusterEvent.JobStarted(now, launching.getFirst())));
    }
    return decisions;
  }

  private static List<JobId> launching(LiquidScheduler scheduler) {
    return scheduler.state().jobs().running().launching().stream().map(JobEntry::id).toList();
  }

  private static void requireAlike(LiquidScheduler plain, LiquidScheduler told) {
    assertThat(told.nextWakeUp()).isEqualTo(plain.nextWakeUp());
    assertThat(told.waiting()).isEqualTo(plain.waiting());
    for (JobId job : plain.view().runningJobs()) {
      assertThat(told.status(job)).isEqualTo(plain.status(job));
    }
  }
}
