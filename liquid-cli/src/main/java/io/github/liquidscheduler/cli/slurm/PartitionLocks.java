package io.github.liquidscheduler.cli.slurm;

import io.github.liquidscheduler.cli.output.CommandFailedException;
import io.github.liquidscheduler.json.JournalDirectory;
import io.github.liquidscheduler.slurm.SlurmConfig;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * The right to decide for partitions, which one process of this user and machine has at a time,
 * wherever its journal is. The locks are directories of the temporary folder, with nothing in them.
 */
final class PartitionLocks implements AutoCloseable {

  private final List<JournalDirectory> locks = new ArrayList<>();

  private PartitionLocks() {}

  /**
   * Takes the partitions of a configuration.
   *
   * @throws CommandFailedException if another process has one of them
   */
  static PartitionLocks of(SlurmConfig config) {
    PartitionLocks all = new PartitionLocks();
    for (String partition : config.partitions()) {
      try {
        all.locks.add(JournalDirectory.lock(folder(config, partition)));
      } catch (IllegalStateException e) {
        all.close();
        throw new CommandFailedException(
            "another daemon decides for partition '%s': stop it first, or add --standby (%s)"
                .formatted(partition, e.getMessage()));
      }
    }
    return all;
  }

  private static Path folder(SlurmConfig config, String partition) {
    String slurm =
        config
            .slurmConf()
            .map(file -> file.toAbsolutePath().normalize().toString())
            .orElse(System.getenv().getOrDefault("SLURM_CONF", ""));
    String name = String.join("\n", System.getProperty("user.name", ""), slurm, partition);
    return Path.of(
        System.getProperty("java.io.tmpdir"),
        "liquid-slurm-" + UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8)));
  }

  @Override
  public void close() {
    locks.forEach(JournalDirectory::close);
  }
}
