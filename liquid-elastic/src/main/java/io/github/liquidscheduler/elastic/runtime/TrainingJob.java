package io.github.liquidscheduler.elastic.runtime;

import io.github.liquidscheduler.elastic.ElasticOptions;
import io.github.liquidscheduler.elastic.Partitioning;
import io.github.liquidscheduler.elastic.lease.LeaseStore;

/**
 * The settings that all agents of a job share, by the job's name in the store.
 *
 * @param key the job's name in the store
 * @param store where the lease of the leader is
 * @param partitioning how the data set is split
 * @param options times and sizes
 * @param connections what others may do to an agent
 */
public record TrainingJob(
    String key,
    LeaseStore store,
    Partitioning partitioning,
    ElasticOptions options,
    ConnectionOptions connections) {

  /** Returns a job whose connections have the default bounds and need no token. */
  public TrainingJob(
      String key, LeaseStore store, Partitioning partitioning, ElasticOptions options) {
    this(key, store, partitioning, options, ConnectionOptions.defaults());
  }
}
