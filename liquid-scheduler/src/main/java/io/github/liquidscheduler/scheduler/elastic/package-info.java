/**
 * Running jobs that get larger while GPUs are free, and smaller when others wait: what {@link
 * io.github.liquidscheduler.scheduler.policy.Elasticity} says, carried out.
 */
@NullMarked
package io.github.liquidscheduler.scheduler.elastic;

import org.jspecify.annotations.NullMarked;
