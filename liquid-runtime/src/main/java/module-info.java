/** Around a scheduler: a loop with a journal before the answers, and forecasts of starts. */
module io.github.liquidscheduler.runtime {
  requires transitive io.github.liquidscheduler.api;
  requires static transitive org.jspecify;
  requires org.slf4j;

  exports io.github.liquidscheduler.runtime;
  exports io.github.liquidscheduler.runtime.forecast;
}
