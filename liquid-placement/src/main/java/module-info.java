/** Where jobs run: free capacity, gangs, what placements cost, and jobs that share GPUs. */
@SuppressWarnings("module") // the modules that inner packages are exported to are compiled later
module io.github.liquidscheduler.placement {
  requires transitive io.github.liquidscheduler.api;
  requires static transitive org.jspecify;

  exports io.github.liquidscheduler.placement;
  exports io.github.liquidscheduler.placement.colocation;
  exports io.github.liquidscheduler.placement.cost;
  exports io.github.liquidscheduler.placement.capacity to
      io.github.liquidscheduler.benchmarks,
      io.github.liquidscheduler.planner,
      io.github.liquidscheduler.scheduler,
      io.github.liquidscheduler.simulator;
  exports io.github.liquidscheduler.placement.colocation.monitor to
      io.github.liquidscheduler.scheduler;
  exports io.github.liquidscheduler.placement.colocation.search to
      io.github.liquidscheduler.planner,
      io.github.liquidscheduler.scheduler;
  exports io.github.liquidscheduler.placement.gang to
      io.github.liquidscheduler.benchmarks,
      io.github.liquidscheduler.planner,
      io.github.liquidscheduler.scheduler,
      io.github.liquidscheduler.simulator;
  exports io.github.liquidscheduler.placement.eviction to
      io.github.liquidscheduler.planner,
      io.github.liquidscheduler.scheduler;
  exports io.github.liquidscheduler.placement.network to
      io.github.liquidscheduler.planner,
      io.github.liquidscheduler.simulator;
  exports io.github.liquidscheduler.placement.search to
      io.github.liquidscheduler.scheduler;
  exports io.github.liquidscheduler.placement.timeline to
      io.github.liquidscheduler.scheduler,
      io.github.liquidscheduler.simulator;
}
