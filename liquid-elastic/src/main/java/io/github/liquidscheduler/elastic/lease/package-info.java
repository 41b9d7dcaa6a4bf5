/**
 * The leadership of a job: {@link io.github.liquidscheduler.elastic.lease.LeaseStore} keeps one
 * record that expires by itself, and what the leader saves for the next one.
 */
@NullMarked
package io.github.liquidscheduler.elastic.lease;

import org.jspecify.annotations.NullMarked;
