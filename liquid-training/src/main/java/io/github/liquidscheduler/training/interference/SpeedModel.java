package io.github.liquidscheduler.training.interference;

import io.github.liquidscheduler.estimator.onnx.Feature;
import io.github.liquidscheduler.estimator.onnx.ModelMetadata;
import java.util.List;

/** A model of retained speed, for known and for unseen classes. */
interface SpeedModel {
  double familiar(double[] features);

  double strange(double[] features);

  /** Returns the columns with the means that stand for what is unknown. */
  List<Feature> columns();

  /** Returns the ONNX file that answers what this model answers. */
  byte[] toBytes(ModelMetadata metadata);
}
