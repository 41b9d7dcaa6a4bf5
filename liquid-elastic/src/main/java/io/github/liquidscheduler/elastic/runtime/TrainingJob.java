package io.github.liquidscheduler.elastic.runtime;

import io.github.liquidscheduler.elastic.ElasticOptions;
import io.github.liquidscheduler.elastic.Partitioning;
import io.github.liquidscheduler.elastic.lease.LeaseStore;

/** The settings that all agents of a job share, by the job's name in the store. */
public record TrainingJob(
    String key, LeaseStore store, Partitioning partitioning, ElasticOptions options) {}
