package io.github.liquidscheduler.placement.network;

import io.github.liquidscheduler.job.Communication;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.TaskRole;

/** Which roles of a job are servers and workers, or -1 where it has none. */
public record RolePair(int server, int worker) {

  public static RolePair of(JobSpec job) {
    if (!(job.communication() instanceof Communication.ParameterServer pattern)) {
      return new RolePair(-1, -1);
    }
    return new RolePair(position(job, pattern.serverRole()), position(job, pattern.workerRole()));
  }

  /** Returns the position of a role that the job has. */
  static int position(JobSpec job, String role) {
    return job.roles().stream().map(TaskRole::name).toList().indexOf(role);
  }

  public int servers(TaskCounts counts, int slot) {
    return server < 0 ? 0 : counts.tasks(slot, server);
  }

  public int workers(TaskCounts counts, int slot) {
    return worker < 0 ? 0 : counts.tasks(slot, worker);
  }
}
