package io.github.liquidscheduler.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.job.TaskId;
import io.github.liquidscheduler.reconcile.Command;
import io.github.liquidscheduler.reconcile.Confirmation;
import io.github.liquidscheduler.reconcile.ObservedJob;
import io.github.liquidscheduler.reconcile.ObservedState;
import io.github.liquidscheduler.slurm.SlurmConfig.Ownership;
import io.github.liquidscheduler.slurm.SlurmConfig.Priorities;
import io.github.liquidscheduler.slurm.trial.PrivateSlurm;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * A real Slurm of four nodes, two at a switch, and a port to it. The partition {@code other} is
 * left alone.
 */
record Trial(PrivateSlurm slurm, SlurmPort port) implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /**
   * Starts one. Without Debian's packages, or not as root, a test is skipped, but fails in CI.
   *
   * @param messageSeconds how long commands try to reach the controller
   */
  static Trial start(Path folder, Ownership ownership, int messageSeconds) throws IOException {
    boolean isThere = PrivateSlurm.isInstalled() && System.getProperty("user.name").equals("root");
    if (System.getenv("CI") != null) {
      assertThat(isThere).as("Debian's Slurm and munge, and root, must be there for CI").isTrue();
    }
    assumeTrue(isThere, "needs root and Slurm (slurmctld, slurmd, slurm-client, munge)");
    SlurmConfig config =
        new SlurmConfig(
            List.of("batch"),
            ownership,
            Map.of(),
            Priorities.NONE,
            Map.of(),
            Duration.ofSeconds(1),
            Duration.ofSeconds(30),
            Duration.ofMinutes(2),
            true,
            Optional.empty(),
            Optional.of(folder.resolve("slurm.conf")));
    String plugin = ownership == Ownership.BEGIN_TIME ? SlurmPort.submitPlugin(config) : "";
    List<String> lines =
        List.of("PartitionName=other Nodes=gpu0004 State=UP", "MessageTimeout=" + messageSeconds);
    PrivateSlurm slurm =
        PrivateSlurm.start(
            folder, new PrivateSlurm.Shape(4, 8, 2, plugin, lines, false, List.of()));
    return new Trial(slurm, SlurmPort.of(config, System::nanoTime));
  }

  /** Runs a command that must not fail, and returns what it printed. */
  String run(String... command) throws IOException {
    return slurm.run(command).strip();
  }

  /** Submits a job that does {@code script}, and returns its id. */
  String submit(String script, String... options) throws IOException {
    List<String> command = new ArrayList<>(List.of("sbatch", "--parsable", "-o", "/dev/null"));
    command.addAll(List.of(options));
    command.add("--wrap=" + script);
    return run(command.toArray(String[]::new));
  }

  /**
   * Looks until something is so; each look is a command, which takes its time. A look that fails,
   * as when a job begins while all are listed, is followed by another.
   */
  static void until(String what, Condition condition) {
    long begun = System.nanoTime();
    while (!holds(condition)) {
      assertThat(System.nanoTime() - begun).as("time until " + what).isLessThan(PATIENCE.toNanos());
    }
  }

  private static boolean holds(Condition condition) {
    try {
      return condition.holds();
    } catch (IOException e) {
      return false;
    }
  }

  String running(String... nodes) throws IOException {
    String id = submit("sleep 60", "-N" + nodes.length, "--gpus-per-node=1");
    job(id);
    assertThat(carryOut(start(id, 0, 1, nodes)).refused()).isEmpty();
    until("it runs", () -> job(id).state() instanceof ObservedState.Running);
    return id;
  }

  List<String> statesOf(String array) throws IOException {
    return port.observe().jobs().stream()
        .filter(job -> job.id().value().startsWith(array + "_"))
        .sorted((a, b) -> a.id().compareTo(b.id()))
        .map(job -> job.state().getClass().getSimpleName())
        .toList();
  }

  ObservedJob job(String id) throws IOException {
    return port.observe().jobs().stream()
        .filter(job -> job.id().value().equals(id))
        .findFirst()
        .orElseThrow();
  }

  Confirmation carryOut(Command command) {
    return port.carryOut(List.of(command)).toCompletableFuture().join().getFirst();
  }

  static Command start(String id, int attempt, int gpus, String... nodes) {
    List<TaskPlacement> tasks = new ArrayList<>();
    for (int task = 0; task < nodes.length; task++) {
      tasks.add(
          new TaskPlacement(
              new TaskId("node", task),
              NodeId.of(nodes[task]),
              IntStream.range(0, gpus).boxed().toList(),
              ResourceRequest.ofGpus(gpus)));
    }
    return new Command.Start(JobId.of(id), attempt, new Placement(JobId.of(id), tasks));
  }

  @Override
  public void close() {
    port.close();
    slurm.close();
  }

  /** What a test waits for. */
  interface Condition {
    boolean holds() throws IOException;
  }
}
