package io.github.liquidscheduler.benchmarks;

/** What every host of the comparison has. */
final class Host {
  static final int GPUS = 8;
  static final int CORES = 96;
  static final int MEMORY_GIB = 1024;

  private Host() {}

  /** The name of the host with this number, counted from 0. */
  static String name(int number) {
    return "host-" + number;
  }
}
