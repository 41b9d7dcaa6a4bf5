package io.github.liquidscheduler.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.github.liquidscheduler.json.JournalDirectory;
import io.github.liquidscheduler.scheduler.LiquidScheduler;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real processes that journal are killed, one after another, at any point. */
@Tag("other-jvm")
class KilledJournalTest {

  @TempDir private Path folder;

  @Test
  void noEventIsLostThatAProcessHadForcedBeforeItWasKilled() throws Exception {
    Random random = new Random(7);
    LiquidScheduler expected = JournaledRun.scheduler();
    for (int i = 0; i < 6; i++) {
      int forced = runAndKill(1 + random.nextInt(60), random.nextInt(2000));

      try (JournalDirectory journals = JournalDirectory.lock(folder)) {
        LiquidScheduler scheduler =
            journals.recover(JournaledRun::restored).orElseThrow().scheduler();
        int taken = JournaledRun.taken(scheduler);
        assertThat(taken).isGreaterThanOrEqualTo(forced);
        while (JournaledRun.taken(expected) < taken) {
          expected.on(JournaledRun.event(JournaledRun.taken(expected) + 1));
        }
        assertThat(scheduler.snapshot()).isEqualTo(expected.snapshot());
      }
    }
  }

  /** Returns the last event that the process told to be forced. */
  private int runAndKill(int events, int micros) throws IOException, InterruptedException {
    Process process = start();
    try (BufferedReader out = process.inputReader()) {
      String last = out.readLine();
      assertThatIllegalStateException()
          .isThrownBy(() -> JournalDirectory.lock(folder))
          .withMessageContaining("process " + process.pid());
      for (int i = 1; i < events; i++) {
        last = out.readLine();
      }
      // Anywhere in what it does with the next events.
      process.waitFor(micros, TimeUnit.MICROSECONDS);
      // Unlike the process, its handle leaves its output to be read.
      process.toHandle().destroyForcibly();
      process.waitFor();
      for (String line = out.readLine(); line != null; line = out.readLine()) {
        last = line.isEmpty() ? last : line;
      }
      return Integer.parseInt(last);
    }
  }

  private Process start() throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp",
            System.getProperty("java.class.path"),
            JournaledRun.class.getName(),
            folder.toString())
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
  }
}
