package io.github.liquidscheduler.cli.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.github.liquidscheduler.cli.Command;
import io.github.liquidscheduler.slurm.trial.PrivateSlurm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The mean waits of the jobs of a trial, in seconds: what they were in Slurm, and what the command
 * says they would have been, told one reservation and passes a second apart.
 */
record ToldWaits(double inSlurm, double said) {

  private static final Pattern ROW =
      Pattern.compile("(?m)^batch +(\\d+)  +(\\S.*?)  +(\\S.*?)  +(\\S.*?)  +(\\S.*?)$");

  private static final Pattern TIME = Pattern.compile("(?:(\\d+)h )?(?:(\\d+)m )?(\\d+)s");

  /** Asks the command, beside a Slurm that is there; the history is written to a file. */
  static ToldWaits of(
      PrivateSlurm slurm, Path history, List<TrialJob> jobs, List<TrialOutcome> ended)
      throws IOException {
    Files.write(history, TrialHistory.of(jobs, ended));
    Path config = history.resolveSibling(history.getFileName() + ".json");
    Files.writeString(
        config,
        "{\"partitions\": [\"batch\"], \"slurmConf\": \"%s\"}"
            .formatted(slurm.environment().get("SLURM_CONF")));
    Command told =
        Command.run(
            "slurm",
            "--config=" + config,
            "--dry-run",
            "--history=" + history,
            "--backfill=easy",
            "--start-overhead=0.5s");
    assertThat(told.errors()).isEmpty();
    Matcher row = ROW.matcher(told.output());
    assertThat(row.find()).as(told.output()).isTrue();
    assertThat(row.group(1)).isEqualTo(String.valueOf(ended.size()));
    double waited =
        ended.stream().mapToLong(job -> job.waited().toSeconds()).average().orElseThrow();
    assertThat(seconds(row.group(2))).isCloseTo(waited, within(0.51));
    return new ToldWaits(waited, seconds(row.group(4)));
  }

  private static double seconds(String time) {
    Matcher parts = TIME.matcher(time);
    assertThat(parts.matches()).as(time).isTrue();
    double seconds = 0;
    for (int unit = 1; unit <= 3; unit++) {
      seconds =
          60 * seconds + (parts.group(unit) == null ? 0 : Integer.parseInt(parts.group(unit)));
    }
    return seconds;
  }
}
