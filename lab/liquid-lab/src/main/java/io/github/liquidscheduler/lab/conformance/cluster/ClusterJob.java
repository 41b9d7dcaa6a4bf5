package io.github.liquidscheduler.lab.conformance.cluster;

import com.google.common.collect.Multimaps;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.Parallelism;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.job.RoleCounts;
import io.github.liquidscheduler.job.TaskId;
import io.github.liquidscheduler.job.TaskRole;
import io.github.liquidscheduler.lab.conformance.peer.DistinctNames;
import io.github.liquidscheduler.lab.conformance.peer.Facts;
import io.github.liquidscheduler.resource.CpuCores;
import io.github.liquidscheduler.resource.GpuShare;
import io.github.liquidscheduler.resource.Memory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A job of a case about a cluster. Its tasks that request the same and are of one part are a role.
 *
 * @param spec the job
 * @param age for how long it has been there
 * @param roles the tasks of each role, those that run first
 */
record ClusterJob(JobSpec spec, Duration age, Map<String, List<Facts>> roles) {

  private static final String RUNNING = "running";
  private static final String PENDING = "pending";
  private static final String LEAVING = "terminating";
  private static final Duration OLDEST = Duration.ofDays(36_500);
  private static final List<String> FIELDS =
      List.of(
          "name",
          "queue",
          "priority",
          "preemptible",
          "ageMinutes",
          "perTask",
          "tasks",
          "minAvailable",
          "subgroups",
          "minSubgroups",
          "topology");

  ClusterJob {
    roles = new LinkedHashMap<>(roles);
  }

  /**
   * Returns the job that a case states.
   *
   * @throws IllegalArgumentException if it states what a job of ours cannot be
   */
  static ClusterJob of(Facts stated, ClusterFacts cluster) {
    stated.requireOnly("a job", FIELDS);
    stated.requireDistinct("tasks");
    Map<String, List<Facts>> roles = roles(stated);
    long states =
        stated.objects("tasks").stream().map(task -> task.text("state")).distinct().count();
    require(
        states == 1 || stated.objects("tasks").stream().noneMatch(ClusterJob::isLeaving),
        "a job must leave in whole");
    JobSpec.Builder job =
        JobSpec.builder(stated.text("name"))
            .queue(stated.text("queue"))
            .priority(stated.count("priority", 0))
            .preemptible(stated.flag("preemptible"))
            .topology(JobParts.topology(stated.object("topology")));
    if (stated.has("subgroups")) {
      JobParts parts = JobParts.of(stated, roles, (name, of) -> role(name, of, cluster, stated));
      job.roles(parts.roles()).groups(parts.groups());
    } else {
      roles.forEach((name, of) -> job.role(role(name, of, cluster, stated)));
      addSizes(stated, roles, job);
    }
    return new ClusterJob(job.build(), age(stated), roles);
  }

  private static Duration age(Facts stated) {
    double minutes = stated.number("ageMinutes", 0);
    if (!(minutes >= 0 && minutes <= OLDEST.toMinutes())) {
      throw stated.refusal(
          "ageMinutes", "must be from 0 to %d, but was %s".formatted(OLDEST.toMinutes(), minutes));
    }
    return Duration.ofSeconds(Math.round(60 * minutes));
  }

  private static TaskRole role(String name, List<Facts> tasks, ClusterFacts cluster, Facts job) {
    Facts first = tasks.getFirst();
    ResourceRequest request = first.reading(() -> request(cluster, job, first));
    return new TaskRole(name, tasks.size(), request).on(cluster.allowed().labels(first));
  }

  /** Has a job be elastic of which fewer tasks than all must run. */
  private static void addSizes(Facts stated, Map<String, List<Facts>> roles, JobSpec.Builder job) {
    int tasks = stated.list("tasks").size();
    int least = Math.min(tasks, stated.count("minAvailable", tasks));
    if (least < tasks) {
      require(roles.size() == 1, "an elastic job must have one role");
      job.parallelism(Parallelism.between(least, tasks, tasks));
    }
  }

  private static Map<String, List<Facts>> roles(Facts stated) {
    List<Facts> tasks = new ArrayList<>(stated.objects("tasks"));
    tasks.forEach(ClusterJob::requireState);
    tasks.sort(Comparator.comparing(task -> !isRunning(task)));
    DistinctNames names = new DistinctNames(List.of());
    Map<String, List<Facts>> roles = new LinkedHashMap<>();
    Multimaps.asMap(Multimaps.index(tasks, Kind::of))
        .forEach((kind, of) -> roles.put(names.take(kind.part().orElse("worker")), of));
    return roles;
  }

  /** What tasks of a role have in common. */
  private record Kind(Optional<String> part, double gpus, List<String> nodes) {

    static Kind of(Facts task) {
      return new Kind(
          task.ifText("group"), task.number("gpus", -1), task.texts(AllowedNodes.FIELD));
    }
  }

  private static void requireState(Facts task) {
    String state = task.text("state");
    require(
        state.equals(RUNNING) || state.equals(PENDING) || state.equals(LEAVING),
        "a task must run, wait or leave, but one is " + state);
  }

  private static boolean isLeaving(Facts task) {
    return task.text("state").equals(LEAVING);
  }

  private static boolean isRunning(Facts task) {
    return task.text("state").equals(RUNNING) || task.text("state").equals(LEAVING);
  }

  private static ResourceRequest request(ClusterFacts cluster, Facts job, Facts task) {
    Facts perTask = job.object("perTask");
    double gpus = task.number("gpus", perTask.number("gpus", 0));
    if (perTask.has("gpuMemoryMib")) {
      gpus = perTask.number("gpuMemoryMib") / cluster.gpuMemoryMib();
    }
    require(gpus < 1 || gpus == Math.rint(gpus), "a task must request whole GPUs or a share");
    ResourceRequest.Builder request = ResourceRequest.builder().gpus((int) gpus);
    if (gpus > 0 && gpus < 1) {
      require(!perTask.has("devices"), "a share must be one of one GPU");
      request.share(GpuShare.of(gpus));
    }
    if (perTask.number("cpu", 0) > 0) {
      request.cpu(CpuCores.of(perTask.number("cpu")));
    }
    if (perTask.number("memory", 0) > 0) {
      request.memory(Memory.ofBytes((long) perTask.number("memory")));
    }
    return request.build();
  }

  /** Returns whether as many of its tasks run as it needs. */
  boolean isWhole() {
    return RoleCounts.isAllowed(
        spec, spec.roles().stream().map(role -> running(role.name())).toList());
  }

  private int running(String role) {
    return (int) roles.getOrDefault(role, List.of()).stream().filter(ClusterJob::isRunning).count();
  }

  private static void require(boolean holds, String rule) {
    if (!holds) {
      throw new IllegalArgumentException(rule);
    }
  }

  JobId id() {
    return spec.id();
  }

  /** Returns whether it is leaving: it has been cancelled, though it still holds what it held. */
  boolean isLeaving() {
    return roles.values().stream().flatMap(List::stream).anyMatch(ClusterJob::isLeaving);
  }

  /** Returns where the tasks run that do, if any does. */
  Optional<Placement> placement(GpuNumbers numbers) {
    List<TaskPlacement> places = new ArrayList<>();
    for (TaskRole role : spec.roles()) {
      int index = 0;
      for (Facts task : roles.getOrDefault(role.name(), List.of())) {
        if (isRunning(task)) {
          String node = task.text("node");
          places.add(
              new TaskPlacement(
                  new TaskId(role.name(), index++),
                  NodeId.of(node),
                  gpus(numbers, task, role.request()),
                  role.request()));
        }
      }
    }
    return places.isEmpty() ? Optional.empty() : Optional.of(new Placement(id(), places));
  }

  private static List<Integer> gpus(GpuNumbers numbers, Facts task, ResourceRequest request) {
    String node = task.text("node");
    return request.share().isPresent() && task.has("gpu")
        ? numbers.shared(node, task.texts("gpu"))
        : numbers.take(node, request.gpus());
  }

  /** Returns the node of each task, in the form of a case; tasks of a role stand for each other. */
  Map<String, Object> nodesOfTasks(Placement place) {
    Map<String, Object> nodes = new LinkedHashMap<>();
    for (TaskPlacement task : place.tasks()) {
      List<Facts> stated = roles.getOrDefault(task.task().role(), List.of());
      String name = stated.get(task.task().index()).text("name");
      nodes.put(name, Map.of("node", task.node().value()));
    }
    return nodes;
  }
}
