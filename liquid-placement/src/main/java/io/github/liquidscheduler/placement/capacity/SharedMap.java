package io.github.liquidscheduler.placement.capacity;

import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A map of which copies cost what has changed since the last one, not what is in it: they share
 * what was in it then. To build a table of tens of thousands of keys anew costs milliseconds. Its
 * order is that in which keys were put, if that of its maps is. Not thread-safe.
 *
 * @param <K> the keys
 * @param <V> the values, which copies share
 */
public final class SharedMap<K, V> {

  // As soon as more than one in so many keys has changed a copy takes all of them in.
  private static final int MANY = 8;

  private final Supplier<Map<K, @Nullable V>> maker;
  // Never changed once it is shared.
  private Map<K, @Nullable V> shared;
  private boolean isShared;
  // What has changed since; null for what has gone.
  private Map<K, @Nullable V> changed;

  /**
   * Makes an empty map.
   *
   * @param maker makes maps that may hold null
   */
  public SharedMap(Supplier<Map<K, @Nullable V>> maker) {
    this(maker, maker.get(), maker.get());
  }

  private SharedMap(
      Supplier<Map<K, @Nullable V>> maker,
      Map<K, @Nullable V> shared,
      Map<K, @Nullable V> changed) {
    this.maker = maker;
    this.shared = shared;
    this.changed = changed;
  }

  /** Returns the value of a key, or null if it is not there. */
  public @Nullable V get(K key) {
    if (!changed.isEmpty()) {
      @Nullable V value = changed.get(key);
      if (value != null || changed.containsKey(key)) {
        return value;
      }
    }
    return shared.get(key);
  }

  /** Puts a key that is not there. */
  public void put(K key, V value) {
    if (isShared) {
      // It may have gone since it was shared, and comes last now.
      changed.remove(key);
      changed.put(key, value);
    } else {
      shared.put(key, value);
    }
  }

  /** Removes a key and returns its value, or null if it is not there. */
  public @Nullable V remove(K key) {
    if (!isShared) {
      return shared.remove(key);
    }
    @Nullable V before = get(key);
    if (shared.containsKey(key)) {
      changed.put(key, null);
    } else {
      changed.remove(key);
    }
    return before;
  }

  /** Has {@code visitor} look at all keys and their values. */
  public void forEach(BiConsumer<K, V> visitor) {
    shared.forEach(
        (key, value) -> {
          if (value != null && !changed.containsKey(key)) {
            visitor.accept(key, value);
          }
        });
    changed.forEach(
        (key, value) -> {
          if (value != null) {
            visitor.accept(key, value);
          }
        });
  }

  /** Returns the same keys and values, which go their own way from here. */
  public SharedMap<K, V> copy() {
    if (changed.size() > shared.size() / MANY) {
      Map<K, @Nullable V> all = maker.get();
      forEach(all::put);
      shared = all;
      changed = maker.get();
    }
    isShared = true;
    Map<K, @Nullable V> same = maker.get();
    same.putAll(changed);
    SharedMap<K, V> copy = new SharedMap<>(maker, shared, same);
    copy.isShared = true;
    return copy;
  }
}
