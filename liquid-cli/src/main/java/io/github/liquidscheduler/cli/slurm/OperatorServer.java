package io.github.liquidscheduler.cli.slurm;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.github.liquidscheduler.cli.output.CommandFailedException;
import io.github.liquidscheduler.text.Text;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * What operators ask a daemon over HTTP, on loopback only: {@code /health}, {@code /metrics} and
 * {@code /why/JOB}. Only reads; changes nothing.
 */
final class OperatorServer implements AutoCloseable {

  private static final int OK = 200;
  private static final int NOT_FOUND = 404;
  private static final int WRONG_METHOD = 405;
  private static final int FAILED = 500;
  private static final int UNAVAILABLE = 503;
  private static final String USAGE =
      "/health   how the daemon is\n/metrics  for Prometheus\n/why/JOB  why a job waits\n";

  private final HttpServer server;
  private final ExecutorService threads;
  private final AtomicReference<Answers> current =
      new AtomicReference<>(Answers.standingBy("it begins"));
  private boolean isAnswering;

  /**
   * What is asked. Each is called on one thread, one at a time.
   *
   * @param well how it is if nothing is wrong
   * @param ill what is wrong; empty if all is well
   * @param metrics the meters in Prometheus' text format
   * @param why the explanation of a job; empty if it is not known
   */
  record Answers(
      String well,
      Supplier<Optional<String>> ill,
      Supplier<String> metrics,
      Function<String, Optional<String>> why) {

    /** Makes the answers of one that decides. */
    Answers(
        Supplier<Optional<String>> ill,
        Supplier<String> metrics,
        Function<String, Optional<String>> why) {
      this("ok", ill, metrics, why);
    }

    /** Returns the answers of one that waits for another to be gone. */
    static Answers standingBy(String holder) {
      String well = "standing by: " + Text.line(holder, 1000);
      return new Answers(well, Optional::empty, () -> "", job -> Optional.of(well));
    }
  }

  private record Answer(int status, String text) {}

  private OperatorServer(HttpServer server, ExecutorService threads) {
    this.server = server;
    this.threads = threads;
  }

  /**
   * Takes a port. Who asks now is answered once {@link #answer} was called.
   *
   * @param port the port; 0 to take one that is free
   * @throws CommandFailedException if the port cannot be had
   */
  static OperatorServer on(int port) {
    try {
      HttpServer server =
          HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
      ExecutorService threads =
          Executors.newSingleThreadExecutor(
              Thread.ofPlatform().daemon().name("operators").factory());
      server.setExecutor(threads);
      return new OperatorServer(server, threads);
    } catch (IOException e) {
      throw new CommandFailedException(
          "port %d of loopback cannot be had (%s): choose another by --port"
              .formatted(port, e.getMessage()));
    }
  }

  /** Starts to answer, or answers otherwise from now on. */
  void answer(Answers answers) {
    current.set(answers);
    if (!isAnswering) {
      isAnswering = true;
      server.createContext("/", exchange -> answer(exchange, current.get()));
      server.start();
    }
  }

  /** Returns the port on which it answers. */
  int port() {
    return server.getAddress().getPort();
  }

  private static void answer(HttpExchange exchange, Answers answers) throws IOException {
    try (exchange) {
      Answer answer =
          exchange.getRequestMethod().equals("GET")
              ? answer(exchange.getRequestURI().getPath(), answers)
              : new Answer(WRONG_METHOD, "only GET is answered\n");
      byte[] body = answer.text.getBytes(StandardCharsets.UTF_8);
      exchange.getResponseHeaders().set("Content-Type", "text/plain; charset=utf-8");
      exchange.sendResponseHeaders(answer.status, body.length);
      exchange.getResponseBody().write(body);
    }
  }

  private static Answer answer(String path, Answers answers) {
    try {
      return switch (path) {
        case "/" -> new Answer(OK, USAGE);
        case "/metrics" -> new Answer(OK, answers.metrics.get());
        case "/health" ->
            answers
                .ill
                .get()
                .map(what -> new Answer(UNAVAILABLE, Text.line(what, 1000) + "\n"))
                .orElseGet(() -> new Answer(OK, Text.line(answers.well, 1000) + "\n"));
        default -> path.startsWith("/why/") ? why(path.substring(5), answers) : unknown(path);
      };
    } catch (RuntimeException e) {
      return new Answer(FAILED, Text.line(e.toString(), 1000) + "\n");
    }
  }

  private static Answer why(String job, Answers answers) {
    return answers
        .why
        .apply(job)
        .map(text -> new Answer(OK, text + "\n"))
        .orElseGet(() -> new Answer(NOT_FOUND, "no job is known as '%s'\n".formatted(job)));
  }

  private static Answer unknown(String path) {
    return new Answer(NOT_FOUND, "there is no '%s' here, only:\n%s".formatted(path, USAGE));
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdown();
  }
}
