package io.github.liquidscheduler.placement.network;

import java.util.Arrays;

/**
 * The slowest path from a server to a worker whose links are waited for in turn: at each level the
 * slowest pair of a server's link and another worker's link. The two slowest of each kind suffice.
 */
final class SlowestPath {

  private final double[] latencyOfLevel;
  private final Ends servers;
  private final Ends workers;

  SlowestPath(int levels) {
    latencyOfLevel = new double[levels];
    servers = new Ends(levels);
    workers = new Ends(levels);
  }

  void clear() {
    Arrays.fill(latencyOfLevel, 0);
    servers.clear();
    workers.clear();
  }

  void addLatency(int level, double seconds) {
    latencyOfLevel[level] = Math.max(latencyOfLevel[level], seconds);
  }

  /** Returns the latency from node to node: up and down again at each level crossed. */
  double latency(double linkLatency) {
    double sum = linkLatency;
    for (double latency : latencyOfLevel) {
      sum += 2 * latency;
    }
    return sum;
  }

  void addServerEnd(int level, int part, double seconds) {
    servers.add(level, part, seconds);
  }

  void addWorkerEnd(int level, int part, double seconds) {
    workers.add(level, part, seconds);
  }

  double seconds() {
    double sum = 0;
    for (int level = 0; level < servers.first.length; level++) {
      sum += pair(level);
    }
    return sum;
  }

  private double pair(int level) {
    if (servers.part[level] != workers.part[level]) {
      return servers.first[level] + workers.first[level];
    }
    return Math.max(
        servers.first[level] + workers.second[level], servers.second[level] + workers.first[level]);
  }

  /** The slowest link of each level, and the slowest other one. */
  private static final class Ends {
    private final int[] part;
    private final double[] first;
    private final double[] second;

    Ends(int levels) {
      part = new int[levels];
      first = new double[levels];
      second = new double[levels];
    }

    void clear() {
      Arrays.fill(part, -1);
      Arrays.fill(first, 0);
      Arrays.fill(second, 0);
    }

    void add(int level, int newPart, double seconds) {
      if (seconds > first[level]) {
        second[level] = first[level];
        first[level] = seconds;
        part[level] = newPart;
      } else {
        second[level] = Math.max(second[level], seconds);
      }
    }
  }
}
