package io.github.liquidscheduler.placement.network;

import io.github.liquidscheduler.job.Communication;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.TaskRole;

/**
 * The roles of a job that are parameter servers and workers.
 *
 * @param server the position of the servers' role in the job, or -1 if it has none
 * @param worker the position of the workers' role in the job, or -1 if it has none
 */
public record RolePair(int server, int worker) {

  /** Returns the positions of both in the job's roles. */
  public static RolePair of(JobSpec job) {
    if (!(job.communication() instanceof Communication.ParameterServer pattern)) {
      return new RolePair(-1, -1);
    }
    return new RolePair(position(job, pattern.serverRole()), position(job, pattern.workerRole()));
  }

  /** Returns the position of a role in the job's roles; -1 if it has none of that name. */
  public static int position(JobSpec job, String role) {
    return job.roles().stream().map(TaskRole::name).toList().indexOf(role);
  }
}
