package io.github.liquidscheduler.placement.colocation.monitor;

import io.github.liquidscheduler.cluster.ClusterView;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.Workload;
import io.github.liquidscheduler.placement.colocation.monitor.ColocationRecord.Report;
import io.github.liquidscheduler.prediction.InterferencePredictor;
import io.github.liquidscheduler.prediction.Observations;
import io.github.liquidscheduler.prediction.PredictorState;
import io.github.liquidscheduler.resource.GpuModel;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The observations of one scheduler about jobs that share GPUs: last reports, isolated rates, bans,
 * and the predictor's learned state. A {@link ColocationMonitor} changes it; others read its {@link
 * #observations()}. Not thread-safe.
 */
public final class ColocationState {

  private static final int FORGET_AFTER = 4096;

  private final IsolatedRates rates;
  private final Map<JobId, Report> reports;
  private final Deque<Runnable> undo = new ArrayDeque<>();
  private final Deque<Integer> marks = new ArrayDeque<>();
  private long taken;
  private Known known;

  /** The observations that placers and predictors read. */
  private record Known(ColocationBans bans, PredictorState interference) implements Observations {
    @Override
    public boolean isBanned(Workload victim, Workload coRunner, GpuModel gpu, double floor) {
      return bans.forbid(victim, coRunner, gpu, floor);
    }
  }

  private ColocationState(
      IsolatedRates rates, Map<JobId, Report> reports, long taken, Known known) {
    this.rates = rates;
    this.reports = new TreeMap<>(reports);
    this.taken = taken;
    this.known = known;
  }

  /** Returns a state without observations. */
  public static ColocationState empty() {
    return new ColocationState(
        new IsolatedRates(), Map.of(), 0, new Known(ColocationBans.NONE, PredictorState.NONE));
  }

  /**
   * Returns a saved state.
   *
   * @param predictor the predictor that restores its learned state, if any
   * @throws IllegalArgumentException if the record does not fit the predictor
   */
  public static ColocationState restored(
      ColocationRecord record, Optional<InterferencePredictor> predictor) {
    PredictorState learned =
        predictor
            .map(each -> each.restoreState(record.learnedStates()))
            .orElse(PredictorState.NONE);
    ColocationState state =
        new ColocationState(
            IsolatedRates.of(record.rates()),
            Map.of(),
            record.taken(),
            new Known(ColocationBans.of(record.bans()), learned));
    record.reports().forEach(report -> state.reports.put(report.job(), report));
    return state;
  }

  /** Opens a mark, to which {@link #rollBack} returns. Marks nest. */
  public void mark() {
    marks.push(undo.size());
    long takenBefore = taken;
    Known knownBefore = known;
    undo.push(
        () -> {
          taken = takenBefore;
          known = knownBefore;
        });
  }

  /** Ends the innermost mark; the observations since stay. */
  public void commit() {
    marks.pop();
    if (marks.isEmpty()) {
      undo.clear();
    }
  }

  /** Undoes the observations since the innermost mark and ends it. */
  public void rollBack() {
    int before = marks.pop();
    while (undo.size() > before) {
      undo.pop().run();
    }
  }

  private void undoBy(Runnable inverse) {
    if (!marks.isEmpty()) {
      undo.push(inverse);
    }
  }

  /** Returns an independent copy; O(jobs + workloads). */
  public ColocationState copy() {
    return new ColocationState(rates.copy(), reports, taken, known);
  }

  /** Returns the record to be saved. */
  public ColocationRecord toRecord() {
    return new ColocationRecord(
        taken,
        List.copyOf(reports.values()),
        rates.toRecords(),
        known.bans().toRecords(),
        known.interference().save());
  }

  /** Returns the observations that placers, planners and predictors read; immutable. */
  public Observations observations() {
    return known;
  }

  IsolatedRates rates() {
    return rates;
  }

  /** Adds a rate of a job alone. */
  void ranAlone(JobSpec job, GpuModel gpu, double rate) {
    undoBy(rates.add(job, gpu, rate));
  }

  @Nullable Report report(JobId job) {
    return reports.get(job);
  }

  void report(Report report) {
    @Nullable Report before = reports.put(report.job(), report);
    undoBy(() -> putBack(report.job(), before));
  }

  private void putBack(JobId job, @Nullable Report report) {
    if (report == null) {
      reports.remove(job);
    } else {
      reports.put(job, report);
    }
  }

  ColocationBans bans() {
    return known.bans();
  }

  void ban(ColocationBans bans) {
    known = new Known(bans, known.interference());
  }

  void learn(PredictorState interference) {
    known = new Known(known.bans(), interference);
  }

  /** Counts a report, and now and then forgets those of jobs that have left. */
  void count(ClusterView view) {
    if (++taken % FORGET_AFTER == 0) {
      Map<JobId, Report> before = new TreeMap<>(reports);
      reports.keySet().removeIf(job -> view.placement(job).isEmpty());
      undoBy(() -> reports.putAll(before));
    }
  }
}
