package io.github.liquidscheduler.elastic;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * The logical split of a data set into many more partitions than workers, and the order in which
 * each epoch reads them. The same seed and epoch always give the same order.
 *
 * @param samples how many samples the data set has, at least 1
 * @param partitions how many partitions of nearly equal length, from 1 to {@code samples}
 * @param batchSize how many samples one worker reads per mini-batch, at least 1
 * @param seed what the order of each epoch is drawn from
 */
public record Partitioning(long samples, int partitions, int batchSize, long seed) {
  private static final int PARTITIONS_PER_WORKER = 16;
  private static final long PARTITION_BYTES = 256L << 20;

  /** Refuses a split that leaves a partition empty. */
  public Partitioning {
    requireAtLeastOne("samples", samples);
    requireAtLeastOne("partitions", partitions);
    requireAtLeastOne("batchSize", batchSize);
    if (partitions > samples) {
      throw new IllegalArgumentException(
          "partitions must be at most the samples, %d, but was %d".formatted(samples, partitions));
    }
  }

  /**
   * Returns the number of partitions that suits a data set: sixteen for each worker that the job
   * may have, or one for each 256 MiB if that is more.
   */
  public static int defaultPartitions(int maxWorkers, long bytes) {
    long bySize = Math.ceilDiv(bytes, PARTITION_BYTES);
    return Math.toIntExact(Math.max((long) PARTITIONS_PER_WORKER * maxWorkers, bySize));
  }

  /** Returns the first sample of a partition. */
  public long start(int partition) {
    return samples / partitions * partition + samples % partitions * partition / partitions;
  }

  /** Returns the number of samples of a partition. */
  public long length(int partition) {
    return start(partition + 1) - start(partition);
  }

  /** Returns the order in which an epoch reads its partitions, from 0. */
  public List<Integer> order(int epoch) {
    List<Integer> order = new ArrayList<>();
    for (int partition = 0; partition < partitions; partition++) {
      order.add(partition);
    }
    Collections.shuffle(order, new Random(seed + epoch));
    return order;
  }

  private static void requireAtLeastOne(String name, long value) {
    if (value < 1) {
      throw new IllegalArgumentException(name + " must be at least 1, but was " + value);
    }
  }
}
