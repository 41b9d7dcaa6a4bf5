package io.github.liquidscheduler.rounds.scheduler;

import io.github.liquidscheduler.cluster.GpuId;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.rounds.RoundTask;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A GPU of the pool. Mutable. */
final class PoolGpu {

  /** What a plan has it run next, in order. */
  final Deque<RoundTask> sequence = new ArrayDeque<>();

  /** What computes or synchronizes here, by number. */
  final TreeMap<Long, RunningTask> runs = new TreeMap<>();

  private final long position;
  private final GpuId id;
  private final GpuModel model;

  /** What computes here. */
  @Nullable RunningTask computing;

  /** When it has to be given back; none if it is not asked back. */
  @Nullable Instant until;

  /** Makes a GPU that came into the pool after all of lower positions. */
  PoolGpu(long position, GpuId id, GpuModel model) {
    this.position = position;
    this.id = id;
    this.model = model;
  }

  long position() {
    return position;
  }

  GpuId id() {
    return id;
  }

  GpuModel model() {
    return model;
  }

  /** Returns true if it takes tasks when it has computed those that it has. */
  boolean isOpen() {
    return until == null;
  }
}
