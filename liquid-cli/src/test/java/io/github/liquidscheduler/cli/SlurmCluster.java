package io.github.liquidscheduler.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A Slurm of one node: daemons of its own, on free ports of the loopback, in a folder. */
final class SlurmCluster implements AutoCloseable {
  private static final Path SYSTEM = Path.of("/usr/sbin");
  private static final int GRACE_SECONDS = 10;

  private final Path folder;
  private final String host;
  private final List<Process> daemons = new ArrayList<>();

  private SlurmCluster(Path folder) throws IOException {
    this.folder = folder;
    host = InetAddress.getLocalHost().getHostName().split("\\.", 2)[0];
  }

  /** Starts one. Without Debian's packages, a test is skipped, but fails in CI. */
  static SlurmCluster start(Path folder) throws IOException {
    boolean installed =
        Stream.of("slurmctld", "slurmd", "munged")
            .allMatch(name -> Files.isExecutable(SYSTEM.resolve(name)));
    if (System.getenv("CI") != null) {
      assertThat(installed).as("Debian's Slurm and munge must be installed for CI").isTrue();
    }
    assumeTrue(installed, "needs Slurm (Debian: slurmctld, slurmd, slurm-client, munge)");
    SlurmCluster cluster = new SlurmCluster(folder);
    try {
      cluster.startDaemons();
      return cluster;
    } catch (IOException | RuntimeException e) {
      cluster.close();
      throw e;
    }
  }

  private void startDaemons() throws IOException {
    byte[] key = new byte[128];
    new SecureRandom().nextBytes(key);
    Files.write(folder.resolve("munge.key"), key);
    Files.setPosixFilePermissions(
        folder.resolve("munge.key"), PosixFilePermissions.fromString("rw-------"));
    for (String name : List.of("state", "spool")) {
      Files.createDirectories(folder.resolve(name));
    }
    Files.writeString(folder.resolve("slurm.conf"), configuration());
    daemon("Created", "munged", munge());
    daemon("Running as primary controller", "slurmctld", List.of("-D"));
    daemon("slurmd started", "slurmd", List.of("-D", "-N", host));
  }

  private List<String> munge() {
    return List.of(
        "--foreground",
        "--force",
        "--key-file=" + folder.resolve("munge.key"),
        "--socket=" + folder.resolve("munge.socket"),
        "--pid-file=" + folder.resolve("munge.pid"),
        "--log-file=" + folder.resolve("munge.log"),
        "--seed-file=" + folder.resolve("munge.seed"));
  }

  private String configuration() throws IOException {
    String user = System.getProperty("user.name");
    return """
    ClusterName=trial
    SlurmctldHost=%1$s(127.0.0.1)
    SlurmctldPort=%4$d
    SlurmdPort=%5$d
    AuthType=auth/munge
    AuthInfo=socket=%3$s/munge.socket
    CredType=cred/munge
    ProctrackType=proctrack/linuxproc
    TaskPlugin=task/none
    MpiDefault=none
    SlurmUser=%2$s
    SlurmdUser=%2$s
    StateSaveLocation=%3$s/state
    SlurmdSpoolDir=%3$s/spool
    SlurmctldPidFile=%3$s/slurmctld.pid
    SlurmdPidFile=%3$s/slurmd.pid
    SlurmdParameters=config_overrides
    SchedulerParameters=sched_interval=1,batch_sched_delay=0
    ReturnToService=2
    SelectType=select/cons_tres
    SelectTypeParameters=CR_Core_Memory
    NodeName=%1$s NodeAddr=127.0.0.1 CPUs=2 RealMemory=4096 State=UNKNOWN
    PartitionName=cpu Nodes=ALL Default=YES MaxTime=10 State=UP
    """
        .formatted(host, user, folder, freePort(), freePort());
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  /** Starts a daemon and waits until it says that it is ready. */
  private void daemon(String ready, String name, List<String> options) throws IOException {
    List<String> command = new ArrayList<>(List.of(SYSTEM.resolve(name).toString()));
    command.addAll(options);
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().putAll(environment());
    Process process = builder.start();
    daemons.add(process);
    BufferedReader lines = process.inputReader();
    List<String> said = new ArrayList<>();
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      said.add(line);
      if (line.contains(ready)) {
        Thread.ofVirtual().start(() -> drain(lines));
        return;
      }
    }
    throw new IOException(name + " ended before it was ready: " + said);
  }

  /** Reads what else it says, so that it can go on saying it. */
  private static void drain(BufferedReader lines) {
    try (lines) {
      lines.transferTo(Writer.nullWriter());
    } catch (IOException e) {
      // It has ended.
      return;
    }
  }

  /** Returns the variables by which commands find it. */
  Map<String, String> environment() {
    return Map.of("SLURM_CONF", folder.resolve("slurm.conf").toString());
  }

  String host() {
    return host;
  }

  /** Returns a command that ends when a job has. */
  static String[] waitFor(String job) {
    return new String[] {"srun", "--quiet", "--dependency=afterany:" + job, "true"};
  }

  @Override
  public void close() {
    for (Process daemon : daemons.reversed()) {
      daemon.destroy();
      end(daemon);
    }
  }

  private static void end(Process daemon) {
    try {
      if (!daemon.waitFor(GRACE_SECONDS, TimeUnit.SECONDS)) {
        daemon.destroyForcibly();
      }
    } catch (InterruptedException e) {
      daemon.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
