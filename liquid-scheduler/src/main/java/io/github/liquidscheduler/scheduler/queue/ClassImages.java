package io.github.liquidscheduler.scheduler.queue;

import io.github.liquidscheduler.job.QueueName;
import io.github.liquidscheduler.scheduler.job.MissingTasks;
import io.github.liquidscheduler.scheduler.job.PlacementClass;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;

/** What is known of waiting classes, as it was at each open mark. Marks nest. */
final class ClassImages {

  /**
   * What has changed since a mark.
   *
   * @param shortages the shortages as they were
   * @param removed the shortages of classes that were removed
   * @param quiet the quiet marks of queues as they were
   */
  private record Mark(
      Map<MissingTasks, MissingTasks> shortages,
      Map<PlacementClass, MissingTasks> removed,
      Map<QueueName, WaitingClasses.Quiet> quiet) {

    Mark() {
      this(new HashMap<>(), new LinkedHashMap<>(), new LinkedHashMap<>());
    }
  }

  private final Deque<Mark> marks = new ArrayDeque<>();

  void mark() {
    marks.push(new Mark());
  }

  /** Keeps a copy before the first change since the innermost mark. */
  void saveBefore(MissingTasks shortage) {
    if (!marks.isEmpty()) {
      marks.element().shortages().computeIfAbsent(shortage, MissingTasks::copy);
    }
  }

  /** Keeps the shortage of a class of which no job waits any more. */
  void removed(PlacementClass placementClass, MissingTasks shortage) {
    if (!marks.isEmpty()) {
      marks.element().removed().putIfAbsent(placementClass, shortage);
    }
  }

  /** Keeps the quiet mark of a queue before its first change since the innermost mark. */
  void saveBefore(QueueName queue, Supplier<WaitingClasses.Quiet> quiet) {
    if (!marks.isEmpty()) {
      marks.element().quiet().computeIfAbsent(queue, each -> quiet.get());
    }
  }

  /** Ends the innermost mark; the changes since stay. */
  void commit() {
    Mark done = marks.pop();
    if (!marks.isEmpty()) {
      Mark outer = marks.element();
      done.shortages().forEach(outer.shortages()::putIfAbsent);
      done.removed().forEach(outer.removed()::putIfAbsent);
      done.quiet().forEach(outer.quiet()::putIfAbsent);
    }
  }

  /** Returns to the innermost mark and ends it; the jobs of the classes are those of then. */
  void rollBack(WaitingClasses classes) {
    Mark then = marks.pop();
    then.shortages()
        .forEach(
            (known, before) -> {
              known.become(before);
              classes.review(known);
            });
    then.removed().forEach(classes::putBack);
    classes.rollBackQuiet(then.quiet());
  }
}
