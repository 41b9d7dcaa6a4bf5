/** The control layer inside an elastic training job: leader, topology epochs and data pipeline. */
module io.github.liquidscheduler.elastic {
  requires static transitive org.jspecify;

  exports io.github.liquidscheduler.elastic;
}
