package io.github.liquidscheduler.scheduler.combination;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.Synchronization;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Worlds of features joined on one stage: each job has the traits of all, so that the features
 * contend for the same GPUs.
 *
 * @param worlds the features, in the order of slots
 */
record Scenario(Stage stage, List<FeatureWorld> worlds) {

  private static final GpuModel COMMON = GpuModel.of("V100");

  /** Returns the options of a scheduler without one feature. */
  Options without(FeatureWorld missing) {
    return options(worlds.stream().filter(world -> !world.equals(missing)).toList());
  }

  /** Returns the options of a scheduler with all features. */
  Options all() {
    return options(worlds);
  }

  private Options options(List<FeatureWorld> present) {
    Options options = new Options();
    stage.support().forEach(world -> world.option().accept(options));
    present.forEach(world -> world.option().accept(options));
    return options;
  }

  ClusterTopology cluster() {
    Map<NodeId, GpuModel> models = new HashMap<>();
    worlds.forEach(world -> models.putAll(world.models()));
    ClusterTopology.Builder cluster = ClusterTopology.builder();
    for (int n = 0; n < stage.gpus().size(); n++) {
      NodeId node = NodeId.of("n" + n);
      cluster.node(
          Node.builder(node.value())
              .gpus(stage.gpus().get(n), models.getOrDefault(node, COMMON), Memory.ofGib(16))
              .disk(Memory.ofGib(64))
              .build());
    }
    return cluster.build();
  }

  /** Returns what happens, by time. */
  List<ClusterEvent> events(Options options) {
    List<ClusterEvent> events = new ArrayList<>();
    Instant announced = Instant.ofEpochSecond(stage.treeAt());
    options.queues().ifPresent(tree -> events.add(new ClusterEvent.QueuesChanged(announced, tree)));
    Set<String> known = new HashSet<>();
    for (Arrival job : stage.jobs()) {
      Instant at = Instant.ofEpochSecond(job.at());
      events.add(
          known.add(job.id())
              ? new ClusterEvent.JobSubmitted(at, spec(job, options))
              : new ClusterEvent.JobUpdated(at, spec(job, options)));
    }
    return Stream.concat(stage.events().stream(), events.stream())
        .sorted(Comparator.comparing(ClusterEvent::at))
        .toList();
  }

  private JobSpec spec(Arrival arrival, Options options) {
    JobSpec.Builder job = arrival.plain();
    stage.support().forEach(world -> world.traits().accept(arrival, job));
    worlds.forEach(world -> world.traits().accept(arrival, job));
    return options.areThereRounds()
        ? job.build()
        : job.synchronization(new Synchronization.Gang()).build();
  }

  /** Returns the true run times of jobs. */
  Map<JobId, Duration> runTimes() {
    Map<JobId, Duration> times = new LinkedHashMap<>();
    stage.jobs().forEach(job -> times.put(JobId.of(job.id()), Duration.ofSeconds(job.seconds())));
    return times;
  }
}
