package io.github.liquidscheduler.cli.slurm;

import io.github.liquidscheduler.slurm.trial.PrivateSlurm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Faults that come to a daemon and its Slurm, one after another, as drawn by a seed. */
final class Chaos {

  /** What goes wrong. */
  enum Fault {
    ADAPTER_KILLED,
    CONTROLLER_KILLED,
    CONTROLLER_HANGS,
    NETWORK_CUT,
    CLOCKS_DIFFER,
    NODE_LOST,
    NODE_DRAINED,
    NODE_DAEMON_RESTARTED,
    JOBS_CANCELLED,
    JOB_RELEASED,
    JOB_REQUEUED,
    DISK_FULL
  }

  /** What is looked at while nothing goes wrong. */
  interface Quiet {
    void look() throws Exception;
  }

  /** It waits for nodes, which may take long to register with a new controller under load. */
  private static final Duration STARTED = Duration.ofMinutes(3);

  private static final String OWNED = "--partition=batch,urgent";

  private static final Optional<Path> FAKETIME = faketime();

  private final PrivateSlurm slurm;
  private final DaemonProcess daemon;
  private final Optional<OwnNetwork> network;
  private final Optional<Path> smallDisk;
  private final Random random;
  private final Set<Fault> possible = EnumSet.allOf(Fault.class);
  private final List<String> happened = new ArrayList<>();
  private final Set<String> requeued = new HashSet<>();
  private final Set<String> released = new HashSet<>();
  private final List<ControllerKill> kills = new ArrayList<>();

  /**
   * Makes faults.
   *
   * @param network the network of all of them; empty if it cannot be cut
   * @param smallDisk the disk of the journal; empty if it cannot be filled
   */
  Chaos(
      PrivateSlurm slurm,
      DaemonProcess daemon,
      Optional<OwnNetwork> network,
      Optional<Path> smallDisk,
      long seed) {
    this.slurm = slurm;
    this.daemon = daemon;
    this.network = network;
    this.smallDisk = smallDisk;
    random = new Random(seed);
    if (network.isEmpty()) {
      possible.remove(Fault.NETWORK_CUT);
    }
    if (smallDisk.isEmpty()) {
      possible.remove(Fault.DISK_FULL);
    }
    if (FAKETIME.isEmpty()) {
      possible.remove(Fault.CLOCKS_DIFFER);
    }
  }

  /** Returns the library that changes the clock of a process; empty if it is not installed. */
  private static Optional<Path> faketime() {
    try (Stream<Path> machines = Files.list(Path.of("/usr/lib"))) {
      return machines
          .map(machine -> machine.resolve("faketime").resolve("libfaketime.so.1"))
          .filter(Files::exists)
          .findFirst();
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** Returns the faults that this machine refuses. */
  Set<Fault> refused() {
    return EnumSet.complementOf(EnumSet.copyOf(possible));
  }

  /** Returns what happened, a line each. */
  List<String> happened() {
    return happened;
  }

  /** Returns the ids of the jobs that an operator sent back to the queue. */
  Set<String> requeued() {
    return requeued;
  }

  /** Returns the ids of the jobs that an operator let start where and when Slurm likes. */
  Set<String> released() {
    return released;
  }

  List<ControllerKill> kills() {
    return kills;
  }

  /**
   * Lets faults happen for a time: each kind once, in a drawn order, then over again. After each
   * such round, and in the end, none happens until something was looked at.
   */
  void happen(Duration time, Quiet quiet) throws Exception {
    long end = System.nanoTime() + time.toNanos();
    List<Fault> next = new ArrayList<>();
    while (System.nanoTime() < end) {
      if (next.isEmpty()) {
        next.addAll(possible);
        Collections.shuffle(next, random);
      }
      Fault fault = next.removeLast();
      happened.add(fault + " " + happen(fault));
      pause(500, 3000);
      if (next.isEmpty()) {
        quiet.look();
      }
    }
    quiet.look();
  }

  private String happen(Fault fault) throws Exception {
    return switch (fault) {
      case ADAPTER_KILLED -> {
        daemon.kill();
        pause(0, 2000);
        yield started(Map.of());
      }
      case CONTROLLER_KILLED -> killedController(Map.of());
      case CONTROLLER_HANGS -> {
        slurm.hangController();
        pause(1000, 5000);
        slurm.resumeController();
        yield "";
      }
      case NETWORK_CUT -> {
        boolean isCut = network.orElseThrow().cut();
        pause(1000, 5000);
        yield isCut + " " + network.orElseThrow().mend();
      }
      case CLOCKS_DIFFER -> {
        String controller = killedController(clock(random.nextInt(20) - 10));
        daemon.kill();
        yield controller + started(clock(random.nextInt(20) - 10));
      }
      case NODE_LOST -> {
        String node = node();
        slurm.loseNode(node);
        pause(1000, 4000);
        slurm.startNode(node);
        yield node + said("scontrol", "update", "NodeName=" + node, "State=RESUME");
      }
      case NODE_DRAINED -> {
        String node = node();
        String said = said("scontrol", "update", "NodeName=" + node, "State=DRAIN", "Reason=look");
        pause(2000, 5000);
        yield node + said + said("scontrol", "update", "NodeName=" + node, "State=RESUME");
      }
      case NODE_DAEMON_RESTARTED -> {
        String node = node();
        slurm.killNode(node);
        pause(0, 2000);
        slurm.startNode(node);
        yield node;
      }
      case JOBS_CANCELLED -> job("PENDING", "scancel") + job("RUNNING", "scancel");
      case JOB_RELEASED -> {
        String job = job("PENDING");
        released.add(job);
        yield job
            + (job.isEmpty() ? "" : said("scontrol", "update", "JobId=" + job, "StartTime=now"));
      }
      case JOB_REQUEUED -> {
        String job = job("RUNNING");
        requeued.add(job);
        yield job + (job.isEmpty() ? "" : said("scontrol", "requeue", job));
      }
      case DISK_FULL -> {
        Path filler = smallDisk.orElseThrow().resolve("filler");
        exitStatus("dd", "if=/dev/zero", "of=" + filler, "bs=64k");
        pause(1000, 3000);
        boolean hasEnded = !daemon.isAlive();
        Files.delete(filler);
        yield hasEnded ? "and it stopped" + started(Map.of()) : "";
      }
    };
  }

  private String killedController(Map<String, String> variables) throws Exception {
    kills.add(ControllerKill.of(slurm));
    pause(0, 2000);
    slurm.startController(variables);
    return "" + variables.getOrDefault("FAKETIME", "");
  }

  private String started(Map<String, String> variables) throws Exception {
    daemon.start(variables);
    slurm.await("the daemon decides", STARTED, daemon::isReady);
    return " " + variables.getOrDefault("FAKETIME", "");
  }

  private static Map<String, String> clock(int seconds) {
    return Map.of(
        "LD_PRELOAD",
        FAKETIME.orElseThrow().toString(),
        "FAKETIME",
        "%+ds".formatted(seconds),
        "FAKETIME_DONT_FAKE_MONOTONIC",
        "1",
        // Else waits with a limit take a virtual machine many times as long.
        "FAKETIME_FORCE_MONOTONIC_FIX",
        "0");
  }

  private String node() {
    List<String> nodes = slurm.shape().names();
    return nodes.get(random.nextInt(nodes.size()));
  }

  /** Returns one of the jobs in a state; empty if there is none. */
  private String job(String state) {
    List<String> jobs =
        said("squeue", "--noheader", OWNED, "--states=" + state, "--format=%i").lines().toList();
    return jobs.isEmpty() ? "" : jobs.get(random.nextInt(jobs.size()));
  }

  private String job(String state, String command) {
    String job = job(state);
    return job.isEmpty() ? "" : job + said(command, job) + ' ';
  }

  private String said(String... command) {
    try {
      return slurm.run(command).strip();
    } catch (IOException e) {
      return " (" + e.getMessage() + ")";
    }
  }

  private static int exitStatus(String... command) throws IOException, InterruptedException {
    return new ProcessBuilder(command).start().waitFor();
  }

  private void pause(int least, int most) throws InterruptedException {
    TimeUnit.MILLISECONDS.sleep(least + random.nextInt(most - least));
  }
}
