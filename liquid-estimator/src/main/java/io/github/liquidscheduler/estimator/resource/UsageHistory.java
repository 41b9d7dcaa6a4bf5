package io.github.liquidscheduler.estimator.resource;

import io.github.liquidscheduler.estimator.task.TaskProfile;
import io.github.liquidscheduler.estimator.task.regression.Calibration;
import io.github.liquidscheduler.estimator.task.regression.ScaledAnswer;
import io.github.liquidscheduler.estimator.workload.ComparableName;
import io.github.liquidscheduler.prediction.Provenance;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The measurements of one target since the model was trained: of the very same tasks, and how far
 * the model was off for each family. The same task again is answered by its own past; the rest of
 * its family is moved by the mean error of the family, shrunk as if {@value #SHRINKAGE} more errors
 * of zero had been seen.
 */
final class UsageHistory {
  private static final int MOST_TASKS = 50_000;
  private static final int SHRINKAGE = 2;
  private static final int ENOUGH = 3;

  /** Of the same task: how often, the sum, the least and the greatest. */
  private record Past(int count, double sum, double least, double greatest) {
    Past and(double value) {
      return new Past(count + 1, sum + value, Math.min(least, value), Math.max(greatest, value));
    }
  }

  /**
   * By what a task is found again; made once for all targets, since it takes a while.
   *
   * @param task the same for the same tasks only
   * @param family the same for tasks of a family, a framework and a role
   */
  record Keys(String task, String family) {

    static Keys of(TaskProfile task) {
      return new Keys(
          task.signature() + "\n" + task.batch() + "\n" + task.gpu(),
          ComparableName.of(task.family()) + "\n" + task.framework() + "\n" + task.role());
    }
  }

  private final Map<String, Past> tasks = new Forgetful();
  private final Map<String, double[]> families = new LinkedHashMap<>();

  void record(Keys keys, double value, double answered) {
    tasks.merge(keys.task(), new Past(1, value, value, value), (past, single) -> past.and(value));
    double[] errors = families.computeIfAbsent(keys.family(), key -> new double[2]);
    errors[0] += 1;
    errors[1] += value - answered;
  }

  boolean knows(Keys keys) {
    return families.containsKey(keys.family());
  }

  /** The answer that takes into account what was measured. */
  ScaledAnswer refine(Keys keys, ScaledAnswer answer) {
    Past past = tasks.get(keys.task());
    if (past != null) {
      return fromPast(past, answer.calibration());
    }
    double[] errors = families.get(keys.family());
    return errors == null ? answer : moved(answer, errors[0], errors[1]);
  }

  private static ScaledAnswer moved(ScaledAnswer answer, double count, double sum) {
    Provenance provenance = count >= ENOUGH ? Provenance.LEARNED : answer.provenance();
    return new ScaledAnswer(
        answer.center() + sum / (count + SHRINKAGE), answer.calibration(), provenance);
  }

  /** The spread seen so far, and a part of the model's for what was not seen yet. */
  private static ScaledAnswer fromPast(Past past, Calibration model) {
    double mean = past.sum() / past.count();
    double part = 1.0 / (past.count() + 1);
    double above = Math.max(0, past.greatest() - mean);
    return new ScaledAnswer(
        mean,
        new Calibration(
            Math.min(0, past.least() - mean) + part * model.low(),
            above + part * model.high(),
            above + part * model.request(),
            part * model.error()),
        Provenance.MEASURED);
  }

  /** Forgets the task that was new the longest ago when there are too many. */
  private static final class Forgetful extends LinkedHashMap<String, Past> {
    private static final long serialVersionUID = 1;

    @Override
    protected boolean removeEldestEntry(Map.Entry<String, Past> eldest) {
      return size() > MOST_TASKS;
    }
  }
}
