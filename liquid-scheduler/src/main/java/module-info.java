/** The scheduler: events in, decisions out; its policies, and when it plans in batches. */
@SuppressWarnings("module") // the modules that inner packages are exported to are compiled later
module io.github.liquidscheduler.scheduler {
  requires transitive io.github.liquidscheduler.api;
  requires transitive io.github.liquidscheduler.placement;
  requires static transitive org.jspecify;

  exports io.github.liquidscheduler.scheduler;
  exports io.github.liquidscheduler.scheduler.performance;
  exports io.github.liquidscheduler.scheduler.policy;
  exports io.github.liquidscheduler.scheduler.prefetch;
  exports io.github.liquidscheduler.scheduler.quota to
      io.github.liquidscheduler.simulator;
  exports io.github.liquidscheduler.scheduler.share to
      io.github.liquidscheduler.simulator;
}
