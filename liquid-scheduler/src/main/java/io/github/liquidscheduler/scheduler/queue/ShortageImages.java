package io.github.liquidscheduler.scheduler.queue;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BiConsumer;

/** The shortages of waiting classes as they were at each open mark. Marks nest. */
final class ShortageImages {

  /** The images of shortages that have changed, and the shortages of classes that were removed. */
  private record Mark(
      Map<MissingTasks, MissingTasks> images, Map<PlacementClass, MissingTasks> removed) {}

  private final Deque<Mark> marks = new ArrayDeque<>();

  void mark() {
    marks.push(new Mark(new HashMap<>(), new LinkedHashMap<>()));
  }

  /** Keeps a copy before the first change since the innermost mark. */
  void saveBefore(MissingTasks shortage) {
    if (!marks.isEmpty()) {
      marks.element().images().computeIfAbsent(shortage, MissingTasks::copy);
    }
  }

  /** Keeps the shortage of a class of which no job waits any more. */
  void removed(PlacementClass placementClass, MissingTasks shortage) {
    if (!marks.isEmpty()) {
      marks.element().removed().putIfAbsent(placementClass, shortage);
    }
  }

  /** Ends the innermost mark; the changes since stay. */
  void commit() {
    Mark done = marks.pop();
    if (!marks.isEmpty()) {
      done.images().forEach(marks.element().images()::putIfAbsent);
      done.removed().forEach(marks.element().removed()::putIfAbsent);
    }
  }

  /**
   * Returns to the innermost mark and ends it.
   *
   * @param putBack takes the former shortages of classes that were removed
   */
  void rollBack(BiConsumer<PlacementClass, MissingTasks> putBack) {
    Mark then = marks.pop();
    then.images().forEach(MissingTasks::become);
    then.removed().forEach(putBack);
  }
}
