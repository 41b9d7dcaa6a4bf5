package io.github.liquidscheduler.estimator.interference;

import io.github.liquidscheduler.prediction.LearnedState;
import io.github.liquidscheduler.prediction.PredictorState;
import io.github.liquidscheduler.resource.GpuModel;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The learned state of a {@link CompositePredictor}.
 *
 * @param owner the predictor that made it
 * @param gpus what was learned on each GPU model; never changed
 */
record CompositeState(CompositePredictor owner, SortedMap<GpuModel, GpuState> gpus)
    implements PredictorState {

  static CompositeState nothing(CompositePredictor owner) {
    return new CompositeState(owner, new TreeMap<>());
  }

  /** Returns the state learned on a GPU model. */
  GpuState on(GpuModel gpu) {
    GpuState known = gpus.isEmpty() ? null : gpus.get(gpu);
    return known == null ? GpuState.NONE : known;
  }

  CompositeState with(GpuModel gpu, GpuState learned) {
    SortedMap<GpuModel, GpuState> more = new TreeMap<>(gpus);
    more.put(gpu, learned);
    return new CompositeState(owner, more);
  }

  @Override
  public List<LearnedState> save() {
    List<LearnedState> values = new ArrayList<>();
    gpus.forEach(
        (gpu, learned) -> {
          values.addAll(learned.pairs().save(gpu));
          values.addAll(learned.drift().save(gpu));
        });
    return values;
  }

  /**
   * Returns the state in which a predictor has learned what one alike has saved.
   *
   * @throws IllegalArgumentException if a value is malformed or of another kind
   */
  static CompositeState restored(CompositePredictor owner, List<LearnedState> saved) {
    Map<GpuModel, List<LearnedState>> pairs = new LinkedHashMap<>();
    SortedMap<GpuModel, GpuState> gpus = new TreeMap<>();
    for (LearnedState value : saved) {
      switch (value.kind()) {
        case WatchedPairs.LEARNED_STATE ->
            pairs.computeIfAbsent(gpu(value), key -> new ArrayList<>()).add(value);
        case DriftDetector.LEARNED_STATE ->
            gpus.put(gpu(value), new GpuState(WatchedPairs.NONE, DriftDetector.restored(value)));
        default ->
            throw new IllegalArgumentException(
                "a predictor's learned state must be of kind '%s' or '%s', but one was '%s'"
                    .formatted(
                        WatchedPairs.LEARNED_STATE, DriftDetector.LEARNED_STATE, value.kind()));
      }
    }
    pairs.forEach(
        (gpu, values) ->
            gpus.put(
                gpu,
                new GpuState(
                    WatchedPairs.restored(values), gpus.getOrDefault(gpu, GpuState.NONE).drift())));
    return new CompositeState(owner, gpus);
  }

  private static GpuModel gpu(LearnedState saved) {
    if (saved.names().isEmpty()) {
      throw new IllegalArgumentException(
          "a learned state '%s' must name its GPU model last, but names nothing"
              .formatted(saved.kind()));
    }
    return GpuModel.of(saved.names().getLast());
  }
}
