/**
 * The JSON form of jobs, clusters, events and decisions, the journal of events, and Gavel's
 * throughputs.
 */
module io.github.liquidscheduler.json {
  requires transitive io.github.liquidscheduler.api;
  requires com.fasterxml.jackson.core;
  requires static io.github.liquidscheduler.rounds;
  requires static transitive org.jspecify;

  exports io.github.liquidscheduler.json;
  exports io.github.liquidscheduler.json.gavel;
}
