/**
 * Leases in etcd: {@link io.github.liquidscheduler.elastic.etcd.EtcdLeaseStore}. The only package
 * that needs jetcd, which a job that uses it adds to its dependencies.
 */
@NullMarked
package io.github.liquidscheduler.elastic.etcd;

import org.jspecify.annotations.NullMarked;
