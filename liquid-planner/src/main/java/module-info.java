/** Plans for many jobs at once: batches, defragmentation, and jobs that share GPUs. */
@SuppressWarnings("module") // the modules that inner packages are exported to are compiled later
module io.github.liquidscheduler.planner {
  requires transitive io.github.liquidscheduler.api;
  requires transitive io.github.liquidscheduler.placement;
  requires static transitive org.jspecify;
  requires ai.timefold.solver.core;
  requires com.google.common;
  requires org.jgrapht.core;
  requires org.slf4j;

  exports io.github.liquidscheduler.planner;
  exports io.github.liquidscheduler.planner.colocation;
  exports io.github.liquidscheduler.planner.cost to
      io.github.liquidscheduler.benchmarks,
      io.github.liquidscheduler.simulator;
  exports io.github.liquidscheduler.planner.plan to
      io.github.liquidscheduler.simulator;
  exports io.github.liquidscheduler.planner.problem to
      io.github.liquidscheduler.simulator;

  // Timefold makes these classes, and its accessors, which it generates, are in no module.
  opens io.github.liquidscheduler.planner.search;
}
