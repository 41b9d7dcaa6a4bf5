package io.github.liquidscheduler.scheduler.order;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.queue.Reclaiming;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.Consumer;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Jobs do not stop each other in turns, and the owner of a guarantee gets it. */
class MutualTakingLaws {

  private static final int STEPS = 150;

  @Provide
  Arbitrary<TakingWorld.Draft> worlds() {
    return TakingWorld.drafts(1);
  }

  @Provide
  Arbitrary<TakingWorld.Draft> mixedWorlds() {
    return TakingWorld.drafts(2);
  }

  /** Starts and takes at random; shows each allowed taking before it is made. */
  private static void play(
      TakingWorld world, long seed, Consumer<Taking> allowed, Runnable afterwards) {
    Random random = new Random(seed);
    for (int step = 0; step < STEPS; step++) {
      world.pass();
      List<TakingUnit> startable = world.startable();
      if (startable.isEmpty()) {
        return;
      }
      TakingUnit winner = startable.get(random.nextInt(startable.size()));
      if (winner.amounts().isAtMost(world.free())) {
        world.start(winner);
        afterwards.run();
        continue;
      }
      Optional<Taking> taking = anyAllowed(world, winner, random);
      if (taking.isPresent()) {
        allowed.accept(taking.get());
        world.apply(taking.get());
        afterwards.run();
      }
    }
  }

  private static Optional<Taking> anyAllowed(TakingWorld world, TakingUnit winner, Random random) {
    for (int attempt = 0; attempt < 4; attempt++) {
      Taking taking = world.anyTaking(winner, random);
      if (world.fitsAfter(taking) && world.rulesNow().allows(taking)) {
        return Optional.of(taking);
      }
    }
    return Optional.empty();
  }

  private static void requireNoReturn(TakingWorld.Draft draft, long seed) {
    TakingWorld world = new TakingWorld(draft);
    Set<List<String>> seen = new HashSet<>();
    List<List<String>> states = new ArrayList<>();
    play(
        world,
        seed,
        taking -> {},
        () -> {
          states.add(world.state());
          assertThat(seen.add(world.state())).as("%s", states).isTrue();
        });
  }

  @Property(edgeCases = EdgeCasesMode.NONE)
  void noSequenceOfTakingsReturnsToAnEarlierState(
      @ForAll("worlds") TakingWorld.Draft draft, @ForAll long seed) {
    requireNoReturn(draft, seed);
  }

  @Property(edgeCases = EdgeCasesMode.NONE)
  void noSequenceReturnsWhereSeveralResourcesAreShortInTurns(
      @ForAll("mixedWorlds") TakingWorld.Draft draft, @ForAll long seed) {
    requireNoReturn(draft, seed);
  }

  @Property(edgeCases = EdgeCasesMode.NONE)
  void theMeasureFallsWithEachTakingAndRisesWithNoStart(
      @ForAll("worlds") TakingWorld.Draft draft, @ForAll long seed) {
    TakingWorld world = new TakingWorld(draft);
    ScarceResources gpus = TakingWorld.shortage(1);
    List<TakingMeasure> measures = new ArrayList<>(List.of(world.measure(gpus)));
    List<Taking> takings = new ArrayList<>();

    play(
        world,
        seed,
        takings::add,
        () -> {
          TakingMeasure last = measures.getLast();
          TakingMeasure next = world.measure(gpus);
          assertThat(last.isLowerThan(next)).isFalse();
          assertThat(takings.isEmpty() || next.isLowerThan(last)).isTrue();
          assertThat(takings.isEmpty() || next.isLowerThan(measures.getFirst())).isTrue();
          takings.clear();
          measures.add(next);
        });
  }

  @Property(edgeCases = EdgeCasesMode.NONE)
  void whoWasStoppedMayNotStopTheWinnerWhateverIsShort(
      @ForAll("mixedWorlds") TakingWorld.Draft draft, @ForAll long seed) {
    TakingWorld world = new TakingWorld(draft);
    List<Taking> takings = new ArrayList<>();

    play(
        world,
        seed,
        takings::add,
        () -> {
          for (Taking taking : takings) {
            requireNoWayBack(world, taking);
          }
          takings.clear();
        });
  }

  private static void requireNoWayBack(TakingWorld world, Taking made) {
    world.pass();
    Amounts free = world.free();
    for (TakingUnit victim : made.taken()) {
      if (made.taken().stream().anyMatch(victim::isBehind)) {
        continue;
      }
      ScarceResources shortage = ScarceResources.of(victim.amounts(), free);
      Taking back = new Taking(victim, List.of(made.winner()), List.of(), shortage);
      assertThat(world.rulesNow().allows(back)).as("%s after %s", back, made).isFalse();
    }
  }

  @Property(edgeCases = EdgeCasesMode.NONE)
  void aGuaranteeOfWhatIsNotShortProtectsNobody(
      @ForAll("mixedWorlds") TakingWorld.Draft draft, @ForAll long seed) {
    TakingWorld world = new TakingWorld(draft);

    play(
        world,
        seed,
        taking -> {
          if (taking.shortage().equals(TakingWorld.shortage(1))) {
            world.leaves().forEach(leaf -> leaf.withGuarantee(leaf.guaranteed(0), 99));
            assertThat(world.rulesNow().allows(taking)).as("%s", taking).isTrue();
          }
        },
        () -> {});
  }

  /** Where all may be stopped, guarantees fit the cluster, and queues have one level. */
  @Property(edgeCases = EdgeCasesMode.NONE)
  void theOwnerOfAGuaranteeGetsItFromBorrowers(
      @ForAll("worlds") TakingWorld.Draft any, @ForAll long seed) {
    TakingWorld world = new TakingWorld(plain(any));
    play(world, seed, taking -> {}, () -> {});
    world.pass();

    for (TakingUnit winner : world.startable()) {
      QueueSums sums = new QueueSums(world.running());
      boolean isOwed =
          winner.isOrdinary()
              && winner.part() == 0
              && winner.amounts().get(0)
                  <= winner.queue().guaranteed(0) - sums.held(winner.queue(), 0);
      if (isOwed && !winner.amounts().isAtMost(world.free())) {
        Taking taking = world.taking(winner, borrowed(world, winner));
        assertThat(world.fitsAfter(taking)).as("%s", taking).isTrue();
        assertThat(world.rulesNow().allows(taking)).as("%s", taking).isTrue();
      }
    }
  }

  private static TakingWorld.Draft plain(TakingWorld.Draft any) {
    int guaranteed = any.queues().stream().mapToInt(queue -> queue.guaranteed().getFirst()).sum();
    return new TakingWorld.Draft(
        any.queues(),
        false,
        any.jobs().stream()
            .map(
                job ->
                    new TakingWorld.JobDraft(
                        job.leaf(),
                        job.rank(),
                        job.least(),
                        job.tasks(),
                        job.surplus(),
                        job.isOpportunistic(),
                        true))
            .toList(),
        List.of(Math.max(1, guaranteed)),
        new TakingRules(
            any.rules().form() == Reclaiming.NEVER
                ? Reclaiming.COMPUTED_SHARES
                : any.rules().form(),
            any.rules().ranks()));
  }

  /** Returns what others hold beyond their entitlement, surplus and opportunistic units first. */
  private static List<TakingUnit> borrowed(TakingWorld world, TakingUnit winner) {
    List<TakingUnit> order = new ArrayList<>();
    for (TakingUnit.Kind kind :
        List.of(TakingUnit.Kind.SURPLUS, TakingUnit.Kind.OPPORTUNISTIC, TakingUnit.Kind.ORDINARY)) {
      world.running().stream()
          .filter(unit -> unit.kind() == kind)
          .filter(unit -> kind != TakingUnit.Kind.ORDINARY || isBorrowed(world, unit))
          .filter(unit -> kind != TakingUnit.Kind.ORDINARY || unit.queue() != winner.queue())
          .sorted(Comparator.comparingInt(TakingUnit::part).reversed())
          .forEach(order::add);
    }
    return order;
  }

  private static boolean isBorrowed(TakingWorld world, TakingUnit unit) {
    return world.measure(TakingWorld.shortage(1)).isBorrowed(unit);
  }
}
