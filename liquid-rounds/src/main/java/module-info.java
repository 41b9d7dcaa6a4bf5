/**
 * Jobs that train round by round: a scheduler of their tasks, and plans made offline. Incubating.
 */
@SuppressWarnings("module") // The modules that inner packages are exported to are compiled later.
module io.github.liquidscheduler.rounds {
  requires transitive io.github.liquidscheduler.api;
  requires static transitive org.jspecify;

  exports io.github.liquidscheduler.rounds;
  exports io.github.liquidscheduler.rounds.planner;
  exports io.github.liquidscheduler.rounds.scheduler;
  exports io.github.liquidscheduler.rounds.planner.bound to
      io.github.liquidscheduler.cli,
      io.github.liquidscheduler.simulator;
  exports io.github.liquidscheduler.rounds.planner.switching to
      io.github.liquidscheduler.cli,
      io.github.liquidscheduler.simulator;
  exports io.github.liquidscheduler.rounds.simulation to
      io.github.liquidscheduler.cli,
      io.github.liquidscheduler.simulator;
}
