package io.github.liquidscheduler.simulator;

import java.util.Arrays;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.function.ObjIntConsumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A list of elements in order of arrival, each of which may be removed at any time.
 *
 * <p>An array with gaps, which are closed once they are as many as the elements. Each element is
 * told its slot, so that it is removed without a search. A linked hash set has an object for each
 * element, and a removal touches its neighbours and the table, which for thousands of jobs have
 * left the caches. Not thread-safe.
 *
 * @param <T> the elements
 */
final class ArrivalList<T> implements Iterable<T> {

  private static final int SMALLEST = 16;

  private final ObjIntConsumer<T> teller;
  private @Nullable Object[] slots = new Object[SMALLEST];
  private int end;
  private int size;

  /**
   * Makes an empty list.
   *
   * @param teller tells an element its slot, by which it is removed
   */
  ArrivalList(ObjIntConsumer<T> teller) {
    this.teller = teller;
  }

  /** Returns the number of elements. */
  int size() {
    return size;
  }

  /** Returns a number above all slots in use. */
  int slots() {
    return end;
  }

  /** Adds an element at the end. */
  void add(T element) {
    if (end == slots.length) {
      closeGaps();
    }
    size++;
    put(element, end++);
  }

  /**
   * Removes the element in a slot.
   *
   * @throws NullPointerException if the slot is empty
   */
  void remove(int slot) {
    Objects.requireNonNull(slots[slot]);
    slots[slot] = null;
    size--;
    if (slot == end - 1) {
      end--;
    }
  }

  @Override
  public Iterator<T> iterator() {
    return new InOrder();
  }

  /** Returns the elements in order of arrival. */
  @SuppressWarnings("unchecked") // nothing else is ever put in
  Stream<T> stream() {
    return (Stream<T>) Arrays.stream(slots, 0, end).filter(Objects::nonNull);
  }

  /** Leaves as many slots free as are taken. */
  private void closeGaps() {
    @Nullable Object[] before = slots;
    int last = end;
    slots = new Object[Math.max(SMALLEST, 2 * size)];
    end = 0;
    for (int slot = 0; slot < last; slot++) {
      if (before[slot] != null) {
        put(element(before, slot), end++);
      }
    }
  }

  private void put(T element, int slot) {
    slots[slot] = element;
    teller.accept(element, slot);
  }

  @SuppressWarnings("unchecked") // nothing else is ever put in
  private T element(@Nullable Object[] from, int slot) {
    return (T) Objects.requireNonNull(from[slot]);
  }

  /** An iteration, during which nothing may be added. */
  private final class InOrder implements Iterator<T> {
    private int next = -1;

    InOrder() {
      goOn();
    }

    @Override
    public boolean hasNext() {
      return next < end;
    }

    @Override
    public T next() {
      if (!hasNext()) {
        throw new NoSuchElementException("there is no further one of " + size);
      }
      T element = element(slots, next);
      goOn();
      return element;
    }

    private void goOn() {
      do {
        next++;
      } while (next < end && slots[next] == null);
    }
  }
}
