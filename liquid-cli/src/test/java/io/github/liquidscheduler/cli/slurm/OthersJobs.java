package io.github.liquidscheduler.cli.slurm;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.slurm.trial.PrivateSlurm;
import java.io.IOException;
import java.util.List;

/** Jobs of a partition that is not the daemon's, which it has to leave alone. */
final class OthersJobs {

  private static final String PARTITION = "others";

  /** The line of {@code slurm.conf} of their partition, which has all nodes. */
  static final String LINE =
      "PartitionName=" + PARTITION + " Nodes=ALL MaxTime=INFINITE State=UP PriorityTier=10";

  private final PrivateSlurm slurm;

  OthersJobs(PrivateSlurm slurm) {
    this.slurm = slurm;
  }

  /** Submits one that waits for its time, and one that runs at once if its node has a free GPU. */
  void submit() throws IOException {
    submit("--begin=now+1hour", "--nodes=1");
    submit("--time=1", "--nodelist=" + slurm.shape().names().getLast());
  }

  private void submit(String when, String where) throws IOException {
    slurm.run(
        "sbatch",
        "--partition=" + PARTITION,
        "--gres=gpu:1",
        when,
        where,
        "--output=/dev/null",
        "--wrap=sleep 20");
  }

  /** Checks that nobody has told them anything, held them or chosen their nodes. */
  void requireUntouched() throws IOException {
    List<String> jobs =
        slurm
            .run("scontrol", "show", "job", "-o")
            .lines()
            .filter(job -> job.contains(" Partition=" + PARTITION + " "))
            .toList();
    assertThat(jobs)
        .as("jobs of others")
        .isNotEmpty()
        .allMatch(job -> !job.contains("AdminComment=") && !job.contains(" StartTime=2040-"));
  }
}
