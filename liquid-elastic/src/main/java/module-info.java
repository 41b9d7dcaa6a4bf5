/** The control layer inside an elastic training job: leader, topology epochs and data pipeline. */
@SuppressWarnings("requires-automatic") // jetcd has no module descriptor
module io.github.liquidscheduler.elastic {
  requires static transitive org.jspecify;
  requires com.fasterxml.jackson.databind;
  requires static jetcd.core;

  exports io.github.liquidscheduler.elastic;
  exports io.github.liquidscheduler.elastic.etcd;
  exports io.github.liquidscheduler.elastic.lease;
}
