/**
 * The scheduler that embedders run: {@link io.github.liquidscheduler.scheduler.LiquidScheduler}.
 */
@NullMarked
package io.github.liquidscheduler.scheduler;

import org.jspecify.annotations.NullMarked;
