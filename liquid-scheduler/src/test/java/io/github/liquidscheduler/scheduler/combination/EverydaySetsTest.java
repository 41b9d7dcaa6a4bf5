package io.github.liquidscheduler.scheduler.combination;

import static io.github.liquidscheduler.scheduler.combination.Worlds.named;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.job.TaskRole;
import io.github.liquidscheduler.placement.Placers;
import io.github.liquidscheduler.resource.GpuShare;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** The sets of features that platform teams use together, one example each. */
class EverydaySetsTest {

  /** The sets that the scheduler refuses, with its words: strike out what it accepts. */
  private static final Map<String, String> REFUSED =
      Map.of("all of it at once", "backfill is not supported yet together with batch mode");

  private static final List<EverydaySet> SETS =
      List.of(
          EverydaySet.of(
              "Slurm: preemption with grace times",
              named("priority"),
              named("backfill"),
              named("grace period")),
          EverydaySet.of(
              "a research lab",
              named("priority"),
              named("computed shares"),
              named("backfill"),
              named("co-location")),
          EverydaySet.of("Kueue's users", named("lent quota"), named("elasticity")),
          EverydaySet.of("KAI's users", named("computed shares"), named("moves"), fractions()),
          EverydaySet.of(
              "plans for all queues",
              named("computed shares"),
              named("batch window"),
              networkCost()),
          EverydaySet.of(
              "deadlines on two GPU models",
              named("elasticity"),
              named("speeds by GPU model"),
              named("deadlines")),
          EverydaySet.of(
              "training that outlives its nodes",
              named("least attained service"),
              named("elasticity"),
              named("prefetch")),
          EverydaySet.of(
              "training in rounds beside other jobs",
              named("priority"),
              named("computed shares"),
              named("elasticity"),
              named("rounds")),
          EverydaySet.of(
              "all of it at once",
              named("priority"),
              named("computed shares"),
              named("backfill"),
              named("batch window"),
              named("elasticity"),
              named("co-location"),
              named("moves"),
              named("moves to faster GPUs"),
              named("deadlines"),
              named("prefetch"),
              named("grace period"),
              named("starts per event"),
              named("searches per event")));

  private static FeatureWorld fractions() {
    ResourceRequest half = ResourceRequest.builder().share(GpuShare.ofPercent(50)).build();
    return FeatureWorld.of(Slot.CO_LOCATION, "fractions of GPUs", options -> {})
        .giving(
            (arrival, job) -> {
              if (arrival.role() == Role.SMALL) {
                job.roles(List.of(new TaskRole("worker", arrival.gpus(), half)));
              }
            });
  }

  private static FeatureWorld networkCost() {
    return FeatureWorld.of(
        Slot.PLACER,
        "network cost",
        options -> options.with(builder -> builder.placer(Placers.leastCost())));
  }

  @TestFactory
  Stream<DynamicTest> aSetIsAcceptedUnlessItIsListedAsRefused() {
    return SETS.stream().map(set -> DynamicTest.dynamicTest(set.name(), () -> tryIt(set)));
  }

  private static void tryIt(EverydaySet set) {
    if (REFUSED.containsKey(set.name())) {
      assertThatThrownBy(() -> play(set)).hasMessageContaining(REFUSED.get(set.name()));
    } else {
      assertThat(play(set)).isNotEmpty();
    }
  }

  private static List<Told> play(EverydaySet set) {
    return play(new Scenario(Stages.all().getFirst(), set.features()), event -> false);
  }

  private static List<Told> play(Scenario scenario, IntPredicate restarts) {
    return Embedder.play(scenario, scenario.all(), restarts);
  }

  private static Stream<EverydaySet> accepted() {
    return SETS.stream().filter(set -> !REFUSED.containsKey(set.name()));
  }

  @TestFactory
  Stream<DynamicTest> aRestartBeforeEveryEventChangesNoDecision() {
    return accepted()
        .map(set -> DynamicTest.dynamicTest(set.name(), () -> requireSameAfterRestarts(set)));
  }

  private static void requireSameAfterRestarts(EverydaySet set) {
    for (Stage stage : Stages.all()) {
      Scenario scenario = new Scenario(stage, set.features());
      assertThat(play(scenario, event -> true))
          .as("%s", stage.name())
          .isEqualTo(play(scenario, event -> false));
    }
  }

  /** A plan weighs the network by itself; the placer decides where no plan does. */
  private static boolean mayBeUnseen(EverydaySet set, FeatureWorld feature) {
    return feature.slot() == Slot.PLACER
        && set.features().stream().anyMatch(other -> other.slot() == Slot.BATCH_WINDOW);
  }

  @TestFactory
  Stream<DynamicTest> everyFeatureOfASetChangesWhatIsDecided() {
    return accepted()
        .flatMap(
            set ->
                set.features().stream()
                    .filter(feature -> !mayBeUnseen(set, feature))
                    .map(
                        feature ->
                            DynamicTest.dynamicTest(
                                set.name() + " without " + feature,
                                () -> assertThat(Stages.all()).anyMatch(acts(set, feature)))));
  }

  /** Holds for stages on which something else is decided without the feature or its traits. */
  private static Predicate<Stage> acts(EverydaySet set, FeatureWorld feature) {
    List<FeatureWorld> others = new ArrayList<>(set.features());
    others.remove(feature);
    return stage ->
        !play(new Scenario(stage, others), event -> false)
            .equals(play(new Scenario(stage, set.features()), event -> false));
  }
}
