package io.github.liquidscheduler.placement;

import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.scheduling.JobStatus.Ending;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** The jobs that are over: as many as may be remembered, the oldest forgotten first. */
final class EndedJobs {

  private final Map<JobId, Ending> endings = new LinkedHashMap<>();
  private final int most;

  EndedJobs(int most) {
    this.most = most;
  }

  void add(JobId job, Ending how) {
    endings.put(job, how);
    if (endings.size() > most) {
      Iterator<JobId> oldest = endings.keySet().iterator();
      oldest.next();
      oldest.remove();
    }
  }

  Optional<Ending> ending(JobId job) {
    return Optional.ofNullable(endings.get(job));
  }

  /** Returns the jobs remembered, the oldest first. */
  Map<JobId, Ending> endings() {
    return endings;
  }
}
