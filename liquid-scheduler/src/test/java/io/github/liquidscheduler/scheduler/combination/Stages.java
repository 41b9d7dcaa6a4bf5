package io.github.liquidscheduler.scheduler.combination;

import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** The stages that pairs of features are tried on, the simplest first. */
final class Stages {

  private static final FeatureWorld FIFO = Worlds.named("fifo");
  private static final FeatureWorld SHORTEST = Worlds.named("shortest first");
  private static final FeatureWorld PRIORITY = Worlds.named("priority");
  private static final FeatureWorld TREE = Worlds.named("computed shares");

  private static final List<Stage> PLAIN =
      List.of(
          BasicStages.full(),
          BasicStages.partly(),
          BasicStages.scattered(),
          BasicStages.queue(),
          BasicStages.equals(),
          BasicStages.victims(),
          BasicStages.two(),
          BasicStages.drain(),
          BasicStages.loss(),
          BasicStages.treeLater(),
          InstantStages.instant(),
          InstantStages.enlarged(),
          InstantStages.updates(),
          InstantStages.updatesOfTwo(),
          InstantStages.searches());

  /** A stage on which only bounds of events are tried. */
  static final Stage FOR_BOUNDS = InstantStages.lossOfBorrower().by(TREE);

  private Stages() {}

  /** Returns all stages in the order in which they are tried. */
  static List<Stage> all() {
    List<Stage> all = new ArrayList<>(PLAIN);
    PLAIN.forEach(stage -> all.add(stage.by(PRIORITY)));
    PLAIN.subList(0, 4).forEach(stage -> all.add(stage.by(TREE)));
    all.add(BasicStages.drain().by(TREE));
    all.add(BasicStages.treeLater().by(TREE));
    all.add(InstantStages.searches().by(TREE));
    all.add(BasicStages.full().by(SHORTEST));
    all.add(BasicStages.two().by(SHORTEST));
    all.add(BasicStages.drain().by(SHORTEST));
    all.add(InstantStages.updatesOfTwo().by(SHORTEST));
    PLAIN.subList(0, 4).forEach(stage -> all.add(behindAWall(stage).by(FIFO)));
    PLAIN.subList(0, 5).forEach(stage -> all.add(behindALateJob(stage, 9)));
    PLAIN.subList(0, 5).forEach(stage -> all.add(behindALateJob(stage, 0)));
    all.add(behindALateJob(InstantStages.updatesOfTwo(), 9));
    all.add(behindALateJob(InstantStages.searches(), 2).by(TREE));
    all.add(behindALargeJob(InstantStages.updatesOfTwo(), 5).by(FIFO));
    all.add(behindALargeJob(InstantStages.searches(), 8).by(FIFO).by(TREE));
    all.add(InstantStages.blocked().by(FIFO));
    all.add(InstantStages.blockedForNodes().by(FIFO));
    all.add(InstantStages.searches().by(SHORTEST).by(TREE));
    all.add(InstantStages.searchesForNodes().by(TREE));
    all.add(InstantStages.searchesAmongHolders().by(TREE));
    all.add(behindALateJob(InstantStages.searchesOfTwoAlike(), 0).by(TREE));
    all.add(besideAnother(InstantStages.searches(), 2, 60).by(SHORTEST).by(TREE));
    all.add(besideAnother(InstantStages.searches(), 5, 400).by(SHORTEST).by(TREE));
    all.add(BasicStages.smallVictim());
    all.add(InstantStages.searchesInOneQueue().by(PRIORITY));
    all.add(FOR_BOUNDS);
    return all;
  }

  private static Stage behindAWall(Stage stage) {
    return stage
        .and("behind a job of all GPUs", Arrival.of(6, "wall", Role.WALL, 8, 500))
        .with(new ClusterEvent.JobCancelled(Instant.ofEpochSecond(40), JobId.of("wall")));
  }

  private static Stage behindALargeJob(Stage stage, int gpus) {
    return stage.and(
        "behind a job of all GPUs", Arrival.of(2, "large", Role.LONG, gpus, 400).in("b"));
  }

  private static Stage besideAnother(Stage stage, int gpus, long seconds) {
    return stage.and(
        "beside a job of %d GPUs".formatted(gpus),
        Arrival.of(0, "large", Role.LONG, gpus, seconds).in("a"));
  }

  private static Stage behindALateJob(Stage stage, long at) {
    return stage.and("after one that is too late", Arrival.of(at, "doomed", Role.DOOMED, 4, 60));
  }
}
