/**
 * Lower bounds on the average completion time of elastic jobs, whatever the policy, even one that
 * knows the future. {@link io.github.liquidscheduler.lab.reference.elastic.bound.CompletionBounds}
 * is the entry.
 */
@NullMarked
package io.github.liquidscheduler.lab.reference.elastic.bound;

import org.jspecify.annotations.NullMarked;
