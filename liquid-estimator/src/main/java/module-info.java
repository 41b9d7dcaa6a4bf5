/** Predictors that learn: resource needs, interference and speed, as ONNX models. */
// ONNX Runtime has no module descriptor, only a reserved name.
@SuppressWarnings("requires-automatic")
module io.github.liquidscheduler.estimator {
  requires transitive io.github.liquidscheduler.api;
  requires static transitive org.jspecify;
  requires com.microsoft.onnxruntime;
  requires org.slf4j;

  exports io.github.liquidscheduler.estimator.request;
  exports io.github.liquidscheduler.estimator.duration;
  exports io.github.liquidscheduler.estimator.interference;
  exports io.github.liquidscheduler.estimator.onnx;
  exports io.github.liquidscheduler.estimator.resource;
  exports io.github.liquidscheduler.estimator.similarity;
}
