package io.github.liquidscheduler.benchmarks;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;

/** Wall time, and processor time of all threads: a busy machine stretches only the first. */
final class Stopwatch {
  private static final OperatingSystemMXBean SYSTEM =
      ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

  private final long wallStart;
  private final long cpuStart;

  /** Time that has passed. */
  record Reading(Duration wall, Duration cpu) {}

  private Stopwatch(long wallStart, long cpuStart) {
    this.wallStart = wallStart;
    this.cpuStart = cpuStart;
  }

  static Stopwatch start() {
    long cpu = SYSTEM.getProcessCpuTime();
    return new Stopwatch(System.nanoTime(), cpu);
  }

  Reading read() {
    long wall = System.nanoTime() - wallStart;
    return new Reading(
        Duration.ofNanos(wall), Duration.ofNanos(SYSTEM.getProcessCpuTime() - cpuStart));
  }
}
