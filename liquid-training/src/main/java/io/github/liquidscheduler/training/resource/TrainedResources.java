package io.github.liquidscheduler.training.resource;

import io.github.liquidscheduler.estimator.resource.LearnedResourceEstimator;
import io.github.liquidscheduler.training.tree.Regression;
import java.util.List;

/**
 * A model of resource needs as it comes out of training, the same in Java in the order of the
 * file's answers, and a line per regression on how well it was learned.
 */
@SuppressWarnings("ArrayRecordComponent")
public record TrainedResources(byte[] onnx, List<Regression> regressions, List<String> report) {

  /** Copies the lists. */
  public TrainedResources {
    regressions = List.copyOf(regressions);
    report = List.copyOf(report);
  }

  /** Returns an estimator that asks the model; the caller closes it. */
  public LearnedResourceEstimator load() {
    return LearnedResourceEstimator.of(onnx, "a model just trained");
  }
}
