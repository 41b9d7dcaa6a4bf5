package io.github.liquidscheduler.placement.cost;

import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.job.JobSpec;
import java.util.List;
import java.util.Objects;

/**
 * A candidate placement of a job as a {@link CostModel} sees it: the number of tasks on each node.
 * Their GPUs are chosen later.
 *
 * @param nodes the nodes that would run a task, in the order of the topology
 */
public record CandidatePlacement(JobSpec job, List<NodeTasks> nodes) {

  /** Copies the nodes. */
  public CandidatePlacement {
    Objects.requireNonNull(job, "job");
    nodes = List.copyOf(nodes);
  }

  /** Returns the number of GPUs of one of the nodes that tasks would hold, or hold shares of. */
  public int gpusOn(NodeTasks node) {
    int gpus = 0;
    for (int role = 0; role < job.roles().size(); role++) {
      gpus += node.tasksByRole().get(role) * job.roles().get(role).request().gpus();
    }
    return gpus;
  }

  /**
   * The tasks on one node.
   *
   * @param tasksByRole the tasks of each role, in the order of the job's roles; at least one is
   *     positive
   */
  public record NodeTasks(NodeId node, List<Integer> tasksByRole) {

    /** Copies the numbers. */
    public NodeTasks {
      Objects.requireNonNull(node, "node");
      tasksByRole = List.copyOf(tasksByRole);
    }

    /** Returns the number of tasks of all roles. */
    public int tasks() {
      return tasksByRole.stream().mapToInt(Integer::intValue).sum();
    }
  }
}
