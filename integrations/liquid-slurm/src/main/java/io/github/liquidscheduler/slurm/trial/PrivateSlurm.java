package io.github.liquidscheduler.slurm.trial;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
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
  private final Map<String, Process> daemons = new HashMap<>();

  /**
   * What it is made of.
   *
   * @param nodes the number of nodes: {@code gpu0001} and so on
   * @param gpus the number of GPUs of each node, of type {@code a100}
   * @param nodesPerLeaf the number of nodes below each leaf switch
   * @param submitPlugin the Lua source of a submit plugin; empty if there is none
   * @param lines more lines of {@code slurm.conf}
   * @param isEmpty whether no node has a daemon: jobs get their nodes, and never run
   * @param launcher the words before each command that is run, such as those of {@code nsenter}
   */
  public record Shape(
      int nodes,
      int gpus,
      int nodesPerLeaf,
      String submitPlugin,
      List<String> lines,
      boolean isEmpty,
      List<String> launcher) {

    /** Copies the lists. */
    public Shape {
      lines = List.copyOf(lines);
      launcher = List.copyOf(launcher);
    }

    /** Returns nodes of 8 GPUs, 16 below each switch, without a submit plugin. */
    public static Shape of(int nodes) {
      return new Shape(nodes, 8, 16, "", List.of(), false, List.of());
    }

    /** Returns the same without a process for each node, for thousands of them. */
    public static Shape empty(int nodes) {
      return new Shape(nodes, 8, 16, "", List.of(), true, List.of());
    }

    /** Returns this shape with more lines of {@code slurm.conf}. */
    public Shape with(List<String> more) {
      return new Shape(
          nodes,
          gpus,
          nodesPerLeaf,
          submitPlugin,
          Stream.concat(lines.stream(), more.stream()).toList(),
          isEmpty,
          launcher);
    }

    /** Returns the names of the nodes. */
    public List<String> names() {
      return IntStream.rangeClosed(1, nodes).mapToObj("gpu%04d"::formatted).toList();
    }

    /** Returns this shape with a submit plugin. */
    public Shape with(String submitPlugin) {
      return new Shape(nodes, gpus, nodesPerLeaf, submitPlugin, lines, isEmpty, launcher);
    }

    /** Returns this shape with each command run by another one. */
    public Shape launchedBy(List<String> launcher) {
      return new Shape(nodes, gpus, nodesPerLeaf, submitPlugin, lines, isEmpty, launcher);
    }
  }

  /** What else is started once munge is there. */
  private interface BesideMunge {
    void start(PrivateSlurm slurm) throws IOException;
  }

  private PrivateSlurm(Path folder, Shape shape) {
    this.folder = folder;
    this.shape = shape;
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
    return start(new PrivateSlurm(folder, shape), slurm -> {});
  }

  /** Returns whether this machine has what accounting needs, too. */
  public static boolean isAccountingInstalled() {
    return isInstalled()
        && Stream.of("slurmdbd", "mariadbd")
            .allMatch(name -> Files.isExecutable(SYSTEM.resolve(name)));
  }

  /**
   * Starts one with accounting, by {@code slurmdbd} and MariaDB: only users that are added to an
   * account by {@code sacctmgr} can submit jobs. Needs Debian's packages {@code slurmdbd} and
   * {@code mariadb-server-core}, too.
   *
   * @param folder an absolute folder that is there, and is empty
   * @throws IOException if a daemon does not start
   */
  public static PrivateSlurm startWithAccounting(Path folder, Shape shape) throws IOException {
    PrivateAccounting accounting = new PrivateAccounting(folder, SlurmFiles.freePorts(2));
    return start(new PrivateSlurm(folder, shape.with(accounting.lines())), accounting::start);
  }

  private static PrivateSlurm start(PrivateSlurm slurm, BesideMunge more) throws IOException {
    Shape shape = slurm.shape;
    try {
      new SlurmFiles(slurm.folder, shape).write();
      slurm.startMunge();
      more.start(slurm);
      slurm.startController();
      for (String node : shape.isEmpty ? List.<String>of() : shape.names()) {
        slurm.startNode(node);
      }
      slurm.await("all nodes are idle", () -> slurm.idleNodes() == shape.nodes);
      return slurm;
    } catch (IOException | RuntimeException e) {
      slurm.close();
      throw e;
    }
  }

  /** Returns what it is made of. */
  public Shape shape() {
    return shape;
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
    ProcessBuilder builder =
        new ProcessBuilder(launched(List.of(command))).redirectErrorStream(true);
    builder.environment().putAll(environment());
    Process process = builder.start();
    process.getOutputStream().close();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (exitStatus(process) != 0) {
      throw new IOException("'%s' failed: %s".formatted(String.join(" ", command), said.strip()));
    }
    return said;
  }

  private List<String> launched(List<String> command) {
    return Stream.concat(shape.launcher.stream(), command.stream()).toList();
  }

  static int exitStatus(Process process) throws IOException {
    try {
      return process.waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  /** Starts the controller, which goes on from what it has saved. */
  public void startController() throws IOException {
    startController(Map.of());
  }

  /** Does the same with more variables for its process. */
  public void startController(Map<String, String> variables) throws IOException {
    Path file = folder.resolve("slurm.conf");
    launch(CONTROLLER, command(CONTROLLER, List.of("-D", "-i"), "-f", file.toString()), variables);
    await("the controller answers", this::answers);
  }

  /** Kills the controller at once: it loses what it has not saved, up to five seconds. */
  public void killController() {
    kill(CONTROLLER);
  }

  /** Starts the daemon of a node. */
  public void startNode(String node) throws IOException {
    Files.createDirectories(folder.resolve("spool").resolve(node));
    launch(
        node,
        command("slurmd", List.of("-D"), "-f", folder.resolve("slurm.conf").toString(), "-N", node),
        Map.of());
  }

  /** Kills the daemon of a node at once; its jobs run on. */
  public void killNode(String node) {
    kill(node);
  }

  /**
   * Kills the daemon of a node with all that runs there, as when a machine fails, and tells the
   * controller.
   *
   * @throws IOException if the controller does not answer
   */
  public void loseNode(String node) throws IOException {
    kill(node);
    NodeProcesses.kill(node, folder.resolve("slurm.conf"));
    run("scontrol", "update", "NodeName=" + node, "State=DOWN", "Reason=lost");
  }

  /** Lets the controller hang until it goes on. */
  public void hangController() throws IOException {
    signalController("STOP");
  }

  /** Lets a controller that hangs go on. */
  public void resumeController() throws IOException {
    signalController("CONT");
  }

  private void signalController(String signal) throws IOException {
    Process controller = daemons.get(CONTROLLER);
    if (controller != null) {
      exitStatus(new ProcessBuilder("kill", "-" + signal, Long.toString(controller.pid())).start());
    }
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
    await(what, LIMIT, holds);
  }

  /**
   * Waits until something holds.
   *
   * @param limit how long, positive
   * @throws IOException if it does not within that time
   */
  public void await(String what, Duration limit, BooleanSupplier holds) throws IOException {
    long end = System.nanoTime() + limit.toNanos();
    while (!holds.getAsBoolean()) {
      if (System.nanoTime() > end) {
        throw new IOException(
            "%s should come true within %s, but did not; see the logs in '%s'"
                .formatted(what, limit, folder));
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
        List.of("--foreground"),
        "--force",
        "--key-file=" + folder.resolve("munge.key"),
        "--socket=" + folder.resolve("munge.socket"),
        "--pid-file=" + folder.resolve("munge.pid"),
        "--log-file=" + folder.resolve("munge.log"),
        "--seed-file=" + folder.resolve("munge.seed"));
    await("munge listens", () -> Files.exists(folder.resolve("munge.socket")));
  }

  static List<String> command(String program, List<String> options, String... more) {
    List<String> command = new ArrayList<>(List.of(SYSTEM.resolve(program).toString()));
    command.addAll(options);
    command.addAll(List.of(more));
    return command;
  }

  /** Starts a daemon that is called as its program is. */
  void daemon(String program, List<String> options, String... more) throws IOException {
    launch(program, command(program, options, more), Map.of());
  }

  private void launch(String name, List<String> command, Map<String, String> variables)
      throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(launched(command))
            .redirectErrorStream(true)
            .redirectInput(Path.of("/dev/null").toFile())
            .redirectOutput(
                ProcessBuilder.Redirect.appendTo(folder.resolve(name + ".log").toFile()));
    builder.environment().putAll(environment());
    builder.environment().putAll(variables);
    daemons.put(name, builder.start());
  }

  /** Cancels what runs, since jobs outlive the daemons, and stops these. */
  @Override
  public void close() {
    if (daemons.containsKey(CONTROLLER) && !shape.isEmpty) {
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
