package io.github.liquidscheduler.cli.slurm;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A daemon in a process of its own, which may be killed and started again. */
final class DaemonProcess implements AutoCloseable {

  private static final Pattern READY = Pattern.compile("deciding; .*http://127.0.0.1:(\\d+) ");
  private static final Pattern STANDS_BY =
      Pattern.compile("standing by: .*http://127.0.0.1:(\\d+) ");
  private static final Pattern START = Pattern.compile("\\S+Z start (\\S+) on (\\S+): .*");

  private final Path folder;
  private final List<String> launcher;
  private final List<String> command;
  private Process process;
  private int starts;

  private final Path journal;

  /** Makes a daemon that keeps its journal and output below a folder. */
  DaemonProcess(Path folder, Path config, String... options) throws IOException {
    this(folder, config, List.of(), options);
  }

  /** Makes one that is run by another command. */
  DaemonProcess(Path folder, Path config, List<String> launcher, String... options)
      throws IOException {
    this(folder, folder.resolve("journal"), config, launcher, options);
  }

  /** Makes one that has its journal elsewhere than its output, as one that is shared. */
  DaemonProcess(Path folder, Path journal, Path config, List<String> launcher, String... options)
      throws IOException {
    this.folder = folder;
    this.journal = journal;
    this.launcher = List.copyOf(launcher);
    command = new ArrayList<>(launcher);
    command.addAll(
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-cp",
            System.getProperty("java.class.path"),
            "io.github.liquidscheduler.cli.LiquidCommand",
            "slurm",
            "--config=" + config,
            "--journal=" + journal,
            "--port=0"));
    command.addAll(List.of(options));
    process = launch(Map.of());
  }

  Path journal() {
    return journal;
  }

  /** Starts it; returns at once. */
  void start() throws IOException {
    start(Map.of());
  }

  /** Does the same with more variables. */
  void start(Map<String, String> variables) throws IOException {
    process = launch(variables);
  }

  private Process launch(Map<String, String> variables) throws IOException {
    starts++;
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(output(starts).toFile());
    builder.environment().putAll(variables);
    return builder.start();
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /** Returns true once it decides, false before; fails if it has ended. */
  boolean isReady() {
    return hasSaid(READY);
  }

  /** Returns true once it stands by or decides, false before; fails if it has ended. */
  boolean standsBy() {
    return hasSaid(STANDS_BY);
  }

  private boolean hasSaid(Pattern line) {
    if (line.matcher(said(starts)).find()) {
      return true;
    }
    if (!process.isAlive()) {
      throw new IllegalStateException("the daemon has ended: " + said(starts));
    }
    return false;
  }

  /** Has it do nothing more, and keep what it has. */
  void suspend() throws IOException {
    new ProcessBuilder("kill", "-STOP", "" + process.pid()).start().onExit().join();
  }

  /** Kills it at once, as a machine that fails does. */
  void kill() {
    process.destroyForcibly().onExit().join();
  }

  /** Returns the nodes on which each job was last decided to start, as in its output. */
  Map<String, String> decided() {
    Map<String, String> nodes = new HashMap<>();
    for (int i = 1; i <= starts; i++) {
      for (String line : said(i).lines().toList()) {
        Matcher start = START.matcher(line);
        if (start.matches()) {
          nodes.put(start.group(1), start.group(2));
        }
      }
    }
    return nodes;
  }

  /** Returns all that it has said. */
  String said() {
    StringBuilder all = new StringBuilder();
    for (int i = 1; i <= starts; i++) {
      all.append(said(i));
    }
    return all.toString();
  }

  /** Asks it over HTTP; returns the body of its answer. */
  String get(String path) throws IOException, InterruptedException {
    Matcher ready = READY.matcher(said(starts));
    if (!ready.find() && !ready.usePattern(STANDS_BY).reset().find()) {
      throw new IllegalStateException("the daemon is not ready: " + said(starts));
    }
    if (!launcher.isEmpty()) {
      return askedInside(ready.group(1), path);
    }
    URI uri = URI.create("http://127.0.0.1:%s%s".formatted(ready.group(1), path));
    try (HttpClient client = HttpClient.newHttpClient()) {
      return client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString()).body();
    }
  }

  /** Asks it from where it runs: it may have a network of its own. */
  private String askedInside(String port, String path) throws IOException, InterruptedException {
    String script =
        "exec 3<>/dev/tcp/127.0.0.1/%s; printf 'GET %s HTTP/1.0\\r\\n\\r\\n' >&3; cat <&3"
            .formatted(port, path);
    List<String> words = new ArrayList<>(launcher);
    words.addAll(List.of("bash", "-c", script));
    Process ask = new ProcessBuilder(words).redirectErrorStream(true).start();
    String answer = new String(ask.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (ask.waitFor() != 0) {
      throw new IOException("the daemon does not answer: " + answer);
    }
    return answer.substring(answer.indexOf("\r\n\r\n") + 4);
  }

  /** Returns the value of a meter, with its labels as Prometheus gets them; 0 if there is none. */
  double meter(String name) throws IOException, InterruptedException {
    return get("/metrics")
        .lines()
        .filter(line -> line.startsWith(name + " "))
        .mapToDouble(line -> Double.parseDouble(line.substring(name.length() + 1)))
        .findFirst()
        .orElse(0);
  }

  private String said(int start) {
    try {
      Path output = output(start);
      return Files.exists(output) ? Files.readString(output) : "";
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private Path output(int start) {
    return folder.resolve("daemon-%d.txt".formatted(start));
  }

  @Override
  public void close() {
    process.destroy();
    process.onExit().completeOnTimeout(process, 20, TimeUnit.SECONDS).join();
    kill();
  }
}
