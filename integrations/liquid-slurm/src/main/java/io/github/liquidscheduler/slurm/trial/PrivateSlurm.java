package io.github.liquidscheduler.slurm.trial;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A Slurm of its own, for trials: one controller and many nodes with GPUs that do nothing, all on
 * this machine, on free ports of loopback, below one folder. Needs Debian's packages {@code
 * slurmctld}, {@code slurmd}, {@code slurm-client} and {@code munge}. Not thread-safe.
 *
 * <p>Ended jobs are written to {@link #history}. Two partitions, {@code batch} and {@code urgent},
 * have all nodes; there are four licences {@code datalake}.
 */
public final class PrivateSlurm implements AutoCloseable {

  private static final Path SYSTEM = Path.of("/usr/sbin");
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final int POLL_MILLIS = 100;
  private static final String CONTROLLER = "slurmctld";

  private final Path folder;
  private final Shape shape;
  private final String host;
  private final Map<String, Process> daemons = new HashMap<>();

  /**
   * What it is made of.
   *
   * @param nodes the number of nodes: {@code gpu0001} and so on
   * @param gpus the number of GPUs of each node, of type {@code a100}
   * @param nodesPerLeaf the number of nodes below each leaf switch
   * @param submitPlugin the Lua source of a submit plugin; empty if there is none
   * @param lines more lines of {@code slurm.conf}
   */
  public record Shape(
      int nodes, int gpus, int nodesPerLeaf, String submitPlugin, List<String> lines) {

    /** Copies the lines. */
    public Shape {
      lines = List.copyOf(lines);
    }

    /** Returns nodes of 8 GPUs, 16 below each switch, without a submit plugin. */
    public static Shape of(int nodes) {
      return new Shape(nodes, 8, 16, "", List.of());
    }

    /** Returns this shape with a submit plugin. */
    public Shape with(String submitPlugin) {
      return new Shape(nodes, gpus, nodesPerLeaf, submitPlugin, lines);
    }
  }

  private PrivateSlurm(Path folder, Shape shape) throws IOException {
    this.folder = folder;
    this.shape = shape;
    host = InetAddress.getLocalHost().getHostName().split("\\.", 2)[0];
  }

  /** Returns whether this machine has what it needs. */
  public static boolean isInstalled() {
    return Stream.of(CONTROLLER, "slurmd", "munged")
        .allMatch(name -> Files.isExecutable(SYSTEM.resolve(name)));
  }

  /**
   * Starts one, and returns once all its nodes are idle.
   *
   * @param folder an absolute folder that is there, and is empty
   * @throws IOException if a daemon does not start
   */
  public static PrivateSlurm start(Path folder, Shape shape) throws IOException {
    PrivateSlurm slurm = new PrivateSlurm(folder, shape);
    try {
      slurm.writeFiles();
      slurm.startMunge();
      slurm.startController();
      for (String node : slurm.nodes()) {
        slurm.startNode(node);
      }
      slurm.await("all nodes are idle", () -> slurm.idleNodes() == shape.nodes);
      return slurm;
    } catch (IOException | RuntimeException e) {
      slurm.close();
      throw e;
    }
  }

  /** Returns the names of the nodes. */
  public List<String> nodes() {
    return IntStream.rangeClosed(1, shape.nodes).mapToObj("gpu%04d"::formatted).toList();
  }

  /** Returns the variables by which Slurm's commands find it. */
  public Map<String, String> environment() {
    return Map.of("SLURM_CONF", folder.resolve("slurm.conf").toString());
  }

  /** Returns the file to which ended jobs are written, a line each, by {@code jobcomp/filetxt}. */
  public Path history() {
    return folder.resolve("jobcomp");
  }

  /** Returns the log of the controller. */
  public Path log() {
    return folder.resolve(CONTROLLER + ".log");
  }

  /** Returns the processor time that the present controller has taken. */
  public Duration controllerTime() {
    return Optional.ofNullable(daemons.get(CONTROLLER))
        .flatMap(daemon -> daemon.info().totalCpuDuration())
        .orElse(Duration.ZERO);
  }

  /**
   * Runs one of Slurm's commands, and returns what it prints.
   *
   * @throws IOException if it fails, with what it says
   */
  public String run(String... command) throws IOException {
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().putAll(environment());
    Process process = builder.start();
    process.getOutputStream().close();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (exitStatus(process) != 0) {
      throw new IOException("'%s' failed: %s".formatted(String.join(" ", command), said.strip()));
    }
    return said;
  }

  private static int exitStatus(Process process) throws IOException {
    try {
      return process.waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  /** Starts the controller, which goes on from what it has saved. */
  public void startController() throws IOException {
    daemon(CONTROLLER, CONTROLLER, "-D", "-i", "-f", folder.resolve("slurm.conf").toString());
    await("the controller answers", this::answers);
  }

  /** Kills the controller at once: it loses what it has not saved, up to five seconds. */
  public void killController() {
    kill(CONTROLLER);
  }

  /** Starts the daemon of a node. */
  public void startNode(String node) throws IOException {
    Files.createDirectories(folder.resolve("spool").resolve(node));
    daemon(node, "slurmd", "-D", "-f", folder.resolve("slurm.conf").toString(), "-N", node);
  }

  /** Kills the daemon of a node at once; its jobs run on. */
  public void killNode(String node) {
    kill(node);
  }

  private void kill(String name) {
    Process daemon = daemons.remove(name);
    if (daemon != null) {
      end(daemon.destroyForcibly());
    }
  }

  private boolean answers() {
    try {
      return run("scontrol", "ping").contains("UP");
    } catch (IOException e) {
      return false;
    }
  }

  private int idleNodes() {
    try {
      String said = run("sinfo", "--noheader", "-p", "batch", "-t", "idle", "-o", "%D");
      return said.isBlank() ? 0 : Integer.parseInt(said.strip().lines().findFirst().orElse("0"));
    } catch (IOException | NumberFormatException e) {
      return 0;
    }
  }

  /**
   * Waits until something holds.
   *
   * @throws IOException if it does not within a minute
   */
  public void await(String what, BooleanSupplier holds) throws IOException {
    long end = System.nanoTime() + LIMIT.toNanos();
    while (!holds.getAsBoolean()) {
      if (System.nanoTime() > end) {
        throw new IOException(
            "%s should come true within %s, but did not; see the logs in '%s'"
                .formatted(what, LIMIT, folder));
      }
      pause();
    }
  }

  private static void pause() throws IOException {
    try {
      TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  private void startMunge() throws IOException {
    daemon(
        "munged",
        "munged",
        "--foreground",
        "--force",
        "--key-file=" + folder.resolve("munge.key"),
        "--socket=" + folder.resolve("munge.socket"),
        "--pid-file=" + folder.resolve("munge.pid"),
        "--log-file=" + folder.resolve("munge.log"),
        "--seed-file=" + folder.resolve("munge.seed"));
    await("munge listens", () -> Files.exists(folder.resolve("munge.socket")));
  }

  private void daemon(String name, String program, String... options) throws IOException {
    List<String> command = new ArrayList<>(List.of(SYSTEM.resolve(program).toString()));
    command.addAll(List.of(options));
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectInput(Path.of("/dev/null").toFile())
            .redirectOutput(
                ProcessBuilder.Redirect.appendTo(folder.resolve(name + ".log").toFile()));
    builder.environment().putAll(environment());
    daemons.put(name, builder.start());
  }

  private void writeFiles() throws IOException {
    byte[] key = new byte[128];
    new SecureRandom().nextBytes(key);
    Files.write(folder.resolve("munge.key"), key);
    Files.setPosixFilePermissions(
        folder.resolve("munge.key"), PosixFilePermissions.fromString("rw-------"));
    Files.createDirectories(folder.resolve("state"));
    Files.createDirectories(folder.resolve("spool"));
    Files.writeString(folder.resolve("gres.conf"), devices());
    Files.writeString(folder.resolve("topology.conf"), topology());
    if (!shape.submitPlugin.isEmpty()) {
      Files.writeString(folder.resolve("job_submit.lua"), shape.submitPlugin);
    }
    Files.writeString(folder.resolve("slurm.conf"), configuration());
  }

  /** Returns the lines of GPUs: Slurm takes character devices only. */
  private String devices() throws IOException {
    StringBuilder lines = new StringBuilder("AutoDetect=off\n");
    for (int gpu = 0; gpu < shape.gpus; gpu++) {
      Path device = folder.resolve("nvidia" + gpu);
      Process made = new ProcessBuilder("mknod", device.toString(), "c", "1", "3").start();
      Path known = exitStatus(made) == 0 ? device : Path.of("/dev/tty" + gpu);
      lines.append(
          "NodeName=gpu[0001-%04d] Name=gpu Type=a100 File=%s%n".formatted(shape.nodes, known));
    }
    return lines.toString();
  }

  private String topology() {
    StringBuilder lines = new StringBuilder();
    int leaves = 0;
    for (int first = 1; first <= shape.nodes; first += shape.nodesPerLeaf) {
      int last = Math.min(shape.nodes, first + shape.nodesPerLeaf - 1);
      lines.append("SwitchName=leaf%d Nodes=gpu[%04d-%04d]%n".formatted(leaves++, first, last));
    }
    return lines + "SwitchName=spine Switches=leaf[0-%d]%n".formatted(leaves - 1);
  }

  private String configuration() throws IOException {
    String user = System.getProperty("user.name");
    List<Integer> ports = freePorts(shape.nodes + 1);
    List<String> lines = new ArrayList<>();
    lines.add(
        """
        ClusterName=trial
        SlurmctldHost=%1$s(127.0.0.1)
        SlurmctldPort=%4$d
        CommunicationParameters=NoInAddrAny,NoCtldInAddrAny
        AuthType=auth/munge
        AuthInfo=socket=%3$s/munge.socket,cred_expire=5
        CredType=cred/munge
        ProctrackType=proctrack/linuxproc
        TaskPlugin=task/none
        MpiDefault=none
        SlurmUser=%2$s
        SlurmdUser=%2$s
        StateSaveLocation=%3$s/state
        SlurmdSpoolDir=%3$s/spool/%%n
        SlurmctldPidFile=%3$s/slurmctld.pid
        SlurmdPidFile=%3$s/slurmd.%%n.pid
        JobCompType=jobcomp/filetxt
        JobCompLoc=%3$s/jobcomp
        SelectType=select/cons_tres
        SelectTypeParameters=CR_CPU_Memory
        DefMemPerCPU=100
        SchedulerType=sched/backfill
        SchedulerParameters=bf_interval=5,sched_interval=5,batch_sched_delay=0,default_queue_depth=1000
        TopologyPlugin=topology/tree
        PreemptType=preempt/partition_prio
        PreemptMode=REQUEUE
        ReturnToService=2
        SlurmdTimeout=300
        InactiveLimit=0
        MinJobAge=300
        KillWait=2
        TreeWidth=65533
        Licenses=datalake:4
        GresTypes=gpu
        SlurmdParameters=config_overrides\
        """
            .formatted(host, user, folder, ports.getFirst()));
    for (int node = 0; node < shape.nodes; node++) {
      lines.add(
          "NodeName=%s NodeHostname=%s NodeAddr=127.0.0.1 Port=%d CPUs=64 RealMemory=512000 Gres=gpu:a100:%d State=UNKNOWN"
              .formatted(nodes().get(node), host, ports.get(node + 1), shape.gpus));
    }
    String partition = "PartitionName=%s Nodes=ALL MaxTime=INFINITE State=UP PriorityTier=%d%s";
    lines.add(partition.formatted("batch", 10, " Default=YES"));
    lines.add(partition.formatted("urgent", 20, ""));
    if (!shape.submitPlugin.isEmpty()) {
      lines.add("JobSubmitPlugins=lua");
    }
    lines.addAll(shape.lines);
    return String.join("\n", lines) + "\n";
  }

  private static List<Integer> freePorts(int count) throws IOException {
    List<ServerSocket> sockets = new ArrayList<>();
    try {
      for (int i = 0; i < count; i++) {
        sockets.add(new ServerSocket(0, 1, InetAddress.getLoopbackAddress()));
      }
      return sockets.stream().map(ServerSocket::getLocalPort).toList();
    } finally {
      for (ServerSocket socket : sockets) {
        socket.close();
      }
    }
  }

  /** Cancels what runs, since jobs outlive the daemons, and stops these. */
  @Override
  public void close() {
    if (daemons.containsKey(CONTROLLER)) {
      cancelAll();
    }
    daemons.values().forEach(Process::destroy);
    daemons.values().forEach(PrivateSlurm::end);
    daemons.clear();
  }

  private void cancelAll() {
    String user = "--user=" + System.getProperty("user.name");
    try {
      run("scancel", user);
      await("no job is left", this::hasNoJob);
    } catch (IOException e) {
      // The daemons are stopped all the same.
      return;
    }
  }

  private boolean hasNoJob() {
    try {
      return run("squeue", "--noheader").isBlank();
    } catch (IOException e) {
      return true;
    }
  }

  private static void end(Process daemon) {
    try {
      if (!daemon.waitFor(10, TimeUnit.SECONDS)) {
        daemon.destroyForcibly().waitFor();
      }
    } catch (InterruptedException e) {
      daemon.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
