package io.github.liquidscheduler.planner.search;

import ai.timefold.solver.core.api.domain.valuerange.ValueRange;
import io.github.liquidscheduler.planner.problem.GangAssignment;
import java.util.Iterator;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Every assignment of a gang. Assignments come from moves alone, so none is ever listed. */
final class AnyAssignment implements ValueRange<Object> {

  /** More than one: with one the solver takes the problem for trivial and makes no move. */
  private static final long MANY = 1000;

  private final int tasks;

  AnyAssignment(int tasks) {
    this.tasks = tasks;
  }

  @Override
  public boolean isEmpty() {
    return false;
  }

  @Override
  public boolean contains(@Nullable Object value) {
    if (!(value instanceof GangAssignment assignment)) {
      return false;
    }
    int sum = 0;
    for (int count : assignment.tasks) {
      sum += count;
    }
    return assignment.isUnassigned() || sum == tasks;
  }

  @Override
  public long getSize() {
    return MANY;
  }

  @Override
  public Object get(long index) {
    return GangAssignment.UNASSIGNED;
  }

  @Override
  public Iterator<Object> createOriginalIterator() {
    return List.<Object>of(GangAssignment.UNASSIGNED).iterator();
  }

  @Override
  public Iterator<Object> createRandomIterator(RandomGenerator random) {
    return createOriginalIterator();
  }
}
