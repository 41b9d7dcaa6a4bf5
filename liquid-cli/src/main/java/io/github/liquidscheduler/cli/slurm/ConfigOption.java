package io.github.liquidscheduler.cli.slurm;

import io.github.liquidscheduler.slurm.SlurmConfig;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** The option of a command that needs what a daemon is configured by, and not the daemon. */
final class ConfigOption {

  @Option(
      names = "--config",
      required = true,
      paramLabel = "FILE",
      description = "The configuration of the daemon, which names the partitions.")
  private Path config = Path.of("");

  SlurmConfig read() {
    return SlurmConfig.read(config);
  }
}
