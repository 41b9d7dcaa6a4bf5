package io.github.liquidscheduler.benchmarks.events;

import com.sun.management.ThreadMXBean;
import io.github.liquidscheduler.benchmarks.Quantiles;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;

/** Processor times of this thread by the kind of what it did. */
final class Timings {

  private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private final Map<String, List<Duration>> times = new TreeMap<>();

  <T> T time(String kind, Supplier<T> work) {
    long before = threads.getCurrentThreadCpuTime();
    T result = work.get();
    long after = threads.getCurrentThreadCpuTime();
    times.computeIfAbsent(kind, each -> new ArrayList<>()).add(Duration.ofNanos(after - before));
    return result;
  }

  /** Forgets what was measured, such as while the JVM still compiled. */
  void clear() {
    times.clear();
  }

  /** Returns how long so far, all together. */
  Duration total() {
    return times.values().stream().flatMap(List::stream).reduce(Duration.ZERO, Duration::plus);
  }

  static void printHead() {
    System.out.println(
        "setting               event             count     p50 (ms)     p99 (ms)     max (ms)");
  }

  void print(String setting) {
    times.forEach(
        (kind, durations) -> {
          Quantiles of = new Quantiles(durations);
          System.out.printf(
              Locale.ROOT,
              "%-21s %-15s %7d %12.3f %12.3f %12.3f%n",
              setting,
              kind,
              of.count(),
              of.median().toNanos() / 1e6,
              of.at(0.99).toNanos() / 1e6,
              of.at(1).toNanos() / 1e6);
        });
  }
}
