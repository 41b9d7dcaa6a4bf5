package io.github.liquidscheduler.slurm;

import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.reconcile.ObservedJob;
import io.github.liquidscheduler.reconcile.ObservedRequest;
import io.github.liquidscheduler.reconcile.ObservedState;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** A job that ended and is known to the accounting alone, if there is one. */
record AccountedJob(CommandRunner runner, Optional<ObservedJob> before) {

  Optional<ObservedJob> find(JobId job) throws IOException {
    List<String> command =
        List.of("sacct", "-X", "-n", "-P", "-j", job.value(), "-o", "JobID,State");
    CommandRunner.Answer answer = runner.run(command).answered("sacct");
    if (!answer.isDone()) {
      if (answer.said().contains("storage is disabled")) {
        return Optional.empty();
      }
      throw new IOException("sacct failed: " + answer.said());
    }
    for (String line : answer.output().lines().toList()) {
      String[] values = line.split("\\|", -1);
      if (values.length == 2 && values[0].equals(job.value())) {
        return Optional.of(ended(job, values[1].replaceFirst("[ +].*", "")));
      }
    }
    return Optional.empty();
  }

  private ObservedJob ended(JobId job, String state) throws IOException {
    return new ObservedJob(
        job,
        before.map(ObservedJob::attempt).orElse(0),
        new ObservedState.Ended(JobState.outcome(state)),
        List.of(),
        before
            .map(ObservedJob::request)
            .orElseGet(
                () ->
                    new ObservedRequest.Understood(
                        JobSpec.builder(job).gpus(1).build(), List.of())),
        before.map(ObservedJob::isOwned).orElse(false));
  }
}
