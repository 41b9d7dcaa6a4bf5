package io.github.liquidscheduler.cli.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.liquidscheduler.slurm.SlurmConfig;
import io.github.liquidscheduler.slurm.SlurmPort;
import io.github.liquidscheduler.slurm.trial.PrivateSlurm;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The daemon beside a real Slurm in which an operator reserves a node for maintenance. */
@Tag("slurm")
class SlurmMaintenanceTest {

  @TempDir private Path folder;

  @Test
  void jobsDoNotStartIntoMaintenance() throws Exception {
    if (System.getenv("CI") != null) {
      assertThat(PrivateSlurm.isInstalled()).as("Slurm must be installed for CI").isTrue();
    }
    assumeTrue(
        PrivateSlurm.isInstalled(), "needs Slurm (Debian: slurmctld, slurmd, slurm-client, munge)");
    Path own = Files.createDirectory(folder.resolve("slurm"));
    Path config = folder.resolve("liquid.json");
    Files.writeString(
        config,
        "{\"partitions\": [\"batch\"], \"slurmConf\": \"%s\"}"
            .formatted(own.resolve("slurm.conf")));
    String plugin = SlurmPort.submitPlugin(SlurmConfig.read(config));
    try (PrivateSlurm slurm = PrivateSlurm.start(own, PrivateSlurm.Shape.of(2).with(plugin));
        DaemonProcess daemon = new DaemonProcess(folder, config, "--backfill=easy")) {
      slurm.await("the daemon decides", daemon::isReady);
      slurm.run(
          "scontrol",
          "create",
          "reservation",
          "ReservationName=weekend",
          "StartTime=now+5minutes",
          "Duration=60",
          "Users=root",
          "Flags=MAINT",
          "Nodes=gpu0001");
      String first = submit(slurm, "10");
      slurm.await("the first runs", () -> nodes(slurm, first).equals("gpu0002"));
      String late = submit(slurm, "10");
      String brief = submit(slurm, "1");
      slurm.await("what ends before runs", () -> nodes(slurm, brief).equals("gpu0001"));

      assertThat(nodes(slurm, late)).isEmpty();
      slurm.run("scancel", brief);
      slurm.await("it is gone", () -> nodes(slurm, brief).isEmpty());
      slurm.await("its user is told", () -> why(daemon, late).contains("weekend"));
      slurm.run("scontrol", "delete", "ReservationName=weekend");
      slurm.await("the late one runs", () -> nodes(slurm, late).equals("gpu0001"));
    }
  }

  private static String submit(PrivateSlurm slurm, String minutes) throws IOException {
    return slurm
        .run(
            "sbatch",
            "--parsable",
            "--gres=gpu:8",
            "--time=" + minutes,
            "--output=/dev/null",
            "--wrap=sleep 50")
        .strip();
  }

  private static String nodes(PrivateSlurm slurm, String job) {
    try {
      return slurm
          .run("squeue", "--noheader", "--states=R", "--jobs=" + job, "--format=%N")
          .strip();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String why(DaemonProcess daemon, String job) {
    try {
      return daemon.get("/why/" + job);
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
