/**
 * What is known of copies of data sets: which node has which, what is under way, who reads, and how
 * well was predicted so far. The entry is {@link
 * io.github.liquidscheduler.scheduler.data.DataBooks}.
 */
@NullMarked
package io.github.liquidscheduler.scheduler.data;

import org.jspecify.annotations.NullMarked;
