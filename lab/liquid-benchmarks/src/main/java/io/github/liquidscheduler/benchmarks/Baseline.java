package io.github.liquidscheduler.benchmarks;

import java.util.List;
import java.util.Map;

/** A scheduler that takes part in the comparison. */
interface Baseline {
  /** The name and version that head its column. */
  String name();

  /** Starts over, with this many hosts of which nothing is taken. Not timed. */
  Session open(int hosts);

  /** A cluster under one scheduler. */
  interface Session extends AutoCloseable {
    /** Starts what fits of these tasks, each on one host. This is what is timed. */
    void place(List<Task> tasks);

    /** Frees what a running task has taken. Not timed. */
    void finish(Task task);

    /** The host of every running task. Not timed. */
    Map<Task, String> running();

    @Override
    void close();
  }
}
