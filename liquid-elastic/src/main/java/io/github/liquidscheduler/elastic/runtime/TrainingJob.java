package io.github.liquidscheduler.elastic.runtime;

import io.github.liquidscheduler.elastic.ElasticOptions;
import io.github.liquidscheduler.elastic.Partitioning;
import io.github.liquidscheduler.elastic.lease.LeaseStore;

/**
 * The settings that all agents of a job share.
 *
 * @param key names the job in the store
 * @param store where the lease and the leader's state are kept
 * @param partitioning how the data set is split
 * @param options times and sizes
 */
public record TrainingJob(
    String key, LeaseStore store, Partitioning partitioning, ElasticOptions options) {}
