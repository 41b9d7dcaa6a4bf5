package io.github.liquidscheduler.scheduler.rollback;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The values that a mutable part of the state had at each open mark. A value is copied before the
 * first change after a mark only. Marks nest: when an inner mark ends without a rollback, its image
 * serves the outer one, which had none.
 *
 * @param <T> the copies
 */
public final class BeforeImages<T> {

  private final List<@Nullable T> marks = new ArrayList<>();

  /** Makes images without a mark. */
  public BeforeImages() {}

  /** Opens a mark. */
  public void mark() {
    marks.add(null);
  }

  /** Returns true if a mark is open. */
  public boolean isMarked() {
    return !marks.isEmpty();
  }

  /** Keeps an image for the innermost mark, unless it has one; called before each change. */
  public void save(Supplier<T> image) {
    int last = marks.size() - 1;
    if (last >= 0 && marks.get(last) == null) {
      marks.set(last, image.get());
    }
  }

  /** Returns the image of the innermost mark; null if it has none. */
  public @Nullable T peek() {
    return marks.getLast();
  }

  /** Returns the image of the innermost mark, which has one. */
  public T innermost() {
    return Objects.requireNonNull(marks.getLast());
  }

  /** Ends the innermost mark; the changes since stay. */
  public void commit() {
    @Nullable T image = marks.removeLast();
    if (image != null) {
      save(() -> Objects.requireNonNull(image));
    }
  }

  /** Ends the innermost mark and returns the value then; null if nothing has changed since. */
  public @Nullable T rollBack() {
    return marks.removeLast();
  }
}
