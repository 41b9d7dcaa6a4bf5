package io.github.liquidscheduler.cli.slurm;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** A network namespace with a loopback of its own, which can be cut. */
final class OwnNetwork implements AutoCloseable {

  /** Names of hosts resolve only where there is an address beside those of the loopback. */
  private static final String ADDRESS = "192.0.2.1/32";

  private final Process holder;

  private OwnNetwork(Process holder) {
    this.holder = holder;
  }

  /** Makes one; empty if the machine refuses that. */
  static Optional<OwnNetwork> make() throws IOException, InterruptedException {
    Process holder;
    try {
      holder = new ProcessBuilder("unshare", "--net", "cat").start();
    } catch (IOException e) {
      return Optional.empty();
    }
    OwnNetwork network = new OwnNetwork(holder);
    for (int i = 0; i < 50 && holder.isAlive(); i++) {
      if (network.isApart() && network.run("addr", "add", ADDRESS, "dev", "lo") && network.mend()) {
        return Optional.of(network);
      }
      holder.waitFor(100, TimeUnit.MILLISECONDS);
    }
    network.close();
    return Optional.empty();
  }

  /** Returns true once the holder has left the network of this process. */
  private boolean isApart() throws IOException {
    Path own = Path.of("/proc/self/ns/net");
    Path its = Path.of("/proc/" + holder.pid() + "/ns/net");
    return !Files.readSymbolicLink(own).equals(Files.readSymbolicLink(its));
  }

  /** Returns the words that run a command inside. */
  List<String> launcher() {
    return List.of("nsenter", "--target", Long.toString(holder.pid()), "--net");
  }

  /** Takes the loopback down: nobody inside reaches anybody, himself included. */
  boolean cut() throws IOException, InterruptedException {
    return run("link", "set", "lo", "down");
  }

  /** Takes the loopback up again. */
  boolean mend() throws IOException, InterruptedException {
    return run("link", "set", "lo", "up");
  }

  private boolean run(String... words) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(launcher());
    command.add("ip");
    command.addAll(List.of(words));
    return new ProcessBuilder(command).start().waitFor() == 0;
  }

  @Override
  public void close() {
    holder.destroyForcibly();
  }
}
