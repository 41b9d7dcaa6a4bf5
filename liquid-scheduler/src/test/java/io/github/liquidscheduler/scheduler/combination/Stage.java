package io.github.liquidscheduler.scheduler.combination;

import io.github.liquidscheduler.scheduling.ClusterEvent;
import java.util.ArrayList;
import java.util.List;

/**
 * What happens on a small cluster, before features join: the jobs that contend for it, and what
 * becomes of its nodes.
 *
 * @param gpus the numbers of GPUs of nodes n0, n1, …
 * @param jobs the jobs, by time; one that is there twice is updated
 * @param events other events, by time
 * @param treeAt the second at which queues are announced, where there are any
 * @param support features that are there in all runs
 */
record Stage(
    String name,
    List<Integer> gpus,
    List<Arrival> jobs,
    List<ClusterEvent> events,
    long treeAt,
    List<FeatureWorld> support) {

  static Stage of(String name, List<Integer> gpus, Arrival... jobs) {
    return new Stage(name, gpus, List.of(jobs), List.of(), 0, List.of());
  }

  /** Returns this stage with events of nodes. */
  Stage with(ClusterEvent... more) {
    return new Stage(name, gpus, jobs, List.of(more), treeAt, support);
  }

  /** Returns this stage with queues that are announced later. */
  Stage withTreeAt(long second) {
    return new Stage(name, gpus, jobs, events, second, support);
  }

  /** Returns this stage with a feature in all runs. */
  Stage by(FeatureWorld feature) {
    List<FeatureWorld> more = new ArrayList<>(support);
    more.add(feature);
    return new Stage(name + ", with " + feature.name(), gpus, jobs, events, treeAt, more);
  }

  /** Returns this stage with a job that comes before others of its second. */
  Stage and(String more, Arrival job) {
    List<Arrival> all = new ArrayList<>(List.of(job));
    all.addAll(jobs);
    return new Stage(name + ", " + more, gpus, all, events, treeAt, support);
  }
}
