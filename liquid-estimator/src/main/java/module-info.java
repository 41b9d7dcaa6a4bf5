/** Predictors that learn: resource needs, interference and speed, as ONNX models. */
// ONNX Runtime and Hipparchus have no module descriptors; the modules that inner packages are
// exported to are compiled later.
@SuppressWarnings({"requires-automatic", "module"})
module io.github.liquidscheduler.estimator {
  requires transitive io.github.liquidscheduler.api;
  requires static transitive org.jspecify;
  requires com.google.common;
  requires com.microsoft.onnxruntime;
  requires hipparchus.core;
  requires hipparchus.optim;
  requires org.slf4j;

  exports io.github.liquidscheduler.estimator.duration;
  exports io.github.liquidscheduler.estimator.interference;
  exports io.github.liquidscheduler.estimator.request;
  exports io.github.liquidscheduler.estimator.resource;
  exports io.github.liquidscheduler.estimator.similarity;
  exports io.github.liquidscheduler.estimator.task;
  exports io.github.liquidscheduler.estimator.onnx to
      io.github.liquidscheduler.benchmarks,
      io.github.liquidscheduler.training;
  exports io.github.liquidscheduler.estimator.task.prior to
      io.github.liquidscheduler.cli,
      io.github.liquidscheduler.training;
  exports io.github.liquidscheduler.estimator.task.regression to
      io.github.liquidscheduler.training;
  exports io.github.liquidscheduler.estimator.performance to
      io.github.liquidscheduler.training;
  exports io.github.liquidscheduler.estimator.workload to
      io.github.liquidscheduler.cli,
      io.github.liquidscheduler.training;
}
