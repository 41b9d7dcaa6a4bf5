package io.github.liquidscheduler.estimator.interference;

import io.github.liquidscheduler.estimator.similarity.WorkloadClass;
import io.github.liquidscheduler.prediction.LearnedState;
import io.github.liquidscheduler.resource.GpuModel;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What was measured of each class of workloads on each GPU model: its rate alone, how sensitive it
 * was to others, and how much others lost beside it. It travels in the model file and grows with
 * what is observed.
 *
 * <p>Not thread-safe.
 */
public final class ClassHistory {
  static final String CLASS = "class";
  static final String RESIDUAL = "residual";

  /**
   * The measurements of one class on one GPU model. Copied before it changes, once it is shared.
   */
  static final class Cell {
    private static final Comparator<Cell> BY_NAME =
        Comparator.comparing((Cell cell) -> cell.key.workload().toString())
            .thenComparing(cell -> cell.key.gpu());

    private final Key key;
    private double isolatedRate = Double.NaN;
    private double sensitivity;
    private int asVictim;
    private double pressure;
    private int asAggressor;
    private boolean hasLearned;
    private final Map<WorkloadClass, Residual> residuals = new LinkedHashMap<>();

    private Cell(Key key) {
      this.key = key;
    }

    private Cell(Cell other) {
      key = other.key;
      isolatedRate = other.isolatedRate;
      sensitivity = other.sensitivity;
      asVictim = other.asVictim;
      pressure = other.pressure;
      asAggressor = other.asAggressor;
      hasLearned = other.hasLearned;
      residuals.putAll(other.residuals);
    }

    /** Returns the iterations per second alone, or NaN. */
    double isolatedRate() {
      return isolatedRate;
    }

    /** Returns the mean retained speed against the GPU model's mean, drawn to 0 if seen little. */
    double sensitivity() {
      return sensitivity / (asVictim + 1);
    }

    /** Returns the mean of what co-runners retained, against the GPU model's mean. */
    double pressure() {
      return pressure / (asAggressor + 1);
    }

    /** Returns what predictions for this class beside another were off by; nothing at first. */
    @Nullable Residual residual(WorkloadClass aggressor) {
      return residuals.isEmpty() ? null : residuals.get(aggressor);
    }

    private LearnedState learnedState() {
      return new LearnedState(
          CLASS,
          List.of(key.workload().toString(), key.gpu().name()),
          List.of(sensitivity, (double) asVictim, pressure, (double) asAggressor));
    }

    private LearnedState learnedState(WorkloadClass aggressor, Residual residual) {
      return new LearnedState(
          RESIDUAL,
          List.of(key.workload().toString(), aggressor.toString(), key.gpu().name()),
          residual.toNumbers());
    }

    private void restoreState(List<Double> numbers) {
      sensitivity = numbers.get(0);
      asVictim = numbers.get(1).intValue();
      pressure = numbers.get(2);
      asAggressor = numbers.get(3).intValue();
      hasLearned = true;
    }

    boolean wasVictim() {
      return asVictim > 0;
    }

    boolean wasAggressor() {
      return asAggressor > 0;
    }
  }

  private record Key(WorkloadClass workload, GpuModel gpu) {}

  private final Map<Key, Cell> cells = new LinkedHashMap<>();
  private final Map<GpuModel, Double> means = new TreeMap<>();
  private GpuShares shares = new GpuShares();
  private ClassEffects effects = ClassEffects.NONE;

  /** Creates a history in which nothing was measured. */
  public ClassHistory() {}

  /** Returns a history that goes its own way from here; O(classes). */
  ClassHistory copy() {
    ClassHistory copy = new ClassHistory();
    copy.cells.putAll(cells);
    copy.means.putAll(means);
    copy.shares = shares;
    copy.effects = effects;
    return copy;
  }

  /** Sets the mean retained speed on a GPU model, against which classes are compared. */
  public void setMean(GpuModel gpu, double mean) {
    means.put(gpu, mean);
  }

  /**
   * Returns the mean retained speed on a GPU model; on one never seen, the mean over the others.
   */
  public double mean(GpuModel gpu) {
    Double mean = means.get(gpu);
    return mean != null
        ? mean
        : means.values().stream().mapToDouble(Double::doubleValue).average().orElse(0.7);
  }

  /** Returns the GPU models that a mean was set for, by name. */
  public List<GpuModel> gpus() {
    return List.copyOf(means.keySet());
  }

  /** Returns what is known of a class on a GPU model; empty at first. */
  Cell cell(WorkloadClass workload, GpuModel gpu) {
    return cells.computeIfAbsent(new Key(workload, gpu), Cell::new);
  }

  /** Returns a cell of this history alone, to be changed. */
  private Cell own(WorkloadClass workload, GpuModel gpu) {
    Cell own = new Cell(cell(workload, gpu));
    cells.put(own.key, own);
    return own;
  }

  /** Notes the rate of a class alone. */
  public void isolated(WorkloadClass workload, GpuModel gpu, double rate) {
    if (Double.isFinite(rate) && rate > 0) {
      own(workload, gpu).isolatedRate = rate;
      shares.isolated(workload, gpu, rate);
    }
  }

  /** Returns what part of an iteration keeps the GPU busy, or NaN if its family is little known. */
  double gpuShare(WorkloadClass workload, GpuModel gpu, double rate) {
    return shares.of(workload, gpu, rate);
  }

  /** Sets what was learned of how classes affect each other. */
  public void setEffects(ClassEffects effects) {
    this.effects = effects;
  }

  /** Returns what was learned of how classes affect each other. */
  ClassEffects effects() {
    return effects;
  }

  /** Notes the retained speed of a victim beside an aggressor. */
  public void colocated(
      WorkloadClass victim, WorkloadClass aggressor, GpuModel gpu, double retainedSpeed) {
    double deviation = retainedSpeed - mean(gpu);
    Cell suffering = own(victim, gpu);
    suffering.hasLearned = true;
    suffering.sensitivity += deviation;
    suffering.asVictim++;
    Cell pressing = own(aggressor, gpu);
    pressing.hasLearned = true;
    pressing.pressure += deviation;
    pressing.asAggressor++;
  }

  /** Notes by how much the prediction for a pair was off. */
  void predictionError(WorkloadClass victim, WorkloadClass aggressor, GpuModel gpu, double error) {
    own(victim, gpu)
        .residuals
        .merge(aggressor, Residual.NONE.plus(error), (old, first) -> old.plus(error));
  }

  /**
   * Returns what was noted since this history was made or read, but for rates alone, by the names
   * of the classes.
   */
  List<LearnedState> save() {
    List<LearnedState> values = new ArrayList<>();
    for (Cell cell : cells.values().stream().sorted(Cell.BY_NAME).toList()) {
      if (cell.hasLearned) {
        values.add(cell.learnedState());
      }
      cell.residuals.forEach((other, residual) -> values.add(cell.learnedState(other, residual)));
    }
    return values;
  }

  /**
   * Takes in what a history made alike has noted.
   *
   * @throws IllegalArgumentException if it is malformed
   */
  void restoreState(LearnedState saved) {
    if (saved.kind().equals(CLASS)) {
      own(workload(saved.requires(2, 4), 0), gpu(saved)).restoreState(saved.numbers());
    } else {
      Residual residual = new Residual(saved.requires(3, 2).numbers().get(0), saved.count(1));
      own(workload(saved, 0), gpu(saved)).residuals.put(workload(saved, 1), residual);
    }
  }

  private static WorkloadClass workload(LearnedState saved, int name) {
    return WorkloadClass.parse(saved.names().get(name));
  }

  private static GpuModel gpu(LearnedState saved) {
    return GpuModel.of(saved.names().getLast());
  }

  /** Returns this history as text, for a model file. */
  public String toText() {
    StringBuilder text = new StringBuilder();
    means.forEach((gpu, mean) -> text.append("gpu|" + gpu + "|" + mean + "\n"));
    cells.forEach(
        (key, cell) ->
            text.append(
                    String.join(
                        "|",
                        key.workload().toString(),
                        key.gpu().toString(),
                        Double.toString(cell.isolatedRate),
                        Double.toString(cell.sensitivity),
                        Integer.toString(cell.asVictim),
                        Double.toString(cell.pressure),
                        Integer.toString(cell.asAggressor)))
                .append('\n'));
    return text.append(effects.toText()).toString();
  }

  /**
   * Returns the history that {@link #toText()} wrote.
   *
   * @throws IllegalArgumentException if a line is malformed
   */
  public static ClassHistory fromText(String text) {
    ClassHistory history = new ClassHistory();
    Map<Boolean, List<String>> lines =
        text.lines()
            .collect(Collectors.partitioningBy(line -> line.startsWith(ClassEffects.PREFIX)));
    lines.getOrDefault(false, List.of()).forEach(history::addLine);
    history.setEffects(ClassEffects.fromText(lines.getOrDefault(true, List.of())));
    return history;
  }

  private void addLine(String line) {
    String[] parts = line.split("\\|", -1);
    try {
      if (parts.length == 3) {
        setMean(GpuModel.of(parts[1]), Double.parseDouble(parts[2]));
        return;
      }
      WorkloadClass workload = WorkloadClass.parse(parts[0]);
      GpuModel gpu = GpuModel.of(parts[1]);
      isolated(workload, gpu, Double.parseDouble(parts[2]));
      Cell cell = own(workload, gpu);
      cell.sensitivity = Double.parseDouble(parts[3]);
      cell.asVictim = Integer.parseInt(parts[4]);
      cell.pressure = Double.parseDouble(parts[5]);
      cell.asAggressor = Integer.parseInt(parts[6]);
    } catch (IllegalArgumentException | ArrayIndexOutOfBoundsException e) {
      throw new IllegalArgumentException("a line of class history is malformed: " + line, e);
    }
  }
}
