/** A loop around a scheduler: events from any thread, a journal before the answers. */
module io.github.liquidscheduler.runtime {
  requires transitive io.github.liquidscheduler.api;
  requires static transitive org.jspecify;
  requires org.slf4j;

  exports io.github.liquidscheduler.runtime;
}
