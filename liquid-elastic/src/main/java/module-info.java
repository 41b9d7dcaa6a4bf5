/** The control layer inside an elastic training job: leader, topology epochs and data pipeline. */
@SuppressWarnings("requires-automatic") // jetcd has no module descriptor
module io.github.liquidscheduler.elastic {
  requires static transitive org.jspecify;
  requires com.fasterxml.jackson.databind;
  requires org.slf4j;
  requires static jetcd.core;

  exports io.github.liquidscheduler.elastic;
  exports io.github.liquidscheduler.elastic.etcd;
  exports io.github.liquidscheduler.elastic.lease;
  exports io.github.liquidscheduler.elastic.runtime;

  // Jackson makes these records of JSON.
  opens io.github.liquidscheduler.elastic.ledger to
      com.fasterxml.jackson.databind;
  opens io.github.liquidscheduler.elastic.protocol to
      com.fasterxml.jackson.databind;
  opens io.github.liquidscheduler.elastic.runtime to
      com.fasterxml.jackson.databind;
  opens io.github.liquidscheduler.elastic to
      com.fasterxml.jackson.databind;
}
