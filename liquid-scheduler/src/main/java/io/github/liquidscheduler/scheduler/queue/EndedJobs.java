package io.github.liquidscheduler.scheduler.queue;

import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.scheduling.JobStatus.Outcome;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** The jobs that are over: as many as may be remembered, the oldest forgotten first. */
public final class EndedJobs {

  private final Map<JobId, Outcome> endings = new LinkedHashMap<>();
  private final int most;

  EndedJobs(int most) {
    this.most = most;
  }

  public void add(JobId job, Outcome how) {
    endings.put(job, how);
    if (endings.size() > most) {
      Iterator<JobId> oldest = endings.keySet().iterator();
      oldest.next();
      oldest.remove();
    }
  }

  public Optional<Outcome> ending(JobId job) {
    return Optional.ofNullable(endings.get(job));
  }

  /** Returns the jobs remembered, the oldest first. */
  public Map<JobId, Outcome> endings() {
    return endings;
  }
}
