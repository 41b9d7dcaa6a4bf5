package io.github.liquidscheduler.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.liquidscheduler.slurm.CommandRunner.Answer;
import io.github.liquidscheduler.slurm.SlurmConfig.Ownership;
import io.github.liquidscheduler.slurm.SlurmConfig.Priorities;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A Slurm of four nodes, {@code gpu1} to {@code gpu4}, each with eight GPUs that are other devices:
 * daemons of its own on free ports of the loopback, in a folder.
 */
final class PrivateSlurm implements AutoCloseable {
  private static final Path SYSTEM = Path.of("/usr/sbin");
  private static final int NODES = 4;
  private static final int GRACE_SECONDS = 10;
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final Path folder;
  private final SlurmConfig config;
  private final int messageSeconds;
  private final CommandRunner runner;
  private final List<Process> daemons = new ArrayList<>();
  private @Nullable Process controller;

  private PrivateSlurm(Path folder, Ownership ownership, int messageSeconds) {
    this.folder = folder;
    this.messageSeconds = messageSeconds;
    config =
        new SlurmConfig(
            List.of("batch"),
            ownership,
            Map.of(),
            Priorities.NONE,
            Map.of(),
            Duration.ofSeconds(1),
            Duration.ofSeconds(30),
            Optional.empty(),
            Optional.of(folder.resolve("slurm.conf")));
    runner = new ProcessRunner(config);
  }

  /**
   * Starts one. Without Debian's packages, or not as root, a test is skipped, but fails in CI.
   *
   * @param messageSeconds how long commands try to reach the controller
   */
  static PrivateSlurm start(Path folder, Ownership ownership, int messageSeconds)
      throws IOException {
    boolean isThere =
        Stream.of("slurmctld", "slurmd", "munged")
                .allMatch(name -> Files.isExecutable(SYSTEM.resolve(name)))
            && System.getProperty("user.name").equals("root");
    if (System.getenv("CI") != null) {
      assertThat(isThere).as("Debian's Slurm and munge, and root, must be there for CI").isTrue();
    }
    assumeTrue(isThere, "needs root and Slurm (slurmctld, slurmd, slurm-client, munge)");
    PrivateSlurm slurm = new PrivateSlurm(folder, ownership, messageSeconds);
    try {
      slurm.startDaemons();
      return slurm;
    } catch (IOException | RuntimeException e) {
      slurm.close();
      throw e;
    }
  }

  private void startDaemons() throws IOException {
    byte[] key = new byte[128];
    new SecureRandom().nextBytes(key);
    Files.write(folder.resolve("munge.key"), key);
    Files.setPosixFilePermissions(
        folder.resolve("munge.key"), PosixFilePermissions.fromString("rw-------"));
    Files.createDirectories(folder.resolve("state"));
    Files.writeString(folder.resolve("slurm.conf"), configuration());
    Files.writeString(
        folder.resolve("topology.conf"),
        """
        SwitchName=left Nodes=gpu[1-2]
        SwitchName=right Nodes=gpu[3-4]
        SwitchName=top Switches=left,right
        """);
    Files.writeString(
        folder.resolve("gres.conf"),
        "AutoDetect=off\nNodeName=gpu[1-4] Name=gpu Type=a100 File=/dev/tty[1-8]\n");
    Files.writeString(folder.resolve("job_submit.lua"), SlurmPort.submitPlugin(config));
    daemons.add(daemon("Created", "munged", munge()));
    startController();
    for (int node = 1; node <= NODES; node++) {
      Files.createDirectories(folder.resolve("spool/gpu" + node));
      daemons.add(daemon("slurmd started", "slurmd", List.of("-D", "-N", "gpu" + node)));
    }
    until(
        "nodes idle",
        () -> run("sinfo", "-h", "-t", "idle", "-p", "batch", "-o", "%D").equals("" + NODES));
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
    StringBuilder nodes = new StringBuilder();
    for (int node = 1; node <= NODES; node++) {
      nodes.append(
          "NodeName=gpu%d NodeHostname=%s NodeAddr=127.0.0.1 Port=%d CPUs=32 RealMemory=64000 Gres=gpu:a100:8 Feature=fast State=UNKNOWN\n"
              .formatted(node, host(), freePort()));
    }
    return """
    ClusterName=trial
    SlurmctldHost=%1$s(127.0.0.1)
    SlurmctldPort=%3$d
    CommunicationParameters=NoInAddrAny,NoCtldInAddrAny
    AuthType=auth/munge
    AuthInfo=socket=%2$s/munge.socket
    CredType=cred/munge
    ProctrackType=proctrack/linuxproc
    TaskPlugin=task/none
    MpiDefault=none
    SlurmUser=root
    SlurmdUser=root
    StateSaveLocation=%2$s/state
    SlurmdSpoolDir=%2$s/spool/%%n
    SlurmctldPidFile=%2$s/slurmctld.pid
    SlurmdPidFile=%2$s/slurmd.%%n.pid
    SlurmdParameters=config_overrides
    SchedulerParameters=sched_interval=1,batch_sched_delay=0,bf_interval=2
    TopologyPlugin=topology/tree
    ReturnToService=2
    KillWait=1
    MessageTimeout=%6$d
    SelectType=select/cons_tres
    SelectTypeParameters=CR_Core_Memory
    DefMemPerCPU=100
    GresTypes=gpu
    Licenses=datalake:4
    %5$s
    %4$s
    PartitionName=batch Nodes=ALL Default=YES State=UP
    PartitionName=other Nodes=gpu4 State=UP
    """
        .formatted(
            host(),
            folder,
            freePort(),
            nodes,
            config.ownership() == Ownership.BEGIN_TIME ? "JobSubmitPlugins=lua" : "",
            messageSeconds);
  }

  private static String host() throws IOException {
    return InetAddress.getLocalHost().getHostName().split("\\.", 2)[0];
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  /** Starts the controller, again if it was killed. */
  void startController() throws IOException {
    controller = daemon("Running as primary controller", "slurmctld", List.of("-D"));
    daemons.add(controller);
  }

  /** Kills the controller, which saves nothing any more. */
  void killController() {
    if (controller != null) {
      controller.destroyForcibly().onExit().join();
      daemons.remove(controller);
    }
  }

  /** Starts a daemon, writes down its process, and waits until it says that it is ready. */
  private Process daemon(String ready, String name, List<String> options) throws IOException {
    List<String> command = new ArrayList<>(List.of(SYSTEM.resolve(name).toString()));
    command.addAll(options);
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().put("SLURM_CONF", folder.resolve("slurm.conf").toString());
    Process process = builder.start();
    Files.writeString(
        folder.resolve("pids"),
        name + " " + process.pid() + "\n",
        StandardOpenOption.CREATE,
        StandardOpenOption.APPEND);
    BufferedReader lines = process.inputReader();
    List<String> said = new ArrayList<>();
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      said.add(line);
      if (line.contains(ready)) {
        Thread.ofVirtual().start(() -> drain(lines));
        return process;
      }
    }
    throw new IOException(name + " ended before it was ready: " + said);
  }

  private static void drain(BufferedReader lines) {
    try (lines) {
      lines.transferTo(Writer.nullWriter());
    } catch (IOException e) {
      // It has ended.
      return;
    }
  }

  SlurmConfig config() {
    return config;
  }

  /** Runs a command that must not fail, and returns what it printed. */
  String run(String... command) throws IOException {
    Answer answer = runner.run(List.of(command));
    return answer.done(String.join(" ", command)).strip();
  }

  /** Submits a job that does {@code script}, and returns its id. */
  String submit(String script, String... options) throws IOException {
    List<String> command = new ArrayList<>(List.of("sbatch", "--parsable", "-o", "/dev/null"));
    command.addAll(List.of(options));
    command.add("--wrap=" + script);
    return run(command.toArray(String[]::new));
  }

  /** Looks until something is so; each look is a command, which takes its time. */
  static void until(String what, Condition condition) throws IOException {
    long begun = System.nanoTime();
    while (!condition.holds()) {
      assertThat(System.nanoTime() - begun).as("time until " + what).isLessThan(PATIENCE.toNanos());
    }
  }

  @Override
  public void close() {
    try {
      run("scancel", "-u", "root");
      until("no job runs", () -> run("squeue", "-h", "-t", "R,CG,CF").isEmpty());
    } catch (IOException | AssertionError e) {
      // There is no controller, and the jobs are short.
      assertThat(daemons).isNotNull();
    }
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

  /** What a test waits for. */
  interface Condition {
    boolean holds() throws IOException;
  }
}
