package io.github.liquidscheduler.placement.capacity;

import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A map with cheap copies: a copy costs O(keys changed since the last one) and shares the rest,
 * where building a table of tens of thousands of keys costs milliseconds. In insertion order if its
 * maps are. Not thread-safe.
 *
 * @param <K> the keys
 * @param <V> the values, which copies share
 */
public final class SharedMap<K, V> {

  // If more than one key in this number has changed, a copy merges the changes first.
  private static final int MANY = 8;

  private final Supplier<Map<K, @Nullable V>> maker;
  // Never changed once it is shared.
  private Map<K, @Nullable V> shared;
  private boolean isShared;
  // Changes since then; null for a removed key.
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

  /** Returns the value of a key, or null if it is absent. */
  public @Nullable V get(K key) {
    if (!changed.isEmpty()) {
      @Nullable V value = changed.get(key);
      if (value != null || changed.containsKey(key)) {
        return value;
      }
    }
    return shared.get(key);
  }

  /** Puts a key that is absent. */
  public void put(K key, V value) {
    if (isShared) {
      // It may have been removed since it was shared, and comes last now.
      changed.remove(key);
      changed.put(key, value);
    } else {
      shared.put(key, value);
    }
  }

  /** Removes a key and returns its value, or null if it is absent. */
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

  /** Passes all keys and their values to a visitor. */
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

  /** Returns an independent map of the same entries. */
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
