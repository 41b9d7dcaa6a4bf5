/**
 * Copies of data sets: their nodes, transfers, readers and the reliability of predictions. The
 * entry is {@link io.github.liquidscheduler.scheduler.data.DataBooks}.
 */
@NullMarked
package io.github.liquidscheduler.scheduler.data;

import org.jspecify.annotations.NullMarked;
