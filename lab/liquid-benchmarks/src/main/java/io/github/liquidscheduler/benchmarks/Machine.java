package io.github.liquidscheduler.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** What a number was measured on; without it the number says nothing. */
public final class Machine {
  private static final Path CPU_INFO = Path.of("/proc/cpuinfo");
  private static final long MIB = 1L << 20;

  private Machine() {}

  /** Returns the processor, the system, the JDK and the largest heap. */
  public static String describe() {
    Runtime runtime = Runtime.getRuntime();
    return "%s, %d processors, %s %s; JDK %s (%s), heap of at most %d MiB"
        .formatted(
            cpu(),
            runtime.availableProcessors(),
            System.getProperty("os.name"),
            System.getProperty("os.arch"),
            System.getProperty("java.version"),
            System.getProperty("java.vendor"),
            runtime.maxMemory() / MIB);
  }

  private static String cpu() {
    try (Stream<String> lines = Files.lines(CPU_INFO)) {
      return lines
          .filter(line -> line.startsWith("model name"))
          .map(line -> line.substring(line.indexOf(':') + 1).trim())
          .findFirst()
          .orElse("unknown CPU");
    } catch (IOException e) {
      return "unknown CPU";
    }
  }
}
