package io.github.liquidscheduler.elastic.etcd;

import io.github.liquidscheduler.elastic.ElasticOptions;
import io.github.liquidscheduler.elastic.Partitioning;
import io.github.liquidscheduler.elastic.SampleRange;
import io.github.liquidscheduler.elastic.runtime.ConnectionOptions;
import io.github.liquidscheduler.elastic.runtime.ElasticAgent;
import io.github.liquidscheduler.elastic.runtime.TrainingJob;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Runs the agent of one machine as a process of its own, with its lease in etcd.
 *
 * <p>Arguments have the form {@code name=value}: {@code job}, {@code etcd} and {@code samples} are
 * required; {@code partitions}, {@code batch}, {@code seed}, {@code epochs}, {@code workers},
 * {@code host} and {@code port} have defaults, and so have the times {@code lease}, {@code renewal}
 * and {@code suspect} in milliseconds. {@code token} names a file whose first line training
 * processes and other agents have to know. The first line that it prints is {@code port} and the
 * port that training processes connect to; then it prints each answer to the cluster scheduler. It
 * ends when the training processes of the machine have finished; the agent that leads then prints
 * what may have been seen twice.
 */
public final class AgentCommand {
  private final Map<String, String> arguments = new HashMap<>();

  private AgentCommand(String... arguments) {
    for (String argument : arguments) {
      String[] parts = argument.split("=", 2);
      if (parts.length < 2) {
        throw new IllegalArgumentException("Arguments are name=value, but one was " + argument);
      }
      this.arguments.put(parts[0], parts[1]);
    }
  }

  /**
   * Runs until the training processes of this machine have finished.
   *
   * @throws IOException if the port cannot be listened on, or the token cannot be read
   */
  public static void main(String... arguments) throws IOException {
    new AgentCommand(arguments).run();
  }

  private void run() throws IOException {
    try (EtcdLeaseStore store = EtcdLeaseStore.connect(text("etcd", null));
        ElasticAgent agent =
            ElasticAgent.start(job(store), address(), answer -> print("answer " + answer))) {
      print("port " + agent.port());
      agent.end().join();
      if (agent.isLeading()) {
        report(agent.mayBeSeenTwice());
      }
    }
  }

  private static void report(List<SampleRange> ranges) {
    for (SampleRange range : ranges) {
      print("twice %d %d %d".formatted(range.epoch(), range.from(), range.to()));
    }
    print("finished");
  }

  private TrainingJob job(EtcdLeaseStore store) throws IOException {
    long samples = Long.parseLong(text("samples", null));
    int workers = number("workers", 1);
    int partitions =
        number(
            "partitions",
            (int) Math.min(samples, Partitioning.defaultPartitions(workers, samples)));
    Partitioning partitioning =
        new Partitioning(samples, partitions, number("batch", 32), number("seed", 0));
    return new TrainingJob(
        "/jobs/" + text("job", null), store, partitioning, options(workers), connections());
  }

  /** A token among the arguments could be read by everybody on the machine. */
  private ConnectionOptions connections() throws IOException {
    String file = arguments.get("token");
    if (file == null) {
      return ConnectionOptions.defaults();
    }
    String token = Files.readString(Path.of(file)).lines().findFirst().orElse("");
    return ConnectionOptions.builder().token(token.strip()).build();
  }

  private ElasticOptions options(int workers) {
    return ElasticOptions.builder()
        .initialWorkers(workers)
        .epochs(number("epochs", 1))
        .leaseTimeToLive(Duration.ofMillis(number("lease", 5000)))
        .leaseRenewal(Duration.ofMillis(number("renewal", 1500)))
        .suspectAfter(Duration.ofMillis(number("suspect", 10_000)))
        .build();
  }

  private InetSocketAddress address() {
    return new InetSocketAddress(text("host", "127.0.0.1"), number("port", 0));
  }

  private int number(String name, int otherwise) {
    return Integer.parseInt(text(name, Integer.toString(otherwise)));
  }

  private String text(String name, @Nullable String otherwise) {
    String value = arguments.getOrDefault(name, otherwise);
    if (value == null) {
      throw new IllegalArgumentException("The argument %s= is missing".formatted(name));
    }
    return value;
  }

  private static void print(String line) {
    System.out.println(line);
    System.out.flush();
  }
}
