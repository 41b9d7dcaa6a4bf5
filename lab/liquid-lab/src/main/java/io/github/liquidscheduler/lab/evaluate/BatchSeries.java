package io.github.liquidscheduler.lab.evaluate;

import com.google.common.collect.Multimaps;
import io.github.liquidscheduler.estimator.resource.LearnedResourceEstimator;
import io.github.liquidscheduler.estimator.task.ResourceSample;
import io.github.liquidscheduler.estimator.task.TaskProfile;
import io.github.liquidscheduler.training.resource.TrainedResources;
import java.util.ArrayList;
import java.util.List;

/** Series of the same task at several batch sizes: two are observed, the others estimated. */
final class BatchSeries {
  private static final int FEWEST = 3;

  private BatchSeries() {}

  /** Returns the estimates after each pair of batch sizes of each series. */
  static List<Outcome> outcomes(TrainedResources model, List<ResourceSample> samples) {
    List<Outcome> outcomes = new ArrayList<>();
    for (List<ResourceSample> series : series(samples)) {
      for (int i = 0; i < series.size(); i++) {
        for (int j = i + 1; j < series.size(); j++) {
          outcomes.addAll(after(model, series, i, j));
        }
      }
    }
    return outcomes;
  }

  private static List<Outcome> after(
      TrainedResources model, List<ResourceSample> series, int first, int second) {
    List<ResourceSample> rest = new ArrayList<>(series);
    rest.removeAll(List.of(series.get(first), series.get(second)));
    try (LearnedResourceEstimator estimator = model.load()) {
      estimator.observe(series.get(first));
      estimator.observe(series.get(second));
      return ResourceEvaluation.estimate(estimator, rest);
    }
  }

  private static List<List<ResourceSample>> series(List<ResourceSample> samples) {
    return Multimaps.asMap(Multimaps.index(samples, BatchSeries::name)).values().stream()
        .filter(BatchSeries::isLong)
        .toList();
  }

  private static String name(ResourceSample sample) {
    TaskProfile task = sample.task();
    return task.source() + "\n" + task.family() + "\n" + task.gpu();
  }

  private static boolean isLong(List<ResourceSample> series) {
    return series.stream().map(sample -> sample.task().batch()).distinct().count() >= FEWEST;
  }
}
