package io.github.liquidscheduler.placement.capacity;

import java.util.Arrays;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.function.ObjIntConsumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Things in the order in which they came, of which each may leave at any time.
 *
 * <p>An array with gaps, which are closed once there are as many as things. Each thing is told its
 * slot, so that it is found again without a search. A linked hash set would do the same, but has an
 * object for each thing, and to take one out touches those before and after it, and the table: with
 * thousands of jobs all of these have left the caches. Not thread-safe.
 *
 * @param <T> what they are
 */
public final class ArrivalList<T> implements Iterable<T> {

  private static final int SMALLEST = 16;

  private final ObjIntConsumer<T> teller;
  private @Nullable Object[] slots = new Object[SMALLEST];
  private int end;
  private int size;

  /**
   * Makes an empty list.
   *
   * @param teller tells a thing its slot, which it has to be taken out by
   */
  public ArrivalList(ObjIntConsumer<T> teller) {
    this.teller = teller;
  }

  /** Returns how many there are. */
  public int size() {
    return size;
  }

  /** Returns a number above the slots of all of them. */
  public int slots() {
    return end;
  }

  /** Adds a thing at the end. */
  public void add(T thing) {
    if (end == slots.length) {
      closeGaps();
    }
    size++;
    put(thing, end++);
  }

  /**
   * Takes out what is in a slot.
   *
   * @throws NullPointerException if there is nothing
   */
  public void remove(int slot) {
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

  /** Returns them in their order. */
  @SuppressWarnings("unchecked") // nothing else is ever put in
  public Stream<T> stream() {
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
        put(thing(before, slot), end++);
      }
    }
  }

  private void put(T thing, int slot) {
    slots[slot] = thing;
    teller.accept(thing, slot);
  }

  @SuppressWarnings("unchecked") // nothing else is ever put in
  private T thing(@Nullable Object[] from, int slot) {
    return (T) Objects.requireNonNull(from[slot]);
  }

  /** A walk, during which nothing may come. */
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
      T thing = thing(slots, next);
      goOn();
      return thing;
    }

    private void goOn() {
      do {
        next++;
      } while (next < end && slots[next] == null);
    }
  }
}
