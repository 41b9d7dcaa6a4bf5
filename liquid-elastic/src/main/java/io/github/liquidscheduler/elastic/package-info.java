/**
 * The values that an elastic training job is described and scaled with: {@link
 * io.github.liquidscheduler.elastic.Partitioning} for its data, {@link
 * io.github.liquidscheduler.elastic.WorkerId} for who trains.
 */
@NullMarked
package io.github.liquidscheduler.elastic;

import org.jspecify.annotations.NullMarked;
