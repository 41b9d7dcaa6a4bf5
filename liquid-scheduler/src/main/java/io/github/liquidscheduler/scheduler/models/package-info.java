/**
 * On GPUs of which model jobs run, where they are not as fast on all: {@link
 * io.github.liquidscheduler.scheduler.models.ModelPlacer}.
 */
@NullMarked
package io.github.liquidscheduler.scheduler.models;

import org.jspecify.annotations.NullMarked;
