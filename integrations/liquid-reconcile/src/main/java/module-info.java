/** Keeps a scheduler and a cluster manager of one mind: compares, reports, commands. */
module io.github.liquidscheduler.reconcile {
  requires transitive io.github.liquidscheduler.api;
  requires transitive io.github.liquidscheduler.runtime;
  requires io.github.liquidscheduler.json;
  requires static transitive org.jspecify;
  requires org.slf4j;

  exports io.github.liquidscheduler.reconcile;
}
