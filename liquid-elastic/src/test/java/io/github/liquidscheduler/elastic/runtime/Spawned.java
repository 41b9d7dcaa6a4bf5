package io.github.liquidscheduler.elastic.runtime;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** A process of its own, and all that it printed. */
final class Spawned implements AutoCloseable {
  private final Process process;
  private final List<String> lines = new ArrayList<>();
  private final CountDownLatch ended = new CountDownLatch(1);

  private Spawned(Process process) {
    this.process = process;
    Thread.ofVirtual().start(this::read);
  }

  static Spawned java(Class<?> main, String... arguments) throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                main.getName()));
    command.addAll(List.of(arguments));
    return new Spawned(new ProcessBuilder(command).redirectErrorStream(true).start());
  }

  static Spawned python(String python, String script, String... arguments) throws IOException {
    List<String> command = new ArrayList<>(List.of(python, tool(script).toString()));
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().put("CUDA_VISIBLE_DEVICES", "");
    builder.environment().put("PYTHONDONTWRITEBYTECODE", "1");
    return new Spawned(builder.start());
  }

  long pid() {
    return process.pid();
  }

  /** Kills it at once: it can neither clean up nor say farewell. */
  void kill() {
    process.destroyForcibly();
  }

  /** Waits until it has ended and all is read that it printed. */
  void awaitEnd() throws InterruptedException {
    ended.await();
  }

  /** Waits until it has printed that many such lines, and returns the last. */
  synchronized String await(int times, Predicate<String> line) throws InterruptedException {
    while (true) {
      List<String> found = lines.stream().filter(line).toList();
      if (found.size() >= times) {
        return found.get(times - 1);
      }
      if (ended.getCount() == 0) {
        throw new IllegalStateException("It ended before it said so: " + lines);
      }
      wait();
    }
  }

  /** Returns the words of all lines that begin with this one. */
  synchronized List<String[]> printed(String first) {
    return lines.stream()
        .map(line -> line.split(" "))
        .filter(words -> words[0].equals(first))
        .toList();
  }

  synchronized List<String> lines() {
    return List.copyOf(lines);
  }

  @Override
  public void close() {
    process.destroyForcibly().onExit().join();
  }

  private void read() {
    try (Stream<String> output = process.inputReader().lines()) {
      output.forEach(this::add);
    } catch (UncheckedIOException killed) {
      add("killed");
    }
    end();
  }

  private synchronized void add(String line) {
    lines.add(line);
    notifyAll();
  }

  private synchronized void end() {
    ended.countDown();
    notifyAll();
  }

  private static Path tool(String script) {
    Path folder = Path.of("").toAbsolutePath();
    while (!folder.resolve(".mvn").toFile().isDirectory()) {
      folder = Objects.requireNonNull(folder.getParent(), "no folder has a .mvn");
    }
    return folder.resolve("tools/elastic").resolve(script);
  }
}
