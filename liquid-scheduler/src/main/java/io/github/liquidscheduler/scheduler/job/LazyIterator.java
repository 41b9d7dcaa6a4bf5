package io.github.liquidscheduler.scheduler.job;

import java.util.Iterator;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/**
 * An iterator that finds each element when it is asked for.
 *
 * @param <T> the elements
 */
public abstract class LazyIterator<T> implements Iterator<T> {

  private @Nullable T next;

  /** Returns the next element; null if there is none, now and later. */
  protected abstract @Nullable T find();

  @Override
  public final boolean hasNext() {
    if (next == null) {
      next = find();
    }
    return next != null;
  }

  @Override
  public final T next() {
    @Nullable T found = hasNext() ? next : null;
    if (found == null) {
      throw new NoSuchElementException();
    }
    next = null;
    return found;
  }
}
