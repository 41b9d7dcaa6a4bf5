package io.github.liquidscheduler.cli.slurm;

import io.github.liquidscheduler.cli.output.CommandFailedException;
import io.github.liquidscheduler.json.JournalDirectory;
import io.github.liquidscheduler.slurm.SlurmConfig;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Waits until no other process decides: none of this machine has one of the partitions, and none of
 * any machine the journal. Changes nothing meanwhile.
 */
final class Standby {

  private static final long MILLIS_BETWEEN_TRIES = 500;

  private final SlurmConfig config;
  private final Path journal;
  private final Consumer<String> hears;
  private boolean isSaid;

  /** Makes one that tells once, as a line, who decides. */
  Standby(SlurmConfig config, Path journal, Consumer<String> hears) {
    this.config = config;
    this.journal = journal;
    this.hears = hears;
  }

  /** Returns the partitions, once they and the journal can be had. */
  PartitionLocks await() {
    while (true) {
      @Nullable PartitionLocks locks = locks();
      if (locks != null) {
        return locks;
      }
      try {
        TimeUnit.MILLISECONDS.sleep(MILLIS_BETWEEN_TRIES);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new CommandFailedException("interrupted while standing by");
      }
    }
  }

  private @Nullable PartitionLocks locks() {
    @Nullable PartitionLocks locks = null;
    try {
      locks = PartitionLocks.of(config);
    } catch (CommandFailedException e) {
      say("" + e.getMessage());
      return null;
    }
    Optional<String> holder = holder();
    if (holder.isEmpty()) {
      return locks;
    }
    locks.close();
    say(holder.get());
    return null;
  }

  /** Returns which process has locked the journal; empty if none has. */
  Optional<String> holder() {
    try {
      JournalDirectory.lock(journal).close();
      return Optional.empty();
    } catch (IllegalStateException e) {
      return Optional.of("" + e.getMessage());
    }
  }

  private void say(String holder) {
    if (!isSaid) {
      isSaid = true;
      hears.accept(holder);
    }
  }
}
