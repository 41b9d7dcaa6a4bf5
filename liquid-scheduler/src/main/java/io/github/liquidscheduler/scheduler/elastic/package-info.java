/**
 * Execution of {@link io.github.liquidscheduler.scheduler.policy.Elasticity}: running jobs grow
 * while GPUs are idle and shrink when others wait.
 */
@NullMarked
package io.github.liquidscheduler.scheduler.elastic;

import org.jspecify.annotations.NullMarked;
