package io.github.liquidscheduler.scheduler.queue;

import io.github.liquidscheduler.job.QueueName;
import io.github.liquidscheduler.scheduler.job.MissingTasks;
import io.github.liquidscheduler.scheduler.job.PlacementClass;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** What is known of waiting classes, as it was at each open mark. Marks nest. */
final class ClassImages {

  /**
   * What has changed since a mark.
   *
   * @param number the number of the mark, higher than those of all before
   * @param shortages the shortages as they were, each once
   * @param removed the shortages of classes that were removed
   * @param quiet the quiet marks of queues as they were
   */
  private record Mark(
      long number,
      List<Image> shortages,
      Map<PlacementClass, MissingTasks> removed,
      Map<QueueName, WaitingClasses.Quiet> quiet) {

    Mark(long number) {
      this(number, new ArrayList<>(), new LinkedHashMap<>(), new LinkedHashMap<>());
    }

    void keep(Image image) {
      shortages.add(image);
      image.shortage().saveIn(number);
    }
  }

  /** A shortage as it was, and the number of the mark that had kept it before, if any had. */
  private record Image(MissingTasks shortage, MissingTasks before, long savedIn) {}

  private final Deque<Mark> marks = new ArrayDeque<>();
  private long opened;

  void mark() {
    marks.push(new Mark(++opened));
  }

  /** Keeps a copy before the first change since the innermost mark. */
  void saveBefore(MissingTasks shortage) {
    if (!marks.isEmpty() && shortage.savedIn() != marks.element().number()) {
      marks.element().keep(new Image(shortage, shortage.copy(), shortage.savedIn()));
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
      for (Image image : done.shortages()) {
        if (image.savedIn() == outer.number()) {
          image.shortage().saveIn(outer.number());
        } else {
          outer.keep(image);
        }
      }
      done.removed().forEach(outer.removed()::putIfAbsent);
      done.quiet().forEach(outer.quiet()::putIfAbsent);
    }
  }

  /** Returns to the innermost mark and ends it; the jobs of the classes are those of then. */
  void rollBack(WaitingClasses classes) {
    Mark then = marks.pop();
    for (Image image : then.shortages()) {
      image.shortage().become(image.before());
      image.shortage().saveIn(image.savedIn());
      classes.review(image.shortage());
    }
    then.removed().forEach(classes::putBack);
    classes.rollBackQuiet(then.quiet());
  }
}
