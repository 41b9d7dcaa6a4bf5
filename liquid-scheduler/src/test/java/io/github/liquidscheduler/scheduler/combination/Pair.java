package io.github.liquidscheduler.scheduler.combination;

import static java.util.stream.Collectors.toSet;

import io.github.liquidscheduler.scheduler.combination.Outcome.Composes;
import io.github.liquidscheduler.scheduler.combination.Outcome.Missing;
import io.github.liquidscheduler.scheduler.combination.Outcome.Refused;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/** Two features of different slots. */
record Pair(FeatureWorld first, FeatureWorld second) {

  /** The doubt at which no further stage is tried. */
  private static final int LITTLE = 1;

  /**
   * A decision that shows a pair.
   *
   * @param doubt 0 at best; 4 more if the runs had parted before, so that it may only be a
   *     consequence; 2 more if only its time is its own; 1 more if it could come without either
   */
  private record Shown(int doubt, Told told, Stage stage) {}

  /** Returns all pairs in the order of slots. */
  static List<Pair> all(List<FeatureWorld> worlds) {
    List<Pair> pairs = new ArrayList<>();
    for (int i = 0; i < worlds.size(); i++) {
      for (FeatureWorld other : worlds.subList(i + 1, worlds.size())) {
        if (worlds.get(i).slot() != other.slot()) {
          pairs.add(new Pair(worlds.get(i), other));
        }
      }
    }
    return pairs;
  }

  /** Returns what becomes of the pair on the stages: the first that shows it best counts. */
  Outcome on(List<Stage> stages) {
    Optional<Shown> best = Optional.empty();
    Optional<String> refusal = Optional.empty();
    boolean isAccepted = false;
    for (Stage stage : stages.stream().filter(this::mayUse).toList()) {
      try {
        best = better(best, on(stage));
        isAccepted = true;
      } catch (RefusalException refused) {
        refusal = refusal.or(() -> Optional.ofNullable(refused.getMessage()));
      } catch (RuntimeException failure) {
        throw new AssertionError(name() + " fails on stage '" + stage.name() + "'", failure);
      }
      if (best.filter(shown -> shown.doubt() <= LITTLE).isPresent()) {
        break;
      }
    }
    if (!isAccepted) {
      return new Refused(refusal.orElse(""));
    }
    return best.<Outcome>map(shown -> new Composes(shown.stage(), shown.told()))
        .orElseGet(() -> new Missing("no scenario shows both"));
  }

  /** A tree must be missing from the run without it. An order is always there. */
  private boolean mayUse(Stage stage) {
    boolean isForBounds = stage.equals(Stages.FOR_BOUNDS) && second.slot() != Slot.BOUNDS;
    return !isForBounds
        && stage.support().stream()
            .map(FeatureWorld::slot)
            .allMatch(
                slot -> slot == Slot.ORDER || (slot != first.slot() && slot != second.slot()));
  }

  private static Optional<Shown> better(Optional<Shown> one, Optional<Shown> other) {
    if (one.isEmpty() || other.isEmpty()) {
      return one.or(() -> other);
    }
    return other.get().doubt() < one.get().doubt() ? other : one;
  }

  private Optional<Shown> on(Stage stage) {
    Scenario scenario = scenario(stage);
    Predicate<Told> shownBy =
        Meanings.of(this).shownBy().and(told -> first.mayShow(told) && second.mayShow(told));
    List<Told> both = Embedder.play(scenario, scenario.all(), event -> false);
    List<Told> own = both.stream().filter(shownBy).toList();
    Set<String> texts = new HashSet<>();
    long parted = 0;
    // Bounds change the fewest scenarios: most are given up after the run without them.
    boolean isBounded = second.slot() == Slot.BOUNDS;
    for (FeatureWorld missing : isBounded ? List.of(second, first) : List.of(first, second)) {
      List<Told> without = Embedder.play(scenario, scenario.without(missing), event -> false);
      Set<String> timed = without.stream().map(Told::timed).collect(toSet());
      own = own.stream().filter(told -> !timed.contains(told.timed())).toList();
      if (own.isEmpty()) {
        return Optional.empty();
      }
      parted = Math.max(parted, parting(both, without));
      without.forEach(told -> texts.add(told.text()));
    }
    Optional<Shown> best = Optional.empty();
    for (Told told : own) {
      best = better(best, Optional.of(new Shown(doubt(told, parted, texts), told, stage)));
    }
    return best;
  }

  private int doubt(Told told, long parted, Set<String> elsewhere) {
    boolean isTypical = first.acts().test(told.decision()) || second.acts().test(told.decision());
    return (told.second() > parted ? 4 : 0)
        + (elsewhere.contains(told.text()) ? 2 : 0)
        + (isTypical ? 0 : 1);
  }

  /** Returns the second at which two runs part. */
  private static long parting(List<Told> both, List<Told> without) {
    int same = 0;
    while (same < Math.min(both.size(), without.size())
        && both.get(same).timed().equals(without.get(same).timed())) {
      same++;
    }
    long one = same < both.size() ? both.get(same).second() : Long.MAX_VALUE;
    long other = same < without.size() ? without.get(same).second() : Long.MAX_VALUE;
    return Math.min(one, other);
  }

  Scenario scenario(Stage stage) {
    return new Scenario(stage, List.of(first, second));
  }

  /** Returns the name of the pair, first the feature whose slot comes first. */
  String name() {
    return first + " × " + second;
  }
}
