package io.github.liquidscheduler.lab.reference.elastic;

import static java.util.Comparator.comparingDouble;
import static java.util.Comparator.comparingInt;
import static java.util.Comparator.comparingLong;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Jobs sorted anew at every plan. */
public final class SortedOrder implements JobOrder {

  private static final Comparator<ElasticJobState> BY_ARRIVAL =
      comparingLong((ElasticJobState job) -> job.job().arrival())
          .thenComparingLong(job -> job.job().id());

  private final Comparator<ElasticJobState> comparator;
  private final List<ElasticJobState> jobs = new ArrayList<>();

  private SortedOrder(Comparator<ElasticJobState> comparator) {
    this.comparator = comparator;
  }

  /** Returns an order by {@code comparator}, then by arrival, then by id. */
  public static SortedOrder by(Comparator<ElasticJobState> comparator) {
    return new SortedOrder(comparator.thenComparing(BY_ARRIVAL));
  }

  /** Returns an order by arrival, then by id. */
  public static SortedOrder byArrival() {
    return new SortedOrder(BY_ARRIVAL);
  }

  /** Returns the order of Tiresias: by queue, first start and arrival. */
  static SortedOrder byQueueAndFirstStart() {
    return by(
        comparingInt(ElasticJobState::queue)
            .thenComparing(comparingDouble(ElasticJobState::firstStart)));
  }

  @Override
  public void add(ElasticJobState job) {
    jobs.add(job);
  }

  @Override
  public void remove(ElasticJobState job) {
    jobs.remove(job);
  }

  @Override
  public List<ElasticJobState> jobs() {
    jobs.sort(comparator);
    return jobs;
  }
}
