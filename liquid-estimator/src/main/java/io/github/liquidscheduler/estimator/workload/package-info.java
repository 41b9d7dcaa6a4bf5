/**
 * Classes of workloads ({@link io.github.liquidscheduler.estimator.workload.WorkloadClass}), what
 * was measured of each ({@link io.github.liquidscheduler.estimator.workload.ClassHistory}), and the
 * columns and files that the models of co-located pairs have.
 */
@NullMarked
package io.github.liquidscheduler.estimator.workload;

import org.jspecify.annotations.NullMarked;
