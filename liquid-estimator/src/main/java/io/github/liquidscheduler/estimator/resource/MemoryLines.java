package io.github.liquidscheduler.estimator.resource;

import io.github.liquidscheduler.estimator.task.ResourceTarget;
import io.github.liquidscheduler.estimator.task.TaskProfile;
import io.github.liquidscheduler.estimator.task.prior.TaskFacts;
import io.github.liquidscheduler.estimator.task.regression.Calibration;
import io.github.liquidscheduler.estimator.task.regression.ScaledAnswer;
import io.github.liquidscheduler.estimator.workload.ComparableName;
import io.github.liquidscheduler.prediction.Provenance;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;

/**
 * The device memory of tasks that differ in nothing but the batch size: it lies on a line, or is
 * that of a pool that doubles.
 *
 * <p>How far off they are is learned per family, and per team where a family was too seldom seen:
 * the interval holds nine tenths of the errors that its lines made of late. Until there are enough
 * it is {@value #GUESS} of the logarithm to either side, a guess, or the worst error if that is
 * more. It grows with a batch size beyond twice those seen.
 */
final class MemoryLines {
  private static final int MOST_LINES = 10_000;
  private static final double GUESS = 0.25;
  private static final double LEAST = 0.005;

  /** Hyper-parameters that change how long a task runs, but not what it keeps. */
  private static final Set<String> WITHOUT_MEMORY =
      Set.of(
          "iterations",
          "epochs",
          "steps",
          "num_batches",
          "learning_rate",
          "lr",
          "seed",
          "power_limit");

  private static final ResourceTarget MEMORY = ResourceTarget.GPU_MEMORY;

  private final Map<String, BatchLine> lines = new Forgetful<>();
  private final Map<String, DoublingPool> pools = new Forgetful<>();
  private final Map<String, RecentErrors> ofFamilies = new LinkedHashMap<>();
  private final Map<String, RecentErrors> ofTeams = new LinkedHashMap<>();

  void record(TaskProfile task, TaskFacts facts, double bytes) {
    if (task.batch().isEmpty() || !(bytes > 0)) {
      return;
    }
    expected(task, facts).ifPresent(used -> recordError(task, Math.log(bytes / used.expected())));
    if (hasPool(facts)) {
      pools
          .computeIfAbsent(key(task), key -> new DoublingPool())
          .record(bytes, facts.pooledNeed().orElse(1), facts.memoryParts().process());
    } else {
      lines
          .computeIfAbsent(key(task), key -> new BatchLine())
          .record(task.batch().getAsInt(), bytes);
    }
  }

  /** Returns the answer from other batch sizes of the task, if two were seen. */
  Optional<ScaledAnswer> answer(TaskProfile task, TaskFacts facts) {
    return expected(task, facts).map(used -> answer(used, width(task)));
  }

  private Optional<DoublingPool.Used> expected(TaskProfile task, TaskFacts facts) {
    if (task.batch().isEmpty()) {
      return Optional.empty();
    }
    if (hasPool(facts)) {
      DoublingPool pool = pools.get(key(task));
      return pool == null ? Optional.empty() : pool.at(facts.pooledNeed().orElse(1));
    }
    BatchLine line = lines.get(key(task));
    return line == null ? Optional.empty() : onLine(line, task.batch().getAsInt());
  }

  private static Optional<DoublingPool.Used> onLine(BatchLine line, int batch) {
    OptionalDouble bytes = line.at(batch);
    if (bytes.isEmpty()) {
      return Optional.empty();
    }
    double beyond = line.beyond(batch);
    double expected = bytes.getAsDouble();
    return Optional.of(new DoublingPool.Used(expected, expected / beyond, expected * beyond));
  }

  private static boolean hasPool(TaskFacts facts) {
    return facts.pooledNeed().isPresent();
  }

  private void recordError(TaskProfile task, double error) {
    ofFamilies.computeIfAbsent(family(task), key -> new RecentErrors()).record(Math.abs(error));
    ofTeams.computeIfAbsent(task.team(), key -> new RecentErrors()).record(Math.abs(error));
  }

  private static ScaledAnswer answer(DoublingPool.Used used, double width) {
    double below = Math.log(used.least() / used.expected());
    double above = Math.log(used.most() / used.expected());
    return new ScaledAnswer(
        MEMORY.toScale(used.expected()),
        new Calibration(
            Math.min(0, below) - width,
            Math.max(0, above) + width,
            Math.max(0, above) + width,
            width / 2),
        Provenance.LEARNED);
  }

  private double width(TaskProfile task) {
    RecentErrors family = ofFamilies.getOrDefault(family(task), new RecentErrors());
    RecentErrors team = ofTeams.getOrDefault(task.team(), new RecentErrors());
    if (family.areEnough()) {
      return Math.max(LEAST, family.bound());
    }
    return team.areEnough()
        ? Math.max(LEAST, Math.max(team.bound(), family.bound()))
        : Math.max(GUESS, family.bound());
  }

  private static String key(TaskProfile task) {
    StringBuilder key = new StringBuilder(family(task));
    key.append('\n').append(task.framework()).append('\n').append(task.dataset());
    key.append('\n').append(task.precision()).append('\n').append(task.role());
    key.append('\n').append(task.gpusPerTask()).append(' ').append(task.workers());
    key.append('\n').append(task.gpu()).append('\n').append(task.source());
    task.hyperparameters()
        .forEach(
            (name, value) -> {
              if (!WITHOUT_MEMORY.contains(name)) {
                key.append('\n').append(name).append('=').append(value);
              }
            });
    return key.toString();
  }

  private static String family(TaskProfile task) {
    return ComparableName.of(task.family());
  }

  /** Forgets the task that was new the longest ago when there are too many. */
  private static final class Forgetful<T> extends LinkedHashMap<String, T> {
    private static final long serialVersionUID = 1;

    @Override
    protected boolean removeEldestEntry(Map.Entry<String, T> eldest) {
      return size() > MOST_LINES;
    }
  }
}
