package io.github.liquidscheduler.placement.capacity;

import io.github.liquidscheduler.cluster.NodeRange;
import java.util.Arrays;
import java.util.List;

/**
 * The domains of one topology level that hold slots of one pool, each with a histogram of its slots
 * by free GPUs. Domains are kept in buckets of free GPUs, so that the smallest sufficient one comes
 * first.
 */
public final class DomainLevel {

  private static final int MAX_BUCKETS = 256;

  private final int[] domainOf;
  private final int[] first;
  private final List<NodeRange> nodes;
  private final int[] free;
  private final int[][] histogram;
  private final SlotSet[] buckets;
  private final int shift;

  /**
   * Makes a level that has to be {@linkplain #sumUp summed up}.
   *
   * @param domainOf the domain of each slot, or -1
   * @param first the first slot of each domain
   * @param end the slot after the last of each domain
   * @param nodes the nodes of each domain, those of other pools included
   * @param maxFree the largest number of free GPUs of a slot
   */
  DomainLevel(int[] domainOf, int[] first, int[] end, List<NodeRange> nodes, int maxFree) {
    this.domainOf = domainOf;
    this.first = first;
    this.nodes = nodes;
    free = new int[first.length];
    histogram = new int[first.length][maxFree + 1];
    int widest = 0;
    for (int domain = 0; domain < first.length; domain++) {
      widest = Math.max(widest, end[domain] - first[domain]);
    }
    shift = shiftFor((long) widest * maxFree);
    buckets = new SlotSet[(int) (((long) widest * maxFree) >>> shift) + 1];
    Arrays.setAll(buckets, bucket -> new SlotSet(first.length));
  }

  private DomainLevel(DomainLevel other) {
    domainOf = other.domainOf;
    first = other.first;
    nodes = other.nodes;
    shift = other.shift;
    free = other.free.clone();
    histogram = new int[other.histogram.length][];
    Arrays.setAll(histogram, domain -> other.histogram[domain].clone());
    buckets = new SlotSet[other.buckets.length];
    Arrays.setAll(buckets, bucket -> other.buckets[bucket].copy());
  }

  DomainLevel copy() {
    return new DomainLevel(this);
  }

  /** Sums up the free GPUs of each slot, -1 if it is not there, once. */
  void sumUp(int[] freeOfSlot) {
    for (int slot = 0; slot < freeOfSlot.length; slot++) {
      if (domainOf[slot] >= 0 && freeOfSlot[slot] >= 0) {
        histogram[domainOf[slot]][freeOfSlot[slot]]++;
        free[domainOf[slot]] += freeOfSlot[slot];
      }
    }
    for (int domain = 0; domain < free.length; domain++) {
      buckets[free[domain] >>> shift].add(domain);
    }
  }

  /** Notes that a slot has {@code now} instead of {@code before} free GPUs; -1 is "not there". */
  void change(int slot, int before, int now) {
    int domain = domainOf[slot];
    if (domain < 0) {
      return;
    }
    if (before >= 0) {
      histogram[domain][before]--;
    }
    if (now >= 0) {
      histogram[domain][now]++;
    }
    int old = free[domain];
    free[domain] += Math.max(now, 0) - Math.max(before, 0);
    if (old >>> shift != free[domain] >>> shift) {
      buckets[old >>> shift].remove(domain);
      buckets[free[domain] >>> shift].add(domain);
    }
  }

  /** Returns the number of domains. */
  public int size() {
    return first.length;
  }

  /** Returns the first slot of the domain. */
  public int first(int domain) {
    return first[domain];
  }

  /** Returns the nodes of the domain, those of other pools included. */
  public NodeRange nodes(int domain) {
    return nodes.get(domain);
  }

  /** Returns the first domain that begins at or after the slot; {@link #size()} if none does. */
  public int firstFrom(int slot) {
    int domain = Arrays.binarySearch(first, slot);
    return domain >= 0 ? domain : -domain - 1;
  }

  /** Returns the free GPUs of the domain. */
  public int free(int domain) {
    return free[domain];
  }

  /**
   * Returns the number of tasks of {@code gpusPerTask} GPUs that the domain's free GPUs hold, cut
   * at {@code enough}; CPU and memory are ignored.
   */
  public int tasks(int domain, int gpusPerTask, int enough) {
    int[] counts = histogram[domain];
    long tasks = 0;
    for (int freeGpus = counts.length - 1; freeGpus >= gpusPerTask && tasks < enough; freeGpus--) {
      tasks += (long) counts[freeGpus] * (gpusPerTask == 0 ? enough : freeGpus / gpusPerTask);
    }
    return (int) Math.min(tasks, enough);
  }

  /**
   * Returns the domain after {@code after} in the order of free GPUs (in steps) and position, among
   * those with at least {@code freeGpus} free; -1 if there is none. {@code after} is -1 to begin.
   */
  public int next(int freeGpus, int after) {
    int bucket = (after < 0 ? freeGpus : Math.max(free[after], freeGpus)) >>> shift;
    int from = after < 0 ? 0 : after + 1;
    for (; bucket < buckets.length; bucket++, from = 0) {
      int domain = buckets[bucket].next(from, first.length);
      while (domain >= 0 && free[domain] < freeGpus) {
        domain = buckets[bucket].next(domain + 1, first.length);
      }
      if (domain >= 0) {
        return domain;
      }
    }
    return -1;
  }

  private static int shiftFor(long maxFree) {
    int shift = 0;
    while (maxFree >>> shift >= MAX_BUCKETS) {
      shift++;
    }
    return shift;
  }
}
