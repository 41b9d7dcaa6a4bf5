package io.github.liquidscheduler.slurm;

import static io.github.liquidscheduler.slurm.Trial.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.reconcile.ObservedRequest;
import io.github.liquidscheduler.reconcile.ObservedState;
import io.github.liquidscheduler.slurm.SlurmConfig.Ownership;
import io.github.liquidscheduler.slurm.SlurmConfig.Priorities;
import io.github.liquidscheduler.slurm.trial.PrivateSlurm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Against a real Slurm with accounting, in which an ordinary user has an account. */
@Tag("slurm")
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class SlurmAccountsTest {
  private static Trial trial;

  @BeforeAll
  static void start(@TempDir Path folder) throws IOException {
    boolean isThere =
        PrivateSlurm.isAccountingInstalled() && System.getProperty("user.name").equals("root");
    if (System.getenv("CI") != null) {
      assertThat(isThere).as("Debian's slurmdbd and MariaDB must be there for CI").isTrue();
    }
    assumeTrue(isThere, "needs root and Slurm with accounting (slurmdbd, mariadb-server-core)");
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
    SlurmConfig config =
        new SlurmConfig(
            List.of("batch"),
            Ownership.BEGIN_TIME,
            Map.of(),
            new Priorities(Map.of("high", 10), Map.of(), 0, 0),
            Map.of("vision", "research", "batch", "others"),
            Duration.ofSeconds(1),
            Duration.ofSeconds(30),
            Duration.ofMinutes(2),
            false,
            Optional.empty(),
            Optional.of(folder.resolve("slurm.conf")));
    String plugin = SlurmPort.submitPlugin(config);
    PrivateSlurm slurm =
        PrivateSlurm.startWithAccounting(folder, PrivateSlurm.Shape.of(2).with(plugin));
    trial = new Trial(slurm, SlurmPort.of(config, System::nanoTime));
    trial.run("sacctmgr", "-i", "add", "qos", "high", "priority=10");
    for (String account : List.of("vision", "speech")) {
      trial.run("sacctmgr", "-i", "add", "account", account, "cluster=trial");
      trial.run("sacctmgr", "-i", "modify", "account", account, "set", "qos=normal,high");
      trial.run("sacctmgr", "-i", "add", "user", "root,nobody", "account=" + account);
    }
  }

  @AfterAll
  static void stop() {
    if (trial != null) {
      trial.close();
    }
  }

  private static JobSpec spec(String id) throws IOException {
    return ((ObservedRequest.Understood) trial.job(id).request()).spec();
  }

  /** Runs a command as a user who has no rights but his own. */
  private static String asNobody(String... command) throws IOException {
    String[] whole = new String[command.length + 4];
    System.arraycopy(command, 0, whole, 4, command.length);
    whole[0] = "setpriv";
    whole[1] = "--reuid=nobody";
    whole[2] = "--regid=nogroup";
    whole[3] = "--clear-groups";
    return trial.run(whole);
  }

  private static String submitted() throws IOException {
    return asNobody(
        "sbatch",
        "--parsable",
        "--account=vision",
        "--qos=high",
        "--gres=gpu:1",
        "--chdir=/tmp",
        "--output=/dev/null",
        "--wrap=sleep 60");
  }

  @Test
  void theAccountIsTheQueueAndTheQualityOfServiceThePriority() throws IOException {
    String known = trial.submit("true", "--account=vision", "--qos=high", "--gres=gpu:1");
    String other = trial.submit("true", "--account=speech", "--gres=gpu:1");

    assertThat(spec(known).queue().value()).isEqualTo("research");
    assertThat(spec(known).priority()).isEqualTo(10);
    assertThat(spec(other).queue().value()).isEqualTo("others");
    assertThat(spec(other).priority()).isZero();
    trial.run("scancel", known, other);
  }

  @Test
  void anOrdinaryUserCannotStartHisJobPastTheScheduler() throws IOException {
    String id = submitted();

    assertThat(trial.job(id).state()).isEqualTo(new ObservedState.Held());
    assertThatThrownBy(() -> asNobody("scontrol", "update", "JobId=" + id, "StartTime=now"))
        .hasMessageContaining("rror");
    assertThat(trial.job(id).state()).isEqualTo(new ObservedState.Held());
    asNobody("scancel", id);
  }

  @Test
  void theSchedulerStartsTheJobOfAnOrdinaryUser() throws IOException {
    String id = submitted();
    trial.job(id);

    assertThat(trial.carryOut(Trial.start(id, 0, 1, "gpu0002")).refused()).isEmpty();
    until("it runs", () -> trial.job(id).state() instanceof ObservedState.Running);
    asNobody("scancel", id);
    until("it ends", () -> trial.job(id).state() instanceof ObservedState.Ended);
    until("it is accounted", () -> accounted(id).startsWith("nobody|vision|high|CANCELLED"));
  }

  private static String accounted(String id) throws IOException {
    return trial.run("sacct", "-n", "-P", "-X", "-j", id, "--format=User,Account,QOS,State");
  }
}
