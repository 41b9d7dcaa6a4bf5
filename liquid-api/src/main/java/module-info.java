/** The words of Liquid: jobs, clusters, events, decisions and the few interfaces between them. */
@SuppressWarnings("module") // The module that an inner package is exported to is compiled later.
module io.github.liquidscheduler.api {
  requires static transitive org.jspecify;

  exports io.github.liquidscheduler.cluster;
  exports io.github.liquidscheduler.explanation;
  exports io.github.liquidscheduler.job;
  exports io.github.liquidscheduler.planning;
  exports io.github.liquidscheduler.prediction;
  exports io.github.liquidscheduler.queue;
  exports io.github.liquidscheduler.resource;
  exports io.github.liquidscheduler.scheduling;
  exports io.github.liquidscheduler.text to
      io.github.liquidscheduler.estimator,
      io.github.liquidscheduler.formats,
      io.github.liquidscheduler.json,
      io.github.liquidscheduler.placement,
      io.github.liquidscheduler.rounds,
      io.github.liquidscheduler.scheduler;
}
