package io.github.liquidscheduler.elastic.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/**
 * A real etcd server of its own, on loopback. Where etcd is not installed the test is skipped,
 * unless the environment variable {@code CI} is set.
 */
public final class EtcdServer implements AutoCloseable {
  private final Process process;
  private final Path data;
  private final int port;

  private EtcdServer(Process process, Path data, int port) {
    this.process = process;
    this.data = data;
    this.port = port;
  }

  /** Starts a server and waits until it can be reached. */
  public static EtcdServer start() throws IOException {
    requireInstalled();
    Path data = Files.createTempDirectory("liquid-etcd");
    int port = freePort();
    String client = "http://127.0.0.1:" + port;
    String peer = "http://127.0.0.1:" + freePort();
    ProcessBuilder command =
        new ProcessBuilder(
            "etcd",
            "--name",
            "test",
            "--data-dir",
            data.resolve("data").toString(),
            "--listen-client-urls",
            client,
            "--advertise-client-urls",
            client,
            "--listen-peer-urls",
            peer,
            "--initial-advertise-peer-urls",
            peer,
            "--initial-cluster",
            "test=" + peer,
            "--heartbeat-interval",
            "50",
            "--election-timeout",
            "500");
    command.redirectErrorStream(true);
    EtcdServer server = new EtcdServer(command.start(), data, port);
    server.awaitReady();
    return server;
  }

  /** Returns where it is reached. */
  public String endpoint() {
    return "http://127.0.0.1:" + port;
  }

  @Override
  public void close() throws IOException {
    process.destroyForcibly().onExit().join();
    try (Stream<Path> files = Files.walk(data)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  private static void requireInstalled() {
    boolean installed =
        Stream.of(System.getenv().getOrDefault("PATH", "").split(":"))
            .anyMatch(folder -> Files.isExecutable(Path.of(folder, "etcd")));
    if (System.getenv("CI") != null) {
      assertThat(installed).as("etcd (Debian: etcd-server) must be installed for CI").isTrue();
    }
    assumeTrue(installed, "needs etcd (Debian: etcd-server)");
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private void awaitReady() throws IOException {
    BufferedReader log = process.inputReader();
    StringBuilder said = new StringBuilder();
    for (String line = log.readLine(); line != null; line = log.readLine()) {
      if (line.contains("ready to serve client requests")) {
        Thread.ofVirtual().start(() -> log.lines().forEach(ignored -> {}));
        return;
      }
      said.append(line).append('\n');
    }
    throw new IOException("etcd did not start: " + said);
  }
}
