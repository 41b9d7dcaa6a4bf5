package io.github.liquidscheduler.planner.bound;

import com.google.common.collect.LinkedHashMultiset;
import com.google.common.collect.Multiset;

/**
 * The tasks of gangs by what matters to a {@link NodeBound}: gangs that are equal in it form a
 * type. Intensities are counted in units, rounded down, so that the largest is small.
 */
final class TaskTypes {

  /** The largest intensity in units: a knapsack has this many states for each GPU. */
  private static final int LARGEST = 64;

  private final Member[] members;
  private final int[] jobs;
  private final long unit;

  private TaskTypes(Member[] members, int[] jobs, long unit) {
    this.members = members;
    this.jobs = jobs;
    this.unit = unit;
  }

  /** Returns the types of these gangs, in the order in which they first appear. */
  static TaskTypes of(Iterable<Member> members) {
    long largest = 0;
    for (Member member : members) {
      largest = Math.max(largest, member.intensity());
    }
    long unit = Math.max(1, Math.ceilDiv(largest, LARGEST));
    Multiset<Member> counts = LinkedHashMultiset.create();
    members.forEach(member -> counts.add(member.inUnitsOf(unit)));
    return new TaskTypes(
        counts.elementSet().toArray(new Member[0]),
        counts.entrySet().stream().mapToInt(Multiset.Entry::getCount).toArray(),
        unit);
  }

  int count() {
    return members.length;
  }

  int jobs(int type) {
    return jobs[type];
  }

  int tasks(int type) {
    return members[type].tasks();
  }

  int gpus(int type) {
    return members[type].gpus();
  }

  /** Returns the intensity of a task in units. */
  int intensity(int type) {
    return (int) members[type].intensity();
  }

  /** Returns the cost of two tasks on different nodes, in squares of the unit. */
  double traffic(int type) {
    return (double) members[type].traffic() / unit / unit;
  }

  /** Returns the size of a unit of intensity. */
  long unit() {
    return unit;
  }

  /** Returns the largest total intensity, in units, of tasks on this many GPUs. */
  int highestIntensity(int gpus) {
    int highest = 0;
    for (Member member : members) {
      highest = Math.max(highest, gpus * (int) member.intensity() / member.gpus());
    }
    return highest;
  }

  /**
   * Tasks that are placed together.
   *
   * @param tasks how many, at least 1
   * @param gpus the GPUs of each, at least 1
   * @param intensity how hard each works its node, at least 0: two tasks of different jobs on a
   *     node cost the product of their intensities
   * @param traffic what two of its tasks cost at least if they are on different nodes
   */
  record Member(int tasks, int gpus, long intensity, long traffic) {
    /** Checks the numbers. */
    Member {
      if (tasks < 1 || gpus < 1 || intensity < 0 || traffic < 0) {
        throw new IllegalArgumentException(
            "a gang needs tasks and GPUs, and no negative intensity or traffic, but had %d, %d, %d, %d"
                .formatted(tasks, gpus, intensity, traffic));
      }
    }

    Member inUnitsOf(long unit) {
      return new Member(tasks, gpus, intensity / unit, traffic);
    }
  }
}
